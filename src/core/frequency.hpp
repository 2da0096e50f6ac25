// How far the pairs of an encoding of positions turn.
#pragma once

#include <cmath>
#include <cstddef>

#include "core/error.hpp"

namespace attention {

// Positions beyond are refused: doubles there cannot tell neighbours apart, and sine and cosine lose their meaning.
constexpr double largest_position = 0x1p53;

// Throws AttentionError for a position that is not finite, or beyond `largest_position` on either side.
inline void require_position(double position) {
  if (!std::isfinite(position)) throw AttentionError("not-finite", "positions", "positions must be finite numbers");
  if (std::abs(position) > largest_position)
    throw AttentionError("bad-position", "positions", "positions must lie between −2⁵³ and 2⁵³");
}

// So that no angle is larger than its position. Throws AttentionError for a base below 1 or not finite.
inline void require_base(double base) {
  if (!std::isfinite(base) || base < 1)
    throw AttentionError("bad-base", "base", "base must be a finite number of at least 1");
}

// base^(2·pair/width): a position over it is the angle of this pair of numbers (Vaswani et al. 2017, section 3.5; Su et
// al. 2021, section 3.2.2).
inline double angle_divisor(std::size_t pair, std::size_t width, double base) {
  // base^x as e^(x·ln base): pow and log would bring tables of their own into the wasm file. The rounding of the
  // exponent moves no angle by more than 2⁻⁵³·|pos|, since y·e^(−y) ≤ 1/e.
  return std::exp(static_cast<double>(2 * pair) / static_cast<double>(width) * std::log1p(base - 1));
}

}  // namespace attention
