// softmax over rows of floats.
#pragma once

#include <cstddef>

namespace attention::fast {

// What core's softmax_rows answers with the stable softmax: e^(x/T) of each row of x [rows, length] over its sum, the
// row's maximum taken off first, into weights [rows, length], which may be x itself. T and 1/T are numbers that a float
// holds with all its digits. Within 5e-7 of the largest weight of a row; a weight that is e^−y of it within 5e-7 +
// y·2⁻²³ of itself, down to subnormal ones. A row with NaN or ∞, or of −∞ alone, is NaN.
void softmax_rows(const float* x, std::size_t rows, std::size_t length, double temperature, float* weights);

}  // namespace attention::fast
