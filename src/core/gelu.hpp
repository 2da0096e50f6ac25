// A smooth step between the two layers of a feed-forward network.
#pragma once

#include "core/matrix.hpp"

namespace attention {

enum class GeluKind { exact, tanh };

// exact: x·Φ(x) = x·½·erfc(−x/√2), Φ the normal distribution. tanh: ½x(1 + tanh(√(2/π)(x + 0.044715x³))). Both
// Hendrycks & Gimpel 2016. Each number is computed in double and rounded to Real once, since the tail multiplies a
// rounding of its argument by x²: within 1e-12 of its size in double where that is a normal number, within 2⁻²³ in
// float. ∞ stays ∞, −∞ gives the limit −0, NaN stays NaN.
template <class Real>
Tensor<Real> gelu(const Tensor<Real>& x, GeluKind kind);

}  // namespace attention
