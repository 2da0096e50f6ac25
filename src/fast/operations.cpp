#include "fast/operations.hpp"

#include "fast/gemm.hpp"
#include "fast/scratch.hpp"

namespace attention::fast {

namespace {

View view(const Matrix<float>& matrix, bool transposed) {
  const std::size_t width = matrix.shape(1);
  return transposed ? View{matrix.data(), 1, width} : View{matrix.data(), width, 1};
}

// A mask makes terms that are skipped, and what does not fit an error: both are left to core.
Matrix<float> product(const Arguments<float>& arguments) {
  const Matrix<float>&a = *arguments.inputs[0], &b = *arguments.inputs[1];
  const bool left = arguments.attributes->transpose_left, right = arguments.attributes->transpose_right;
  const std::size_t depth = a.shape(left ? 0 : 1);
  if (arguments.mask || b.shape(right ? 1 : 0) != depth)
    return operation_record<float>(OperationName::matmul).forward(arguments);
  Matrix<float> result = filled<float>(a.shape(left ? 1 : 0), b.shape(right ? 0 : 1), 0);
  const std::size_t rows = result.shape(0), cols = result.shape(1);
  Scratch scratch(gemm_scratch(rows, cols, depth));
  gemm(rows, cols, depth, view(a, left), view(b, right), result.data(), cols, false, scratch.take(0));
  return result;
}

}  // namespace

const std::vector<Operation<float>>& operations() {
  static const std::vector<Operation<float>> table = [] {
    std::vector<Operation<float>> records = attention::operations<float>();
    records[static_cast<std::size_t>(OperationName::matmul)].forward = product;
    return records;
  }();
  return table;
}

}  // namespace attention::fast
