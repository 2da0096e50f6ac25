// A small classifier of sequences by attention, as a tape: what is trained in tests and benchmarks.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/gradient.hpp"
#include "core/matrices.hpp"
#include "core/softmax.hpp"

namespace attention {

struct ClassifierSize {
  std::size_t tokens, d_model, heads, classes;
};

template <class Real>
struct Classifier {
  StepId x, target;                // what every example has its own of: [tokens, d_model] and [1, classes]
  std::vector<StepId> parameters;  // W_Q, W_K, W_V, W_O [d_model, d_model], W_C [d_model, classes], b [1, classes]
  StepId logits, probabilities;    // [1, classes]
  std::vector<StepId> gradients;   // of the loss −Σ target·log(probabilities)·weight, one for each parameter
};

template <class Real>
struct ClassifierNumbers {
  Matrix<Real> x, target;
  std::vector<Matrix<Real>> parameters;
};

template <class Real>
ClassifierNumbers<Real> random_classifier(const ClassifierSize& size, Random& random) {
  const std::size_t d = size.d_model;
  const double bound = 1 / std::sqrt(static_cast<double>(d));
  const auto draw = [&](std::size_t rows, std::size_t cols) {
    return random.matrix<Real>(rows, cols, -bound, bound);
  };
  ClassifierNumbers<Real> numbers{draw(size.tokens, d), filled<Real>(1, size.classes, 0), {}};
  numbers.target(0, 0) = 1;
  for (std::size_t cols : {d, d, d, d, size.classes}) numbers.parameters.push_back(draw(d, cols));
  numbers.parameters.push_back(draw(1, size.classes));
  return numbers;
}

// softmax(mean(X + concat(heads)·W_O)·W_C + b). The gradient of softmax and cross entropy together is what the
// probabilities are too much, times `weight`: 1/examples for the mean loss of several.
template <class Real>
Classifier<Real> record_classifier(Tape<Real>& tape, const ClassifierSize& size, double weight,
                                   const ClassifierNumbers<Real>& numbers) {
  const std::size_t d_k = size.d_model / size.heads;
  const auto product = [&](const std::string& key, StepId a, StepId b, const Attributes& attributes = {}) {
    return tape.record(OperationName::matmul, key, "P", {a, b}, attributes);
  };
  Classifier<Real> made{};
  made.x = tape.input("X", "X", numbers.x);
  made.target = tape.input("target", "T", numbers.target);
  for (const Matrix<Real>& parameter : numbers.parameters) {
    static constexpr const char* keys[] = {"W_Q", "W_K", "W_V", "W_O", "W_C", "b"};
    const char* const key = keys[made.parameters.size()];
    made.parameters.push_back(tape.input(key, key, parameter));
  }
  const StepId mean =
      tape.input("mean", "M", filled<Real>(1, size.tokens, static_cast<Real>(1.0 / static_cast<double>(size.tokens))));

  StepId projected[3];
  const char* names[] = {"Q", "K", "V"};
  for (std::size_t i = 0; i < 3; ++i) projected[i] = product(names[i], made.x, made.parameters[i]);
  std::optional<StepId> heads;
  for (std::size_t head = 0; head < size.heads; ++head) {
    const std::string prefix = "head" + std::to_string(head + 1) + "/";
    StepId own[3];
    for (std::size_t i = 0; i < 3; ++i)
      own[i] = tape.record(OperationName::columns, prefix + names[i], names[i], {projected[i]},
                           {.columns = d_k, .first = head * d_k});
    const StepId scores = product(prefix + "scores", own[0], own[1], {.transpose_right = true});
    const StepId scaled = tape.record(OperationName::scale, prefix + "scaled", "Z", {scores},
                                      {.divisor = std::sqrt(static_cast<double>(d_k))});
    const StepId weights = record_softmax(tape, scaled, {}, SoftmaxKind::stable, EmptyRow::zero, prefix);
    const StepId output = product(prefix + "output", weights, own[2]);
    heads = heads ? tape.record(OperationName::concatenate, prefix + "joined", "H", {*heads, output}) : output;
  }
  const StepId mixed = product("mixed", *heads, made.parameters[3]);
  const StepId residual = tape.record(OperationName::add, "residual", "R", {made.x, mixed});
  const StepId pooled = product("pooled", mean, residual);
  const StepId scored = product("scored", pooled, made.parameters[4]);
  made.logits = tape.record(OperationName::add, "logits", "L", {scored, made.parameters[5]});
  made.probabilities = record_softmax(tape, made.logits, {}, SoftmaxKind::stable, EmptyRow::zero, "class/");

  const StepId taken = tape.record(OperationName::scale, "taken", "-T", {made.target}, {.factor = -1});
  const StepId too_much = tape.record(OperationName::add, "too-much", "D", {made.probabilities, taken});
  const StepId gradient =
      tape.record(OperationName::scale, "grad/logits", "\\mathrm{d}L", {too_much}, {.factor = weight});
  made.gradients = record_gradients(tape, made.logits, gradient, made.parameters);
  return made;
}

}  // namespace attention
