"""Fits a network to rows of positions; called by `banyan train fit`.

    python -m banyan_learn.fit --rows DIR --to FLOAT.safetensors --checkpoint STATE.pt [--shape 4x32] [--steps N]

Goes on from the checkpoint where there is one, else from the weights of `--from`, another fit's. The last part of the
steps (`--rounding`) rounds as whole numbers do, so that the quantised network loses nothing; what is written is the
mean of the weights along the way. A fit that is broken off goes on where it was saved last, `STATE.pt.fit`, and comes
to the same weights; so does one that has ended, until who began it removes that file: the weights are in use then.
"""

import argparse
import contextlib
import copy
import dataclasses
import hashlib
import io
import json
import math
import os
import pickle
import time

import numpy
import torch
from safetensors import safe_open
from safetensors.numpy import load_file, save
from torch.nn import functional

from banyan_learn import rows
from banyan_learn.model import Shape, Tower

FORMAT = "banyan-float"
VERSION = 1

# Share of the steps, the last, in which these become smaller.
FALLING = 0.25

# Share of the steps that may round at most: what the next fit goes on from are the weights before.
ROUNDING_MAX = 0.9

# Share of each step's weights in their mean, at first and in the last part of the steps.
SHARE, LAST_SHARE = 0.002, 0.01

# What the losses weigh against that of the policy.
OUTCOME, SCORE, OWNERSHIP = 1.0, 0.2, 0.6

# Points of score that one unit of its loss stands for.
SCORE_POINTS = 10.0

# A fit that loses so many times as much on rows held out as before is not believed.
WORSE = 1.1

# A fit that loses so many times as much on the way need not go on: a look at each report saves its time.
MUCH_WORSE = 3.0

# Share of the search's value in the outcome that is learned.
SEARCHED = 0.3

# Share of what a teacher says in all that is learned.
TAUGHT = 0.5


def targets(batch):
    """What is to be learned of a batch, as the network puts it: shares of moves and outcomes, score, chances of points."""
    ended = functional.one_hot(batch["outcome"], 3).float()
    value = batch["value"]
    searched = torch.stack([value, torch.zeros_like(value), 1 - value], dim=1)
    return {
        "policy": batch["policy"],
        "outcome": (1 - SEARCHED) * ended + SEARCHED * searched,
        "score": batch["score"],
        # (own + 1) / 2 is the chance that a point is the side to move's: tanh(x) = 2 sigmoid(2x) - 1.
        "ownership": (batch["ownership"] + 1) / 2,
    }


@torch.no_grad()
def taught(teacher, batch):
    """Targets of a batch, half of them what another network says: it has seen more than one game tells.

    One of an earlier version of the encoding sees the first planes alone.
    """
    policy, outcome, score, ownership = teacher(batch["planes"][:, : teacher.shape.planes], batch["globals"])
    said = {
        "policy": policy.softmax(dim=1),
        "outcome": outcome.softmax(dim=1),
        "score": score,
        "ownership": torch.sigmoid(2 * ownership),
    }
    return {name: torch.lerp(target, said[name].float(), TAUGHT) for name, target in targets(batch).items()}


def losses(network, batch, wanted):
    """Cross entropy of policy and outcome, losses of score and ownership, each a mean."""
    policy, outcome, score, ownership = network(batch["planes"], batch["globals"])
    return {
        "policy": -(wanted["policy"] * functional.log_softmax(policy, dim=1)).sum(dim=1).mean(),
        "outcome": -(wanted["outcome"] * functional.log_softmax(outcome, dim=1)).sum(dim=1).mean(),
        "score": functional.smooth_l1_loss(score / SCORE_POINTS, wanted["score"] / SCORE_POINTS),
        "ownership": functional.binary_cross_entropy_with_logits(2 * ownership, wanted["ownership"]),
    }


def total(parts):
    """The one loss that is made small."""
    return parts["policy"] + OUTCOME * parts["outcome"] + SCORE * parts["score"] + OWNERSHIP * parts["ownership"]


@torch.no_grad()
def judged(network, held, size=512):
    """Losses on rows that were held out, with the share of moves foretold."""
    network.eval()
    sums, seen = {}, 0
    for batch in held.all(size):
        count = len(batch["outcome"])
        parts = losses(network, batch, targets(batch))
        policy, outcome, _, _ = network(batch["planes"], batch["globals"])
        parts["foretold"] = (policy.argmax(dim=1) == batch["policy"].argmax(dim=1)).float().mean()
        parts["sided"] = ((outcome[:, 0] > outcome[:, 2]) == (batch["outcome"] == 0)).float().mean()
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part) * count
        seen += count
    network.train()
    return {name: part / max(seen, 1) for name, part in sums.items()}


def words(parts):
    """Losses for people."""
    return ", ".join(f"{name} {part:.4f}" for name, part in parts.items())


class Mean:
    """A mean of weights along the way: smoother than the last of them."""

    def __init__(self, network, share):
        self.network = copy.deepcopy(network)
        self.share = share

    @torch.no_grad()
    def take(self, network):
        """Takes in weights; the largest values seen are taken as they are."""
        torch._foreach_lerp_(list(self.network.parameters()), list(network.parameters()), self.share)
        torch._foreach_copy_(list(self.network.buffers()), list(network.buffers()))


def digest(header, tensors):
    """SHA-256 of words and tensors, sorted, each part after its length, as crates/net reckons it."""
    parts = [word.encode() for item in sorted(header.items()) for word in item]
    for name, tensor in sorted(tensors.items()):
        parts += [name.encode(), b"F32", ",".join(map(str, tensor.shape)).encode(), tensor.tobytes()]
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in parts)).hexdigest()


def write(network, to):
    """Writes weights and the largest values seen, as `banyan train fit` reads them."""
    tensors = {}
    for name, layer in network.layers():
        tensors[f"{name}.weight"] = layer.weight.detach().cpu().numpy().astype(numpy.float32).copy()
        tensors[f"{name}.bias"] = layer.bias.detach().cpu().numpy().astype(numpy.float32).copy()
    tensors["largest.trunk"] = numpy.array([float(it.most) for it in network.trunk_most], numpy.float32)
    tensors["largest.inner"] = numpy.array([float(it.inner.most) for it in network.blocks], numpy.float32)
    rest = [float(network.head_most.most), float(network.hidden_most.most)]
    tensors["largest.rest"] = numpy.array(rest, numpy.float32)
    header = {"format": FORMAT, "version": str(VERSION)}
    header |= {name: str(number) for name, number in vars(network.shape).items()}
    header["digest"] = digest(header, tensors)
    put(save(tensors, metadata=header), to)


def read(network, path):
    """Takes over the weights and the largest values of a file that `write` wrote.

    A network of fewer blocks or channels is grown: what is new is not listened to at first, so it computes the same.
    """
    tensors = {name: torch.from_numpy(tensor) for name, tensor in load_file(path).items()}
    said = words_of(path)
    for name in ("pooled", "head", "hidden", "pooling_every"):
        number, wanted = int(said[name]), vars(network.shape)[name]
        if number != wanted:
            raise SystemExit(f"{path} has {name} {number}, does not grow into a network of {name} {wanted}")
    if int(said["blocks"]) > network.shape.blocks:
        raise SystemExit(f"{path} has {said['blocks']} blocks, does not fit into {network.shape.blocks}")
    with torch.no_grad():
        for name, layer in network.layers():
            if f"{name}.weight" in tensors:
                fill(layer, (tensors[f"{name}.weight"], tensors[f"{name}.bias"]), f"{path}: {name}")
        trunk = tensors["largest.trunk"]
        most = torch.cat([trunk, trunk[-1:].expand(len(network.trunk_most) - len(trunk))])
        for place, value in zip(network.trunk_most, most, strict=True):
            place.most.copy_(value)
        for block, value in zip(network.blocks, tensors["largest.inner"], strict=False):
            block.inner.most.copy_(value)
        for place, value in zip((network.head_most, network.hidden_most), tensors["largest.rest"], strict=True):
            place.most.copy_(value)


def fill(layer, given, name):
    """Fills weights and biases into the first rows and columns of a layer, whose new columns become 0."""
    weight, bias = given
    fits = all(few <= many for few, many in zip(weight.shape, layer.weight.shape, strict=True))
    if not fits or weight.shape[2:] != layer.weight.shape[2:]:
        raise SystemExit(f"{name} is {tuple(weight.shape)}, does not fit into {tuple(layer.weight.shape)}")
    rows, columns = weight.shape[:2]
    layer.weight[:rows] = 0
    layer.weight[:rows, :columns] = weight
    layer.bias[:rows] = bias


def words_of(path):
    """Words of a file that `write` wrote: its format, the numbers of its shape."""
    with safe_open(path, "numpy") as file:
        return file.metadata()


def network_of(path, device):
    """The network of a file that `write` wrote, to be asked and not to learn."""
    words = words_of(path)
    shape = Shape(**{field.name: int(words[field.name]) for field in dataclasses.fields(Shape)})
    network = Tower(shape)
    read(network, path)
    return network.to(device, memory_format=torch.channels_last).eval()


def with_new_planes(state, network):
    """What a fit kept by an earlier encoding, with weights of 0 for the planes that came since."""
    new = network.shape.planes - state["shape"]["planes"]
    if new <= 0 or {**state["shape"], "planes": network.shape.planes} != vars(network.shape):
        return state
    name = "input.weight"
    at = [name for name, _ in network.named_parameters()].index(name)
    known = {**state["network"]}
    moments = {**state["optimiser"]["state"]}

    def wider(weight):
        return torch.cat([weight, weight.new_zeros(len(weight), new, *weight.shape[2:])], dim=1)

    known[name] = wider(known[name])
    if at in moments:
        moments[at] = {what: wider(it) if it.dim() == 4 else it for what, it in moments[at].items()}
    return {"shape": vars(network.shape), "network": known, "optimiser": {**state["optimiser"], "state": moments}}


def begin(asked, planes, globals_):
    """A network, from the checkpoint where there is one, and its optimiser."""
    blocks, channels = (int(number) for number in asked.shape.split("x"))
    network = Tower(Shape.tower(blocks, channels, planes, globals_))
    network = network.to(asked.device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=asked.rate, weight_decay=asked.decay)
    if os.path.exists(asked.checkpoint):
        try:
            state = torch.load(asked.checkpoint, map_location=asked.device, weights_only=True)
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
            raise SystemExit(f"{asked.checkpoint} cannot be gone on from: {error}") from error
        state = with_new_planes(state, network)
        if state["shape"] != vars(network.shape):
            raise SystemExit(f"{asked.checkpoint} is of shape {state['shape']}, asked for {vars(network.shape)}")
        if asked.begin_with:
            print(f"goes on from {asked.checkpoint}, not from {asked.begin_with}", flush=True)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        scale_moments(network, optimiser, network.balance())
    elif asked.begin_with:
        read(network, asked.begin_with)
        network.balance()
    return network, optimiser


@torch.no_grad()
def look(network, learned, chance, batches=8, size=256):
    """Shows a network some batches, so that it knows how large its activations are."""
    for _ in range(batches):
        batch = learned.drawn(size, chance)
        network(batch["planes"], batch["globals"])


@torch.no_grad()
def head_mosts(network, learned, chance, batches=32, size=256):
    """Largest value of each channel of the head, of so many batches."""
    network.eval()
    most = torch.zeros(2 * network.shape.head, device=learned.device)
    for _ in range(batches):
        batch = learned.drawn(size, chance)
        head, _ = network.head_of(network.trunk(batch["planes"], batch["globals"]))
        most = torch.maximum(most, head.amax(dim=(0, 2, 3)))
    network.train()
    return most


@torch.no_grad()
def scale_moments(network, optimiser, factors):
    """Scales what is known of the slopes of parameters that were scaled: the larger these, the smaller slopes are."""
    for name, layer in network.layers():
        for parameter, factor in zip((layer.weight, layer.bias), factors[name], strict=True):
            if parameter in optimiser.state:
                optimiser.state[parameter]["exp_avg"].div_(factor)
                optimiser.state[parameter]["exp_avg_sq"].div_(factor * factor)


def pairs(text):
    """Pairs of numbers such as 3:4,5:6; of no text none."""
    return [tuple(int(number) for number in pair.split(":")) for pair in text.split(",") if pair]


def device_of(asked):
    """The device of a name; `auto` is a graphics card where PyTorch sees one, else the processor."""
    if asked == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    kind, _, number = asked.partition(":")
    if kind not in ("cpu", "cuda") or (":" in asked and not number.isdecimal()):
        raise argparse.ArgumentTypeError(f"{asked!r}: must be auto, cpu, cuda or one card, such as cuda:1")
    cards = torch.cuda.device_count()
    if kind == "cuda" and int(number or 0) >= cards:
        raise argparse.ArgumentTypeError(f"{asked!r}: PyTorch sees {cards} such cards here")
    return asked


def rate_at(step, asked):
    """The step's size: rises for a while, stays, falls to a tenth in the last part."""
    rise = min(1.0, (step + 1) / min(200, asked.steps / 4))
    left = (asked.steps - step) / (asked.steps * FALLING)
    return asked.rate * rise * max(0.1, min(1.0, left))


def step_once(network, optimiser, batch, teacher, asked):
    """One step down the slope; returns the losses."""
    kind = torch.device(asked.device).type
    with torch.autocast(kind, torch.bfloat16, enabled=asked.bfloat):
        wanted = targets(batch) if teacher is None else taught(teacher, batch)
    with torch.autocast(kind, torch.bfloat16, enabled=asked.bfloat and not network.rounds):
        parts = losses(network, batch, wanted)
    optimiser.zero_grad(set_to_none=True)
    total(parts).backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return parts


class Course:
    """A fit under way: weights, their mean, what the next fit goes on from, and how far it is."""

    def __init__(self, network, optimiser):
        self.network = network
        self.optimiser = optimiser
        self.mean = Mean(network, SHARE)
        self.kept = state_of(network, optimiser)
        self.step = 0
        # Losses before the first step, where the network knew something then.
        self.before = None

    def begin_last(self, learned, chance, rounds):
        """The last part of the steps begins: the head's weights in proportion, another mean, and rounding if asked."""
        self.kept = state_of(self.network, self.optimiser)
        most = head_mosts(self.network, learned, chance)
        scale_moments(self.network, self.optimiser, self.network.even_out_head(most))
        self.network.rounds = rounds
        self.mean = Mean(self.network, LAST_SHARE)

    def refuse_worse(self, after, times, where, path):
        """Ends where the fit went astray, and keeps nothing of it."""
        try:
            refuse_worse(self.before, after, times, where)
        except SystemExit:
            forget(path)
            raise

    def save(self, path, of, chance):
        """Keeps all of it, with the fit that it is of, so that a fit which is broken off goes on from here."""
        numbers = {"of": of, "step": self.step, "rounds": self.network.rounds, "before": self.before}
        numbers |= {"share": self.mean.share, "chance": chance.bit_generator.state}
        state = {"numbers": json.dumps(numbers), "mean": self.mean.network.state_dict(), "kept": self.kept}
        replace({**state, "network": self.network.state_dict(), "optimiser": self.optimiser.state_dict()}, path)

    def take_up(self, path, of, chance):
        """Goes on from what was kept, if it is of this fit; returns whether it was."""
        if not os.path.exists(path):
            return False
        device = next(self.network.parameters()).device
        try:
            found = torch.load(path, map_location=device, weights_only=True)
            numbers = json.loads(found["numbers"])
        except (EOFError, KeyError, RuntimeError, TypeError, ValueError, pickle.UnpicklingError) as why:
            print(f"{path} cannot be read ({why}): this fit begins anew", flush=True)
            return False
        if numbers["of"] != of:
            print(f"{path} is of a fit with other rows or settings: this one begins anew", flush=True)
            return False
        self.network.load_state_dict(found["network"])
        self.optimiser.load_state_dict(found["optimiser"])
        self.network.rounds = numbers["rounds"]
        self.mean = Mean(self.network, numbers["share"])
        self.mean.network.load_state_dict(found["mean"])
        self.kept, self.step, self.before = found["kept"], numbers["step"], numbers["before"]
        chance.bit_generator.state = numbers["chance"]
        print(f"goes on from step {self.step}", flush=True)
        return True


def fit(asked):
    """Fits, writes what was asked for, says and returns what it comes to on rows held out."""
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    teacher = network_of(asked.teacher, asked.device) if asked.teacher else None
    learned, held = rows.load(asked.rows, asked.newest, asked.half_turn, asked.device)
    print(f"{learned.count} rows to learn from, {held.count} held out", flush=True)
    arrays = learned.sizes[0].arrays
    course = Course(*begin(asked, arrays["planes"].shape[1], arrays["globals"].shape[1]))
    # A fit that goes on from another draws other lots than that one did.
    chance = numpy.random.default_rng([asked.seed, steps_of(course.optimiser)])
    network, path = course.network, asked.checkpoint + ".fit"
    of = settings(asked, learned, held)
    goes_on = os.path.exists(asked.checkpoint) or asked.begin_with
    if not course.take_up(path, of, chance) and goes_on:
        look(network, learned, chance)
        course.before = judged(network, held)
    start, first, parts, taken = time.monotonic(), course.step, {}, 0
    saved = start
    while course.step < asked.steps:
        if course.step == int(asked.steps * (1 - (asked.rounding or FALLING))):
            course.begin_last(learned, chance, asked.rounding > 0)
        for group in course.optimiser.param_groups:
            group["lr"] = rate_at(course.step, asked)
        now = step_once(network, course.optimiser, learned.drawn(asked.batch, chance), teacher, asked)
        course.mean.take(network)
        for name, part in now.items():
            parts[name] = parts.get(name, 0.0) + part.detach()
        course.step, taken = course.step + 1, taken + 1
        if course.step % asked.every == 0:
            speed = asked.batch * (course.step - first) / (time.monotonic() - start)
            shown = {name: float(part) / taken for name, part in parts.items()}
            print(f"step {course.step} of {asked.steps}: {words(shown)}; {speed:.0f} rows/s", flush=True)
            course.refuse_worse(shown, MUCH_WORSE, f"in steps up to {course.step}", path)
            parts, taken = {}, 0
        if time.monotonic() - saved >= asked.save_every:
            course.save(path, of, chance)
            saved = time.monotonic()
    if not network.rounds:
        course.kept = state_of(network, course.optimiser)
    # Broken off from here on, it ends once more: the checkpoint may be the next fit's already.
    course.save(path, of, chance)
    said = said_of(course.mean.network, held)
    course.refuse_worse(said["held out"], WORSE, "held out", path)
    replace(course.kept, asked.checkpoint)
    write(course.mean.network, asked.to)
    return said


def steps_of(optimiser):
    """Steps that an optimiser has made, with those of fits before."""
    return max((int(of["step"]) for of in optimiser.state.values()), default=0)


def settings(asked, learned, held):
    """What makes a fit this one: its rows, and what was asked for that changes the weights."""
    others = ("rows", "to", "checkpoint", "every", "save_every", "threads", "device")
    chosen = {name: value for name, value in sorted(vars(asked).items()) if name not in others}
    # Other weights may stand in a file of the same name.
    for name in ("begin_with", "teacher"):
        if chosen[name]:
            with open(chosen[name], "rb") as file:
                chosen[name] = hashlib.sha256(file.read()).hexdigest()
    arrays = learned.sizes[0].arrays
    seen = {name: arrays[name].shape[1] for name in ("planes", "globals")}
    return json.dumps({**chosen, **seen, "learned": learned.count, "held": held.count})


def refuse_worse(before, after, times, where):
    """Ends where a fit went astray: to no numbers, or so many times worse than the network that it began with."""
    loss = total(after)
    if not math.isfinite(loss):
        astray = f"{where} {words(after)}"
    elif before is not None and not loss < times * total(before):
        astray = f"held out {words(before)} before, {where} {words(after)}"
    else:
        return
    raise SystemExit(f"the fit went astray: {astray}; smaller steps (--rate)?")


def said_of(network, held):
    """Losses on rows held out, without rounding and with it, said and returned."""
    said = {}
    for name, rounds in [("held out", False), ("held out, rounded", True)]:
        network.rounds = rounds
        said[name] = judged(network, held)
        print(f"{name}: {words(said[name])}", flush=True)
    return said


def state_of(network, optimiser):
    """A copy of what the next fit goes on from: weights before they were rounded."""
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "shape": vars(network.shape)}
    return copy.deepcopy(state)


def forget(path):
    """Removes what was kept of a fit under way."""
    if os.path.exists(path):
        os.remove(path)


def replace(state, path):
    """Writes a state in place of one that is there."""
    # PyTorch's own writer does not say why it cannot.
    buffer = io.BytesIO()
    torch.save(state, buffer)
    put(buffer.getbuffer(), path)


def put(content, path):
    """Writes a file whole or not at all; ends where it cannot, as on a full disk, and leaves nothing of it there."""
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise SystemExit(f"cannot write {path}: {error.strerror}") from None


def rounding(asked):
    """A share of the steps."""
    share = float(asked)
    if not 0 <= share <= ROUNDING_MAX:
        raise argparse.ArgumentTypeError(f"{asked!r}: must be a number from 0 to {ROUNDING_MAX}")
    return share


def arguments(typed=None):
    """What may be asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", required=True, help="folder with rows")
    parser.add_argument("--to", required=True, help="file for the weights")
    parser.add_argument("--checkpoint", required=True, help="file to go on from and to keep")
    parser.add_argument("--from", dest="begin_with", help="file with weights to begin with where there is no checkpoint")
    parser.add_argument("--shape", default="4x32", help="BLOCKSxCHANNELS")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--rounding", type=rounding, default=0.25, help="share of the steps, the last, that round")
    parser.add_argument("--decay", type=float, default=1e-4)
    parser.add_argument("--newest", type=int, default=2_000_000, help="rows to learn from, the newest")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--every", type=int, default=200, help="steps between reports")
    parser.add_argument("--save-every", type=float, default=60.0, help="seconds between saves of a fit under way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--half-turn",
        type=pairs,
        metavar="PLANE:PLANE,...",
        help="the board may be turned by half, no other way, and then these planes change places",
    )
    parser.add_argument("--bfloat", action="store_true", help="multiply in bfloat16")
    parser.add_argument("--device", type=device_of, default="auto", help="auto, cpu, cuda, cuda:1")
    parser.add_argument("--teacher", help="file with weights of a network whose judgements are half of what is learned")
    return parser.parse_args(typed)


if __name__ == "__main__":
    fit(arguments())
