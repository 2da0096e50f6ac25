// multiply: the product cell by cell; 0 where the mask forbids.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> multiply_operation() {
  return {
      .name = "multiply",
      .inputs = 2,
      .takes_mask = true,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>&a = *arguments.inputs[0], &b = *arguments.inputs[1];
            require(same_shape(a, b), "matrices of different shapes cannot be multiplied cell by cell");
            require_mask_fits(arguments);
            return cell_by_cell<Real>(arguments, 0, [&](std::size_t row, std::size_t col) {
              return a(row, col) * b(row, col);
            });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (allowed(mask_of(tape, step), row, col))
              terms.push_back({{{step.inputs[0], row, col}, {step.inputs[1], row, col}}, step.value(row, col)});
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t slot) {
            const Step<Real>& step = recorder.tape().step(id);
            const StepId other = step.inputs[1 - slot];
            return recorder.record(OperationName::multiply, {gradient, other}, no_attributes, step.mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = " + cell_tex(tape, step.inputs[0]) + "\\, " +
                   cell_tex(tape, step.inputs[1]);
          },
  };
}

template Operation<float> multiply_operation();
template Operation<double> multiply_operation();

}  // namespace attention
