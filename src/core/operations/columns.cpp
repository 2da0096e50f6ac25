// columns: y_ij = x_i,first+j, as many columns as `columns` says.
#include "core/operations/common.hpp"

namespace attention {

namespace {

// Zeros where nothing was taken. They stand beside the gradient rather than come from a product with zeros and ones,
// which would let a NaN spread.
template <class Real>
StepId differentiate(GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t) {
  const Step<Real>& step = recorder.tape().step(id);
  const std::size_t rows = step.value.shape(0), before = step.attributes.first;
  const std::size_t after = input_of(recorder.tape(), step, 0).shape(1) - before - step.attributes.columns;
  if (before > 0)
    gradient = recorder.record_part("from-left", OperationName::concatenate,
                                    {recorder.record_input("left", "0", filled<Real>(rows, before, 0)), gradient});
  if (after > 0)
    gradient = recorder.record_part("to-right", OperationName::concatenate,
                                    {gradient, recorder.record_input("right", "0", filled<Real>(rows, after, 0))});
  return recorder.record(OperationName::scale, {gradient});
}

}  // namespace

template <class Real>
Operation<Real> columns_operation() {
  return {
      .name = "columns",
      .inputs = 1,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            const std::size_t first = arguments.attributes->first, columns = arguments.attributes->columns;
            require(first <= x.shape(1) && columns <= x.shape(1) - first, "there are not so many columns");
            Matrix<Real> result = filled<Real>(x.shape(0), columns, 0);
            for (std::size_t row = 0; row < x.shape(0); ++row)
              for (std::size_t col = 0; col < columns; ++col) result(row, col) = x(row, first + col);
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            return std::vector<Term<Real>>{same_cell(tape, step, row, step.attributes.first + col)};
          },
      .differentiate = differentiate<Real>,
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            const std::size_t first = step.attributes.first;
            return cell_tex(tape, id) + " = " +
                   (first == 0 ? cell_tex(tape, step.inputs[0])
                               : cell_tex(tape, step.inputs[0], "i", ",\\,j+" + std::to_string(first)));
          },
  };
}

template Operation<float> columns_operation();
template Operation<double> columns_operation();

}  // namespace attention
