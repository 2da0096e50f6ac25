// transpose: C_ij = A_ji.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> transpose_operation() {
  return {
      .name = "transpose",
      .inputs = 1,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            Matrix<Real> result = filled<Real>(x.shape(1), x.shape(0), 0);
            for (std::size_t row = 0; row < x.shape(0); ++row)
              for (std::size_t col = 0; col < x.shape(1); ++col) result(col, row) = x(row, col);
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            return std::vector<Term<Real>>{same_cell(tape, step, col, row)};
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId, StepId gradient, std::size_t) {
            return recorder.record(OperationName::transpose, {gradient});
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = " + cell_tex(tape, step.inputs[0], "j", "i");
          },
  };
}

template Operation<float> transpose_operation();
template Operation<double> transpose_operation();

}  // namespace attention
