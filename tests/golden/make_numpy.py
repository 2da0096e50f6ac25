#!/usr/bin/env python3
"""Writes numpy.json: answers of NumPy in double precision, from definitions written out here.

    python3 tests/golden/make_numpy.py > tests/golden/numpy.json

The definitions follow the papers and use whole-array arithmetic of NumPy, so neither the project's code nor its way of
computing has a part in them. The inputs come from NumPy's generator, seed 1706.
"""

import json
import math
import sys

import numpy as np

rng = np.random.default_rng(1706)
cases = []


def normal(*shape, size=1.0):
    # Three decimals: short to write down, and exactly what the test reads.
    return np.round(rng.normal(size=shape) * size, 3)


def tensor(array):
    array = np.asarray(array)
    if array.dtype == bool:
        return {"shape": list(array.shape), "data": [int(x) for x in array.ravel()]}
    # JSON has no infinities and no NaN.
    words = {math.inf: "inf", -math.inf: "-inf"}
    data = [words.get(x, "nan" if math.isnan(x) else x) for x in map(float, array.ravel())]
    return {"shape": list(array.shape), "data": data}


def case(name, call, options, inputs, outputs):
    cases.append({
        "name": name,
        "call": call,
        "options": options,
        "inputs": {key: tensor(value) for key, value in inputs.items()},
        "outputs": {key: tensor(value) for key, value in outputs.items()},
    })


def softmax(x, axis=-1):
    """exp(x) / sum exp(x); subtracting the maximum changes nothing but the range."""
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def attention(q, k, v, visible=None, bias=None, scale=None, temperature=1.0, softcap=None):
    """Vaswani et al. 2017, eq. 1, over [b, h, n, d]; heads of keys are repeated (Ainslie et al. 2023)."""
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    scores = np.einsum("bhid,bhjd->bhij", q, k) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if softcap is not None:
        scores = softcap * np.tanh(scores / softcap)
    if bias is not None:
        scores = scores + bias
    if visible is not None:
        scores = np.where(np.broadcast_to(visible, scores.shape), scores, -np.inf)
    scores = scores / temperature
    with np.errstate(invalid="ignore"):
        weights = softmax(scores)
    # A row that sees nothing has no weights.
    weights = np.where(np.all(scores == -np.inf, axis=-1, keepdims=True), 0.0, weights)
    return weights, np.einsum("bhij,bhjd->bhid", weights, v)


def attention_case(name, b, h, g, nq, nk, d, dv, size=1.0, options=None, mask=None, bias=None, visible=None, padding=None):
    q, k, v = normal(b, h, nq, d, size=size), normal(b, g, nk, d, size=size), normal(b, g, nk, dv)
    seen = np.ones((1, 1, nq, nk), bool)
    inputs = {"q": q, "k": k, "v": v}
    for key, value in (("mask", mask), ("bias", bias), ("padding", padding)):
        if value is not None:
            inputs[key] = value
    for part in (mask, visible, None if padding is None else padding[:, None, None, :]):
        if part is not None:
            seen = seen & part
    numbers = {key: value for key, value in (options or {}).items() if key in ("scale", "temperature", "softcap")}
    weights, output = attention(q, k, v, seen, bias, **numbers)
    case(name, "attention", options or {}, inputs, {"output": output, "kept": weights})


def causal(nq, nk, offset):
    return np.arange(nk)[None, :] <= np.arange(nq)[:, None] + offset


attention_case("plain", 2, 2, 2, 4, 5, 3, 3)
attention_case("values wider than keys", 1, 2, 2, 3, 5, 2, 5)
attention_case("grouped heads", 2, 6, 2, 3, 4, 4, 3)
attention_case("one head of keys for all", 1, 4, 1, 3, 4, 4, 2)
attention_case("causal at the top left, fewer queries", 1, 2, 2, 3, 5, 3, 2, options={"causal": "top-left"}, visible=causal(3, 5, 0))
attention_case("causal at the bottom right, fewer queries", 1, 2, 2, 3, 5, 3, 2, options={"causal": "bottom-right"}, visible=causal(3, 5, 2))
attention_case("causal at the bottom right, more queries", 1, 2, 2, 5, 3, 3, 2, options={"causal": "bottom-right"}, visible=causal(5, 3, -2))
attention_case("a mask for each head", 2, 2, 2, 4, 5, 3, 2, mask=rng.random((2, 2, 4, 5)) < 0.6)
attention_case("a mask, some rows empty", 2, 2, 1, 4, 3, 3, 2, mask=rng.random((1, 1, 4, 3)) < 0.3)
attention_case("a bias with forbidden pairs", 2, 2, 2, 4, 5, 3, 2, bias=np.where(rng.random((2, 4, 5)) < 0.3, -np.inf, normal(2, 4, 5)))
attention_case("padding and a causal mask", 3, 2, 2, 5, 5, 3, 2, options={"causal": True}, visible=causal(5, 5, 0),
               padding=np.arange(5)[None, :] < np.array([[2], [5], [3]]))
attention_case("a window of two keys to the left", 1, 2, 2, 6, 6, 3, 2, options={"window": [2, 0]},
               visible=causal(6, 6, 0) & (np.arange(6)[None, :] >= np.arange(6)[:, None] - 2))
attention_case("scale and temperature", 1, 2, 2, 4, 4, 3, 2, options={"scale": 0.75, "temperature": 0.5})
attention_case("a negative scale", 1, 1, 1, 4, 4, 3, 2, options={"scale": -1.5})
attention_case("softcap, bias and mask together", 2, 2, 2, 3, 4, 3, 2, size=4.0, options={"softcap": 2.5, "temperature": 2.0},
               bias=normal(1, 2, 3, 4), mask=rng.random((3, 4)) < 0.7)
attention_case("large scores", 1, 2, 2, 4, 6, 8, 3, size=30.0)
attention_case("small scores", 1, 2, 2, 4, 6, 8, 3, size=0.01)
attention_case("one key", 1, 2, 2, 3, 1, 3, 2)

for axis in (0, 1, 2):
    x = normal(2, 3, 4, size=5.0)
    case(f"softmax along axis {axis}", "softmax", {"axis": axis}, {"x": x}, {"output": softmax(x, axis)})
    case(f"log softmax along axis {axis}", "logSoftmax", {"axis": axis}, {"x": x},
         {"output": x - np.max(x, axis, keepdims=True) - np.log(np.sum(np.exp(x - np.max(x, axis, keepdims=True)), axis, keepdims=True))})
x = normal(3, 5)
case("softmax at temperature 0.25", "softmax", {"temperature": 0.25}, {"x": x}, {"output": softmax(x / 0.25)})

for shapes in (((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 4), (4, 2)), ((2, 1, 3, 4), (5, 4, 2)), ((2, 3, 0), (0, 2))):
    a, b = normal(*shapes[0]), normal(*shapes[1])
    case(f"matmul of {shapes[0]} and {shapes[1]}", "matmul", {}, {"a": a, "b": b}, {"output": np.matmul(a, b)})

for axis, epsilon in ((-1, 1e-5), (1, 0.1), (0, 1e-3)):
    x = normal(2, 3, 4, size=3.0)
    rest = tuple(range(axis % 3, 3))
    gain, shift = normal(*x.shape[axis % 3:]), normal(*x.shape[axis % 3:])
    mean, variance = x.mean(rest, keepdims=True), x.var(rest, keepdims=True)
    inverse = 1 / np.sqrt(variance + epsilon)
    case(f"layer norm from axis {axis}", "layerNorm", {"axis": axis, "epsilon": epsilon}, {"x": x, "scale": gain, "bias": shift},
         {"output": (x - mean) * inverse * gain + shift, "mean": mean, "invStdDev": inverse})
    case(f"RMS norm from axis {axis}", "rmsNorm", {"axis": axis, "epsilon": epsilon}, {"x": x, "scale": gain},
         {"output": x / np.sqrt(np.mean(x * x, rest, keepdims=True) + epsilon) * gain})

x = np.concatenate([normal(12, size=2.0), [0.0, -0.5, 5.0, -5.0, -12.0, 20.0]])
# The tail needs erfc: 1 + erf loses all its digits there.
case("GELU", "gelu", {}, {"x": x}, {"output": np.array([t * math.erfc(-t / math.sqrt(2)) / 2 for t in x])})
case("GELU with tanh", "gelu", {"approximate": "tanh"}, {"x": x[np.abs(x) < 4]},
     {"output": np.array([t / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3))) for t in x[np.abs(x) < 4]])})


def sinusoidal(positions, d, base, layout):
    """Vaswani et al. 2017, 3.5."""
    angle = np.asarray(positions)[:, None] / base ** (np.arange(0, d, 2) / d)
    if layout == "halves":
        return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    table = np.zeros((len(positions), 2 * angle.shape[1]))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table[:, :d]


for layout, d, base in (("interleaved", 8, 10000.0), ("interleaved", 5, 100.0), ("halves", 6, 10000.0)):
    positions = np.array([0.0, 1.0, 2.5, -3.0, 511.0])
    case(f"sinusoids, {layout}, {d} columns", "sinusoidal", {"dModel": d, "base": base, "layout": layout}, {"positions": positions},
         {"output": sinusoidal(positions, d, base, layout)})


def rotary(x, positions, base, interleaved, r):
    """Su et al. 2021: pairs as complex numbers, turned by e^(i·position·base^(-2i/r))."""
    turn = np.exp(1j * np.asarray(positions)[:, None] * base ** (-np.arange(0, r, 2) / r))
    part = x[..., :r]
    pairs = part[..., 0::2] + 1j * part[..., 1::2] if interleaved else part[..., : r // 2] + 1j * part[..., r // 2:]
    turned, result = pairs * turn, x.copy()
    if interleaved:
        result[..., 0:r:2], result[..., 1:r:2] = turned.real, turned.imag
    else:
        result[..., : r // 2], result[..., r // 2: r] = turned.real, turned.imag
    return result


for interleaved, r in ((False, 6), (True, 6), (False, 4), (True, 2)):
    x, positions = normal(2, 2, 4, 6), np.array([0.0, 1.0, 7.0, 100.0])
    case(f"rotary, {'interleaved' if interleaved else 'halves'}, {r} of 6", "rotary",
         {"interleaved": interleaved, "rotaryDim": r, "base": 1000.0}, {"x": x, "positions": positions},
         {"output": rotary(x, positions, 1000.0, interleaved, r)})


def slopes(heads):
    """Press et al. 2022, the authors' get_slopes."""
    below = 2 ** math.floor(math.log2(heads))
    of_power = lambda n: [2 ** (-8 * (h + 1) / n) for h in range(n)]
    return np.array(of_power(below) + of_power(2 * below)[0::2][: heads - below])


for heads in (1, 2, 3, 8, 12, 20):
    case(f"ALiBi's slopes of {heads} heads", "alibiSlopes", {"heads": heads}, {}, {"output": slopes(heads)})

json.dump({
    "about": "Answers of NumPy in float64; written by tests/golden/make_numpy.py",
    "versions": {"numpy": np.__version__, "python": sys.version.split()[0]},
    "cases": cases,
}, sys.stdout, separators=(",", ":"))
print()
