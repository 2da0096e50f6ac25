// Rotary position embedding: queries and keys are turned by where they stand, so that their product sees the distance.
#pragma once

#include <cstddef>
#include <optional>

#include "core/matrix.hpp"

namespace attention {

// b batches, h heads, n tokens, d numbers of a head, of which the first r are turned.
template <class Real>
struct RotaryInputs {
  Tensor<Real> x;                            // [n, d], [h, n, d] or [b, h, n, d]; packed [n, h·d] or [b, n, h·d]
  std::optional<Tensor<double>> positions;   // [n] for every batch, or [b, n]; 0 … n − 1 when absent
  std::optional<Tensor<Real>> cosine, sine;  // [positions, r/2], or without positions also [b, n, r/2]
};

struct RotaryOptions {
  double base = 10000;                    // finite, at least 1
  bool interleaved = false;               // pairs are (2i, 2i + 1), else (i, i + r/2)
  std::optional<std::size_t> rotary_dim;  // r, even, from 2 to d; d when absent
  std::optional<std::size_t> heads;       // says that x is packed; with four axes it must be h
};

// Every pair (u, v) becomes (u·cos − v·sin, u·sin + v·cos) of the angle position·base^(−2i/r) (Su et al. 2021, section
// 3.4.2; ONNX RotaryEmbedding-23); the numbers after the first r stay. The result has the layout of x. Without cosine
// and sine, angles are computed in double: each result is within 4e-15·(1 + |position|) of the length of its pair for
// base ≤ 1e6, and in float 2⁻²² more. With them, positions say which of their rows belongs to a token; without
// positions row i belongs to token i. A pair with NaN or ∞ follows the arithmetic. Throws AttentionError for shapes
// that do not fit, an odd or too large r, one of cosine and sine without the other, positions that
// require_position refuses or that are no row of cosine, and a base below 1 or not finite.
template <class Real>
Tensor<Real> rotary(const RotaryInputs<Real>& inputs, const RotaryOptions& options);

}  // namespace attention
