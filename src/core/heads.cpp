#include "core/heads.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/head.hpp"
#include "core/softcap.hpp"

namespace attention {

namespace {

[[noreturn]] void mismatch(const char* field, const std::string& message) {
  throw AttentionError("dimension-mismatch", field, field + (" " + message));
}

template <class Real>
std::size_t all_keys(const HeadInputs<Real>& inputs) {
  return cached(inputs) + inputs.k.shape(2);
}

// `what`, with the other of the two shapes that do not go together.
template <class Real, class Other>
void require_axes(bool fits, const char* field, const Tensor<Real>& tensor, const char* what, const char* other_name,
                  const Tensor<Other>& other) {
  if (!fits) mismatch(field, shape_text(tensor) + " needs " + what + " " + other_name + " " + shape_text(other));
}

template <class Real>
void require_rank(const Tensor<Real>& tensor, std::size_t rank, const char* field) {
  if (tensor.dimension() != rank)
    throw AttentionError("bad-rank", field,
                         field + (" " + shape_text(tensor) + " must have " + std::to_string(rank) + " axes"));
}

template <class Real>
void validate_cache(const HeadInputs<Real>& inputs) {
  if (inputs.past_key.has_value() != inputs.past_value.has_value())
    throw AttentionError("missing", inputs.past_key ? "pastValue" : "pastKey", "pastKey and pastValue go together");
  if (!inputs.past_key) return;
  const Tensor<Real>&key = *inputs.past_key, &value = *inputs.past_value;
  require_rank(key, 4, "pastKey");
  require_rank(value, 4, "pastValue");
  const auto fits = [](const Tensor<Real>& past, const Tensor<Real>& now) {
    return past.shape(0) == now.shape(0) && past.shape(1) == now.shape(1) && past.shape(3) == now.shape(3);
  };
  require_axes(fits(key, inputs.k), "pastKey", key, "the same batches, heads and columns as k", "", inputs.k);
  require_axes(fits(value, inputs.v), "pastValue", value, "the same batches, heads and columns as v", "", inputs.v);
  require_axes(key.shape(2) == value.shape(2), "pastValue", value, "as many keys as", "pastKey", key);
  if (!inputs.lengths.empty())
    throw AttentionError("given-together", "kvLengths",
                         "kvLengths say where new keys end, pastKey where old ones do: give one");
}

// A mask or a bias: fewer keys than there are forbid the rest.
template <class Real>
void validate_pairs(const char* field, const std::optional<Tensor<Real>>& pairs, const HeadInputs<Real>& inputs) {
  if (!pairs) return;
  const std::vector<std::size_t> whole{inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), all_keys(inputs)};
  bool fits = pairs->dimension() >= 1 && pairs->dimension() <= 4;
  for (std::size_t back = 1; fits && back <= pairs->dimension(); ++back) {
    const std::size_t length = pairs->shape(pairs->dimension() - back), full = whole[4 - back];
    fits = length == 1 || length == full || (back == 1 && length < full);
  }
  if (!fits)
    mismatch(field, shape_text(*pairs) + " does not fit [batch, heads, queries, keys] = [" + std::to_string(whole[0]) +
                        ", " + std::to_string(whole[1]) + ", " + std::to_string(whole[2]) + ", " +
                        std::to_string(whole[3]) + "]");
}

template <class Real>
Matrix<Real> matrix_of(const Rows<Real>& from, std::size_t rows, std::size_t cols) {
  Matrix<Real> matrix = filled<Real>(rows, cols, 0);
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(from[row], cols, matrix.data() + row * cols);
  return matrix;
}

template <class Real>
Tape<Real> tape_of(const Head<Real>& head) {
  AttentionInputs<Real> inputs{matrix_of(head.q, head.n_q, head.d_k), matrix_of(head.k, head.n_k, head.d_k),
                               matrix_of(head.v, head.n_k, head.d_v), std::nullopt, std::nullopt};
  if (head.mask || head.bias || head.padding) {
    inputs.mask = filled<Real>(head.n_q, head.n_k, 0);
    if (head.bias) inputs.bias = filled<Real>(head.n_q, head.n_k, 0);
    for (std::size_t query = 0; query < head.n_q; ++query)
      for (std::size_t key = 0; key < head.n_k; ++key) {
        if (!head.allows(query, key)) continue;
        (*inputs.mask)(query, key) = 1;
        if (head.bias) (*inputs.bias)(query, key) = head.bias(query, key);
      }
  }
  return attention_tape(inputs, head.options);
}

// What is kept, of the tape. A step that does nothing is not on it; what it would show is the step before.
template <class Real>
const Matrix<Real>& kept_step(const Tape<Real>& tape, Keep keep) {
  if (keep == Keep::weights) return tape.value(*tape.find("weights"));
  if (keep == Keep::masked)
    for (const char* key : {"masked", "biased"})
      if (const std::optional<StepId> step = tape.find(key)) return tape.value(*step);
  if (keep != Keep::scaled)
    if (const std::optional<StepId> step = tape.find("softcapped")) return tape.value(*step);
  return tape.value(*tape.find("scaled"));
}

}  // namespace

template <class Real>
void stream_query(const Head<Real>& head, std::size_t query, Real* output) {
  const AttentionOptions& options = head.options;
  const Real scale = scale_of(head);
  const Real temperature = static_cast<Real>(options.temperature);
  // In this precision, as on the tape.
  const Real cap = static_cast<Real>(options.softcap.value_or(1));
  Real maximum = -infinity<Real>;
  bool sees_any = false;
  // A sum of many floats in a float loses what is small beside it, and may leave its range.
  double sum = 0;
  std::vector<double> sums(head.d_v, 0);
  const auto add = [&](std::size_t key, double part) {
    sum += part;
    for (std::size_t col = 0; col < head.d_v; ++col) sums[col] += part * head.v[key][col];
  };
  const auto write = [&](double whole) {
    for (std::size_t col = 0; col < head.d_v; ++col) output[col] = static_cast<Real>(sums[col] / whole);
  };
  const KeyRange in_sight = head.in_sight(query);
  for (std::size_t key = in_sight.first; key < in_sight.last; ++key) {
    if (!head.allows(query, key)) continue;
    sees_any = true;
    // A cap brings back what is beyond floats.
    double product = 0;
    for (std::size_t inner = 0; inner < head.d_k; ++inner)
      product += static_cast<double>(head.q[query][inner]) * head.k[key][inner];
    product *= scale;
    Real score = static_cast<Real>(options.softcap ? softcapped<double>(product, cap) : product);
    if (head.bias) score += head.bias(query, key);
    score /= temperature;
    if (score == -infinity<Real>) {
      add(key, 0);  // nothing, unless its value is no number
    } else if (score <= maximum) {
      add(key, std::exp(score - maximum));
    } else {
      const Real shrink = maximum == -infinity<Real> ? Real(0) : std::exp(maximum - score);
      // Before the first score there is nothing to rescale but a NaN, which stays.
      sum *= shrink;
      for (double& each : sums) each *= shrink;
      maximum = score;
      add(key, std::exp(score - maximum));
    }
  }
  // Scores that are all −∞ have no shares: 0/0, as in the definition.
  if (sees_any) return write(sum);
  if (options.empty_row == EmptyRow::zero || head.n_k == 0) return;
  for (std::size_t key = 0; key < head.n_k; ++key) add(key, 1);
  write(options.empty_row == EmptyRow::nan ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(head.n_k));
}

template <class Real>
void validate(const HeadInputs<Real>& inputs, const AttentionOptions& options) {
  const Tensor<Real>&q = inputs.q, &k = inputs.k, &v = inputs.v;
  require_rank(q, 4, "q");
  require_rank(k, 4, "k");
  require_rank(v, 4, "v");
  if (q.shape(3) == 0) throw AttentionError("empty", "q", "q " + shape_text(q) + " needs at least one column");
  require_axes(k.shape(0) == q.shape(0), "k", k, "as many batches as", "q", q);
  require_axes(k.shape(3) == q.shape(3), "k", k, "as many columns as", "q", q);
  if (k.shape(1) == 0 || q.shape(1) % k.shape(1) != 0)
    mismatch("k", shape_text(k) + " needs a number of heads that divides the heads of q " + shape_text(q));
  require_axes(v.shape(0) == k.shape(0) && v.shape(1) == k.shape(1) && v.shape(2) == k.shape(2), "v", v,
               "the same batches, heads and keys as", "k", k);
  validate_cache(inputs);
  validate_pairs("mask", inputs.mask, inputs);
  validate_pairs("bias", inputs.bias, inputs);
  const std::size_t n_k = all_keys(inputs);
  if (inputs.padding) {
    const Tensor<Real>& padding = *inputs.padding;
    require_rank(padding, 2, "padding");
    if ((padding.shape(0) != 1 && padding.shape(0) != q.shape(0)) || padding.shape(1) != n_k)
      mismatch("padding", shape_text(padding) + " must be [batch, keys] = [" + std::to_string(q.shape(0)) + ", " +
                              std::to_string(n_k) + "]");
  }
  if (!inputs.lengths.empty() && inputs.lengths.size() != q.shape(0))
    mismatch("kvLengths", "[" + std::to_string(inputs.lengths.size()) + "] must have one length for each batch of q " +
                              shape_text(q));
  for (std::size_t length : inputs.lengths)
    if (length > n_k)
      mismatch("kvLengths", "has " + std::to_string(length) + ", but k " + shape_text(k) + " has fewer keys");
  validate_options<Real>(options);
}

template <class Real>
HeadResult<Real> attention_of_heads(const HeadInputs<Real>& inputs, const AttentionOptions& options, Keep keep) {
  validate(inputs, options);
  std::optional<Tensor<Real>> kept;
  if (keep != Keep::nothing)
    kept = zeros<Real>({inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), all_keys(inputs)});
  HeadResult<Real> result =
      outputs_of_heads(inputs, options, [&](const Head<Real>& head, std::size_t index, Real* output) {
        const Tape<Real> tape = tape_of(head);
        const Matrix<Real>& computed = tape.value(*tape.find("output"));
        std::copy(computed.begin(), computed.end(), output);
        if (!kept) return;
        const Matrix<Real>& step = kept_step(tape, keep);
        std::copy(step.begin(), step.end(), kept->data() + index * step.size());
      });
  result.kept = std::move(kept);
  return result;
}

template <class Real>
Tensor<Real> streaming_attention(const HeadInputs<Real>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  return outputs_of_heads(inputs, options,
                          [](const Head<Real>& head, std::size_t, Real* output) {
                            for (std::size_t query = 0; query < head.n_q; ++query)
                              stream_query(head, query, output + query * head.d_v);
                          })
      .output;
}

template <class Real>
Tensor<Real> split_heads(const Tensor<Real>& packed, std::size_t heads, const char* field) {
  require_rank(packed, 3, field);
  const std::size_t b = packed.shape(0), n = packed.shape(1), width = packed.shape(2);
  if (heads == 0 || width % heads != 0)
    mismatch(field, shape_text(packed) + " cannot be split into " + std::to_string(heads) + " heads");
  const std::size_t d = width / heads;
  Tensor<Real> result = zeros<Real>({b, heads, n, d});
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t head = 0; head < heads; ++head)
      for (std::size_t row = 0; row < n; ++row)
        std::copy_n(packed.data() + (batch * n + row) * width + head * d, d,
                    result.data() + ((batch * heads + head) * n + row) * d);
  return result;
}

template <class Real>
Tensor<Real> merge_heads(const Tensor<Real>& heads) {
  const std::size_t b = heads.shape(0), h = heads.shape(1), n = heads.shape(2), d = heads.shape(3);
  Tensor<Real> result = zeros<Real>({b, n, h * d});
  for (std::size_t batch = 0; batch < b; ++batch)
    for (std::size_t head = 0; head < h; ++head)
      for (std::size_t row = 0; row < n; ++row)
        std::copy_n(heads.data() + ((batch * h + head) * n + row) * d, d,
                    result.data() + (batch * n + row) * h * d + head * d);
  return result;
}

#define INSTANTIATE(Real)                                                                               \
  template void validate(const HeadInputs<Real>&, const AttentionOptions&);                             \
  template HeadResult<Real> attention_of_heads(const HeadInputs<Real>&, const AttentionOptions&, Keep); \
  template Tensor<Real> streaming_attention(const HeadInputs<Real>&, const AttentionOptions&);          \
  template void stream_query(const Head<Real>&, std::size_t, Real*);                                    \
  template Tensor<Real> split_heads(const Tensor<Real>&, std::size_t, const char*);                     \
  template Tensor<Real> merge_heads(const Tensor<Real>&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
