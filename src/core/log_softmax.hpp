// The logarithm of softmax, which is what a loss reads.
#pragma once

#include "core/matrix.hpp"

namespace attention {

// log softmax(x)_i = x_i − max − log Σ_j exp(x_j − max) of each row of x [rows, n] (Blanchard, Higham & Higham 2021).
// Never the logarithm of a weight: where softmax gives 0, this still tells −1000 from −2000. A cell is within
// (2n + t + 4)·2⁻⁵³ of its size (float: 2⁻²⁴), also next to 0, where t is how far the second largest is below the
// first. −∞ stays −∞; a row with +∞ or NaN, or of −∞ alone, is NaN.
template <class Real>
Matrix<Real> log_softmax_rows(const Matrix<Real>& x);

}  // namespace attention
