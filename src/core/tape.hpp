// The tape: a computation written down step by step, so that every number can say where it came from.
//
// A step has a key ("scores"), an operation, the steps it was made from, and a value. The operations are a small
// closed set (operation.hpp); each knows how to compute, how to explain one cell, and how to record its gradient.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.hpp"

namespace attention {

using StepId = std::size_t;

enum class OperationName {
  input,            // a number somebody gave
  matmul,           // product of two matrices, either of them transposed
  transpose,        // rows and columns exchanged
  scale,            // every cell times a factor, over a divisor
  add,              // sum of matrices of one shape
  multiply,         // product cell by cell
  select,           // the cell where the mask allows it, a fill elsewhere
  row_max,          // largest cell of each row
  is_max,           // 1 at the largest cell of each row (shared between ties), 0 elsewhere
  subtract_column,  // each row less one number of its own
  exp,              // e to the power of the cell
  row_sum,          // sum of each row
  spread,           // a column repeated to the right
  divide_rows,      // each row over one number of its own
  concatenate,      // two matrices side by side
  columns,          // a range of the columns
  softcap,          // c·tanh(x/c)
  rotate,           // pairs of columns turned, by angles that grow with the row
};

// Which columns are a pair: sine and cosine of one frequency, or what is turned together.
enum class Layout {
  interleaved,  // side by side: 1 and 2, 3 and 4, …
  halves,       // the first of the first half and the first of the second, …
};

// What a row is in which the mask allows nothing.
enum class EmptyRow { zero, nan, uniform };

// The constants of an operation; each one names the operations that read it. The symbols are string literals.
struct Attributes {
  bool transpose_left = false;           // matmul
  bool transpose_right = false;          // matmul
  double factor = 1;                     // scale; softcap: c; rotate: 1, or −1 for back
  double divisor = 1;                    // scale
  std::string_view factor_symbol = {};   // scale: LaTeX before the cell, e.g. "-"
  std::string_view divisor_symbol = {};  // scale: LaTeX below the line, e.g. "\\sqrt{d_k}"
  double fill = 0;                       // select
  std::size_t columns = 0;               // spread, columns, rotate: how many
  std::size_t first = 0;                 // columns: which one becomes the first
  EmptyRow empty_row = EmptyRow::zero;   // divide_rows
  Layout layout = Layout::interleaved;   // rotate: which columns are a pair
  double base = 10000;                   // rotate
  double offset = 0;                     // rotate: the position of the first row
};

// For operations without constants: one object, so that no call has to make its own.
extern const Attributes no_attributes;

// A few steps, given as { a, b } or as a vector. For parameters only: it lives as long as what it was given.
class StepIds {
 public:
  StepIds(std::initializer_list<StepId> ids) : first_(ids.begin()), count_(ids.size()) {}
  StepIds(const std::vector<StepId>& ids) : first_(ids.data()), count_(ids.size()) {}
  const StepId* begin() const { return first_; }
  const StepId* end() const { return first_ + count_; }
  std::size_t size() const { return count_; }
  StepId operator[](std::size_t i) const { return first_[i]; }

 private:
  const StepId* first_;
  std::size_t count_;
};

template <class Real>
struct Step {
  std::string key;     // unique on the tape
  std::string symbol;  // LaTeX
  OperationName operation;
  std::vector<StepId> inputs;
  std::optional<StepId> mask;  // 1 = allowed, 0 = forbidden; a forbidden term is skipped, not added as zero
  Attributes attributes;
  Matrix<Real> value;
};

template <class Real>
struct Operation;

template <class Real>
class Tape {
 public:
  Tape() = default;

  // Computes with these records, one for each operation as in `operations`, which have to outlive it.
  explicit Tape(const std::vector<Operation<Real>>& records) : records_(&records) {}

  // Writes a given number down.
  StepId input(std::string_view key, std::string_view symbol, Matrix<Real> value);

  // Computes an operation and writes it down. Throws std::invalid_argument when the number of inputs, a
  // shape or the mask does not fit.
  StepId record(OperationName operation, std::string_view key, std::string_view symbol, StepIds inputs,
                const Attributes& attributes = no_attributes, std::optional<StepId> mask = std::nullopt);

  const std::vector<Step<Real>>& steps() const { return steps_; }
  const Step<Real>& step(StepId id) const { return steps_[id]; }
  const Matrix<Real>& value(StepId id) const { return steps_[id].value; }
  std::optional<StepId> find(std::string_view key) const;

  // The mask outside of which a step is zero by construction, if there is one. A product with such a step
  // skips those terms, which keeps a NaN in a hidden key or value out of every gradient.
  std::optional<StepId> support(StepId id) const;

 private:
  const std::vector<Operation<Real>>* records_ = nullptr;
  std::vector<Step<Real>> steps_;
};

}  // namespace attention
