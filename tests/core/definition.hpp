// What every operation is by its mathematical definition, written a second time and from the result's side: which
// cells one cell of the value reads, and what it is. Values and explanations of a tape are held against it.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "core/all_close.hpp"
#include "core/explain.hpp"

namespace attention {

template <class Real>
struct Definition {
  std::vector<Cell> reads;
  double value = 0;
  double size = 0;         // sum of the absolute values of what is added up: rounding errors are in proportion to it
  bool forbidden = false;  // nothing was computed here
};

// An operation that is not defined here does not compile.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"

template <class Real>
Definition<Real> definition(const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
  const Attributes& with = step.attributes;
  Definition<Real> result;
  const auto read = [&](std::size_t slot, std::size_t r, std::size_t c) {
    result.reads.push_back({step.inputs[slot], r, c});
    return static_cast<double>(tape.value(step.inputs[slot])(r, c));
  };
  const auto forbids = [&](std::size_t r, std::size_t c) {
    return step.mask && tape.value(*step.mask)(r, c) == 0;
  };
  const auto sum_up = [&](double part) {
    result.value += part;
    result.size += std::abs(part);
  };
  const auto forbidden = [&](double value) {
    result.forbidden = true;
    result.value = value;
  };
  const auto columns = [&](std::size_t slot) {
    return tape.value(step.inputs[slot]).shape(1);
  };

  switch (step.operation) {
    case OperationName::input: result.value = step.value(row, col); break;
    case OperationName::matmul: {
      const std::size_t length = tape.value(step.inputs[0]).shape(with.transpose_left ? 0 : 1);
      for (std::size_t inner = 0; inner < length; ++inner) {
        const std::size_t a_row = with.transpose_left ? inner : row, a_col = with.transpose_left ? row : inner;
        if (forbids(a_row, a_col)) continue;
        const double a = read(0, a_row, a_col);
        sum_up(a * (with.transpose_right ? read(1, col, inner) : read(1, inner, col)));
      }
      break;
    }
    case OperationName::transpose: sum_up(read(0, col, row)); break;
    case OperationName::scale: sum_up(read(0, row, col) * with.factor / with.divisor); break;
    case OperationName::add:
      for (std::size_t slot = 0; slot < step.inputs.size(); ++slot) sum_up(read(slot, row, col));
      break;
    case OperationName::multiply:
      if (forbids(row, col)) {
        forbidden(0);
      } else {
        const double left = read(0, row, col);
        sum_up(left * read(1, row, col));
      }
      break;
    case OperationName::select:
      if (forbids(row, col))
        forbidden(with.fill);
      else
        sum_up(read(0, row, col));
      break;
    case OperationName::row_max:
      result.value = -infinity<double>;
      for (std::size_t other = 0; other < columns(0); ++other) {
        if (forbids(row, other)) continue;
        const double x = read(0, row, other);
        if (std::isnan(x) || std::isnan(result.value))
          result.value = std::numeric_limits<double>::quiet_NaN();
        else
          result.value = std::max(result.value, x);
      }
      break;
    case OperationName::is_max: {
      if (forbids(row, col)) {
        forbidden(0);
        break;
      }
      const double here = tape.value(step.inputs[0])(row, col);
      std::size_t larger = 0, equal = 0, undefined = 0;
      for (std::size_t other = 0; other < columns(0); ++other) {
        if (forbids(row, other)) continue;
        const double x = read(0, row, other);
        larger += x > here;
        equal += x == here;
        undefined += std::isnan(x);
      }
      if (undefined > 0)
        result.value = std::numeric_limits<double>::quiet_NaN();
      else
        result.value = larger > 0 ? 0 : 1.0 / static_cast<double>(equal);
      result.size = 1;
      break;
    }
    case OperationName::subtract_column:
      if (forbids(row, col)) {
        forbidden(-infinity<double>);
      } else {
        sum_up(read(0, row, col));
        sum_up(-read(1, row, 0));
      }
      break;
    case OperationName::exp:
      if (forbids(row, col))
        forbidden(0);
      else
        sum_up(std::exp(read(0, row, col)));
      break;
    case OperationName::row_sum:
      for (std::size_t other = 0; other < columns(0); ++other)
        if (!forbids(row, other)) sum_up(read(0, row, other));
      break;
    case OperationName::spread:
      if (forbids(row, col))
        forbidden(0);
      else
        sum_up(read(0, row, 0));
      break;
    case OperationName::divide_rows: {
      std::size_t seen = step.mask ? 0 : 1;
      for (std::size_t other = 0; step.mask && other < tape.value(*step.mask).shape(1); ++other)
        seen += !forbids(row, other);
      const bool by_cell = step.mask && same_shape(tape.value(*step.mask), step.value);
      const double empty = with.empty_row == EmptyRow::nan       ? std::numeric_limits<double>::quiet_NaN()
                           : with.empty_row == EmptyRow::uniform ? 1.0 / static_cast<double>(step.value.shape(1))
                                                                 : 0;
      if (seen == 0) {
        forbidden(empty);
      } else if (by_cell && forbids(row, col)) {
        forbidden(0);
      } else {
        const double x = read(0, row, col);
        sum_up(x / read(1, row, 0));
      }
      break;
    }
    case OperationName::concatenate:
      sum_up(col < columns(0) ? read(0, row, col) : read(1, row, col - columns(0)));
      break;
    case OperationName::columns: sum_up(read(0, row, with.first + col)); break;
    case OperationName::softcap: sum_up(with.factor * std::tanh(read(0, row, col) / with.factor)); break;
    case OperationName::rotate: {
      // The pair as a complex number, times e^(iθ).
      const std::size_t pairs = with.columns / 2;
      const bool interleaved = with.layout == Layout::interleaved;
      if (col >= with.columns) {
        sum_up(read(0, row, col));
        break;
      }
      const bool real_part = interleaved ? col % 2 == 0 : col < pairs;
      const std::size_t pair = interleaved ? col / 2 : col % pairs;
      const std::size_t other = interleaved ? 2 * pair + (real_part ? 1 : 0) : pair + (real_part ? pairs : 0);
      const double exponent = -2 * static_cast<double>(pair) / static_cast<double>(with.columns);
      const double angle = (static_cast<double>(row) + with.offset) * std::pow(with.base, exponent) * with.factor;
      sum_up(read(0, row, col) * std::cos(angle));
      sum_up((real_part ? -1 : 1) * read(0, row, other) * std::sin(angle));
      break;
    }
  }
  return result;
}

#pragma GCC diagnostic pop

inline bool operator==(const Cell& a, const Cell& b) { return a.step == b.step && a.row == b.row && a.col == b.col; }

inline bool operator<(const Cell& a, const Cell& b) {
  if (a.step != b.step) return a.step < b.step;
  return a.row != b.row ? a.row < b.row : a.col < b.col;
}

// What the terms of one cell amount to. A sum in the order of its terms, so that its rounding can be compared.
template <class Real>
double recombined(const Explanation<Real>& explanation) {
  if (explanation.form == ExplanationForm::map)
    return explanation.terms.empty() ? explanation.result : explanation.terms[0].value;
  double result = explanation.form == ExplanationForm::max ? -infinity<double> : 0;
  for (const Term<Real>& term : explanation.terms) {
    if (explanation.form == ExplanationForm::sum)
      result += term.value;
    else
      result = std::isnan(result) || term.value <= result ? result : term.value;
  }
  return result;
}

// The first way in which the value or the explanation of a cell is not what the definition says, or "".
template <class Real>
std::string fault_of_cell(const Tape<Real>& tape, StepId id, std::size_t row, std::size_t col) {
  const Step<Real>& step = tape.step(id);
  const Definition<Real> expected = definition(tape, step, row, col);
  const Explanation<Real> explained = explain(tape, id, row, col);
  const double value = step.value(row, col);

  // n terms: n roundings of products, n − 1 of sums (Higham 2002, chapter 4); exp and a factor bring a few more.
  const double rounding = static_cast<double>(std::numeric_limits<Real>::epsilon());
  const double absolute = rounding * static_cast<double>(expected.reads.size() + 4) * expected.size;
  // What overflows in Real is infinite here too.
  const auto agrees = [&](double a, double b) {
    return is_close(static_cast<Real>(a), static_cast<Real>(b), 0, absolute);
  };

  if (!agrees(value, expected.value)) return "value";
  if (!is_close(explained.result, value, 0, 0)) return "explain: result";
  if (expected.forbidden) return explained.terms.empty() ? "" : "explain: terms of a forbidden cell";

  std::vector<Cell> cells;
  for (const Term<Real>& term : explained.terms) {
    double product = term.factor / term.divisor;
    for (const Cell& cell : term.cells) {
      cells.push_back(cell);
      product *= tape.value(cell.step)(cell.row, cell.col);
    }
    if (explained.form != ExplanationForm::map &&
        !is_close(term.value, static_cast<Real>(product), 4 * rounding, std::numeric_limits<Real>::denorm_min()))
      return "explain: value of a term";
  }
  std::vector<Cell> reads = expected.reads;
  std::sort(cells.begin(), cells.end());
  std::sort(reads.begin(), reads.end());
  if (!(cells == reads)) return "explain: cells";
  if (explained.form == ExplanationForm::map && explained.terms.size() > 1) return "explain: terms of a map";
  return agrees(recombined(explained), value) ? "" : "explain: terms do not recombine";
}

// The same for every cell of every step, with the place: "weights (0, 1): value".
template <class Real>
std::string first_fault(const Tape<Real>& tape) {
  for (StepId id = 0; id < tape.steps().size(); ++id) {
    const Step<Real>& step = tape.step(id);
    for (std::size_t row = 0; row < step.value.shape(0); ++row)
      for (std::size_t col = 0; col < step.value.shape(1); ++col) {
        const std::string fault = fault_of_cell(tape, id, row, col);
        if (fault.empty()) continue;
        std::ostringstream place;
        place << step.key << " (" << row << ", " << col << "): " << fault;
        return place.str();
      }
  }
  return "";
}

// Where a step claims to be zero by construction, but is not, or "".
template <class Real>
std::string first_false_support(const Tape<Real>& tape) {
  for (StepId id = 0; id < tape.steps().size(); ++id) {
    const std::optional<StepId> support = tape.support(id);
    if (!support) continue;
    const Matrix<Real>&value = tape.value(id), &mask = tape.value(*support);
    if (!same_shape(value, mask)) return tape.step(id).key + ": a support of another shape";
    for (std::size_t row = 0; row < value.shape(0); ++row)
      for (std::size_t col = 0; col < value.shape(1); ++col)
        if (mask(row, col) == 0 && !(value(row, col) == 0)) return tape.step(id).key + ": not zero outside its support";
  }
  return "";
}

}  // namespace attention
