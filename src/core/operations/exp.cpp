// exp: e to the power of the cell; 0 where the mask forbids.
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> exp_operation() {
  return {
      .name = "exp",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::map,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            require_mask_fits(arguments);
            return cell_by_cell<Real>(arguments, 0, [&](std::size_t row, std::size_t col) {
              return std::exp(x(row, col));
            });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (allowed(mask_of(tape, step), row, col))
              terms.push_back({{{step.inputs[0], row, col}}, step.value(row, col)});
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId step, StepId gradient, std::size_t) {
            return recorder.record(OperationName::multiply, {gradient, step}, no_attributes,
                                   recorder.tape().step(step).mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = e^{\\," + cell_tex(tape, step.inputs[0]) + "}";
          },
  };
}

template Operation<float> exp_operation();
template Operation<double> exp_operation();

}  // namespace attention
