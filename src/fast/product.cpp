#include "fast/product.hpp"

#include "core/broadcast_product.hpp"
#include "fast/gemm.hpp"
#include "fast/scratch.hpp"

namespace attention::fast {

Tensor<float> matmul(const Tensor<float>& a, const Tensor<float>& b) {
  return broadcast_product(
      a, b, [](std::size_t n, std::size_t m, std::size_t p, const float* left, const float* right, float* cells) {
        Scratch scratch(gemm_scratch(n, p, m));
        gemm(n, p, m, {left, m, 1}, {right, p, 1}, cells, p, false, scratch.take(0));
      });
}

}  // namespace attention::fast
