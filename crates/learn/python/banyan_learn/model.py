"""The network in PyTorch: the same function as crates/net computes, with its rounding where asked for.

Layers have the names that crates/net gives them. Nothing is normalised between layers, so the weights are those of
the file; the second convolution of a block begins at zero, so a deep tower begins as a shallow one.
"""

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

LANES = 16
ACTIVATION_MAX = 255.0
TRUNK_MAX = 32767.0
FEATURE_ONE = 16.0
WEIGHT_MAX = 127.0

# So often all channels are balanced, one after the other: the next undoes a part of what was done for the last.
BALANCINGS = 60

# A channel of the head that is seldom above 0 is not made larger than so many times.
HEAD_FACTOR_MAX = 20.0

# What a channel of the head may add to the logit of a point: with less nobody plays there either.
LOGIT_MAX = 32.0


@dataclass(frozen=True)
class Shape:
    """What all sizes follow from, as crates/net has it."""

    planes: int
    globals: int
    blocks: int
    channels: int
    pooled: int
    pooling_every: int
    head: int
    hidden: int

    @staticmethod
    def tower(blocks, channels, planes, globals_):
        """The customary shape of so many blocks and channels."""
        third = -(-(channels // 3) // LANES) * LANES
        head = 16 if channels < 32 else 32
        return Shape(planes, globals_, blocks, channels, third, 3 if channels > third else 0, head, 64)

    def pools(self, block):
        """Whether a block, counted from 0, pools."""
        return self.pooling_every > 0 and (block + 1) % self.pooling_every == 0


class Round(torch.autograd.Function):
    """Rounds halves up; its slope is taken for 1."""

    @staticmethod
    def forward(_, value):
        return torch.floor(value + 0.5)

    @staticmethod
    def backward(_, slope):
        return slope


def rounded_weight(weight):
    """Weights in 127 steps to either side of 0 for each output."""
    rows = weight.detach().flatten(1).abs().amax(dim=1)
    step = (rows / WEIGHT_MAX).clamp_min(1e-12).view(-1, *[1] * (weight.dim() - 1))
    return Round.apply(weight / step) * step


def mean_square(weights):
    """Mean of the squares of the weights in each row, over several layers with as many rows."""
    rows = torch.cat([it.flatten(1) for it in weights], dim=1)
    return rows.square().mean(dim=1)


def features(channels):
    """Means, means by the board's size, largest values of channels, in this order."""
    side = math.sqrt(channels.shape[2] * channels.shape[3])
    mean = channels.mean(dim=(2, 3))
    return torch.cat([mean, mean * ((side - 14) / 10), channels.amax(dim=(2, 3))], dim=1)


class Largest(nn.Module):
    """Largest value seen at one place of the network, from which its unit follows."""

    def __init__(self):
        super().__init__()
        self.register_buffer("most", torch.zeros(()))

    def see(self, value):
        """Rises at once and falls slowly: what is rare must fit as well."""
        most = value.detach().amax()
        self.most.copy_(torch.maximum(most, 0.999 * self.most + 0.001 * most))


class Block(nn.Module):
    """A residual block."""

    def __init__(self, shape, pools):
        super().__init__()
        self.first = nn.Conv2d(shape.channels, shape.channels, 3, padding=1)
        self.pool = nn.Linear(3 * shape.pooled, shape.channels - shape.pooled) if pools else None
        self.second = nn.Conv2d(shape.channels, shape.channels, 3, padding=1)
        self.inner = Largest()
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.first.bias)
        nn.init.zeros_(self.second.bias)


class Tower(nn.Module):
    """The network. `rounds` says whether activations and weights are rounded as in whole numbers."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.rounds = False
        self.input = nn.Conv2d(shape.planes, shape.channels, 3, padding=1)
        self.globals = nn.Linear(shape.globals, shape.channels)
        self.blocks = nn.ModuleList(Block(shape, shape.pools(number)) for number in range(shape.blocks))
        self.head = nn.Conv2d(shape.channels, 2 * shape.head, 1)
        self.head_pool = nn.Linear(3 * shape.head, shape.head)
        self.points = nn.Conv2d(shape.head, 2, 1)
        self.hidden = nn.Linear(3 * shape.head, shape.hidden)
        self.last = nn.Linear(shape.hidden, 5)
        self.trunk_most = nn.ModuleList(Largest() for _ in range(shape.blocks + 1))
        self.head_most = Largest()
        self.hidden_most = Largest()
        nn.init.kaiming_normal_(self.input.weight, nonlinearity="relu")
        nn.init.zeros_(self.input.bias)

    def layers(self):
        """Every layer with weights, by its name in files."""
        for name, module in self.named_modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                yield name, module

    def conv(self, layer, value):
        """A convolution, by rounded weights where asked for."""
        weight = rounded_weight(layer.weight) if self.rounds else layer.weight
        return functional.conv2d(value, weight, layer.bias, padding=layer.padding)

    def dense(self, layer, value):
        """A dense layer, by rounded weights where asked for."""
        weight = rounded_weight(layer.weight) if self.rounds else layer.weight
        return functional.linear(value, weight, layer.bias)

    def activations(self, value, place, step=None):
        """Activations above 0, in 255 steps where asked for.

        While the head rounds, its unit stays that which its channels were evened out to: a channel that is hardly ever
        above 0 was scaled up there, and where it leaps it is cut off, in place of taking the steps of all others.
        """
        value = functional.relu(value)
        if self.training and not (self.rounds and place is self.head_most):
            place.see(value)
        if not self.rounds:
            return value
        step = place.most / ACTIVATION_MAX if step is None else step
        step = step.clamp_min(1e-12)
        return Round.apply(value / step).clamp(max=ACTIVATION_MAX) * step

    def pooled_features(self, channels, place):
        """Features of activations, in whole parts of their unit where asked for."""
        found = features(channels)
        if not self.rounds:
            return found
        step = (place.most / (ACTIVATION_MAX * FEATURE_ONE)).clamp_min(1e-12)
        return Round.apply(found / step) * step

    def trunk_step(self, place):
        """Unit of the trunk's activations before a block: that of the trunk, times a power of two."""
        unit = torch.stack([most.most for most in self.trunk_most]).amax() / TRUNK_MAX
        ratio = self.trunk_most[place].most / (unit * ACTIVATION_MAX).clamp_min(1e-12)
        return unit * torch.exp2(torch.ceil(torch.log2(ratio.clamp_min(1.0))).clamp(max=7))

    def narrowed(self, trunk, place):
        """The trunk as a block sees it."""
        if not self.rounds and not self.training:
            # It is above 0 already.
            return trunk
        step = self.trunk_step(place) if self.rounds else None
        return self.activations(trunk, self.trunk_most[place], step)

    def pooling(self, conv, pool, count, value, place):
        """A convolution whose first `count` channels are pooled for the others."""
        sums = self.conv(conv, value)
        seen = self.activations(sums[:, :count], place)
        found = self.pooled_features(seen, place)
        added = self.dense(pool, found)[:, :, None, None]
        return torch.cat([seen, self.activations(sums[:, count:] + added, place)], dim=1), found

    def channels(self):
        """All channels, some at a time: which rows of which layers make them, which columns of which layers read them."""
        shape, everything = self.shape, slice(None)

        def features(layer, count):
            return [(layer, slice(kind * count, (kind + 1) * count)) for kind in range(3)]

        blocks = [[f"blocks.{number}.{layer}" for layer in ("first", "pool", "second")] for number in range(shape.blocks)]
        for number, (first, pool, second) in enumerate(blocks):
            if not shape.pools(number):
                yield [(first, everything)], [(second, everything)]
                continue
            pooled, others = slice(shape.pooled), slice(shape.pooled, None)
            yield [(first, pooled)], [(second, pooled), *features(pool, shape.pooled)]
            yield [(first, others), (pool, everything)], [(second, others)]
        makers = ["input", "globals", *(second for _, _, second in blocks)]
        readers = ["head", *(first for first, _, _ in blocks)]
        yield [(name, everything) for name in makers], [(name, everything) for name in readers]
        pooled, others = slice(shape.head), slice(shape.head, None)
        yield [("head", pooled)], [*features("head_pool", shape.head), *features("hidden", shape.head)]
        yield [("head", others), ("head_pool", everything)], [("points", everything)]
        yield [("hidden", everything)], [("last", everything)]

    @torch.no_grad()
    def balance(self):
        """Scales every channel until the weights that make it are as large as those that read it; computes the same.

        Activations are above 0 or nothing, so a channel may be made by weights so many times as large and read by ones
        as many times smaller. A step of Adam is as large for all weights: where those that read are a thousand times
        larger than those that make, it throws what is read about and leaves the reader as it is. How large activations
        were is forgotten, since the largest may be another channel's now. Channels that nothing makes or reads stay.
        Returns the factors of weights and biases by layer.

        Source: Stock and others 2019, "Equi-normalization of Neural Networks".
        """
        layers = dict(self.layers())
        factors = {name: (torch.ones_like(it.weight), torch.ones_like(it.bias)) for name, it in layers.items()}
        for _ in range(BALANCINGS):
            for made_by, read_by in self.channels():
                made = mean_square([layers[name].weight[rows] for name, rows in made_by])
                read = mean_square([layers[name].weight[:, columns].transpose(0, 1) for name, columns in read_by])
                factor = torch.where((made > 0) & (read > 0), (read / made) ** 0.25, torch.ones_like(made))
                for name, rows in made_by:
                    column = factor.reshape(-1, *[1] * (layers[name].weight.dim() - 1))
                    for weight, bias in ((layers[name].weight, layers[name].bias), factors[name]):
                        weight[rows] *= column
                        bias[rows] *= factor
                for name, columns in read_by:
                    row = factor.reshape(1, -1, *[1] * (layers[name].weight.dim() - 2))
                    for weight in (layers[name].weight, factors[name][0]):
                        weight[:, columns] /= row
        inner = [block.inner for block in self.blocks]
        for place in [*self.trunk_most, *inner, self.head_most, self.hidden_most]:
            place.most.zero_()
        return factors

    @torch.no_grad()
    def even_out_head(self, most):
        """Scales each channel of the head so that the largest values of all are alike; computes the same.

        They share one unit: where one channel is large, the others would have few steps left, and what the policy is
        made of is rounded away. Returns the factors of weights and biases by layer.

        The weights of an output share one unit as well. Those of channels that are never above 0 become 0: nothing
        keeps them in proportion, and fit by fit the scaling of the others makes them larger. Those of points become
        so small that no channel says more than LOGIT_MAX.

        - `most`: largest value of each channel.
        """
        half = self.shape.head
        factor = (most.amax() / most.clamp_min(1e-6)).clamp(max=HEAD_FACTOR_MAX)
        factor = torch.where(most > 0, factor, torch.ones(()))
        pooled, others = factor[:half], factor[half:]
        columns = 1 / pooled.repeat(3)
        same = torch.ones_like(factor[0])
        factors = {name: (same, same) for name, _ in self.layers()}
        factors["head"] = (factor[:, None, None, None], factor)
        factors["head_pool"] = (others[:, None] * columns, others)
        factors["points"] = (1 / others[:, None, None], same)
        factors["hidden"] = (columns, same)
        self.scale(factors)
        dead = most <= 0
        for layer, columns in [
            (self.points, dead[half:]),
            (self.head_pool, dead[:half].repeat(3)),
            (self.hidden, dead[:half].repeat(3)),
        ]:
            layer.weight[:, columns] = 0
        largest = LOGIT_MAX / (most * factor)[half:, None, None].clamp_min(1e-6)
        self.points.weight.clamp_(-largest, largest)
        self.head_most.most.copy_(most.amax())
        return factors

    def scale(self, factors):
        """Scales the weights and biases of layers by these factors."""
        for name, layer in self.layers():
            layer.weight.mul_(factors[name][0])
            layer.bias.mul_(factors[name][1])

    def forward(self, planes, globals_):
        """Logits of moves (a pass last), of win, draw and loss, score in points, logits of ownership."""
        trunk = self.trunk(planes, globals_)
        # In bfloat16 activations grow without end: by the heads, as was tried, not by the trunk.
        with torch.autocast(trunk.device.type, enabled=False):
            return self.heads(trunk.float())

    def trunk(self, planes, globals_):
        """What the blocks make of a position."""
        shape = self.shape
        added = self.dense(self.globals, globals_)[:, :, None, None]
        trunk = functional.relu(self.conv(self.input, planes) + added)
        for number, block in enumerate(self.blocks):
            value = self.narrowed(trunk, number)
            if block.pool is None:
                inner = self.activations(self.conv(block.first, value), block.inner)
            else:
                inner, _ = self.pooling(block.first, block.pool, shape.pooled, value, block.inner)
            trunk = functional.relu(trunk + self.conv(block.second, inner))
        return trunk

    def head_of(self, trunk):
        """Channels of the head, and the features of those that are pooled."""
        value = self.narrowed(trunk, self.shape.blocks)
        return self.pooling(self.head, self.head_pool, self.shape.head, value, self.head_most)

    def heads(self, trunk):
        """What the trunk says, always in full precision."""
        shape = self.shape
        head, found = self.head_of(trunk)
        points = self.conv(self.points, head[:, shape.head :]).flatten(2)
        last = self.dense(self.last, self.activations(self.dense(self.hidden, found), self.hidden_most))
        policy = torch.cat([points[:, 0], last[:, :1]], dim=1)
        return policy, last[:, 1:4], last[:, 4], points[:, 1]
