#include "core/normalization.hpp"

#include <cmath>

#include "core/broadcast.hpp"
#include "core/error.hpp"

namespace attention {

namespace {

// How x is cut into rows that are normalised together.
struct Rows {
  std::vector<std::size_t> shape;       // of one row
  std::vector<std::size_t> statistics;  // of what there is once for each row
  std::size_t count, length;
};

template <class Real>
Rows rows_from(const Tensor<Real>& x, std::size_t axis) {
  if (axis >= x.dimension())
    throw AttentionError("bad-axis", "axis", "x " + shape_text(x) + " has no axis " + std::to_string(axis));
  const std::vector<std::size_t> all(x.shape().begin(), x.shape().end());
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(axis);
  Rows rows{{first, all.end()}, {all.begin(), first}, 0, 0};
  rows.count = number_of_cells(rows.statistics);
  rows.length = number_of_cells(rows.shape);
  rows.statistics.resize(all.size(), 1);
  return rows;
}

template <class Real>
Real checked_epsilon(double epsilon) {
  const Real rounded = static_cast<Real>(epsilon);
  if (!(epsilon >= 0) || !std::isfinite(rounded))
    throw AttentionError("bad-epsilon", "epsilon", "epsilon must be a finite number of at least 0");
  return rounded;
}

// One number of `given` for each of a row, `absent` everywhere when there is none.
template <class Real>
std::vector<Real> for_each_of_a_row(const std::optional<Tensor<Real>>& given, Real absent, const Rows& rows,
                                    const Tensor<Real>& x, const std::string& field) {
  const std::size_t needed = rows.count == 0 ? 0 : rows.length;
  std::vector<Real> result(needed, absent);
  if (!given) return result;
  const std::vector<std::size_t> shape(given->shape().begin(), given->shape().end());
  std::vector<std::size_t> both;
  if (!broadcast_shape(shape, rows.shape, both) || both != rows.shape)
    throw AttentionError("dimension-mismatch", field,
                         field + " " + shape_text(*given) + " does not fit the last " +
                             std::to_string(rows.shape.size()) + " axes of x " + shape_text(x));
  const Broadcast from(shape, rows.shape);
  for (std::size_t i = 0; i < needed; ++i) result[i] = given->data()[from(i)];
  return result;
}

}  // namespace

template <class Real>
LayerNorm<Real> layer_norm(const NormalizationInputs<Real>& inputs, std::size_t axis, double epsilon) {
  const Tensor<Real>& x = inputs.x;
  const Rows rows = rows_from(x, axis);
  const Real least = checked_epsilon<Real>(epsilon), n = static_cast<Real>(rows.length);
  const std::vector<Real> scale = for_each_of_a_row(inputs.scale, Real(1), rows, x, "scale");
  const std::vector<Real> bias = for_each_of_a_row(inputs.bias, Real(0), rows, x, "bias");

  LayerNorm<Real> result{x, zeros<Real>(rows.statistics), zeros<Real>(rows.statistics)};
  for (std::size_t row = 0; row < rows.count; ++row) {
    Real* cells = result.output.data() + row * rows.length;
    Real sum = 0;
    for (std::size_t i = 0; i < rows.length; ++i) sum += cells[i];
    const Real mean = sum / n;
    // The mean is rounded; what that leaves in the differences is their own mean (Chan, Golub & LeVeque 1983).
    Real left = 0;
    for (std::size_t i = 0; i < rows.length; ++i) {
      cells[i] -= mean;
      left += cells[i];
    }
    const Real rest = left / n;
    Real squares = 0;
    for (std::size_t i = 0; i < rows.length; ++i) {
      cells[i] -= rest;
      squares += cells[i] * cells[i];
    }
    const Real inverse_deviation = 1 / std::sqrt(squares / n + least);
    for (std::size_t i = 0; i < rows.length; ++i) cells[i] = cells[i] * inverse_deviation * scale[i] + bias[i];
    result.mean.data()[row] = mean + rest;
    result.inverse_deviation.data()[row] = inverse_deviation;
  }
  return result;
}

template <class Real>
Tensor<Real> rms_norm(const Tensor<Real>& x, const std::optional<Tensor<Real>>& scale, std::size_t axis,
                      double epsilon) {
  const Rows rows = rows_from(x, axis);
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
