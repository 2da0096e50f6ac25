// Products of matrices of floats.
#pragma once

#include <cstddef>

namespace attention::fast {

// Where the numbers of a matrix are: that of (row, col) at data[row·row_stride + col·col_stride].
struct View {
  const float* data;
  std::size_t row_stride, col_stride;
};

// C = A·B, or C += A·B where `adds`: A [rows, depth], B [depth, cols], C [rows, cols] with rows `c_stride` apart. Both
// operands are packed into panels, so that any strides cost the same (Goto & van de Geijn 2008). Any sizes, 0 too. A
// cell is within depth·2⁻²⁴ of the sum of the sizes of its terms, or, where `adds`, within (depth + 1)·2⁻²⁴ of the sum
// of those and of what it had. `scratch` has room for gemm_scratch numbers.
void gemm(std::size_t rows, std::size_t cols, std::size_t depth, View a, View b, float* c, std::size_t c_stride,
          bool adds, float* scratch);

std::size_t gemm_scratch(std::size_t rows, std::size_t cols, std::size_t depth);

}  // namespace attention::fast
