// spread: a column [n, 1] repeated to the right, [n, columns]; 0 where the mask forbids.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> spread_operation() {
  return {
      .name = "spread",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& column = *arguments.inputs[0];
            const std::size_t columns = arguments.attributes->columns;
            require_column(column, column.shape(0));
            if (arguments.mask)
              require(arguments.mask->shape(0) == column.shape(0) && arguments.mask->shape(1) == columns,
                      "the mask has another shape");
            Matrix<Real> result = filled<Real>(column.shape(0), columns, 0);
            for (std::size_t row = 0; row < column.shape(0); ++row)
              for (std::size_t col = 0; col < columns; ++col)
                if (allowed(arguments.mask, row, col)) result(row, col) = column(row, 0);
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (allowed(mask_of(tape, step), row, col)) terms.push_back(same_cell(tape, step, row, 0));
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId step, StepId gradient, std::size_t) {
            return recorder.record(OperationName::row_sum, {gradient}, no_attributes, recorder.tape().step(step).mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = " + cell_tex(tape, step.inputs[0]);
          },
  };
}

template Operation<float> spread_operation();
template Operation<double> spread_operation();

}  // namespace attention
