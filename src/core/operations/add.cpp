// add: the sum of two or more matrices of one shape.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> add_operation() {
  return {
      .name = "add",
      .inputs = 2,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            Matrix<Real> result = *arguments.inputs[0];
            for (std::size_t slot = 1; slot < arguments.inputs.size(); ++slot) {
              const Matrix<Real>& other = *arguments.inputs[slot];
              require(same_shape(result, other), "matrices of different shapes cannot be added");
              for (std::size_t row = 0; row < result.shape(0); ++row)
                for (std::size_t col = 0; col < result.shape(1); ++col) result(row, col) += other(row, col);
            }
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            for (StepId input : step.inputs) terms.push_back({{{input, row, col}}, tape.value(input)(row, col)});
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId, StepId gradient, std::size_t) {
            return recorder.record(OperationName::scale, {gradient});
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            std::string sum = cell_tex(tape, id) + " = ";
            for (std::size_t slot = 0; slot < step.inputs.size(); ++slot)
              sum += (slot == 0 ? "" : " + ") + cell_tex(tape, step.inputs[slot]);
            return sum;
          },
  };
}

template Operation<float> add_operation();
template Operation<double> add_operation();

}  // namespace attention
