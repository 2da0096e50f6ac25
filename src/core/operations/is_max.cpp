// is_max: 1 at the largest allowed cell of each row, 1/k each at k equal ones, 0 elsewhere: how a maximum answers to a
// small change. A NaN among them leaves open which is the largest: NaN. It does not change smoothly itself, so it has
// no gradient.
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

template <class Real>
Operation<Real> is_max_operation() {
  return {
      .name = "is-max",
      .inputs = 1,
      .takes_mask = true,
      .form = ExplanationForm::map,
      .forward =
          [](const Arguments<Real>& arguments) {
            const Matrix<Real>& x = *arguments.inputs[0];
            require_mask_fits(arguments);
            Matrix<Real> result = filled<Real>(x.shape(0), x.shape(1), 0);
            const Matrix<Real> max = operation_record<Real>(OperationName::row_max).forward(arguments);
            for (std::size_t row = 0; row < x.shape(0); ++row) {
              const auto at_max = [&](std::size_t col) {
                return allowed(arguments.mask, row, col) && x(row, col) == max(row, 0);
              };
              std::size_t ties = 0;
              for (std::size_t col = 0; col < x.shape(1); ++col) ties += at_max(col);
              for (std::size_t col = 0; col < x.shape(1); ++col) {
                if (at_max(col)) result(row, col) = Real(1) / static_cast<Real>(ties);
                if (std::isnan(max(row, 0)) && allowed(arguments.mask, row, col)) result(row, col) = max(row, 0);
              }
            }
            return result;
          },
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            if (!allowed(mask_of(tape, step), row, col)) return terms;
            terms.push_back({{}, step.value(row, col)});
            for (std::size_t other = 0; other < step.value.shape(1); ++other)
              if (allowed(mask_of(tape, step), row, other)) terms[0].cells.push_back({step.inputs[0], row, other});
            return terms;
          },
      .differentiate = nullptr,
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = \\left[\\,j = \\operatorname{arg\\,max}" + index_tex(tape, step, "i", "r") +
                   " " + cell_tex(tape, step.inputs[0], "i", "r") + "\\right]";
          },
  };
}

template Operation<float> is_max_operation();
template Operation<double> is_max_operation();

}  // namespace attention
