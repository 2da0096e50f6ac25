// What the operations share: shape checks, the reading of a mask, and LaTeX for a cell.
#pragma once

#include <stdexcept>
#include <string>

#include "core/operation.hpp"

namespace attention {

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

template <class Real>
bool allowed(const Matrix<Real>* mask, std::size_t row, std::size_t col) {
  return !mask || (*mask)(row, col) != 0;
}

// The mask of a recorded step, or null.
template <class Real>
const Matrix<Real>* mask_of(const Tape<Real>& tape, const Step<Real>& step) {
  return step.mask ? &tape.value(*step.mask) : nullptr;
}

template <class Real>
const Matrix<Real>& input_of(const Tape<Real>& tape, const Step<Real>& step, std::size_t slot) {
  return tape.value(step.inputs[slot]);
}

template <class Real>
void require_mask_fits(const Arguments<Real>& arguments) {
  if (arguments.mask) require(same_shape(*arguments.mask, *arguments.inputs[0]), "the mask has another shape");
}

template <class Real>
void require_column(const Matrix<Real>& column, std::size_t rows) {
  require(column.shape(0) == rows && column.shape(1) == 1, "expected one number for each row");
}

// The operation's value cell by cell: `at(row, col)` where the mask allows, `forbidden` elsewhere.
template <class Real, class At>
Matrix<Real> cell_by_cell(const Arguments<Real>& arguments, Real forbidden, At at) {
  const Matrix<Real>& x = *arguments.inputs[0];
  Matrix<Real> result = filled<Real>(x.shape(0), x.shape(1), forbidden);
  for (std::size_t row = 0; row < x.shape(0); ++row)
    for (std::size_t col = 0; col < x.shape(1); ++col)
      if (allowed(arguments.mask, row, col)) result(row, col) = at(row, col);
  return result;
}

// A term that repeats one cell of the first input.
template <class Real>
Term<Real> same_cell(const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
  return {{{step.inputs[0], row, col}}, input_of(tape, step, 0)(row, col)};
}

// Whether a step is one number for each row by nature, and not a matrix that happens to have one column.
template <class Real>
bool is_column(const Tape<Real>& tape, StepId id) {
  const Step<Real>& step = tape.step(id);
  switch (step.operation) {
    case OperationName::row_max:
    case OperationName::row_sum: return true;
    case OperationName::scale:
    case OperationName::add:
    case OperationName::multiply:
    case OperationName::divide_rows: return is_column(tape, step.inputs[0]);
    default: return false;
  }
}

// "S_{ij}", or "m_{i}" for a column.
template <class Real>
std::string cell_tex(const Tape<Real>& tape, StepId id, const std::string& row = "i", const std::string& col = "j") {
  const std::string& symbol = tape.step(id).symbol;
  const bool has_index = symbol.find_first_of("^_") != std::string::npos;
  return (has_index ? "{" + symbol + "}" : symbol) + "_{" + row + (is_column(tape, id) ? "" : col) + "}";
}

// "M_{ij} = 1": the pair is allowed.
template <class Real>
std::string allowed_tex(const Tape<Real>& tape, const Step<Real>& step, const std::string& row,
                        const std::string& col) {
  return cell_tex(tape, *step.mask, row, col) + " = 1";
}

// Below a sum or a maximum over `col`: the index, and that only allowed pairs count where there is a mask.
template <class Real>
std::string index_tex(const Tape<Real>& tape, const Step<Real>& step, const std::string& row, const std::string& col) {
  return step.mask ? "_{" + col + ":\\," + allowed_tex(tape, step, row, col) + "}" : "_{" + col + "}";
}

}  // namespace attention
