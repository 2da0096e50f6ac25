#include "core/explain.hpp"

#include <stdexcept>

#include "core/operation.hpp"

namespace attention {

template <class Real>
Explanation<Real> explain(const Tape<Real>& tape, StepId id, std::size_t row, std::size_t col) {
  const Step<Real>& step = tape.step(id);
  if (row >= step.value.shape(0) || col >= step.value.shape(1)) throw std::out_of_range("no such cell in " + step.key);
  const Operation<Real>& operation = operation_record<Real>(step.operation);
  return {operation.form, operation.explain(tape, step, row, col), step.value(row, col)};
}

template Explanation<float> explain(const Tape<float>&, StepId, std::size_t, std::size_t);
template Explanation<double> explain(const Tape<double>&, StepId, std::size_t, std::size_t);

}  // namespace attention
