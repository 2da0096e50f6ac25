// The product of matrices, outside of any tape.
#pragma once

#include "core/matrix.hpp"

namespace attention {

// a·b as NumPy's matmul and ONNX MatMul define it: the last two axes are matrices [n, m]·[m, p], the axes before them
// are broadcast; a list [m] on the left is a row, on the right a column, and its axis is not in the result. Sums run in
// rising order of m in Real, so that a cell is within m·2⁻⁵³ (float: m·2⁻²⁴) of the sum of the sizes of its terms.
// Throws AttentionError for numbers without axes, lengths that do not fit, and a result of more than `most_numbers`.
template <class Real>
Tensor<Real> matmul(const Tensor<Real>& a, const Tensor<Real>& b);

}  // namespace attention
