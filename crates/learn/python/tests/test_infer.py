"""Tests of evaluations for a program that plays."""

import argparse
import json
import os
import queue
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import numpy
import torch
from torch.nn import functional

from banyan_learn import fit, infer, rows
from banyan_learn.model import Shape, Tower
from tests.test_fit import GLOBALS, PLANES, some_rows


def some_network():
    """A network of chance that says something of every position."""
    torch.manual_seed(3)
    network = Tower(Shape.tower(2, 32, PLANES, GLOBALS))
    with torch.no_grad():
        network.blocks[0].second.weight.normal_(std=0.05)
    return network


def asked_of(batch):
    """What a network is asked about a batch."""
    return batch["planes"], batch["globals"]


def request(number, some, side):
    """What a program writes to have rows evaluated."""
    head = numpy.array([number, len(some["outcome"]), side, side], "<u4")
    return head.tobytes() + some["planes"].tobytes() + some["globals"].astype("<i2").tobytes()


class Inference(unittest.TestCase):
    """A process says of positions what the network says."""

    def test_requests_of_several_boards_are_answered_by_their_numbers(self):
        network = some_network()
        asked = {7: (some_rows(5, 1), 7), 9: (some_rows(3, 2, 81), 9), 8: (some_rows(2, 3), 7)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net")
            fit.write(network, path)
            command = [sys.executable, "-m", "banyan_learn.infer", "--weights", path, "--device", "cpu"]
            text = b"".join(request(number, *given) for number, given in asked.items())
            done = subprocess.run(command, input=text, capture_output=True, check=True)
        hello, replies = done.stdout.split(b"\n", 1)
        wanted = {"format": "banyan-infer", "version": infer.VERSION, "planes": PLANES, "globals": GLOBALS, "device": "cpu"}
        self.assertEqual(json.loads(hello), wanted)
        self.assertIn(b"10 positions in ", done.stderr)
        seen = set()
        while replies:
            number, length = numpy.frombuffer(replies[:8], "<u4")
            self.check(network.eval(), *asked[int(number)], replies[8 : 8 + length])
            seen.add(int(number))
            replies = replies[8 + length :]
        self.assertEqual(seen, set(asked))

    def check(self, network, some, side, reply):
        """Holds a reply to the network itself."""
        batch = rows.Rows(some).batch(numpy.arange(len(some["outcome"])), 0)
        with torch.no_grad():
            policy, outcome, _, _ = network(batch["planes"], batch["globals"])
        found = numpy.frombuffer(reply, "<i2").reshape(len(policy), side * side + 2)
        shares = outcome.softmax(dim=1)
        values = (shares[:, 0] + shares[:, 1] / 2).numpy()
        numpy.testing.assert_allclose(found[:, :-1] / infer.LOGIT_ONE, policy.numpy(), atol=0.001)
        numpy.testing.assert_allclose(found[:, -1] / infer.VALUE_ONE, values, atol=0.001)

    def test_convolutions_are_fused_where_that_computes_the_same(self):
        def relu(value, weight, bias, *same):
            return functional.relu(functional.conv2d(value, weight, bias, *same))

        def add_relu(value, weight, other, alpha, bias, *same):
            return functional.relu(functional.conv2d(value, weight, bias, *same) + alpha * other)

        torch.manual_seed(3)
        network = Tower(Shape.tower(4, 48, PLANES, GLOBALS)).eval()
        with torch.no_grad():
            for block in network.blocks:
                block.second.weight.normal_(std=0.05)
                block.second.bias.normal_()
        patch = unittest.mock.patch.object
        with patch(torch, "cudnn_convolution_relu", relu), patch(torch, "cudnn_convolution_add_relu", add_relu):
            found = infer.fused(network, PLANES, GLOBALS)
            self.assertIsInstance(found, infer.Fused)
            batch = rows.Rows(some_rows(5, 1)).batch(numpy.arange(5), 0)
            for one, other in zip(found(*asked_of(batch)), network(*asked_of(batch)), strict=True):
                torch.testing.assert_close(one, other)
        with patch(torch, "cudnn_convolution_relu", relu), patch(torch, "cudnn_convolution_add_relu", lambda value, *_: value):
            self.assertIs(infer.fused(network, PLANES, GLOBALS), network)
        # There is no such thing on a processor.
        self.assertIs(infer.fused(network, PLANES, GLOBALS), network)

    def test_weights_are_read_again_when_that_is_asked_for(self):
        first, second = some_network(), some_network()
        with torch.no_grad():
            second.points.bias.add_(1.0)
        some = some_rows(2, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net")
            fit.write(first, path)
            command = [sys.executable, "-m", "banyan_learn.infer", "--weights", path, "--device", "cpu"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                process.stdout.readline()
                for number, network in [(1, first), (2, second)]:
                    fit.write(network, path)
                    process.stdin.write(numpy.zeros(4, "<u4").tobytes() + request(number, some, 7))
                    process.stdin.flush()
                    length = int(numpy.frombuffer(process.stdout.read(8), "<u4")[1])
                    self.check(network.eval(), some, 7, process.stdout.read(length))
                # Another network would not be the one that was recorded.
                fit.write(Tower(Shape.tower(1, 32, PLANES, GLOBALS)), path)
                process.stdin.write(numpy.zeros(4, "<u4").tobytes() + request(3, some, 7))
                process.stdin.close()
                self.assertEqual(process.stdout.read(), b"")
            self.assertEqual(process.returncode, 1)

    def test_a_device_that_is_none_or_not_here_is_refused_with_its_name(self):
        self.assertIn(fit.device_of("auto"), ("cpu", "cuda"))
        self.assertEqual(fit.device_of("cpu"), "cpu")
        for name, words in [("gpu", "'gpu': must be auto"), ("cuda:x", "must be auto"), ("cuda:99", "'cuda:99': PyTorch sees")]:
            with self.assertRaisesRegex(argparse.ArgumentTypeError, words):
                fit.device_of(name)

    def test_batches_hold_one_board_and_as_many_as_go_together(self):
        waiting = infer.Waiting(None)
        for number, (size, count) in enumerate([((9, 9), 3000), ((7, 7), 10), ((9, 9), 1000), ((9, 9), 500)]):
            asked = infer.Request(number, size, numpy.zeros(count), None)
            waiting.by_size.setdefault(size, infer.deque()).append(asked)
        self.assertEqual(waiting.first(), (4500, (9, 9)))
        # What is left of a board waits behind the others.
        taken = []
        while waiting.by_size:
            taken.append([it.number for it in waiting.batch(waiting.first()[1])])
        self.assertEqual(taken, [[0, 2], [1], [3]])
        self.assertEqual(waiting.first(), (0, None))

    def test_a_board_of_few_positions_does_not_wait_for_ever_beside_a_busier_one(self):
        waiting = infer.Waiting(queue.SimpleQueue())

        def ask(size, count):
            waiting.heard.put(infer.Request(0, size, numpy.zeros(count), None))
            waiting.take_in(False)

        ask((9, 9), 1000)
        ask((19, 19), 5)
        waiting.batch((9, 9))
        ask((9, 9), 1000)
        self.assertEqual(waiting.first(), (5, (19, 19)))

    def test_a_teacher_is_half_of_what_is_learned(self):
        network = some_network().eval()
        batch = rows.Rows(some_rows(6, 4)).batch(numpy.arange(6), 0)
        wanted, halved = fit.targets(batch), fit.taught(network, batch)
        policy, outcome, score, _ = network(batch["planes"], batch["globals"])
        torch.testing.assert_close(halved["policy"], (wanted["policy"] + policy.softmax(dim=1)) / 2)
        torch.testing.assert_close(halved["outcome"], (wanted["outcome"] + outcome.softmax(dim=1)) / 2)
        torch.testing.assert_close(halved["score"], (wanted["score"] + score) / 2)
        # Where the encoding has grown since, a teacher sees what it always saw.
        batch["planes"] = torch.cat([batch["planes"], torch.ones_like(batch["planes"][:, :2])], dim=1)
        torch.testing.assert_close(fit.taught(network, batch)["score"], halved["score"])


if __name__ == "__main__":
    unittest.main()
