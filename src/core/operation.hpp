// The closed set of operations. One record each, and in it, side by side: how to compute a value, which terms made a
// cell, how to record a gradient, and the formula. A file of operations/ holds one operation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/explain.hpp"
#include "core/gradient.hpp"
#include "core/tape.hpp"

namespace attention {

// What an operation computes from. The mask, where there is one, is 1 for allowed and 0 for forbidden.
template <class Real>
struct Arguments {
  std::vector<const Matrix<Real>*> inputs;
  const Matrix<Real>* mask = nullptr;
  const Attributes* attributes = nullptr;
};

template <class Real>
struct Operation {
  std::string_view name;
  std::size_t inputs;  // how many matrices it takes; 0 for `input`, at least that many for `add`
  bool takes_mask;
  ExplanationForm form;  // how explain's terms become the cell

  // The value. Throws std::invalid_argument when shapes do not fit.
  Matrix<Real> (*forward)(const Arguments<Real>&);

  // The terms that made one cell, forbidden ones left out.
  std::vector<Term<Real>> (*explain)(const Tape<Real>&, const Step<Real>&, std::size_t row, std::size_t col);

  // Records d(cell)/d(input `slot`) from `gradient`, the gradient of the step's own value; returns the step recorded
  // last. nullptr where the value does not depend on its input smoothly.
  StepId (*differentiate)(GradientRecorder<Real>&, StepId step, StepId gradient, std::size_t slot);

  // LaTeX for the cell (i, j).
  std::string (*formula)(const Tape<Real>&, StepId);
};

// Every operation, in the order of OperationName.
template <class Real>
const std::vector<Operation<Real>>& operations();

template <class Real>
const Operation<Real>& operation_record(OperationName name) {
  return operations<Real>()[static_cast<std::size_t>(name)];
}

}  // namespace attention
