// divide_rows: y_ij = x_ij / s_i. The mask [n, m] says which rows are empty (nothing allowed): they become what
// `empty_row` says. Where the mask has the shape of x, forbidden cells are 0.
#include <cmath>

#include "core/operations/common.hpp"

namespace attention {

namespace {

template <class Real>
bool is_empty(const Matrix<Real>* mask, std::size_t row) {
  if (!mask) return false;
  for (std::size_t col = 0; col < mask->shape(1); ++col)
    if ((*mask)(row, col) != 0) return false;
  return true;
}

template <class Real>
bool is_forbidden(const Matrix<Real>* mask, const Matrix<Real>& x, std::size_t row, std::size_t col) {
  return mask && same_shape(*mask, x) && !allowed(mask, row, col);
}

template <class Real>
Real empty_value(EmptyRow policy, std::size_t columns) {
  switch (policy) {
    case EmptyRow::nan: return std::numeric_limits<Real>::quiet_NaN();
    case EmptyRow::uniform: return Real(1) / static_cast<Real>(columns);
    case EmptyRow::zero: break;
  }
  return 0;
}

template <class Real>
Matrix<Real> forward(const Arguments<Real>& arguments) {
  const Matrix<Real>&x = *arguments.inputs[0], &sum = *arguments.inputs[1];
  require_column(sum, x.shape(0));
  if (arguments.mask) require(arguments.mask->shape(0) == x.shape(0), "the mask has another number of rows");
  Matrix<Real> result = filled<Real>(x.shape(0), x.shape(1), 0);
  for (std::size_t row = 0; row < x.shape(0); ++row) {
    const bool empty = is_empty(arguments.mask, row);
    for (std::size_t col = 0; col < x.shape(1); ++col) {
      if (empty)
        result(row, col) = empty_value<Real>(arguments.attributes->empty_row, x.shape(1));
      else if (!is_forbidden(arguments.mask, x, row, col))
        result(row, col) = x(row, col) / sum(row, 0);
    }
  }
  return result;
}

// dx = dy / s, and ds_i = −Σ_j dy_ij·y_ij / s_i.
template <class Real>
StepId differentiate(GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t slot) {
  const std::optional<StepId> mask = recorder.tape().step(id).mask;
  const StepId sum = recorder.tape().step(id).inputs[1];
  if (slot == 0) return recorder.record(OperationName::divide_rows, {gradient, sum}, no_attributes, mask);
  const StepId product = recorder.record_part("product", OperationName::multiply, {gradient, id});
  const StepId total = recorder.record_part("sum", OperationName::row_sum, {product});
  const StepId quotient =
      recorder.record_part("quotient", OperationName::divide_rows, {total, sum}, no_attributes, mask);
  return recorder.record(OperationName::scale, {quotient}, {.factor = -1, .factor_symbol = "-"});
}

}  // namespace

template <class Real>
Operation<Real> divide_rows_operation() {
  return {
      .name = "divide-rows",
      .inputs = 2,
      .takes_mask = true,
      .form = ExplanationForm::map,
      .forward = forward<Real>,
      .explain =
          [](const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
            std::vector<Term<Real>> terms;
            const Matrix<Real>* mask = mask_of(tape, step);
            if (!is_empty(mask, row) && !is_forbidden(mask, step.value, row, col))
              terms.push_back({{{step.inputs[0], row, col}, {step.inputs[1], row, 0}}, step.value(row, col)});
            return terms;
          },
      .differentiate = differentiate<Real>,
      .formula =
          [](const Tape<Real>& tape, StepId id) {
            const Step<Real>& step = tape.step(id);
            return cell_tex(tape, id) + " = \\frac{" + cell_tex(tape, step.inputs[0]) + "}{" +
                   cell_tex(tape, step.inputs[1]) + "}";
          },
  };
}

template Operation<float> divide_rows_operation();
template Operation<double> divide_rows_operation();

}  // namespace attention
