// input: a number somebody gave; nothing to compute and nothing to explain.
#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> input_operation() {
  return {
      .name = "input",
      .inputs = 0,
      .takes_mask = false,
      .form = ExplanationForm::map,
      .forward = [](const Arguments<Real>&) -> Matrix<Real> {
        throw std::invalid_argument("an input is given, not computed");
      },
      .explain =
          [](const Tape<Real>&, const Step<Real>&, std::size_t, std::size_t) {
            return std::vector<Term<Real>>{};
          },
      .differentiate = nullptr,
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            return cell_tex(tape, id);
          },
  };
}

template Operation<float> input_operation();
template Operation<double> input_operation();

}  // namespace attention
