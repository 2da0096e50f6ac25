// scale: y = x·factor/divisor, with constants that are not on the tape (√d_k, T, −1).
#include "core/operations/common.hpp"

namespace attention {

namespace {

template <class Real>
Real scaled(Real x, const Attributes& attributes) {
  return x * static_cast<Real>(attributes.factor) / static_cast<Real>(attributes.divisor);
}

}  // namespace

template <class Real>
Operation<Real> scale_operation() {
  return {
      .name = "scale",
      .inputs = 1,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            return cell_by_cell<Real>(arguments, 0, [&](std::size_t row, std::size_t col) {
              return scaled(x(row, col), *arguments.attributes);
            });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            Term<Real> term = same_cell(tape, step, row, col);
            term.value = scaled(term.value, step.attributes);
            term.factor = step.attributes.factor;
            term.divisor = step.attributes.divisor;
            return std::vector<Term<Real>>{term};
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId step, StepId gradient, std::size_t) {
            return recorder.record(OperationName::scale, {gradient}, Attributes(recorder.tape().step(step).attributes));
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            const std::string x = cell_tex(tape, step.inputs[0]);
            const std::string divisor(step.attributes.divisor_symbol);
            return cell_tex(tape, id) + " = " + std::string(step.attributes.factor_symbol) +
                   (divisor.empty() ? x : "\\frac{" + x + "}{" + divisor + "}");
          },
  };
}

template Operation<float> scale_operation();
template Operation<double> scale_operation();

}  // namespace attention
