// row_sum: the sum of the allowed cells of each row, [n, 1].
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> row_sum_operation() {
  return {
      .name = "row-sum",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            require_mask_fits(arguments);
            Matrix<Real> result = filled<Real>(x.shape(0), 1, 0);
            for (std::size_t row = 0; row < x.shape(0); ++row)
              for (std::size_t col = 0; col < x.shape(1); ++col)
                if (allowed(arguments.mask, row, col)) result(row, 0) += x(row, col);
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t) {
            std::vector<Term<Real>> terms;
            for (std::size_t col = 0; col < input_of(tape, step, 0).shape(1); ++col)
              if (allowed(mask_of(tape, step), row, col)) terms.push_back(same_cell(tape, step, row, col));
            return terms;
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t) {
            const Step<Real>& step = recorder.tape().step(id);
            const std::size_t columns = recorder.tape().value(step.inputs[0]).shape(1);
            return recorder.record(OperationName::spread, {gradient}, {.columns = columns}, step.mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = \\sum" + index_tex(tape, step, "i", "j") + " " +
                   cell_tex(tape, step.inputs[0]);
          },
  };
}

template Operation<float> row_sum_operation();
template Operation<double> row_sum_operation();

}  // namespace attention
