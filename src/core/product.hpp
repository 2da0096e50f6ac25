// The product of matrices, outside of any tape.
#pragma once

#include "core/matrix.hpp"

namespace attention {

// a·b as NumPy's matmul and ONNX MatMul define it: the last two axes are matrices [n, m]·[m, p], the axes before them
// are broadcast; a list [m] on the left is a row, on the right a column, and its axis is not in the result. Sums run in
// rising order of m in Real. Throws AttentionError for numbers without axes, or lengths that do not fit.
template <class Real>
Tensor<Real> matmul(const Tensor<Real>& a, const Tensor<Real>& b);

}  // namespace attention
