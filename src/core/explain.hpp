// Where one cell of a step came from.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tape.hpp"

namespace attention {

struct Cell {
  StepId step;
  std::size_t row;
  std::size_t col;
};

// One part of a cell. In a sum and a maximum `value` is what the part brings: the product of its cells, times
// `factor`, over `divisor`. In a map the one term's cells are the arguments and `value` is the result.
template <class Real>
struct Term {
  std::vector<Cell> cells;
  Real value;
  double factor = 1;
  double divisor = 1;
};

// A cell without terms was given, is forbidden, or is the sum or the maximum of nothing.
enum class ExplanationForm {
  sum,  // the cell is the sum of the terms
  max,  // the cell is the largest term
  map,  // the cell is a function of the cells of its one term
};

template <class Real>
struct Explanation {
  ExplanationForm form;
  std::vector<Term<Real>> terms;
  Real result;
};

// Throws std::out_of_range, naming the cell and the shape, when the step has no cell (row, col).
template <class Real>
void require_cell(const Step<Real>& step, std::size_t row, std::size_t col);

// The exact terms of cell (row, col) of a step. Throws std::out_of_range outside of its value.
template <class Real>
Explanation<Real> explain(const Tape<Real>& tape, StepId step, std::size_t row, std::size_t col);

}  // namespace attention
