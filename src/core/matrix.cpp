#include "core/matrix.hpp"

#include <algorithm>
#include <stdexcept>

namespace attention {

std::size_t number_of_cells(const std::vector<std::size_t>& shape) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  if (std::find(shape.begin(), shape.end(), std::size_t(0)) != shape.end()) return 0;
  std::size_t count = 1;
  for (std::size_t length : shape) {
    if (count > most / length) throw std::length_error("too many numbers for memory");
    count *= length;
  }
  return count;
}

template <class Real>
Matrix<Real> filled(std::size_t rows, std::size_t cols, Real value) {
  number_of_cells({rows, cols});
  return Matrix<Real>(std::array<std::size_t, 2>{rows, cols}, value);
}

template <class Real>
Tensor<Real> zeros(const std::vector<std::size_t>& shape) {
  number_of_cells(shape);
  return Tensor<Real>(typename Tensor<Real>::shape_type(shape.begin(), shape.end()), Real(0));
}

template Matrix<float> filled(std::size_t, std::size_t, float);
template Matrix<double> filled(std::size_t, std::size_t, double);
template Tensor<float> zeros(const std::vector<std::size_t>&);
template Tensor<double> zeros(const std::vector<std::size_t>&);

}  // namespace attention
