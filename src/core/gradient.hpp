// Gradients, recorded as further steps of the tape from the same operations, so that a cell of a gradient has terms
// and a formula like any other (reverse-mode differentiation: Griewank & Walther 2008, chapter 3).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tape.hpp"

namespace attention {

// Appends to the tape the steps of d(cell (row, col) of `of`)/d(`wrt`), read backwards from `of`. The gradient of a
// step `x` has the key "grad/x"; where several steps use x, each one's share is "grad/x/<user>". Returns the id of
// "grad/<wrt>", a matrix of the shape of `wrt` (zeros when the cell does not depend on it).
// Throws std::out_of_range when the cell does not exist.
template <class Real>
StepId record_gradient(Tape<Real>& tape, StepId of, std::size_t row, std::size_t col, StepId wrt);

// The same towards several steps, from a step of the tape that holds the gradient of `of`, of its shape: what they have
// in common is recorded once. Returns the ids of "grad/<wrt>".
template <class Real>
std::vector<StepId> record_gradients(Tape<Real>& tape, StepId of, StepId gradient, StepIds wrt);

// What an operation records its gradient with: it names the steps after the input they belong to.
template <class Real>
class GradientRecorder {
 public:
  GradientRecorder(Tape<Real>& tape, std::string key, std::string symbol)
      : tape_(tape), key_(std::move(key)), symbol_(std::move(symbol)) {}

  const Tape<Real>& tape() const { return tape_; }

  // The gradient itself. Products and sums skip what is zero by construction (Tape::support).
  StepId record(OperationName operation, StepIds inputs, const Attributes& attributes = no_attributes,
                std::optional<StepId> mask = std::nullopt);

  // A step on the way to it, e.g. part = "product".
  StepId record_part(std::string_view part, OperationName operation, StepIds inputs,
                     const Attributes& attributes = no_attributes, std::optional<StepId> mask = std::nullopt);

  // Constants to compute with, as an input.
  StepId record_input(std::string_view part, std::string_view symbol, Matrix<Real> value);

 private:
  std::optional<StepId> implied_mask(OperationName operation, StepIds inputs) const;

  Tape<Real>& tape_;
  std::string key_;
  std::string symbol_;
  std::size_t parts_ = 0;
};

}  // namespace attention
