"""Evaluates positions for a program that plays, many at a time: requests on standard input, replies on standard output.

    python -m banyan_learn.infer --weights FLOAT.safetensors [--device auto]

All numbers have their low byte first. The first line of output is JSON: `format`, `version`, `planes`, `globals`,
`device`. A request is four 32-bit numbers (its number, positions, at most 4,096, width, height), then of all positions
the bits of planes and then the globals, as in files of rows. A reply is its request's number and bytes that follow,
both of 32 bits, then for each position 16-bit numbers: logits of points and of a pass in 1/1024, and wins with half
the draws for the side to move in 1/32767. A request of no positions has the file of weights read again, for all that
is asked afterwards, and no reply. Ends with its input.
"""

import argparse
import json
import os
import queue
import sys
import threading
import time
from collections import deque

import numpy
import torch
from torch import nn
from torch.nn import functional

from banyan_learn.fit import device_of, network_of
from banyan_learn.rows import bits_of

FORMAT = "banyan-infer"
VERSION = 2

LOGIT_ONE = 1024
VALUE_ONE = 32767

# Positions that go through the network together on a graphics card: batches are filled up to one of these, each of
# which has to be recorded once.
SIZES = (128, 256, 512, 1024, 2048, 4096)

# Fewer positions than these wait for the batch before to come back.
WORTH_LAUNCHING = 512

# Seconds in which more may come.
GATHERING = 0.001

# Seconds after which a thread of Python lets another on.
SWITCH = 0.0005

# Bytes that pipes hold, where the system lets them: whole requests.
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031


def halved(network):
    """The network with its trunk in half precision: its heads stay as they are."""
    network.half()
    for layer in (network.head, network.head_pool, network.points, network.hidden, network.last):
        layer.float()
    return network


class Fused(nn.Module):
    """A network whose convolutions add and rectify in one step: cuDNN's own, of half precision."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.input = network.input

    def forward(self, planes, globals_):
        """As the network's own."""
        network = self.network
        added = network.dense(network.globals, globals_)[:, :, None, None]
        trunk = functional.relu(network.conv(network.input, planes) + added)
        for block in network.blocks:
            if block.pool is None:
                inner = torch.cudnn_convolution_relu(trunk, block.first.weight, block.first.bias, *SAME)
            else:
                inner, _ = network.pooling(block.first, block.pool, network.shape.pooled, trunk, block.inner)
            trunk = torch.cudnn_convolution_add_relu(inner, block.second.weight, trunk, 1.0, block.second.bias, *SAME)
        return network.heads(trunk.float())


# Stride, padding and dilation of a convolution of 3 by 3 that keeps the board's size; groups.
SAME = ((1, 1), (1, 1), (1, 1), 1)


# How far apart two ways to compute a network in half precision may be, of its logits' size; half precision itself costs
# half a hundredth.
ALIKE = 0.05


@torch.no_grad()
def fused(network, planes, globals_):
    """The network with cuDNN's fused convolutions, if these compute the same of such a position; else as it is."""
    fast = Fused(network)
    kind = network.input.weight.dtype
    chance = torch.Generator().manual_seed(1)
    board = (torch.rand((8, planes, 9, 9), generator=chance) < 0.2).to(network.input.weight.device, kind)
    board = board.contiguous(memory_format=torch.channels_last)
    said = torch.zeros((8, globals_), device=board.device, dtype=kind)
    try:
        plain = network(board, said)[0]
        apart = (fast(board, said)[0] - plain).norm() / plain.norm()
    except (AttributeError, RuntimeError) as why:
        print(f"convolutions are not fused: {why}", file=sys.stderr)
        return network
    if not apart < ALIKE:
        print(f"convolutions are not fused: logits are {float(apart):.3f} of their size apart", file=sys.stderr)
        return network
    return fast


@torch.no_grad()
def evaluated(network, planes, globals_, size):
    """Logits and values of positions, as replies hold them."""
    width, height = size
    kind = network.input.weight.dtype
    board = bits_of(planes, width * height).reshape(len(planes), -1, height, width).to(kind)
    board = board.contiguous(memory_format=torch.channels_last)
    policy, outcome, _, _ = network(board, globals_.to(kind) / 256)
    shares = outcome.float().softmax(dim=1)
    values = VALUE_ONE * (shares[:, :1] + shares[:, 1:2] / 2)
    logits = (LOGIT_ONE * policy.float()).clamp(-32768, 32767)
    return torch.cat([logits, values], dim=1).round().to(torch.int16)


@torch.no_grad()
def renew(network, path):
    """Takes over the weights of a file for a network that may be recorded: in their place."""
    newer = network_of(path, network.input.weight.device)
    if newer.shape != network.shape:
        raise SystemExit(f"{path} is {newer.shape}, expected {network.shape}")
    for mine, other in zip(network.state_dict().values(), newer.state_dict().values(), strict=True):
        mine.copy_(other)


class Eager:
    """Evaluates when it is asked to."""

    def __init__(self, network):
        self.network = network

    def launch(self, planes, globals_, size):
        """Begins an evaluation; what comes back gives the outputs once called."""
        found = evaluated(self.network, torch.from_numpy(planes), torch.from_numpy(globals_), size)
        return lambda: found.numpy()


class Captured:
    """So many positions of one board, whose evaluation was recorded once and is played back."""

    def __init__(self, network, size, planes, globals_):
        self.planes = torch.zeros(planes, dtype=torch.uint8, device="cuda")
        self.globals = torch.zeros(globals_, dtype=torch.int16, device="cuda")
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                evaluated(network, self.planes, self.globals, size)
        torch.cuda.current_stream().wait_stream(beside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.found = evaluated(network, self.planes, self.globals, size)


class Graphs:
    """Evaluates on a graphics card, by evaluations that were recorded: their many small steps start at once."""

    def __init__(self, network):
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = True
        self.network = fused(halved(network), network.shape.planes, network.shape.globals)
        self.captured = {}

    def launch(self, planes, globals_, size):
        """Begins an evaluation; what comes back gives the outputs once called."""
        count = len(planes)
        room = next(room for room in SIZES if room >= count)
        if (room, size) not in self.captured:
            shapes = [(room, *array.shape[1:]) for array in (planes, globals_)]
            self.captured[room, size] = Captured(self.network, size, *shapes)
        captured = self.captured[room, size]
        captured.planes[:count].copy_(torch.from_numpy(planes).pin_memory(), non_blocking=True)
        captured.globals[:count].copy_(torch.from_numpy(globals_).pin_memory(), non_blocking=True)
        captured.graph.replay()
        found = torch.empty((count, captured.found.shape[1]), dtype=torch.int16, pin_memory=True)
        found.copy_(captured.found[:count], non_blocking=True)
        done = torch.cuda.Event()
        done.record()

        def outputs():
            done.synchronize()
            return found.numpy()

        return outputs


class Request:
    """Positions of one board that somebody waits for."""

    def __init__(self, number, size, planes, globals_):
        self.number, self.size, self.planes, self.globals = number, size, planes, globals_


# A request to read the weights again.
RENEW = "renew"


def requests_of(stream, shape, heard):
    """Hears requests until there are no more, and says so by nothing."""
    while len(head := stream.read(16)) == 16:
        number, count, width, height = numpy.frombuffer(head, "<u4").tolist()
        if count == 0:
            heard.put(RENEW)
            continue
        plane = -(-width * height // 8)
        planes = stream.read(count * shape.planes * plane)
        globals_ = stream.read(2 * count * shape.globals)
        if len(globals_) < 2 * count * shape.globals:
            break
        planes = numpy.frombuffer(planes, numpy.uint8).reshape(count, shape.planes, plane)
        globals_ = numpy.frombuffer(globals_, "<i2").reshape(count, shape.globals)
        heard.put(Request(number, (width, height), planes, globals_))
    heard.put(None)


class Waiting:
    """Requests that came and were not begun."""

    def __init__(self, heard):
        self.heard = heard
        self.by_size = {}
        self.is_over = False
        self.is_renewing = False

    def take_in(self, may_wait):
        """Takes in what was heard; waits for something where nothing else is to be done."""
        while not self.is_over:
            try:
                request = self.heard.get(block=may_wait and not self.by_size)
            except queue.Empty:
                return
            if request is None:
                self.is_over = True
            elif request is RENEW:
                self.is_renewing = True
            else:
                self.by_size.setdefault(request.size, deque()).append(request)

    def first(self):
        """Positions of the board that has waited longest, and that board: none waits for ever beside a busier one."""
        for size, found in self.by_size.items():
            return sum(len(it.planes) for it in found), size
        return 0, None

    def batch(self, size):
        """Requests of a board, as many as go together, at least one."""
        found, batch = self.by_size[size], []
        count = 0
        while found and (not batch or count + len(found[0].planes) <= SIZES[-1]):
            batch.append(found.popleft())
            count += len(batch[-1].planes)
        del self.by_size[size]
        if found:
            # What is left waits behind other boards.
            self.by_size[size] = found
        return batch


def answer(stream, requests, outputs):
    """Writes the replies to some requests."""
    start = 0
    for request in requests:
        found = outputs[start : start + len(request.planes)].astype("<i2", copy=False).tobytes()
        start += len(request.planes)
        stream.write(numpy.array([request.number, len(found)], "<u4").tobytes() + found)
    stream.flush()


def serve(evaluator, waiting, stream, renewed):
    """Answers requests until there are no more; returns how many positions there were, and how many batches."""
    under_way, positions, batches = deque(), 0, 0
    while True:
        waiting.take_in(not under_way)
        if waiting.is_renewing:
            renewed()
            waiting.is_renewing = False
        count, size = waiting.first()
        if not under_way and 0 < count < WORTH_LAUNCHING:
            # What others were told lately comes back soon.
            time.sleep(GATHERING)
            waiting.take_in(False)
            count, size = waiting.first()
        is_worth_it = count >= WORTH_LAUNCHING or len(waiting.by_size) > 1
        if count > 0 and (not under_way or (is_worth_it and len(under_way) < 2)):
            requests = waiting.batch(size)
            planes = numpy.concatenate([request.planes for request in requests])
            globals_ = numpy.concatenate([request.globals for request in requests])
            under_way.append((requests, evaluator.launch(planes, globals_, size)))
            positions, batches = positions + len(planes), batches + 1
        elif under_way:
            requests, outputs = under_way.popleft()
            answer(stream, requests, outputs())
        elif waiting.is_over:
            return positions, batches


def widen(stream):
    """Gives a pipe more room, where the system lets it."""
    try:
        import fcntl

        fcntl.fcntl(stream, F_SETPIPE_SZ, PIPE_BYTES)
    except (ImportError, OSError):
        pass


def arguments(typed=None):
    """What may be asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", required=True, help="file with weights, as a fit leaves them")
    parser.add_argument("--device", type=device_of, default="auto", help="auto, cpu, cuda, cuda:1")
    return parser.parse_args(typed)


def main(asked):
    """Serves until its input ends."""
    # Two threads take turns: who hears requests must not keep the other waiting.
    sys.setswitchinterval(SWITCH)
    device = torch.device(asked.device)
    if device.type == "cuda":
        # The processor only copies: more threads of it would keep those from their work that ask.
        torch.set_num_threads(1)
        if device.index is not None:
            torch.cuda.set_device(device)
    # What else is printed must not end among the replies.
    replies = os.fdopen(os.dup(1), "wb", buffering=PIPE_BYTES)
    os.dup2(2, 1)
    stream = open(0, "rb", buffering=PIPE_BYTES, closefd=False)
    widen(stream)
    widen(replies)
    network = network_of(asked.weights, device)
    evaluator = Graphs(network) if device.type == "cuda" else Eager(network)
    name = torch.cuda.get_device_name() if device.type == "cuda" else device.type
    hello = {"format": FORMAT, "version": VERSION, "planes": network.shape.planes, "globals": network.shape.globals}
    replies.write((json.dumps(hello | {"device": name}) + "\n").encode())
    replies.flush()
    heard = queue.SimpleQueue()
    threading.Thread(target=requests_of, args=(stream, network.shape, heard), daemon=True).start()
    start = time.monotonic()
    positions, batches = serve(evaluator, Waiting(heard), replies, lambda: renew(network, asked.weights))
    rate = positions / (time.monotonic() - start)
    print(f"{positions} positions in {batches} batches on {name}, {rate:.0f} a second", file=sys.stderr)


if __name__ == "__main__":
    main(arguments())
