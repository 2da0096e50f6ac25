// softcap: y = c·tanh(x/c), which leaves small scores as they are and lets none grow beyond c (Gemma Team 2024).
#include <algorithm>
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

namespace {

// tanh y = (e^(2y) − 1)/(e^(2y) + 1), by what softmax and the encodings have already: the C library's own would bring
// another exponential into what every visitor loads. The numerator does not cancel, since log1p gives back the error of
// power − 1 (Kahan). Within 8·2⁻⁵³ of its size; beyond 20 it is ±1.
double hyperbolic_tangent(double y) {
  const double doubled = 2 * std::min(std::abs(y), 20.);
  const double power = std::exp(doubled);
  const double numerator = power == 1 ? doubled : (power - 1) * doubled / std::log1p(power - 1);
  return std::copysign(numerator / (numerator + 2), y);
}

}  // namespace

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
              return cap * static_cast<Real>(hyperbolic_tangent(static_cast<double>(x(row, col) / cap)));
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
