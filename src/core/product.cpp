#include "core/product.hpp"

#include "core/broadcast_product.hpp"

namespace attention {

template <class Real>
Tensor<Real> matmul(const Tensor<Real>& a, const Tensor<Real>& b) {
  return broadcast_product(
      a, b, [](std::size_t n, std::size_t m, std::size_t p, const Real* left, const Real* right, Real* cells) {
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t inner = 0; inner < m; ++inner)
            for (std::size_t j = 0; j < p; ++j) cells[i * p + j] += left[i * m + inner] * right[inner * p + j];
      });
}

template Tensor<float> matmul(const Tensor<float>&, const Tensor<float>&);
template Tensor<double> matmul(const Tensor<double>&, const Tensor<double>&);

}  // namespace attention
