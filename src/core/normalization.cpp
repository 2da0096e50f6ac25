#include "core/normalization.hpp"

#include <cmath>

#include "core/normalized_rows.hpp"

namespace attention {

namespace {

template <class Real>
RowStatistics<Real> normalize(Real* cells, std::size_t length, const Real* scale, const Real* bias, Real epsilon) {
  const Real n = static_cast<Real>(length);
  Real sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += cells[i];
  const Real mean = sum / n;
  // The mean is rounded; what that leaves in the differences is their own mean (Chan, Golub & LeVeque 1983).
  Real left = 0;
  for (std::size_t i = 0; i < length; ++i) {
    cells[i] -= mean;
    left += cells[i];
  }
  const Real rest = left / n;
  Real squares = 0;
  for (std::size_t i = 0; i < length; ++i) {
    cells[i] -= rest;
    squares += cells[i] * cells[i];
  }
  const Real inverse_deviation = 1 / std::sqrt(squares / n + epsilon);
  for (std::size_t i = 0; i < length; ++i) cells[i] = cells[i] * inverse_deviation * scale[i] + bias[i];
  return {mean + rest, inverse_deviation};
}

}  // namespace

template <class Real>
LayerNorm<Real> layer_norm(const NormalizationInputs<Real>& inputs, std::size_t axis, double epsilon) {
  return layer_norm_by(inputs, axis, epsilon, normalize<Real>);
}

template <class Real>
Tensor<Real> rms_norm(const Tensor<Real>& x, const std::optional<Tensor<Real>>& scale, std::size_t axis,
                      double epsilon) {
  const NormalizedRows rows = rows_from(x, axis);
  const Real least = checked_epsilon<Real>(epsilon), n = static_cast<Real>(rows.length);
  const std::vector<Real> factors = for_each_of_a_row(scale, Real(1), rows, x, "scale");

  Tensor<Real> result = x;
  for (std::size_t row = 0; row < rows.count; ++row) {
    Real* cells = result.data() + row * rows.length;
    Real squares = 0;
    for (std::size_t i = 0; i < rows.length; ++i) squares += cells[i] * cells[i];
    const Real root = std::sqrt(squares / n + least);
    for (std::size_t i = 0; i < rows.length; ++i) cells[i] = cells[i] / root * factors[i];
  }
  return result;
}

#define INSTANTIATE(Real)                                                                     \
  template LayerNorm<Real> layer_norm(const NormalizationInputs<Real>&, std::size_t, double); \
  template Tensor<Real> rms_norm(const Tensor<Real>&, const std::optional<Tensor<Real>>&, std::size_t, double);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
