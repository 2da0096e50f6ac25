// Attention written down a second time, key by key as in the formula (Vaswani et al. 2017, eq. 1, with what may be
// added to it), in long double and without subtracting a maximum: for moderate scores.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/attention.hpp"
#include "core/matrices.hpp"

namespace attention {

template <class Real>
bool may_see(const AttentionInputs<Real>& inputs, const AttentionOptions& options, std::size_t query, std::size_t key) {
  const long n_q = static_cast<long>(inputs.q.shape(0)), n_k = static_cast<long>(inputs.k.shape(0));
  const long i = static_cast<long>(query), j = static_cast<long>(key);
  if (inputs.mask && (*inputs.mask)(query, key) == 0) return false;
  if (inputs.bias && (*inputs.bias)(query, key) == -infinity<Real>) return false;
  if (options.sight.causal == Causal::top_left) return j <= i;
  if (options.sight.causal == Causal::bottom_right) return j <= i + n_k - n_q;
  return true;
}

// Rows in which nothing may be seen are zero.
template <class Real>
Matrix<double> formula_weights(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  const std::size_t n_q = inputs.q.shape(0), n_k = inputs.k.shape(0), d_k = inputs.q.shape(1);
  Matrix<double> weights = filled<double>(n_q, n_k, 0);
  for (std::size_t i = 0; i < n_q; ++i) {
    std::vector<long double> parts(n_k, 0);
    long double total = 0;
    for (std::size_t j = 0; j < n_k; ++j) {
      if (!may_see(inputs, options, i, j)) continue;
      long double score = 0;
      for (std::size_t r = 0; r < d_k; ++r) score += static_cast<long double>(inputs.q(i, r)) * inputs.k(j, r);
      score *= options.scale ? *options.scale : 1 / std::sqrt(static_cast<long double>(d_k));
      if (inputs.bias) score += (*inputs.bias)(i, j);
      parts[j] = std::exp(score / options.temperature);
      total += parts[j];
    }
    for (std::size_t j = 0; j < n_k; ++j)
      if (parts[j] > 0) weights(i, j) = static_cast<double>(parts[j] / total);
  }
  return weights;
}

template <class Real>
Matrix<double> formula_output(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  const Matrix<double> weights = formula_weights(inputs, options);
  Matrix<double> output = filled<double>(weights.shape(0), inputs.v.shape(1), 0);
  for (std::size_t i = 0; i < output.shape(0); ++i)
    for (std::size_t c = 0; c < output.shape(1); ++c) {
      long double sum = 0;
      for (std::size_t j = 0; j < weights.shape(1); ++j)
        sum += static_cast<long double>(weights(i, j)) * inputs.v(j, c);
      output(i, c) = static_cast<double>(sum);
    }
  return output;
}

// The value of a step, by its key.
template <class Real>
Matrix<Real> value_of(const Tape<Real>& tape, const std::string& key) {
  const std::optional<StepId> id = tape.find(key);
  if (!id) throw std::invalid_argument("there is no step " + key);
  return tape.value(*id);
}

// One random question to attention, of everything a bit.
struct Example {
  AttentionInputs<double> inputs;
  AttentionOptions options;
  std::string name;
};

inline std::vector<Example> random_examples(std::uint64_t seed) {
  Random random(seed);
  const std::size_t n_q = random.whole(1, 4), n_k = random.whole(1, 5), d_k = random.whole(1, 4),
                    d_v = random.whole(1, 3);
  const AttentionInputs<double> inputs{random.matrix<double>(n_q, d_k), random.matrix<double>(n_k, d_k),
                                       random.matrix<double>(n_k, d_v), std::nullopt, std::nullopt};
  std::vector<Example> examples;
  const auto add = [&](std::string name, const AttentionOptions& options, bool masked = false, bool biased = false) {
    Example example{inputs, options, name + ", seed " + std::to_string(seed)};
    if (masked) example.inputs.mask = random.mask<double>(n_q, n_k);
    if (biased) example.inputs.bias = random.matrix<double>(n_q, n_k);
    examples.push_back(example);
  };
  add("default", {});
  add("mask", {}, true);
  add("bias", {}, false, true);
  add("temperature", {.temperature = random.number(0.25, 4)});
  add("scale", {.scale = random.number(-1, 1)});
  add("top-left", {.sight = {.causal = Causal::top_left}});
  add("bottom-right", {.sight = {.causal = Causal::bottom_right}});
  add("plain", {.softmax = SoftmaxKind::plain});
  add("everything",
      {.scale = random.number(0.1, 1),
       .temperature = random.number(0.25, 4),
       .sight = {.causal = Causal::bottom_right}},
      true, true);
  add("everything, plain", {.temperature = 0.5, .sight = {.causal = Causal::top_left}, .softmax = SoftmaxKind::plain},
      true, true);
  add("everything, uniform", {.temperature = 2, .empty_row = EmptyRow::uniform}, true, true);
  examples.back().inputs.bias->data()[0] = -inf;
  return examples;
}

template <class Real>
AttentionInputs<Real> converted(const AttentionInputs<double>& inputs) {
  AttentionInputs<Real> result{converted<Real>(inputs.q), converted<Real>(inputs.k), converted<Real>(inputs.v)};
  if (inputs.mask) result.mask = converted<Real>(*inputs.mask);
  if (inputs.bias) result.bias = converted<Real>(*inputs.bias);
  return result;
}

}  // namespace attention
