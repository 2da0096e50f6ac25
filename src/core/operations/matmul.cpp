// matmul: C = A·B, either matrix transposed. The mask, of A's shape, leaves terms of A out of the sum.
#include "core/operations/common.hpp"

namespace attention {

namespace {

// A matrix, or its transpose, read without copying.
template <class Real>
struct Side {
  const Matrix<Real>& matrix;
  bool transposed;

  std::size_t rows() const { return matrix.shape(transposed ? 1 : 0); }
  std::size_t cols() const { return matrix.shape(transposed ? 0 : 1); }
  Real operator()(std::size_t row, std::size_t col) const { return transposed ? matrix(col, row) : matrix(row, col); }
};

// C_ij = Σ_r A_ir·B_rj, r in rising order. A forbidden A_ir is skipped, so a NaN in B_rj does not reach C_ij.
template <class Real>
Matrix<Real> product(const Arguments<Real>& arguments) {
  const Side<Real> left{*arguments.inputs[0], arguments.attributes->transpose_left};
  const Side<Real> right{*arguments.inputs[1], arguments.attributes->transpose_right};
  require(left.cols() == right.rows(), "the inner lengths of a product differ");
  require_mask_fits(arguments);
  Matrix<Real> result = filled<Real>(left.rows(), right.cols(), 0);
  for (std::size_t row = 0; row < left.rows(); ++row)
    for (std::size_t inner = 0; inner < left.cols(); ++inner) {
      if (arguments.mask && !allowed(arguments.mask, left.transposed ? inner : row, left.transposed ? row : inner))
        continue;
      const Real factor = left(row, inner);
      for (std::size_t col = 0; col < right.cols(); ++col) result(row, col) += factor * right(inner, col);
    }
  return result;
}

template <class Real>
std::vector<Term<Real>> terms(const Tape<Real>& tape, const Step<Real>& step, std::size_t row, std::size_t col) {
  const Side<Real> left{input_of(tape, step, 0), step.attributes.transpose_left};
  const Side<Real> right{input_of(tape, step, 1), step.attributes.transpose_right};
  std::vector<Term<Real>> result;
  for (std::size_t inner = 0; inner < left.cols(); ++inner) {
    const Cell a = left.transposed ? Cell{step.inputs[0], inner, row} : Cell{step.inputs[0], row, inner};
    const Cell b = right.transposed ? Cell{step.inputs[1], col, inner} : Cell{step.inputs[1], inner, col};
    if (allowed(mask_of(tape, step), a.row, a.col)) result.push_back({{a, b}, left(row, inner) * right(inner, col)});
  }
  return result;
}

// With A' and B' for the matrices after transposition: dA' = dC·B'ᵀ and dB' = A'ᵀ·dC. A transposed input wants the
// transposed gradient, which is the same product with its sides exchanged, except where the mask must stay with A.
template <class Real>
StepId differentiate(GradientRecorder<Real>& recorder, StepId id, StepId gradient, std::size_t slot) {
  const Step<Real>& step = recorder.tape().step(id);
  const StepId a = step.inputs[0], b = step.inputs[1];
  const bool left = step.attributes.transpose_left, right = step.attributes.transpose_right;
  const std::optional<StepId> mask = step.mask;
  if (slot == 0) {
    auto towards_a = [&](auto record) {
      return left ? record(OperationName::matmul, {b, gradient}, {.transpose_left = right, .transpose_right = true})
                  : record(OperationName::matmul, {gradient, b}, {.transpose_right = !right});
    };
    if (!mask)
      return towards_a([&](OperationName name, StepIds inputs, const Attributes& attributes) {
        return recorder.record(name, inputs, attributes);
      });
    const StepId product = towards_a([&](OperationName name, StepIds inputs, const Attributes& attributes) {
      return recorder.record_part("product", name, inputs, attributes);
    });
    return recorder.record(OperationName::select, {product}, no_attributes, mask);
  }
  if (!right) return recorder.record(OperationName::matmul, {a, gradient}, {.transpose_left = !left}, mask);
  if (!mask)
    return recorder.record(OperationName::matmul, {gradient, a}, {.transpose_left = true, .transpose_right = left});
  const StepId product =
      recorder.record_part("product", OperationName::matmul, {a, gradient}, {.transpose_left = !left}, mask);
  return recorder.record(OperationName::transpose, {product});
}

template <class Real>
std::string formula(const Tape<Real>& tape, StepId id) {
  const Step<Real>& step = tape.step(id);
  const auto side = [&](std::size_t slot, bool transposed, const char* row, const char* col) {
    return cell_tex(tape, step.inputs[slot], transposed ? col : row, transposed ? row : col);
  };
  const std::string allowed = step.mask ? ":\\," + (step.attributes.transpose_left ? allowed_tex(tape, step, "r", "i")
                                                                                   : allowed_tex(tape, step, "i", "r"))
                                        : "";
  return cell_tex(tape, id) + " = \\sum_{r" + allowed + "} " + side(0, step.attributes.transpose_left, "i", "r") +
         "\\, " + side(1, step.attributes.transpose_right, "r", "j");
}

}  // namespace

template <class Real>
Operation<Real> matmul_operation() {
  return {
      .name = "matmul",
      .inputs = 2,
      .takes_mask = true,
      .form = ExplanationForm::sum,
      .forward = product<Real>,
      .explain = terms<Real>,
      .differentiate = differentiate<Real>,
      .formula = formula<Real>,
  };
}

template Operation<float> matmul_operation();
template Operation<double> matmul_operation();

}  // namespace attention
