// One head of attention over batches, as it is computed: where its numbers are, and what may be seen.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/heads.hpp"

namespace attention {

// The mask or the bias that belongs to one head, read in place.
template <class Real>
class Pairs {
 public:
  Pairs(const std::optional<Tensor<Real>>& pairs, std::size_t batch, std::size_t head) {
    if (!pairs) return;
    std::size_t stride = 1, length[4], strides[4];
    for (std::size_t back = 1; back <= 4; ++back) {
      length[4 - back] = back <= pairs->dimension() ? pairs->shape(pairs->dimension() - back) : 1;
      strides[4 - back] = length[4 - back] == 1 ? 0 : stride;
      stride *= length[4 - back];
    }
    given_ = true;
    cells_ = pairs->data() + batch * strides[0] + head * strides[1];
    row_ = strides[2];
    col_ = strides[3];
    keys_ = length[3];
  }

  explicit operator bool() const { return given_; }
  bool reaches(std::size_t key) const { return col_ == 0 ? keys_ == 1 : key < keys_; }
  // Of its row: where the numbers are, how far apart (0: one for all keys), and how many keys they reach.
  const Real* row(std::size_t query) const { return cells_ + query * row_; }
  std::size_t stride() const { return col_; }
  std::size_t reach(std::size_t n_k) const { return col_ == 0 ? (keys_ == 1 ? n_k : 0) : std::min(keys_, n_k); }
  Real operator()(std::size_t query, std::size_t key) const { return cells_[query * row_ + key * col_]; }

 private:
  bool given_ = false;  // a mask without keys has no cells, and forbids all
  const Real* cells_ = nullptr;
  std::size_t row_ = 0, col_ = 0, keys_ = 0;
};

// Rows that are `stride` numbers apart: heads may lie side by side.
template <class Real>
struct Rows {
  const Real* first = nullptr;
  std::size_t stride = 0;

  const Real* operator[](std::size_t row) const { return first + row * stride; }
};

template <class Real>
struct Head {
  std::size_t n_q, n_k, d_k, d_v;
  Rows<Real> q, k, v;
  Pairs<Real> mask, bias;
  const Real* padding;  // [n_k] or null
  AttentionOptions options;

  KeyRange in_sight(std::size_t query) const { return keys_in_sight(options.sight, n_q, n_k, query); }

  // Whether nothing given forbids the pair; its place is not looked at.
  bool allows(std::size_t query, std::size_t key) const {
    if (mask && !(mask.reaches(key) && mask(query, key) != 0)) return false;
    if (bias && !(bias.reaches(key) && bias(query, key) != -infinity<Real>)) return false;
    return !padding || padding[key] != 0;
  }
};

// What scores are multiplied by.
template <class Real>
Real scale_of(const Head<Real>& head) {
  return static_cast<Real>(head.options.scale.value_or(1 / std::sqrt(static_cast<double>(head.d_k))));
}

// One query of streaming_attention, added to `output` [d_v], which is 0.
template <class Real>
void stream_query(const Head<Real>& head, std::size_t query, Real* output);

template <class Real>
std::size_t cached(const HeadInputs<Real>& inputs) {
  return inputs.past_key ? inputs.past_key->shape(2) : 0;
}

// The cache with the new keys or values after it, [b, g, n_k, d]; nothing where there is no cache.
template <class Real>
std::optional<Tensor<Real>> joined(const std::optional<Tensor<Real>>& past, const Tensor<Real>& now) {
  if (!past) return std::nullopt;
  const std::size_t old_cells = past->shape(2) * past->shape(3), new_cells = now.shape(2) * now.shape(3);
  Tensor<Real> result = zeros<Real>({now.shape(0), now.shape(1), past->shape(2) + now.shape(2), now.shape(3)});
  Real* to = result.data();
  for (std::size_t matrix = 0; matrix < now.shape(0) * now.shape(1); ++matrix) {
    to = std::copy_n(past->data() + matrix * old_cells, old_cells, to);
    to = std::copy_n(now.data() + matrix * new_cells, new_cells, to);
  }
  return result;
}

// Calls visit(head, index) for every head of every batch, in order, unless nothing is asked. k and v have the cache in
// front.
template <class Real, class Visit>
void for_each_head(const HeadInputs<Real>& inputs, const Tensor<Real>& k, const Tensor<Real>& v,
                   const AttentionOptions& options, Visit visit) {
  if (inputs.q.shape(2) == 0) return;
  const std::size_t heads = inputs.q.shape(1), group = heads / k.shape(1);
  for (std::size_t batch = 0; batch < inputs.q.shape(0); ++batch)
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t index = batch * heads + head, shared = batch * k.shape(1) + head / group;
      Head<Real> at{inputs.q.shape(2),
                    k.shape(2),
                    k.shape(3),
                    v.shape(3),
                    {inputs.q.data() + index * inputs.q.shape(2) * k.shape(3), k.shape(3)},
                    {k.data() + shared * k.shape(2) * k.shape(3), k.shape(3)},
                    {v.data() + shared * k.shape(2) * v.shape(3), v.shape(3)},
                    {inputs.mask, batch, head},
                    {inputs.bias, batch, head},
                    nullptr,
                    options};
      if (inputs.padding) at.padding = inputs.padding->data() + (inputs.padding->shape(0) == 1 ? 0 : batch * at.n_k);
      SightOptions& sight = at.options.sight;
      sight.offset = static_cast<std::ptrdiff_t>(cached(inputs));
      if (!inputs.lengths.empty()) {
        sight.length = inputs.lengths[batch];
        sight.offset = static_cast<std::ptrdiff_t>(inputs.lengths[batch]) - static_cast<std::ptrdiff_t>(at.n_q);
      }
      visit(at, index);
    }
}

// Calls compute(head, index, output) for every head of inputs that fit together, with where its output [n_q, d_v] goes,
// full of zeros. Nothing is kept but the outputs, and keys and values where there was a cache.
template <class Real, class Compute>
HeadResult<Real> outputs_of_heads(const HeadInputs<Real>& inputs, const AttentionOptions& options, Compute compute) {
  HeadResult<Real> result{{}, std::nullopt, joined(inputs.past_key, inputs.k), joined(inputs.past_value, inputs.v)};
  const Tensor<Real>&k = result.present_key ? *result.present_key : inputs.k,
        &v = result.present_value ? *result.present_value : inputs.v;
  result.output = zeros<Real>({inputs.q.shape(0), inputs.q.shape(1), inputs.q.shape(2), v.shape(3)});
  for_each_head(inputs, k, v, options, [&](const Head<Real>& head, std::size_t index) {
    compute(head, index, result.output.data() + index * head.n_q * head.d_v);
  });
  return result;
}

}  // namespace attention
