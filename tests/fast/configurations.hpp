// Calls of attention in floats, and what of the core they are held against.
#pragma once

#include <cmath>

#include "core/head_configuration.hpp"
#include "core/tensors.hpp"

namespace attention {

inline HeadInputs<double> widened(const HeadInputs<float>& inputs) {
  return {widened(inputs.q),        widened(inputs.k),          widened(inputs.v),
          widened(inputs.past_key), widened(inputs.past_value), widened(inputs.mask),
          widened(inputs.bias),     widened(inputs.padding),    inputs.lengths};
}

// One head without any option.
inline Configuration<float> plain(Random& random, std::size_t n_q, std::size_t n_k, std::size_t d_k, std::size_t d_v) {
  Configuration<float> of;
  of.inputs.q = random.tensor<float>({1, 1, n_q, d_k});
  of.inputs.k = random.tensor<float>({1, 1, n_k, d_k});
  of.inputs.v = random.tensor<float>({1, 1, n_k, d_v});
  return of;
}

inline double largest_size(const Tensor<float>& tensor) {
  double largest = 0;
  for (const float cell : tensor)
    if (std::isfinite(cell)) largest = std::max(largest, static_cast<double>(std::abs(cell)));
  return largest;
}

inline double longest_row(const Tensor<float>& tensor) {
  const std::size_t width = tensor.shape(3);
  double longest = 0;
  for (std::size_t row = 0; row < tensor.size() / width; ++row) {
    double squares = 0;
    for (std::size_t col = 0; col < width; ++col) squares += std::pow(tensor.data()[row * width + col], 2);
    longest = std::max(longest, std::sqrt(squares));
  }
  return longest;
}

// The same with a cache in front.
inline double longest_row(const Tensor<float>& now, const std::optional<Tensor<float>>& past) {
  return std::max(longest_row(now), past ? longest_row(*past) : 0);
}

// A bound of every score (Cauchy and Schwarz).
inline double largest_score(const Configuration<float>& of) {
  const HeadInputs<float>& inputs = of.inputs;
  double score = longest_row(inputs.q) * longest_row(inputs.k, inputs.past_key) *
                 std::abs(of.options.scale.value_or(1 / std::sqrt(inputs.q.shape(3))));
  if (inputs.bias) score += largest_size(*inputs.bias);
  return score / of.options.temperature;
}

// The largest difference from the core; infinite where only one of the two is a number.
inline double difference(const Tensor<float>& actual, const Tensor<double>& expected) {
  double largest = 0;
  for (std::size_t cell = 0; cell < expected.size(); ++cell) {
    const double found = actual.data()[cell], wanted = expected.data()[cell];
    if (found == wanted || (std::isnan(found) && std::isnan(wanted))) continue;
    largest = std::max(largest, std::isfinite(found) && std::isfinite(wanted) ? std::abs(found - wanted) : inf);
  }
  return largest;
}

}  // namespace attention
