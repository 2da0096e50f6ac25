#include "core/attention.hpp"

#include <cmath>

namespace attention {

namespace {

template <class Real>
bool adds_something(const Matrix<Real>& bias) {
  for (Real b : bias)
    if (b != 0 && b != -infinity<Real>) return true;
  return false;
}

}  // namespace

template <class Real>
void validate_options(const AttentionOptions& options) {
  if (!is_temperature<Real>(options.temperature))
    throw AttentionError(
        "temperature-not-positive", "temperature",
        "temperature must be a finite number above 0, and not so small that 1/temperature is infinite");
  if (options.scale && !std::isfinite(static_cast<Real>(*options.scale)))
    throw AttentionError("not-finite", "scale", "scale must be a finite number");
  if (options.softcap && !is_temperature<Real>(*options.softcap))
    throw AttentionError("softcap-not-positive", "softcap",
                         "softcap must be a finite number above 0, and not so small that 1/softcap is infinite");
}

template <class Real>
void validate(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  const auto mismatch = [](const char* field, const std::string& message) {
    throw AttentionError("dimension-mismatch", field, message);
  };
  if (inputs.q.shape(1) == 0)
    throw AttentionError("empty", "q", "q " + shape_text(inputs.q) + " needs at least one column");
  if (inputs.q.shape(1) != inputs.k.shape(1))
    mismatch("k", "k " + shape_text(inputs.k) + " needs as many columns as q " + shape_text(inputs.q));
  if (inputs.k.shape(0) != inputs.v.shape(0))
    mismatch("v", "v " + shape_text(inputs.v) + " needs as many rows as k " + shape_text(inputs.k));
  const auto check_pairs = [&](const char* field, const std::optional<Matrix<Real>>& pairs) {
    if (pairs && (pairs->shape(0) != inputs.q.shape(0) || pairs->shape(1) != inputs.k.shape(0)))
      mismatch(field, field + (" " + shape_text(*pairs)) + " needs a row for each row of q " + shape_text(inputs.q) +
                          " and a column for each row of k " + shape_text(inputs.k));
  };
  check_pairs("mask", inputs.mask);
  check_pairs("bias", inputs.bias);
  validate_options<Real>(options);
}

template <class Real>
std::optional<Matrix<Real>> visible_pairs(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  const std::size_t n_q = inputs.q.shape(0), n_k = inputs.k.shape(0);
  Matrix<Real> visible = filled<Real>(n_q, n_k, 1);
  bool all = true;
  for (std::size_t query = 0; query < n_q; ++query) {
    const KeyRange in_sight = keys_in_sight(options.sight, n_q, n_k, query);
    for (std::size_t key = 0; key < n_k; ++key) {
      const bool by_mask = !inputs.mask || (*inputs.mask)(query, key) != 0;
      const bool by_bias = !inputs.bias || (*inputs.bias)(query, key) != -infinity<Real>;
      if (by_mask && by_bias && in_sight.contains(key)) continue;
      visible(query, key) = 0;
      all = false;
    }
  }
  if (all) return std::nullopt;
  return visible;
}

namespace {

// Which weights meet their values. Under the policies nan and uniform an empty row has weights all the same, and all of
// them count: then this is an input "output-mask" of its own.
template <class Real>
std::optional<StepId> record_weighted_pairs(Tape<Real>& tape, std::optional<StepId> mask, EmptyRow empty_row) {
  if (!mask || empty_row == EmptyRow::zero) return mask;
  Matrix<Real> pairs = tape.value(*mask);
  bool any_empty = false;
  for (std::size_t query = 0; query < pairs.shape(0); ++query) {
    bool empty = true;
    for (std::size_t key = 0; key < pairs.shape(1); ++key) empty = empty && pairs(query, key) == 0;
    for (std::size_t key = 0; empty && key < pairs.shape(1); ++key) pairs(query, key) = 1;
    any_empty = any_empty || empty;
  }
  if (!any_empty) return mask;
  return tape.input("output-mask", "M^{O}", std::move(pairs));
}

}  // namespace

template <class Real>
StepId record_attention(Tape<Real>& tape, const AttentionSources& sources, const AttentionOptions& options) {
  const double d_k = static_cast<double>(tape.value(sources.q).shape(1));
  StepId z = tape.record(OperationName::matmul, "scores", "S", {sources.q, sources.k}, {.transpose_right = true});
  const Attributes scale = options.scale ? Attributes{.factor = *options.scale, .factor_symbol = "c\\cdot "}
                                         : Attributes{.divisor = std::sqrt(d_k), .divisor_symbol = "\\sqrt{d_k}"};
  z = tape.record(OperationName::scale, "scaled", "Z", {z}, scale);
  if (options.softcap)
    z = tape.record(OperationName::softcap, "softcapped", "Z^{c}", {z}, {.factor = *options.softcap});
  if (sources.bias) z = tape.record(OperationName::add, "biased", "Z^{b}", {z, *sources.bias});
  if (sources.mask)
    z = tape.record(OperationName::select, "masked", "Z^{m}", {z}, {.fill = -infinity<double>}, sources.mask);
  if (options.temperature != 1)
    z = tape.record(OperationName::scale, "tempered", "Z^{T}", {z},
                    {.divisor = options.temperature, .divisor_symbol = "T"});

  const StepId weights = record_softmax(tape, z, sources.mask, options.softmax, options.empty_row);
  const StepId output = tape.record(OperationName::matmul, "output", "O", {weights, sources.v}, {},
                                    record_weighted_pairs(tape, sources.mask, options.empty_row));
  if (options.compare_softmax) record_other_softmax(tape, z, sources.mask, options.softmax, options.empty_row);
  return output;
}

template <class Real>
Tape<Real> attention_tape(const AttentionInputs<Real>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  Tape<Real> tape;
  AttentionSources sources{tape.input("Q", "Q", inputs.q), tape.input("K", "K", inputs.k),
                           tape.input("V", "V", inputs.v), std::nullopt, std::nullopt};
  if (inputs.bias && adds_something(*inputs.bias)) sources.bias = tape.input("bias", "B", *inputs.bias);
  if (std::optional<Matrix<Real>> visible = visible_pairs(inputs, options))
    sources.mask = tape.input("mask", "M", std::move(*visible));
  record_attention(tape, sources, options);
  return tape;
}

template <class Real>
StepId record_self_attention(Tape<Real>& tape, AttentionSources sources, const AttentionOptions& options) {
  AttentionInputs<Real> inputs{tape.value(sources.q), tape.value(sources.k), tape.value(sources.v), std::nullopt,
                               std::nullopt};
  if (sources.bias) inputs.bias = tape.value(*sources.bias);
  validate(inputs, options);
  if (std::optional<Matrix<Real>> visible = visible_pairs(inputs, options))
    sources.mask = tape.input("mask", "M", std::move(*visible));
  return record_attention(tape, sources, options);
}

template <class Real>
Tape<Real> self_attention_tape(const Matrix<Real>& x, const AttentionOptions& options) {
  Tape<Real> tape;
  const StepId source = tape.input("X", "X", x);
  record_self_attention(tape, {source, source, source, std::nullopt, std::nullopt}, options);
  return tape;
}

#define INSTANTIATE(Real)                                                                                    \
  template void validate_options<Real>(const AttentionOptions&);                                             \
  template void validate(const AttentionInputs<Real>&, const AttentionOptions&);                             \
  template std::optional<Matrix<Real>> visible_pairs(const AttentionInputs<Real>&, const AttentionOptions&); \
  template StepId record_attention(Tape<Real>&, const AttentionSources&, const AttentionOptions&);           \
  template StepId record_self_attention(Tape<Real>&, AttentionSources, const AttentionOptions&);             \
  template Tape<Real> attention_tape(const AttentionInputs<Real>&, const AttentionOptions&);                 \
  template Tape<Real> self_attention_tape(const Matrix<Real>&, const AttentionOptions&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
