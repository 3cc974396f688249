"""Holds a network's ONNX file to the outputs of its whole numbers, and times it.

    python -m banyan_learn.check_onnx NET.onnx OUTPUTS.safetensors

Both files come from Rust: `cargo run --release -p banyan-net --example net -- onnx | outputs …`.
Fails if the likeliest move differs in more than 5 % of the positions, or the value by more than 0.03 in more
than 5 %.
"""

import statistics
import sys
import time

import numpy
import onnxruntime
from safetensors.numpy import load_file

BATCH = 8
ROUNDS = 9
SECONDS = 0.2


def session(path):
    """Opens an ONNX file for one thread of the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def inputs_of(outputs, names):
    """Positions as the ONNX file takes them."""
    given = {
        "planes": outputs["planes"].astype(numpy.float32),
        "globals": outputs["globals"].astype(numpy.float32) / 256,
    }
    return {name: given[name] for name in names}


def value_of(outcome):
    """Wins and half the draws, from logits of win, draw, loss."""
    powers = numpy.exp(outcome - outcome.max(axis=1, keepdims=True))
    shares = powers / powers.sum(axis=1, keepdims=True)
    return shares[:, 0] + shares[:, 1] / 2


def rate(network, inputs):
    """Evaluations a second of processor time: the median of some rounds."""
    batch = {name: array[:BATCH] for name, array in inputs.items()}
    rates = []
    for _ in range(ROUNDS):
        start, count = time.process_time(), 0
        while time.process_time() - start < SECONDS:
            network.run(None, batch)
            count += BATCH
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


def main(onnx, outputs):
    """Prints agreement and speed; returns whether the agreement is good enough."""
    network = session(onnx)
    whole = load_file(outputs)
    inputs = inputs_of(whole, [value.name for value in network.get_inputs()])
    policy, outcome, score, ownership = network.run(["policy", "outcome", "score", "ownership"], inputs)
    moves = (policy.argmax(axis=1) == whole["policy"].argmax(axis=1)).mean()
    values = numpy.abs(value_of(outcome) - whole["value"] / 32768)
    scores = numpy.abs(score[:, 0] - whole["score"] / 256)
    owners = numpy.abs(numpy.tanh(ownership) - numpy.tanh(whole["ownership"] / 4096))
    print(f"likeliest move the same: {100 * moves:.1f} % of {len(policy)}")
    print(f"value within 0.03: {100 * (values <= 0.03).mean():.1f} %, mean difference {values.mean():.4f}")
    print(f"score: mean difference {scores.mean():.4f} points; ownership: {owners.mean():.4f}")
    print(f"onnxruntime, batch {BATCH}, one thread: {rate(network, inputs):.0f} evaluations/s")
    return moves >= 0.95 and (values <= 0.03).mean() >= 0.95


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
