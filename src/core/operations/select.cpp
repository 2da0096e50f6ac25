// select: the cell where the mask allows it, the fill (−∞ for scores, 0 for gradients) elsewhere. Masking is a choice,
// not an addition: −∞ added to a NaN would stay NaN.
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> select_operation() {
  return {
      .name = "select",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::map,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            require_mask_fits(arguments);
            return cell_by_cell<Real>(arguments, static_cast<Real>(arguments.attributes->fill),
                                      [&](std::size_t row, std::size_t col) {
                                        return x(row, col);
                                      });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (allowed(mask_of(tape, step), row, col)) terms.push_back(same_cell(tape, step, row, col));
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId step, StepId gradient, std::size_t) {
            return recorder.record(OperationName::select, {gradient}, no_attributes, recorder.tape().step(step).mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            if (!step.mask) return cell_tex(tape, id) + " = " + cell_tex(tape, step.inputs[0]);
            const std::string fill = std::isinf(step.attributes.fill) ? "-\\infty" : "0";
            return cell_tex(tape, id) + " = \\begin{cases}" + cell_tex(tape, step.inputs[0]) + " & " +
                   allowed_tex(tape, step, "i", "j") + "\\\\ " + fill + " & " + cell_tex(tape, *step.mask) +
                   " = 0\\end{cases}";
          },
  };
}

template Operation<float> select_operation();
template Operation<double> select_operation();

}  // namespace attention
