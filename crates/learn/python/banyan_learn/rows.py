"""Rows of positions that `banyan train fit` made of games, and their eight symmetries."""

import glob
import os

import numpy
import torch
from safetensors.numpy import load_file

NAMES = ("planes", "globals", "policy", "outcome", "score", "ownership", "value")

# One game in so many is held out.
HELD_OUT = 16


class Rows:
    """All rows of some files, of one board's size, in memory."""

    def __init__(self, arrays):
        self.arrays = arrays
        self.count = len(arrays["outcome"])
        self.side = round(arrays["ownership"].shape[1] ** 0.5)

    def batch(self, rows, symmetry):
        """Tensors of some rows, turned and mirrored: planes, globals, policy, outcome, score, ownership."""
        side, area = self.side, self.side**2
        picked = {name: self.arrays[name][rows] for name in NAMES}
        bits = numpy.unpackbits(picked["planes"], axis=2, count=area, bitorder="little")
        planes = torch.from_numpy(bits.reshape(len(rows), -1, side, side)).float()
        policy = torch.from_numpy(picked["policy"].astype(numpy.float32))
        policy = policy / policy.sum(dim=1, keepdim=True)
        board = policy[:, :area].reshape(-1, side, side)
        ownership = torch.from_numpy(picked["ownership"].astype(numpy.float32)).reshape(-1, side, side)
        planes, board, ownership = (turned(it, symmetry) for it in (planes, board, ownership))
        return {
            "planes": planes.contiguous(memory_format=torch.channels_last),
            "globals": torch.from_numpy(picked["globals"].astype(numpy.float32)) / 256,
            "policy": torch.cat([board.flatten(1), policy[:, area:]], dim=1),
            "outcome": torch.from_numpy(picked["outcome"].astype(numpy.int64)),
            "score": torch.from_numpy(picked["score"].astype(numpy.float32)) / 2,
            "ownership": ownership.flatten(1),
            "value": torch.from_numpy(picked["value"].astype(numpy.float32)) / 1000,
        }


def turned(boards, symmetry):
    """Boards under one of the eight symmetries, 0 to 7: the last two dimensions are the board's."""
    if symmetry & 4:
        boards = boards.transpose(-1, -2)
    return torch.rot90(boards, symmetry & 3, dims=(-2, -1))


class Mixed:
    """Rows of boards of several sizes; each batch is of one of them."""

    def __init__(self, files, symmetries=tuple(range(8))):
        self.symmetries = symmetries
        by_side = {}
        for arrays in files:
            by_side.setdefault(arrays["ownership"].shape[1], []).append(arrays)
        self.sizes = [together(arrays) for _, arrays in sorted(by_side.items())]
        self.sizes = [rows for rows in self.sizes if rows.count > 0]
        self.count = sum(rows.count for rows in self.sizes)

    def drawn(self, size, chance):
        """A batch drawn by lot: sizes as often as they have rows, rows evenly, one symmetry."""
        shares = numpy.array([rows.count for rows in self.sizes]) / self.count
        rows = self.sizes[int(chance.choice(len(self.sizes), p=shares))]
        return rows.batch(chance.integers(0, rows.count, size), int(chance.choice(self.symmetries)))

    def all(self, size):
        """Every row once, as they lie, in batches."""
        for rows in self.sizes:
            for start in range(0, rows.count, size):
                yield rows.batch(numpy.arange(start, min(start + size, rows.count)), 0)


def load(folder, newest, symmetries=tuple(range(8))):
    """Rows to learn from and rows held out, of the newest files whose rows come to about `newest`.

    What is learned from is turned and mirrored by lot, by these symmetries.
    """
    learned, held, count = [], [], 0
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.rows"), recursive=True), reverse=True):
        arrays = load_file(path)
        is_held = arrays["game"] % HELD_OUT == 0
        learned.append({name: arrays[name][~is_held] for name in NAMES})
        held.append({name: arrays[name][is_held] for name in NAMES})
        count += len(arrays["game"])
        if count >= newest:
            break
    if count == 0:
        raise SystemExit(f"no rows in {folder}")
    return Mixed(learned, symmetries), Mixed(held)


def together(files):
    """Rows of several files as one."""
    return Rows({name: numpy.concatenate([arrays[name] for arrays in files]) for name in NAMES})
