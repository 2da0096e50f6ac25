// row_max: the largest allowed cell of each row, [n, 1]; NaN when one of them is NaN, −∞ (the maximum of nothing) when
// none is allowed.
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> row_max_operation() {
  return {
      .name = "row-max",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::max,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            require_mask_fits(arguments);
            Matrix<Real> result = filled<Real>(x.shape(0), 1, -infinity<Real>);
            for (std::size_t row = 0; row < x.shape(0); ++row)
              for (std::size_t col = 0; col < x.shape(1); ++col)
                if (allowed(arguments.mask, row, col) && !(x(row, col) <= result(row, 0)) &&
                    !std::isnan(result(row, 0)))
                  result(row, 0) = x(row, col);
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
            const StepId x = recorder.tape().step(id).inputs[0];
            const std::optional<StepId> mask = recorder.tape().step(id).mask;
            const std::size_t columns = recorder.tape().value(x).shape(1);
            const StepId is_max = recorder.record_part("is-max", OperationName::is_max, {x}, no_attributes, mask);
            const StepId spread =
                recorder.record_part("spread", OperationName::spread, {gradient}, {.columns = columns}, mask);
            return recorder.record(OperationName::multiply, {spread, is_max}, no_attributes, mask);
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = \\max" + index_tex(tape, step, "i", "j") + " " +
                   cell_tex(tape, step.inputs[0]);
          },
  };
}

template Operation<float> row_max_operation();
template Operation<double> row_max_operation();

}  // namespace attention
