#include "core/softmax.hpp"

#include <cmath>

#include "core/error.hpp"

namespace attention {

template <class Real>
StepId record_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind, EmptyRow empty_row,
                      const std::string& prefix) {
  const auto symbol = [&](const std::string& letter) {
    return prefix.empty() ? letter : letter + "^{\\ast}";
  };
  if (kind == SoftmaxKind::stable) {
    const StepId row_max = tape.record(OperationName::row_max, prefix + "row-max", symbol("m"), {z}, {}, mask);
    z = tape.record(OperationName::subtract_column, prefix + "shifted", symbol("Y"), {z, row_max}, {}, mask);
  }
  const StepId exp = tape.record(OperationName::exp, prefix + "exp", symbol("E"), {z}, {}, mask);
  const StepId row_sum = tape.record(OperationName::row_sum, prefix + "row-sum", symbol("s"), {exp}, {}, mask);
  return tape.record(OperationName::divide_rows, prefix + "weights", symbol("A"), {exp, row_sum},
                     {.empty_row = empty_row}, mask);
}

template <class Real>
Matrix<Real> softmax_rows(const Matrix<Real>& x, double temperature, SoftmaxKind kind) {
  if (!(temperature >= 0))
    throw AttentionError("temperature-not-positive", "temperature", "temperature must be a number from 0 to Infinity");
  Tape<Real> tape;
  const StepId given = tape.input("x", "x", x);
  if (temperature == 0) {
    // Shifted first, so that an infinite score gives NaN as at every other temperature.
    const StepId row_max = tape.record(OperationName::row_max, "row-max", "m", {given});
    const StepId shifted = tape.record(OperationName::subtract_column, "shifted", "Y", {given, row_max});
    return tape.value(tape.record(OperationName::is_max, "weights", "A", {shifted}));
  }
  if (std::isinf(temperature)) {
    // x/T → 0 for every finite x, while −∞/T stays −∞ for every T.
    Matrix<Real> tempered = x;
    for (Real& score : tempered)
      if (score != -infinity<Real>) score *= 0;
    return softmax_rows(tempered, 1, kind);
  }
  const StepId tempered = tape.record(OperationName::scale, "tempered", "Z", {given}, {.divisor = temperature});
  return tape.value(record_softmax(tape, tempered, std::nullopt, kind, EmptyRow::zero));
}

#define INSTANTIATE(Real)                                                                           \
  template StepId record_softmax(Tape<Real>&, StepId, std::optional<StepId>, SoftmaxKind, EmptyRow, \
                                 const std::string&);                                               \
  template Matrix<Real> softmax_rows(const Matrix<Real>&, double, SoftmaxKind);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
