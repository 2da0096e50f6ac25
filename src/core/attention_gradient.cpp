#include "core/attention_gradient.hpp"

#include <cmath>

#include "core/softcap.hpp"

namespace attention {

namespace {

// Σ a·b in double.
template <class Left, class Right>
double dot(const Left* a, const Right* b, std::size_t length) {
  double sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

template <class Real>
void add_multiple(double factor, const Real* row, std::size_t length, double* sums) {
  for (std::size_t i = 0; i < length; ++i) sums[i] += factor * row[i];
}

template <class Real>
void add_rounded(const std::vector<double>& cells, Real* sums) {
  for (std::size_t i = 0; i < cells.size(); ++i) sums[i] = static_cast<Real>(sums[i] + cells[i]);
}

// A key that a query sees.
struct Seen {
  std::size_t key;
  double score, slope;    // what the cap multiplies changes of the scaled score with
  double weight, change;  // how much the loss changes with the weight
};

// Which keys a query sees, with their scores in units of the temperature.
template <class Real>
void look(const Head<Real>& head, std::size_t query, std::vector<Seen>& seen) {
  const double scale = scale_of(head), temperature = static_cast<Real>(head.options.temperature);
  const double cap = static_cast<Real>(head.options.softcap.value_or(1));
  seen.clear();
  const KeyRange in_sight = head.in_sight(query);
  for (std::size_t key = in_sight.first; key < in_sight.last; ++key) {
    if (!head.allows(query, key)) continue;
    double score = scale * dot(head.q + query * head.d_k, head.k + key * head.d_k, head.d_k), slope = 1;
    if (head.options.softcap) {
      const auto capped = softcapped_with_slope(score, cap);
      score = capped.value;
      slope = capped.slope;
    }
    if (head.bias) score += head.bias(query, key);
    seen.push_back({key, score / temperature, slope, 0, 0});
  }
}

void weigh(std::vector<Seen>& seen) {
  double maximum = -infinity<double>, sum = 0;
  for (const Seen& each : seen) maximum = std::max(maximum, each.score);
  for (Seen& each : seen) sum += each.weight = std::exp(each.score - maximum);
  for (Seen& each : seen) each.weight /= sum;
}

template <class Real>
Tensor<Real> zeros_like(const Tensor<Real>& tensor) {
  return zeros<Real>({tensor.shape().begin(), tensor.shape().end()});
}

// The last `count` rows of every matrix.
template <class Real>
Tensor<Real> last_rows(const Tensor<Real>& matrices, std::size_t count) {
  const std::size_t rows = matrices.shape(2), cols = matrices.shape(3);
  Tensor<Real> result = zeros<Real>({matrices.shape(0), matrices.shape(1), count, cols});
  Real* to = result.data();
  for (std::size_t matrix = 0; matrix < matrices.shape(0) * matrices.shape(1); ++matrix)
    to = std::copy_n(matrices.data() + ((matrix + 1) * rows - count) * cols, count * cols, to);
  return result;
}

template <class Real>
void validate(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient, const AttentionOptions& options) {
  validate(inputs, options);
  const std::vector<std::size_t> shape{inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), inputs.v.shape(3)};
  if (!std::equal(shape.begin(), shape.end(), output_gradient.shape().begin(), output_gradient.shape().end()))
    throw AttentionError("dimension-mismatch", "outputGradient",
                         "outputGradient " + shape_text(output_gradient) + " needs the shape of the output " +
                             shape_text(zeros<Real>(shape)));
  if (options.empty_row != EmptyRow::zero)
    throw AttentionError("not-a-choice", "emptyRow", "emptyRow must be zero where gradients are asked for");
}

}  // namespace

template <class Real>
void add_gradient(const Head<Real>& head, const Real* output_gradient, const HeadSums<Real>& sums) {
  const double factor = static_cast<double>(scale_of(head)) / static_cast<Real>(head.options.temperature);
  std::vector<double> q(head.n_q * head.d_k), k(head.n_k * head.d_k), v(head.n_k * head.d_v);
  std::vector<Seen> seen;
  for (std::size_t query = 0; query < head.n_q; ++query) {
    const Real* const given = output_gradient + query * head.d_v;
    look(head, query, seen);
    weigh(seen);
    double mean = 0;
    for (Seen& each : seen) {
      each.change = dot(given, head.v + each.key * head.d_v, head.d_v);
      mean += each.weight * each.change;
      add_multiple(each.weight, given, head.d_v, v.data() + each.key * head.d_v);
    }
    for (const Seen& each : seen) {
      const double of_product = each.weight * (each.change - mean) * each.slope * factor;
      add_multiple(of_product, head.k + each.key * head.d_k, head.d_k, q.data() + query * head.d_k);
      add_multiple(of_product, head.q + query * head.d_k, head.d_k, k.data() + each.key * head.d_k);
    }
  }
  add_rounded(q, sums.q);
  add_rounded(k, sums.k);
  add_rounded(v, sums.v);
}

template <class Real>
HeadGradients<Real> gradients_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                       const AttentionOptions& options, const AddGradient<Real>& add) {
  validate(inputs, output_gradient, options);
  const std::optional<Tensor<Real>> all_k = joined(inputs.past_key, inputs.k),
                                    all_v = joined(inputs.past_value, inputs.v);
  const Tensor<Real>&k = all_k ? *all_k : inputs.k, &v = all_v ? *all_v : inputs.v;
  HeadGradients<Real> result{zeros_like(inputs.q), zeros_like(k), zeros_like(v)};
  const std::size_t group = inputs.q.shape(1) / k.shape(1);
  for_each_head(inputs, k, v, options, [&](const Head<Real>& head, std::size_t index) {
    add(head, output_gradient.data() + index * head.n_q * head.d_v,
        HeadSums<Real>{result.q.data() + index * head.n_q * head.d_k,
                       result.k.data() + index / group * head.n_k * head.d_k,
                       result.v.data() + index / group * head.n_k * head.d_v});
  });
  if (all_k) {
    result.k = last_rows(result.k, inputs.k.shape(2));
    result.v = last_rows(result.v, inputs.v.shape(2));
  }
  return result;
}

template <class Real>
HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                                const AttentionOptions& options) {
  return gradients_of_heads<Real>(inputs, output_gradient, options, add_gradient<Real>);
}

#define INSTANTIATE(Real)                                                                                \
  template void add_gradient(const Head<Real>&, const Real*, const HeadSums<Real>&);                     \
  template HeadGradients<Real> gradients_of_heads(const HeadInputs<Real>&, const Tensor<Real>&,          \
                                                  const AttentionOptions&, const AddGradient<Real>&);    \
  template HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>&, const Tensor<Real>&, \
                                                           const AttentionOptions&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
