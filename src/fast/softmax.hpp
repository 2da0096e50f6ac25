// softmax over rows of floats.
#pragma once

#include "core/matrix.hpp"

namespace attention::fast {

// What core's softmax_rows answers with the stable softmax at a temperature whose inverse is finite: e^(x/T) of each
// row over its sum, the row's maximum taken off first. Within 5e-7 of the largest weight of a row. A row with NaN or ∞,
// or of −∞ alone, is NaN.
Matrix<float> softmax_rows(const Matrix<float>& x, double temperature);

}  // namespace attention::fast
