#include "core/explain.hpp"

#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/operation.hpp"

namespace attention {

template <class Real>
void require_cell(const Step<Real>& step, std::size_t row, std::size_t col) {
  if (row < step.value.shape(0) && col < step.value.shape(1)) return;
  throw std::out_of_range("there is no cell (" + std::to_string(row) + ", " + std::to_string(col) + ") in " + step.key +
                          " " + shape_text(step.value));
}

template <class Real>
Explanation<Real> explain(const Tape<Real>& tape, StepId id, std::size_t row, std::size_t col) {
  const Step<Real>& step = tape.step(id);
  require_cell(step, row, col);
  const Operation<Real>& operation = operation_record<Real>(step.operation);
  return {operation.form, operation.explain(tape, step, row, col), step.value(row, col)};
}

template void require_cell(const Step<float>&, std::size_t, std::size_t);
template void require_cell(const Step<double>&, std::size_t, std::size_t);
template Explanation<float> explain(const Tape<float>&, StepId, std::size_t, std::size_t);
template Explanation<double> explain(const Tape<double>&, StepId, std::size_t, std::size_t);

}  // namespace attention
