// The rows that are normalised, and what each number of them is multiplied with.
#pragma once

#include <cmath>

#include "core/broadcast.hpp"
#include "core/error.hpp"
#include "core/normalization.hpp"

namespace attention {

// How x is cut into rows that are normalised together.
struct NormalizedRows {
  std::vector<std::size_t> shape;       // of one row
  std::vector<std::size_t> statistics;  // of what there is once for each row
  std::size_t count, length;
};

template <class Real>
NormalizedRows rows_from(const Tensor<Real>& x, std::size_t axis) {
  if (axis >= x.dimension())
    throw AttentionError("bad-axis", "axis", "x " + shape_text(x) + " has no axis " + std::to_string(axis));
  const std::vector<std::size_t> all(x.shape().begin(), x.shape().end());
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(axis);
  NormalizedRows rows{{first, all.end()}, {all.begin(), first}, 0, 0};
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
std::vector<Real> for_each_of_a_row(const std::optional<Tensor<Real>>& given, Real absent, const NormalizedRows& rows,
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

template <class Real>
struct RowStatistics {
  Real mean, inverse_deviation;
};

// layer_norm, where normalize(cells, length, scale, bias, epsilon) brings one row of that length to one scale in its
// place and answers its RowStatistics. Throws as layer_norm does.
template <class Real, class Normalize>
LayerNorm<Real> layer_norm_by(const NormalizationInputs<Real>& inputs, std::size_t axis, double epsilon,
                              Normalize normalize) {
  const Tensor<Real>& x = inputs.x;
  const NormalizedRows rows = rows_from(x, axis);
  const Real least = checked_epsilon<Real>(epsilon);
  const std::vector<Real> scale = for_each_of_a_row(inputs.scale, Real(1), rows, x, "scale");
  const std::vector<Real> bias = for_each_of_a_row(inputs.bias, Real(0), rows, x, "bias");

  LayerNorm<Real> result{x, zeros<Real>(rows.statistics), zeros<Real>(rows.statistics)};
  for (std::size_t row = 0; row < rows.count; ++row) {
    const RowStatistics<Real> found =
        normalize(result.output.data() + row * rows.length, rows.length, scale.data(), bias.data(), least);
    result.mean.data()[row] = found.mean;
    result.inverse_deviation.data()[row] = found.inverse_deviation;
  }
  return result;
}

}  // namespace attention
