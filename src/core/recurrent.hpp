// The smallest recurrent model, to compare attention with: everything it knows passes through one state.
#pragma once

#include "core/tape.hpp"

namespace attention {

// h_t = w·h_{t−1} + x_t with h_1 = x_1 (Elman 1990, linear). x [n, 1] has one number for each token; each becomes an
// input "x1" … "xn", and the states are "h1" … "hn". So ∂h_n/∂x_t = w^(n−t).
// Throws AttentionError when x is not a column of at least one number or w is not finite.
template <class Real>
Tape<Real> recurrent_tape(const Matrix<Real>& x, double w);

}  // namespace attention
