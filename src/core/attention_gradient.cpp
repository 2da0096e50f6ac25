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

// Which keys a query sees, with their scores in units of the temperature; answers where they end.
template <class Real>
Seen* look(const Head<Real>& head, std::size_t query, Seen* seen) {
  const double scale = scale_of(head), temperature = static_cast<Real>(head.options.temperature);
  const double cap = static_cast<Real>(head.options.softcap.value_or(1));
  const KeyRange in_sight = head.in_sight(query);
  for (std::size_t key = in_sight.first; key < in_sight.last; ++key) {
    if (!head.allows(query, key)) continue;
    double score = scale * dot(head.q[query], head.k[key], head.d_k), slope = 1;
    if (head.options.softcap) {
      const auto capped = softcapped_with_slope(score, cap);
      score = capped.value;
      slope = capped.slope;
    }
    if (head.bias) score += head.bias(query, key);
    *seen++ = {key, score / temperature, slope, 0, 0};
  }
  return seen;
}

void weigh(Seen* first, Seen* last) {
  double maximum = -infinity<double>, sum = 0;
  for (Seen* each = first; each != last; ++each) maximum = std::max(maximum, each->score);
  for (Seen* each = first; each != last; ++each) sum += each->weight = std::exp(each->score - maximum);
  for (Seen* each = first; each != last; ++each) each->weight /= sum;
}

}  // namespace

template <class Real>
void add_gradient(const Head<Real>& head, const Real* output_gradient, const HeadSums<Real>& sums) {
  const double factor = static_cast<double>(scale_of(head)) / static_cast<Real>(head.options.temperature);
  std::vector<double> q(head.n_q * head.d_k), k(head.n_k * head.d_k), v(head.n_k * head.d_v);
  std::vector<Seen> seen(head.n_k);
  for (std::size_t query = 0; query < head.n_q; ++query) {
    const Real* const given = output_gradient + query * head.d_v;
    Seen *const first = seen.data(), *const last = look(head, query, first);
    weigh(first, last);
    double mean = 0;
    for (Seen* each = first; each != last; ++each) {
      each->change = dot(given, head.v[each->key], head.d_v);
      mean += each->weight * each->change;
      add_multiple(each->weight, given, head.d_v, v.data() + each->key * head.d_v);
    }
    for (const Seen* each = first; each != last; ++each) {
      const double of_product = each->weight * (each->change - mean) * each->slope * factor;
      add_multiple(of_product, head.k[each->key], head.d_k, q.data() + query * head.d_k);
      add_multiple(of_product, head.q[query], head.d_k, k.data() + each->key * head.d_k);
    }
  }
  add_rounded(q, sums.q);
  add_rounded(k, sums.k);
  add_rounded(v, sums.v);
}

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
  const Tensor<Real>&q = inputs.q, &v = inputs.v, &given = output_gradient;
  if (given.dimension() != 4 || given.shape(0) != q.shape(0) || given.shape(1) != q.shape(1) ||
      given.shape(2) != q.shape(2) || given.shape(3) != v.shape(3))
    throw AttentionError("dimension-mismatch", "outputGradient",
                         "outputGradient " + shape_text(given) + " needs the rows of q " + shape_text(q) +
                             " and the columns of v " + shape_text(v));
  if (options.empty_row != EmptyRow::zero)
    throw AttentionError("not-a-choice", "emptyRow", "emptyRow must be zero where gradients are asked for");
}

template <class Real>
HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>& inputs, const Tensor<Real>& output_gradient,
                                                const AttentionOptions& options) {
  return gradients_of_heads(inputs, output_gradient, options, add_gradient<Real>);
}

#define INSTANTIATE(Real)                                                                                \
  template void add_gradient(const Head<Real>&, const Real*, const HeadSums<Real>&);                     \
  template void validate(const HeadInputs<Real>&, const Tensor<Real>&, const AttentionOptions&);         \
  template Tensor<Real> last_rows(const Tensor<Real>&, std::size_t);                                     \
  template HeadGradients<Real> attention_gradient_of_heads(const HeadInputs<Real>&, const Tensor<Real>&, \
                                                           const AttentionOptions&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace attention
