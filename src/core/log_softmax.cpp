#include "core/log_softmax.hpp"

#include <algorithm>
#include <cmath>

namespace attention {

template <class Real>
Matrix<Real> log_softmax_rows(const Matrix<Real>& x) {
  const std::size_t rows = x.shape(0), n = x.shape(1);
  Matrix<Real> result = filled<Real>(rows, n, 0);
  if (n == 0) return result;
  for (std::size_t row = 0; row < rows; ++row) {
    const Real* scores = x.data() + row * n;
    const Real* largest = std::max_element(scores, scores + n);
    const Real max = *largest;
    // exp(max − max) = 1 is left to log1p: a sum that starts at 1 would lose what the small ones add to it. The sum
    // starts at 0, or at NaN where the maximum is infinite.
    Real others = max - max;
    for (const Real* score = scores; score < scores + n; ++score)
      if (score != largest) others += std::exp(*score - max);
    const Real log_sum = std::log1p(others);
    for (std::size_t i = 0; i < n; ++i) result(row, i) = scores[i] - max - log_sum;
  }
  return result;
}

template Matrix<float> log_softmax_rows(const Matrix<float>&);
template Matrix<double> log_softmax_rows(const Matrix<double>&);

}  // namespace attention
