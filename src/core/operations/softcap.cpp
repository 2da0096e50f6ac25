// softcap: y = c·tanh(x/c) for each cell.
#include "core/softcap.hpp"
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> softcap_operation() {
  return {
      .name = "softcap",
      .inputs = 1,
      .takes_mask = false,
      .form = ExplanationForm::map,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            const Real cap = static_cast<Real>(arguments.attributes->factor);
            return cell_by_cell<Real>(arguments, 0, [&](std::size_t row, std::size_t col) {
              return softcapped(x(row, col), cap);
            });
          },
      .explain =
          [](const Tape<Real>&, const Step<Real>& step, std::size_t row, std::size_t col) {
            return std::vector<Term<Real>>{{{{step.inputs[0], row, col}}, step.value(row, col)}};
          },
      // dy/dx = 1 − tanh²(x/c) = 1 − y²/c².
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t) {
            const double cap = recorder.tape().step(id).attributes.factor;
            const StepId squared = recorder.record_part("squared", OperationName::multiply, {id, id});
            const StepId product = recorder.record_part("product", OperationName::multiply, {gradient, squared});
            const StepId lost =
                recorder.record_part("lost", OperationName::scale, {product}, {.factor = -1, .divisor = cap * cap});
            return recorder.record(OperationName::add, {gradient, lost});
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            return cell_tex(tape, id) + " = c\\tanh\\frac{" + cell_tex(tape, tape.step(id).inputs[0]) + "}{c}";
          },
  };
}

template Operation<float> softcap_operation();
template Operation<double> softcap_operation();

}  // namespace attention
