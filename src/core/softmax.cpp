#include "core/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.hpp"

namespace attention {

template <class Real>
StepId record_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind, EmptyRow empty_row,
                      const std::string& prefix) {
  const auto symbol = [&](const std::string& letter) {
    return prefix.empty() ? letter : letter + "^{\\ast}";
  };
  if (kind == SoftmaxKind::stable) {
    const StepId row_max =
        tape.record(OperationName::row_max, prefix + "row-max", symbol("m"), {z}, no_attributes, mask);
    z = tape.record(OperationName::subtract_column, prefix + "shifted", symbol("Y"), {z, row_max}, no_attributes, mask);
  }
  const StepId exp = tape.record(OperationName::exp, prefix + "exp", symbol("E"), {z}, no_attributes, mask);
  const StepId row_sum =
      tape.record(OperationName::row_sum, prefix + "row-sum", symbol("s"), {exp}, no_attributes, mask);
  return tape.record(OperationName::divide_rows, prefix + "weights", symbol("A"), {exp, row_sum},
                     {.empty_row = empty_row}, mask);
}

template <class Real>
void record_other_softmax(Tape<Real>& tape, StepId z, std::optional<StepId> mask, SoftmaxKind kind,
                          EmptyRow empty_row) {
  if (kind == SoftmaxKind::stable)
    record_softmax(tape, z, mask, SoftmaxKind::plain, empty_row, "plain/");
  else
    record_softmax(tape, z, mask, SoftmaxKind::stable, empty_row, "stable/");
}

namespace {

// From the scores on, at a finite temperature. T = 0 is the limit: shifted first, so that an infinite score gives NaN
// as at every other temperature. Returns the weights.
template <class Real>
StepId record_tempered_softmax(Tape<Real>& tape, StepId z, double temperature, SoftmaxKind kind, bool compare) {
  if (temperature == 0) {
    const StepId row_max = tape.record(OperationName::row_max, "row-max", "m", {z});
    const StepId shifted = tape.record(OperationName::subtract_column, "shifted", "Y", {z, row_max});
    return tape.record(OperationName::is_max, "weights", "A", {shifted});
  }
  if (temperature != 1)
    z = tape.record(OperationName::scale, "tempered", "Z^{T}", {z}, {.divisor = temperature, .divisor_symbol = "T"});
  const StepId weights = record_softmax(tape, z, std::nullopt, kind, EmptyRow::zero);
  if (compare) record_other_softmax(tape, z, std::nullopt, kind, EmptyRow::zero);
  return weights;
}

template <class Real>
void validate(const SoftmaxOptions& options) {
  if (!std::isfinite(static_cast<Real>(options.factor)))
    throw AttentionError("not-finite", "factor", "factor must be a finite number");
  if (!std::isfinite(static_cast<Real>(options.shift)))
    throw AttentionError("not-finite", "shift", "shift must be a finite number");
  if (options.temperature != 0 && !is_temperature<Real>(options.temperature))
    throw AttentionError(
        "temperature-not-positive", "temperature",
        "temperature must be 0 or a finite number above, and not so small that 1/temperature is infinite");
}

}  // namespace

template <class Real>
Tape<Real> softmax_tape(const Matrix<Real>& x, const SoftmaxOptions& options) {
  validate<Real>(options);
  Tape<Real> tape;
  StepId z = tape.input("x", "x", x);
  std::optional<StepId> shift;
  if (options.shift != 0)
    shift = tape.input("c", "c", filled<Real>(x.shape(0), x.shape(1), static_cast<Real>(options.shift)));
  if (options.factor != 1)
    z = tape.record(OperationName::scale, "multiplied", "Z^{a}", {z},
                    {.factor = options.factor, .factor_symbol = "a\\cdot "});
  if (shift) z = tape.record(OperationName::add, "moved", "Z^{c}", {z, *shift});
  record_tempered_softmax(tape, z, options.temperature, options.softmax, options.compare_softmax);
  return tape;
}

namespace {

template <class To, class From>
Matrix<To> converted(const Matrix<From>& from) {
  Matrix<To> to = filled<To>(from.shape(0), from.shape(1), 0);
  std::transform(from.begin(), from.end(), to.begin(), [](From number) {
    return static_cast<To>(number);
  });
  return to;
}

}  // namespace

template <class Real>
Matrix<Real> softmax_rows(const Matrix<Real>& x, double temperature, SoftmaxKind kind) {
  if (!(temperature >= 0))
    throw AttentionError("temperature-not-positive", "temperature", "temperature must be a number from 0 to Infinity");
  const bool is_limit = temperature == 0 || std::isinf(static_cast<Real>(temperature));
  if (!is_limit && !is_temperature<Real>(temperature))
    throw AttentionError("temperature-not-positive", "temperature",
                         "temperature must be 0, or not so small that 1/temperature is infinite");
  // A float over a small temperature is none any more, or has lost the digits that tell it from the largest.
  if constexpr (std::is_same_v<Real, float>)
    if (kind == SoftmaxKind::stable) return converted<float>(softmax_rows(converted<double>(x), temperature, kind));
  Tape<Real> tape;
  const StepId given = tape.input("x", "x", x);
  if (std::isinf(static_cast<Real>(temperature))) {
    // x/T → 0 for every finite x, while −∞/T stays −∞ for every T.
    Matrix<Real> tempered = x;
    for (Real& score : tempered)
      if (score != -infinity<Real>) score *= 0;
    return softmax_rows(tempered, 1, kind);
  }
  return tape.value(record_tempered_softmax(tape, given, temperature, kind, false));
}

template <class Real>
Matrix<Real> with_infinity_as_limit(Matrix<Real> x) {
  const std::size_t cols = x.shape(1);
  for (std::size_t row = 0; row < x.shape(0); ++row) {
    Real* const scores = x.data() + row * cols;
    if (std::find(scores, scores + cols, infinity<Real>) == scores + cols) continue;
    for (std::size_t col = 0; col < cols; ++col)
      if (!std::isnan(scores[col])) scores[col] = scores[col] == infinity<Real> ? 0 : -infinity<Real>;
  }
  return x;
}

#define INSTANTIATE(Real)                                                                                \
  template StepId record_softmax(Tape<Real>&, StepId, std::optional<StepId>, SoftmaxKind, EmptyRow,      \
                                 const std::string&);                                                    \
  template void record_other_softmax(Tape<Real>&, StepId, std::optional<StepId>, SoftmaxKind, EmptyRow); \
  template Tape<Real> softmax_tape(const Matrix<Real>&, const SoftmaxOptions&);                          \
  template Matrix<Real> softmax_rows(const Matrix<Real>&, double, SoftmaxKind);                          \
  template Matrix<Real> with_infinity_as_limit(Matrix<Real>);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
