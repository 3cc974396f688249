"""Tests of the fit: `python -m unittest` in `crates/learn/python`."""

import contextlib
import errno
import io
import json
import os
import pathlib
import tempfile
import unittest
import unittest.mock

import numpy
import torch
from safetensors.numpy import load_file, save_file

from banyan_learn import fit, rows
from banyan_learn.model import LOGIT_MAX, Shape, Tower, mean_square, rounded_weight

SIDE, PLANES, GLOBALS = 7, 3, 2
AREA = SIDE * SIDE
RATE_AT = fit.rate_at


def some_rows(count, seed, area=AREA):
    """Rows in which the one point that is set is the move, the owned point, and on the left a win."""
    chance = numpy.random.default_rng(seed)
    points = chance.integers(0, area, count)
    board = numpy.zeros((count, PLANES, area), numpy.uint8)
    board[:, 0] = 1
    board[numpy.arange(count), 1, points] = 1
    board[:, 2] = chance.integers(0, 2, (count, 1))
    policy = numpy.zeros((count, area + 1), numpy.int16)
    policy[numpy.arange(count), points] = 10_000
    wins = board[:, 2, 0] == 1
    return {
        "planes": numpy.packbits(board, axis=2, bitorder="little"),
        "globals": numpy.zeros((count, GLOBALS), numpy.int16),
        "policy": policy,
        "outcome": numpy.where(wins, 0, 2).astype(numpy.uint8),
        "score": numpy.where(wins, 10, -10).astype(numpy.int16),
        "ownership": (board[:, 1].astype(numpy.int8) * 2 - 1),
        "value": numpy.where(wins, 1000, 0).astype(numpy.int16),
        "game": numpy.arange(count, dtype=numpy.int32),
    }


class Fitting(unittest.TestCase):
    """A small network learns what rows show, and is written as Rust reads it."""

    def test_a_network_learns_goes_on_and_rounds_without_loss(self):
        with tempfile.TemporaryDirectory() as folder:
            save_file(some_rows(800, 1), os.path.join(folder, "0000.rows"))
            to, state = os.path.join(folder, "net"), os.path.join(folder, "state.pt")
            words = f"--rows {folder} --to {to} --checkpoint {state} --shape 1x32 --steps 60 --batch 64 --threads 1"
            asked = fit.arguments(words.split())
            first = fit.fit(asked)
            fit.forget(f"{state}.fit")
            again = fit.fit(asked)
            fit.forget(f"{state}.fit")
            self.assertLess(again["held out, rounded"]["policy"], 0.5 * numpy.log(AREA))
            self.assertLess(again["held out, rounded"]["policy"], first["held out, rounded"]["policy"] + 0.01)
            lost = again["held out, rounded"]["policy"] - again["held out"]["policy"]
            self.assertLess(lost, 0.2)
            self.check_file(to)
            kept = [pathlib.Path(path).read_bytes() for path in (to, state)]
            with self.assertRaisesRegex(SystemExit, "astray"):
                fit.fit(fit.arguments([*words.split(), "--rate", "30"]))
            # It does not go on to its end either.
            with self.assertRaisesRegex(SystemExit, "astray.*in steps up to [123]0 "):
                fit.fit(fit.arguments([*words.split(), "--rate", "30", "--every", "10"]))
            self.assertEqual([pathlib.Path(path).read_bytes() for path in (to, state)], kept)

    def test_a_fit_that_rounds_nothing_is_gone_on_with_from_its_end(self):
        with tempfile.TemporaryDirectory() as folder:
            save_file(some_rows(400, 1), os.path.join(folder, "0000.rows"))
            state = os.path.join(folder, "state.pt")
            words = f"--rows {folder} --to {state}.net --checkpoint {state} --shape 1x32 --steps 20 --batch 32 --device cpu"
            asked = fit.arguments([*words.split(), "--rounding", "0", "--every", "10"])
            step_once, began = fit.step_once, []

            def step(network, *others):
                began.append((float(network.head_most.most) > 0, network.rounds))
                return step_once(network, *others)

            evened = unittest.mock.patch.object(Tower, "even_out_head", autospec=True, side_effect=Tower.even_out_head)
            with unittest.mock.patch.object(fit, "step_once", step), evened as even_out_head:
                fit.fit(asked)
                fit.forget(f"{state}.fit")
                fit.fit(asked)
            # Its weights are to be held by whole numbers all the same.
            self.assertEqual(even_out_head.call_count, 2)
            self.assertEqual([began[0], began[20]], [(False, False), (True, False)])
            self.assertFalse(any(rounds for _, rounds in began))
            for share in ("-0.1", "1", "nan"):
                with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
                    fit.arguments([*words.split(), "--rounding", share])
                self.assertIn(f"'{share}': must be a number from 0 to 0.9", said.getvalue())

    def test_a_fit_that_is_broken_off_comes_to_the_same_weights(self):
        with tempfile.TemporaryDirectory() as folder:
            save_file(some_rows(400, 1), os.path.join(folder, "0000.rows"))

            def asked(name, *more):
                state = os.path.join(folder, name)
                words = f"--rows {folder} --to {state}.net --checkpoint {state}.pt --shape 1x32 --steps 40 --batch 16"
                return fit.arguments([*words.split(), "--threads", "1", "--device", "cpu", *more])

            def files(name):
                kept = torch.load(os.path.join(folder, f"{name}.pt"), weights_only=True)
                weights = load_file(os.path.join(folder, f"{name}.net"))
                return [*kept["network"].values(), *(torch.from_numpy(it) for it in weights.values())]

            fit.fit(asked("whole"))
            # Rounding begins after 30 of 40 steps.
            for end in [20, 30, 35]:
                name = f"part{end}"
                self.break_off(asked(name, "--save-every", "0"), end)
                self.assertTrue(os.path.exists(os.path.join(folder, f"{name}.pt.fit")))
                self.assertFalse(os.path.exists(os.path.join(folder, f"{name}.pt")))
                seen = unittest.mock.patch.object(fit, "rate_at", side_effect=RATE_AT)
                with seen as rates:
                    fit.fit(asked(name))
                steps = [call.args[0] for call in rates.call_args_list]
                self.assertEqual(steps, list(range(end, 40)))
                self.assert_alike(files("whole"), files(name))
            # Its end may be broken off, too, and come again.
            for end in ["said_of", "replace", "write"]:
                name = f"end-{end}"
                self.break_off_at(end, asked(name))
                for _ in range(2):
                    with unittest.mock.patch.object(fit, "step_once", side_effect=AssertionError):
                        fit.fit(asked(name))
                    self.assert_alike(files("whole"), files(name))
            # The next fit begins once that is forgotten.
            fit.forget(os.path.join(folder, "end-write.pt.fit"))
            self.break_off(asked("end-write"), 3)
            # Other steps are another fit; one that went astray is not gone on with.
            self.break_off(asked("other", "--save-every", "0"), 20)
            self.break_off(asked("other", "--rate", "0.001"), 1)
            # So are other weights to begin with, in a file of the same name; a file that is cut is none.
            begin = os.path.join(folder, "begin")
            pathlib.Path(begin).write_bytes(pathlib.Path(folder, "whole.net").read_bytes())
            self.break_off(asked("third", "--from", begin, "--save-every", "0"), 5)
            self.break_off(asked("third", "--from", begin, "--save-every", "0"), 7, 5)
            fit.write(Tower(Shape.tower(1, 32, PLANES, GLOBALS)), begin)
            self.break_off(asked("third", "--from", begin, "--save-every", "0"), 3)
            saved = pathlib.Path(folder, "third.pt.fit")
            saved.write_bytes(saved.read_bytes()[:1000])
            self.break_off(asked("third", "--from", begin), 1)
            with self.assertRaisesRegex(SystemExit, "astray"):
                fit.fit(asked("whole", "--rate", "30", "--save-every", "0", "--every", "10"))
            self.assertFalse(os.path.exists(os.path.join(folder, "whole.pt.fit")))

    def assert_alike(self, whole, part):
        for one, other in zip(whole, part, strict=True):
            self.assertTrue(torch.equal(one, other))

    def break_off_at(self, end, asked):
        """Breaks a fit off at a function of its end, which writes no checkpoint but the one under way before that."""
        whole = getattr(fit, end)

        def broken(*given):
            # What is saved of the fit is no end.
            if given[-1] == asked.checkpoint + ".fit":
                return whole(*given)
            raise KeyboardInterrupt

        with unittest.mock.patch.object(fit, end, broken), self.assertRaises(KeyboardInterrupt):
            fit.fit(asked)

    def break_off(self, asked, end, start=0):
        """Breaks a fit off before step `end`, having begun at `start`."""
        rates = []

        def rate_at(step, of):
            rates.append(step)
            if step == end:
                raise KeyboardInterrupt
            return RATE_AT(step, of)

        with unittest.mock.patch.object(fit, "rate_at", rate_at), self.assertRaises(KeyboardInterrupt):
            fit.fit(asked)
        self.assertEqual(rates, list(range(start, end + 1)))

    def check_file(self, path):
        tensors = load_file(path)
        self.assertEqual(tensors["blocks.0.first.weight"].shape, (32, 32, 3, 3))
        self.assertEqual(tensors["largest.trunk"].shape, (2,))
        with open(path, "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        words = dict(header["__metadata__"])
        self.assertEqual(words.pop("digest"), fit.digest(words, tensors))

    def test_rows_turn_with_all_that_lies_on_the_board(self):
        one = rows.Rows(some_rows(5, 2))
        for symmetry in range(8):
            batch = one.batch(numpy.arange(5), symmetry)
            points = batch["planes"][:, 1].flatten(1)
            torch.testing.assert_close(points, batch["policy"][:, :AREA])
            torch.testing.assert_close(points * 2 - 1, batch["ownership"])

    def test_boards_of_several_sizes_are_learned_together(self):
        with tempfile.TemporaryDirectory() as folder:
            save_file(some_rows(300, 1), os.path.join(folder, "0000.rows"))
            save_file(some_rows(100, 2, 81), os.path.join(folder, "0001.rows"))
            learned, held = rows.load(folder, 1000)
        self.assertEqual([part.side for part in learned.sizes], [7, 9])
        self.assertEqual(learned.count + held.count, 400)
        chance = numpy.random.default_rng(1)
        sides = [learned.drawn(4, chance)["planes"].shape[-1] for _ in range(200)]
        # 50 expected, standard deviation 6.
        self.assertTrue(25 < sides.count(9) < 80, sides.count(9))
        self.assertEqual(sum(len(batch["outcome"]) for batch in held.all(8)), held.count)

    def test_the_newest_rows_are_those_of_the_highest_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            for generation, count in [("g099", 100), ("g100", 100), ("g999", 200), ("g1000", 300)]:
                os.mkdir(os.path.join(folder, generation))
                save_file(some_rows(count, 1), os.path.join(folder, generation, "0000.rows"))
            save_file(some_rows(400, 1), os.path.join(folder, "g1000", "10000.rows"))
            for newest, count in [(400, 400), (401, 700), (701, 900), (901, 1000)]:
                learned, held = rows.load(folder, newest)
                self.assertEqual(learned.count + held.count, count)

    def test_of_few_games_the_newest_is_held_out_and_one_alone_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, games in [("0000", [1, 1, 2, 2]), ("0001", [3, 3, 3, 5])]:
                save_file({**some_rows(4, 1), "game": numpy.array(games, numpy.int32)}, os.path.join(folder, f"{name}.rows"))
            learned, held = rows.load(folder, 8)
            self.assertEqual((learned.count, held.count), (7, 1))
            save_file({**some_rows(4, 1), "game": numpy.array([16, 3, 3, 5], numpy.int32)}, os.path.join(folder, "0000.rows"))
            learned, held = rows.load(folder, 8)
            self.assertEqual((learned.count, held.count), (7, 1))
            for game in (7, 32):
                save_file({**some_rows(2, 1), "game": numpy.full(2, game, numpy.int32)}, os.path.join(folder, "0002.rows"))
                with self.assertRaisesRegex(SystemExit, "all 2 rows in .* are held out: expected more games"):
                    rows.load(folder, 2)

    def test_a_board_of_one_symmetry_is_turned_by_that_alone(self):
        chance = numpy.random.default_rng(1)
        one = some_rows(1, 2)
        point = int(one["policy"][0].argmax())
        mixed = rows.Mixed([one], [])
        seen = {int(mixed.drawn(1, chance)["policy"][0].argmax()) for _ in range(64)}
        self.assertEqual(seen, {point, AREA - 1 - point})

    def test_planes_that_tell_ends_of_the_board_apart_change_places_by_half_a_turn(self):
        one = rows.Rows(some_rows(5, 2))
        plain = one.batch(numpy.arange(5), 2, [])["planes"]
        changed = one.batch(numpy.arange(5), 2, [(0, 1)])["planes"]
        self.assertFalse(torch.equal(plain[:, 0], plain[:, 1]))
        torch.testing.assert_close(changed[:, [1, 0]], plain[:, :2])
        torch.testing.assert_close(changed[:, 2:], plain[:, 2:])
        for symmetry in (0, 1):
            as_they_are = one.batch(numpy.arange(5), symmetry)["planes"]
            torch.testing.assert_close(one.batch(numpy.arange(5), symmetry, [(0, 1)])["planes"], as_they_are)
        self.assertEqual([fit.pairs(""), fit.pairs("3:4,5:6")], [[], [(3, 4), (5, 6)]])

    def test_a_head_of_even_channels_says_the_same_and_loses_less_by_rounding(self):
        torch.manual_seed(1)
        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        with torch.no_grad():
            # One channel is large and means little, as happens; those that the policy is made of are small.
            network.head.weight[40].mul_(200)
            network.points.weight[:, 8].mul_(0.001)
            network.head_pool.weight[8].mul_(0.001)
        learned = rows.Mixed([some_rows(300, 3)])
        batch = learned.sizes[0].batch(numpy.arange(64), 0)
        network(batch["planes"], batch["globals"])
        network.eval()
        wanted = network(batch["planes"], batch["globals"])
        lost = self.lost_by_rounding(network, batch, wanted)
        factors = network.even_out_head(fit.head_mosts(network, learned, numpy.random.default_rng(1)))
        network.eval()
        for one, other in zip(wanted, network(batch["planes"], batch["globals"]), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
        self.assertEqual(set(factors), {name for name, _ in network.layers()})
        self.assertLess(self.lost_by_rounding(network, batch, wanted), 0.5 * lost)

    def test_weights_that_say_nothing_take_no_steps_from_the_others(self):
        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        batch = rows.Rows(some_rows(32, 3)).batch(numpy.arange(32), 0)
        half = network.shape.head
        with torch.no_grad():
            for channel in (3, half + 3):
                # Never above 0, and listened to more than anything else.
                network.head.weight[channel] = 0
                network.head.bias[channel] = -1
            network.head_pool.weight[3] = 0
            network.hidden.weight[:, 3] = network.points.weight[:, 3] = 1000.0
            # Above 0, and listened to beyond all measure.
            network.points.weight[0, 5] = -1000.0
        network.train()
        network(batch["planes"], batch["globals"])
        network.eval()
        head, _ = network.head_of(network.trunk(batch["planes"], batch["globals"]))
        most = head.amax(dim=(0, 2, 3))
        self.assertEqual((float(most[3]), float(most[half + 3])), (0.0, 0.0))
        wanted = network(batch["planes"], batch["globals"])
        network.even_out_head(most)
        found = network(batch["planes"], batch["globals"])
        for one, other in zip(wanted[1:], found[1:], strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
        for layer in (network.hidden, network.head_pool, network.points):
            self.assertEqual(float(layer.weight[:, 3].abs().max()), 0.0)
        head, _ = network.head_of(network.trunk(batch["planes"], batch["globals"]))
        said = head[:, half + 5] * network.points.weight[0, 5]
        self.assertAlmostEqual(float(said.min()), -LOGIT_MAX, places=3)

    def lost_by_rounding(self, network, batch, wanted):
        """Mean distance of the policy's logits from what they were."""
        network.rounds = True
        found = network(batch["planes"], batch["globals"])
        network.rounds = False
        return float((found[0] - wanted[0]).abs().mean())

    def test_a_leap_of_the_head_takes_no_steps_from_its_channels_while_it_rounds(self):
        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        planes, globals_ = torch.rand(2, PLANES, SIDE, SIDE), torch.zeros(2, GLOBALS)
        network(planes, globals_)
        usual, inner = network.head_most.most.clone(), network.blocks[0].inner.most.clone()
        network.rounds = True
        network(100 * planes, globals_)
        self.assertEqual(network.head_most.most, usual)
        self.assertGreater(network.blocks[0].inner.most, 2 * inner)
        head, _ = network.head_of(network.trunk(100 * planes, globals_))
        self.assertLessEqual(float(head.max()), float(usual) * 1.0001)
        network.rounds = False
        network(100 * planes, globals_)
        self.assertGreater(network.head_most.most, 10 * usual)

    def test_a_fit_begins_with_a_network_and_grows_it(self):
        # It sees a plane less than rows have: those of an encoding of before.
        small = Tower(Shape.tower(1, 32, PLANES - 1, GLOBALS))
        with torch.no_grad():
            small.blocks[0].second.weight.normal_(std=0.05)
        batch = rows.Rows(some_rows(16, 3)).batch(numpy.arange(16), 0)
        seen = batch["planes"][:, :-1]
        small(seen, batch["globals"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net")
            fit.write(small, path)
            for shape in ("1x32", "3x48"):
                words = f"--rows {folder} --to net --checkpoint {folder}/none --shape {shape} --from {path}"
                grown, _ = fit.begin(fit.arguments(words.split()), PLANES, GLOBALS)
                for network in (small, grown):
                    network.eval()
                wanted = small(seen, batch["globals"])
                found = grown(batch["planes"], batch["globals"])
                for one, other in zip(wanted, found, strict=True):
                    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
                # Nothing reads a new block yet, so that it can learn its weights stay about as they begin.
                sizes = [float(it.first.weight.detach().abs().max()) for it in grown.blocks]
                self.assertTrue(all(0.05 < size < 4 for size in sizes), sizes)
            words = f"--rows {folder} --to net --checkpoint {folder}/none --shape 1x16 --from {path}"
            with self.assertRaisesRegex(SystemExit, "does not grow into"):
                fit.begin(fit.arguments(words.split()), PLANES, GLOBALS)
            for blocks in (2, 3):
                fit.write(Tower(Shape.tower(blocks, 32, PLANES, GLOBALS)), path)
                words = f"--rows {folder} --to net --checkpoint {folder}/none --shape 1x32 --from {path}"
                with self.assertRaisesRegex(SystemExit, f"net has {blocks} blocks, does not fit into 1"):
                    fit.begin(fit.arguments(words.split()), PLANES, GLOBALS)

    def test_a_network_whose_channels_are_balanced_computes_the_same(self):
        torch.manual_seed(3)
        network = Tower(Shape.tower(3, 32, PLANES, GLOBALS))
        for parameter in network.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
        with torch.no_grad():
            # As ill as a network becomes whose activations alone are scaled, fit after fit.
            network.head.weight[3] *= 1000
            network.head_pool.weight[:, [3, 35, 67]] /= 1000
            network.hidden.weight[:, [3, 35, 67]] /= 1000
        planes, globals_ = torch.randn(4, PLANES, SIDE, SIDE), torch.randn(4, GLOBALS)
        outputs = network(planes, globals_)
        before = {name: (layer.weight.clone(), layer.bias.clone()) for name, layer in network.layers()}
        factors = network.balance()
        # The largest may be another channel's now.
        places = [*network.trunk_most, *(it.inner for it in network.blocks), network.head_most, network.hidden_most]
        self.assertEqual([float(it.most) for it in places], [0.0] * len(places))
        for found, expected in zip(network(planes, globals_), outputs, strict=True):
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-2)
        layers = dict(network.layers())
        for name, layer in layers.items():
            for now, was, factor in zip((layer.weight, layer.bias), before[name], factors[name], strict=True):
                torch.testing.assert_close(now.detach(), was * factor, rtol=1e-4, atol=1e-6)
        seen = 0
        for made_by, read_by in network.channels():
            made = mean_square([layers[name].weight[rows] for name, rows in made_by])
            read = mean_square([layers[name].weight[:, columns].transpose(0, 1) for name, columns in read_by])
            torch.testing.assert_close(made, read, rtol=0.05, atol=0.0)
            seen += len(made)
        self.assertEqual(seen, 3 * 32 + 32 + 2 * 32 + 64)

    def test_channels_that_nothing_reads_stay_as_they_begin(self):
        torch.manual_seed(4)
        network = Tower(Shape.tower(2, 32, PLANES, GLOBALS))
        before = network.blocks[0].first.weight.detach().clone()
        # The second convolution of a new block is 0; what it reads is not to become 0 as well.
        network.balance()
        ratio = network.blocks[0].first.weight.detach() / before
        self.assertGreater(float(ratio.min()), 0.05)
        self.assertEqual(float(network.blocks[0].second.weight.detach().abs().max()), 0.0)

    def test_slopes_are_known_as_before_where_weights_are_scaled(self):
        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        optimiser = torch.optim.AdamW(network.parameters(), lr=0.0, weight_decay=0.0)
        planes, globals_ = torch.randn(4, PLANES, SIDE, SIDE), torch.randn(4, GLOBALS)

        def slopes():
            optimiser.zero_grad()
            network(planes, globals_)[1].logsumexp(dim=1).sum().backward()
            optimiser.step()

        slopes()
        fit.scale_moments(network, optimiser, network.balance())
        moment = optimiser.state[network.last.weight]["exp_avg"].clone()
        slopes()
        # Both steps have the same slopes, so the mean of them goes on from 0.1 to 0.19 of these.
        torch.testing.assert_close(optimiser.state[network.last.weight]["exp_avg"], 1.9 * moment, rtol=1e-2, atol=1e-4)

    def test_what_networks_say_is_reckoned_in_full_precision_even_by_bfloat(self):
        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(torch.randn(2, PLANES, SIDE, SIDE), torch.randn(2, GLOBALS))
        self.assertEqual([it.dtype for it in outputs], [torch.float32] * 4)

    def test_a_fit_that_went_astray_is_refused(self):
        good = dict(policy=1.0, outcome=0.5, score=0.1, ownership=0.2)
        fit.refuse_worse(None, good, fit.WORSE, "held out")
        fit.refuse_worse(good, good, fit.WORSE, "held out")
        for policy in (1.4, float("nan")):
            with self.assertRaisesRegex(SystemExit, "astray"):
                fit.refuse_worse(good, good | dict(policy=policy), fit.WORSE, "held out")
        # A first fit has nothing before it.
        for policy in (float("inf"), float("nan")):
            with self.assertRaisesRegex(SystemExit, f"astray: held out policy {policy}"):
                fit.refuse_worse(None, good | dict(policy=policy), fit.WORSE, "held out")

    def test_a_file_that_cannot_be_written_is_named_and_leaves_the_old_one(self):
        class Full(io.FileIO):
            """A file on a disk that is full after a hundred bytes."""

            def write(self, content):
                if self.tell() >= 100:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return super().write(content[:100])

        def opened(path, mode):
            return io.BufferedWriter(Full(path, mode))

        network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
        state = fit.state_of(network, torch.optim.AdamW(network.parameters()))
        for write, what in ((fit.replace, state), (fit.write, network)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "state.pt.fit")
                pathlib.Path(path).write_bytes(b"old")
                full = unittest.mock.patch.object(fit, "open", opened, create=True)
                with full, self.assertRaises(SystemExit) as refused:
                    write(what, path)
                self.assertEqual(refused.exception.code, f"cannot write {path}: No space left on device")
                self.assertEqual(os.listdir(folder), ["state.pt.fit"])
                self.assertEqual(pathlib.Path(path).read_bytes(), b"old")
                with self.assertRaisesRegex(SystemExit, f"cannot write {folder}/none/net: No such file"):
                    write(what, f"{folder}/none/net")

    def test_a_network_that_pools_otherwise_or_has_another_head_is_not_grown(self):
        for channels, wanted, why in ((32, 64, "pooled 16, .* of pooled 32"), (16, 32, "head 16, .* of head 32")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "net")
                fit.write(Tower(Shape.tower(1, channels, PLANES, GLOBALS)), path)
                words = f"--rows {folder} --to net --checkpoint {folder}/none --shape 1x{wanted} --from {path}"
                with self.assertRaisesRegex(SystemExit, f"has {why}"):
                    fit.begin(fit.arguments(words.split()), PLANES, GLOBALS)

    def test_rounded_weights_are_127_steps_to_either_side(self):
        weight = torch.tensor([[127.0, -63.4, 0.6], [1.0, 0.0, -0.5]])
        wanted = torch.tensor([[127.0, -63.0, 1.0], [1.0, 0.0, -63.0 / 127]])
        torch.testing.assert_close(rounded_weight(weight), wanted)

    def test_a_checkpoint_of_another_shape_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            state = os.path.join(folder, "state.pt")
            network = Tower(Shape.tower(1, 32, PLANES, GLOBALS))
            asked = fit.arguments(f"--rows {folder} --to net --checkpoint {state} --shape 2x32".split())
            fit.replace(fit.state_of(network, torch.optim.AdamW(network.parameters())), asked.checkpoint)
            with self.assertRaisesRegex(SystemExit, "is of shape"):
                fit.begin(asked, PLANES, GLOBALS)

    def test_a_checkpoint_of_an_earlier_encoding_is_gone_on_from(self):
        with tempfile.TemporaryDirectory() as folder:
            network = Tower(Shape.tower(1, 32, PLANES - 1, GLOBALS))
            optimiser = torch.optim.AdamW(network.parameters(), lr=0.01)
            batch = rows.Rows(some_rows(16, 3)).batch(numpy.arange(16), 0)
            seen = batch["planes"][:, :-1]
            network(seen, batch["globals"])[0].logsumexp(dim=1).sum().backward()
            optimiser.step()
            asked = fit.arguments(f"--rows {folder} --to net --checkpoint {folder}/state.pt --shape 1x32".split())
            fit.replace(fit.state_of(network, optimiser), asked.checkpoint)
            now, moments = fit.begin(asked, PLANES, GLOBALS)
            for one, other in zip(network(seen, batch["globals"]), now(batch["planes"], batch["globals"]), strict=True):
                torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
            # It learns on, the new plane as well.
            before = now.input.weight.detach().clone()
            self.assertEqual(float(before[:, -1].abs().max()), 0.0)
            now(batch["planes"], batch["globals"])[0].logsumexp(dim=1).sum().backward()
            moments.step()
            self.assertGreater(float((now.input.weight.detach() - before)[:, -1].abs().max()), 0.0)

    def test_a_fit_under_way_by_other_planes_begins_anew(self):
        asked = fit.arguments("--rows none --to net --checkpoint none".split())
        few, many = some_rows(8, 1), some_rows(8, 1)
        many["planes"] = numpy.concatenate([many["planes"], many["planes"][:, :1]], axis=1)
        said = [fit.settings(asked, *[rows.Mixed([arrays])] * 2) for arrays in (few, few, many)]
        self.assertEqual(said[0], said[1])
        self.assertNotEqual(said[0], said[2])


if __name__ == "__main__":
    unittest.main()
