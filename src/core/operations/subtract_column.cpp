// subtract_column: y_ij = x_ij − m_i; −∞ where the mask forbids.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> subtract_column_operation() {
  return {
      .name = "subtract-column",
      .inputs = 2,
      .takes_mask = true,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>&x = *arguments.inputs[0], &column = *arguments.inputs[1];
            require_column(column, x.shape(0));
            require_mask_fits(arguments);
            return cell_by_cell<Real>(arguments, -infinity<Real>, [&](std::size_t row, std::size_t col) {
              return x(row, col) - column(row, 0);
            });
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (!allowed(mask_of(tape, step), row, col)) return terms;
            terms.push_back(same_cell(tape, step, row, col));
            terms.push_back({{{step.inputs[1], row, 0}}, -input_of(tape, step, 1)(row, 0), -1});
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t slot) {
            const std::optional<StepId> mask = recorder.tape().step(id).mask;
            if (slot == 0)
              return mask ? recorder.record(OperationName::select, {gradient}, no_attributes, mask)
                          : recorder.record(OperationName::scale, {gradient});
            const StepId sum = recorder.record_part("sum", OperationName::row_sum, {gradient}, no_attributes, mask);
            return recorder.record(OperationName::scale, {sum}, {.factor = -1, .factor_symbol = "-"});
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = " + cell_tex(tape, step.inputs[0]) + " - " + cell_tex(tape, step.inputs[1]);
          },
  };
}

template Operation<float> subtract_column_operation();
template Operation<double> subtract_column_operation();

}  // namespace attention
