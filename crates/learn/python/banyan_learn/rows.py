"""Rows of positions that `banyan train fit` made of games, and their eight symmetries."""

import glob
import os

import numpy
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file

NAMES = ("planes", "globals", "policy", "outcome", "score", "ownership", "value")

# One game in so many is held out.
HELD_OUT = 16


class Rows:
    """All rows of some files, of one board's size, in the memory of a device."""

    def __init__(self, arrays, device="cpu"):
        self.device = device
        self.arrays = {name: torch.from_numpy(arrays[name]).to(device) for name in NAMES}
        self.count = len(arrays["outcome"])
        self.side = round(arrays["ownership"].shape[1] ** 0.5)

    def batch(self, rows, symmetry, half_turn=None):
        """Tensors of some rows, turned and mirrored: planes, globals, policy, outcome, score, ownership."""
        side, area = self.side, self.side**2
        rows = torch.as_tensor(rows, device=self.device)
        picked = {name: self.arrays[name][rows] for name in NAMES}
        planes = bits_of(picked["planes"], area).reshape(len(rows), -1, side, side).float()
        policy = picked["policy"].float()
        policy = policy / policy.sum(dim=1, keepdim=True)
        board = policy[:, :area].reshape(-1, side, side)
        ownership = picked["ownership"].float().reshape(-1, side, side)
        planes, board, ownership = (turned(it, symmetry) for it in (planes, board, ownership))
        if symmetry == HALF_TURN:
            for one, other in half_turn or []:
                planes[:, [one, other]] = planes[:, [other, one]]
        return {
            "planes": planes.contiguous(memory_format=torch.channels_last),
            "globals": picked["globals"].float() / 256,
            "policy": torch.cat([board.flatten(1), policy[:, area:]], dim=1),
            "outcome": picked["outcome"].long(),
            "score": picked["score"].float() / 2,
            "ownership": ownership.flatten(1),
            "value": picked["value"].float() / 1000,
        }


def bits_of(planes, area):
    """Bits of planes of bytes, the first point in the lowest bit: `area` of each plane."""
    places = torch.arange(8, dtype=torch.uint8, device=planes.device)
    return ((planes.unsqueeze(-1) >> places) & 1).flatten(2)[:, :, :area]


# The symmetry that is half a turn.
HALF_TURN = 2


def turned(boards, symmetry):
    """Boards under one of the eight symmetries, 0 to 7: the last two dimensions are the board's."""
    if symmetry & 4:
        boards = boards.transpose(-1, -2)
    return torch.rot90(boards, symmetry & 3, dims=(-2, -1))


class Mixed:
    """Rows of boards of several sizes; each batch is of one of them."""

    def __init__(self, files, half_turn=None, device="cpu"):
        self.half_turn = half_turn
        self.symmetries = range(8) if half_turn is None else [0, HALF_TURN]
        self.device = device
        by_side = {}
        for arrays in files:
            by_side.setdefault(arrays["ownership"].shape[1], []).append(arrays)
        self.sizes = [together(arrays, device) for _, arrays in sorted(by_side.items())]
        self.sizes = [rows for rows in self.sizes if rows.count > 0]
        self.count = sum(rows.count for rows in self.sizes)

    def drawn(self, size, chance):
        """A batch drawn by lot: sizes as often as they have rows, rows evenly, one symmetry."""
        shares = numpy.array([rows.count for rows in self.sizes]) / self.count
        rows = self.sizes[int(chance.choice(len(self.sizes), p=shares))]
        return rows.batch(chance.integers(0, rows.count, size), int(chance.choice(self.symmetries)), self.half_turn)

    def all(self, size):
        """Every row once, as they lie, in batches."""
        for rows in self.sizes:
            for start in range(0, rows.count, size):
                yield rows.batch(numpy.arange(start, min(start + size, rows.count)), 0)


def load(folder, newest, half_turn=None, device="cpu"):
    """Rows to learn from and rows held out, of the newest files whose rows come to about `newest`.

    What is learned from is turned and mirrored by lot, by all eight symmetries; or by half a turn alone, by which
    these pairs of planes change places. All are held in the device's memory.
    """
    learned, held, count, newest_games = [], [], 0, None
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.rows"), recursive=True), key=age, reverse=True):
        arrays = read(path)
        games = arrays["game"]
        if newest_games is None and len(games) > 0:
            at, newest_games = len(learned), games
        for part, rows in zip((learned, held), parts(arrays, games % HELD_OUT == 0), strict=True):
            part.append(rows)
        count += len(games)
        if count >= newest:
            break
    if count == 0:
        raise SystemExit(f"no rows in {folder}")
    if not any(len(rows["outcome"]) > 0 for rows in held):
        # Of a few games none may be drawn: the newest is held out.
        learned[at], held[at] = parts(learned[at], newest_games == newest_games[-1])
    learned, held = Mixed(learned, half_turn, device), Mixed(held, device=device)
    if learned.count == 0:
        raise SystemExit(f"all {held.count} rows in {folder} are held out: expected more games")
    return learned, held


def parts(arrays, is_held):
    """Rows that are learned from, and those that are held out."""
    return tuple({name: arrays[name][mark] for name in NAMES} for mark in (~is_held, is_held))


def read(path):
    """The tensors of a file of rows."""
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise SystemExit(f"{path}: {error}: without it, it is made anew") from error


def age(path):
    """What sorts paths by the numbers in them, which are filled up with zeros: g999 before g1000."""
    return [(len(part), part) for part in path.split(os.sep)]


def together(files, device):
    """Rows of several files as one."""
    return Rows({name: numpy.concatenate([arrays[name] for arrays in files]) for name in NAMES}, device)
