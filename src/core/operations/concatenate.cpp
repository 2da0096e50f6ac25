// concatenate: two matrices side by side, [n, a] and [n, b] become [n, a + b].
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> concatenate_operation() {
  return {
      .name = "concatenate",
      .inputs = 2,
      .takes_mask = false,
      .form = ExplanationForm::sum,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>&left = *arguments.inputs[0], &right = *arguments.inputs[1];
            require(left.shape(0) == right.shape(0), "matrices of different heights cannot stand side by side");
            const std::size_t border = left.shape(1);
            Matrix<Real> result = filled<Real>(left.shape(0), border + right.shape(1), 0);
            for (std::size_t row = 0; row < result.shape(0); ++row)
              for (std::size_t col = 0; col < result.shape(1); ++col)
                result(row, col) = col < border ? left(row, col) : right(row, col - border);
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            const std::size_t border = input_of(tape, step, 0).shape(1);
            const Cell from = col < border ? Cell{step.inputs[0], row, col} : Cell{step.inputs[1], row, col - border};
            return std::vector<Term<Real>>{{{from}, step.value(row, col)}};
          },
      .differentiate =
          [](GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t slot) {
            const Tape<Real>& tape = recorder.tape();
            const std::size_t border = input_of(tape, tape.step(id), 0).shape(1);
            const std::size_t width = input_of(tape, tape.step(id), slot).shape(1);
            return recorder.record(OperationName::columns, {gradient},
                                   {.columns = width, .first = slot == 0 ? 0 : border});
          },
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            const std::string border = std::to_string(input_of(tape, step, 0).shape(1));
            return cell_tex(tape, id) + " = \\begin{cases}" + cell_tex(tape, step.inputs[0]) + " & j \\le " + border +
                   "\\\\ " + cell_tex(tape, step.inputs[1], "i", ",\\,j-" + border) + " & j > " + border +
                   "\\end{cases}";
          },
  };
}

template Operation<float> concatenate_operation();
template Operation<double> concatenate_operation();

}  // namespace attention
