#include "fast/few_keys.hpp"

#include <cmath>
#include <limits>

#include "fast/exp2.hpp"
#include "fast/pack.hpp"

namespace attention::fast {

namespace {

// Keys so far apart are read in place: a tile's rows have to be constants, and this is what most heads have.
constexpr std::size_t usual_stride = 64;

// A float that grows loses what is small beside it, so few weights are added in one go.
constexpr std::size_t few_weights = 8;

// Of `cols` numbers each, a multiple of 8.
Sizes largest_sizes(const Rows<float>& rows, std::size_t count, std::size_t cols) {
  if (rows.stride == cols) return largest_sizes({rows.first, 0}, 1, count * cols);
  Sizes left{}, right{};
  for (std::size_t row = 0; row < count; ++row)
    for (const float *at = rows[row], *end = at + cols; at < end; at += tile_cols) {
      left = larger(left, sizes(load(at)));
      right = larger(right, sizes(load(at + lanes)));
    }
  return larger(left, right);
}

}  // namespace

void FewKeys::attend(const Head<float>& head, float* output, std::size_t stride) {
  read(head);
  const float factor = power_scale(head);
  for (std::size_t first = 0; first < head.n_q; first += queries_, output += queries_ * stride) {
    const std::size_t count = std::min(queries_, head.n_q - first);
    look(head, first, count);
    if (in_sight_.first < in_sight_.last) {
      pack_panels<tile_cols, true>(head.q[first], head.q.stride, 1, count, of_.d_k, packed_queries_, factor);
      multiply_keys(head, count);
      if (!sees_all_) hide();
      Bits have_shares = Bits{} == Bits{};
      for (std::size_t query = 0; query < count; query += lanes) {
        const Vector shares = weigh(scores_ + query);
        store(shares_ + query, shares);
        have_shares &= shares <= all(1);
      }
      multiply_values(count, output, stride);
      if (strange_.empty() && !any(~have_shares)) continue;
    }
    for (std::size_t query = 0; query < count; ++query) {
      if (in_sight_.first < in_sight_.last && shares_[query] <= 1 && !sees_any(query, strange_)) continue;
      std::fill_n(output + query * stride, of_.d_v, 0.0f);
      stream_query(head, first + query, output + query * stride);
    }
  }
}

// Keys and values, unless those before were the same.
void FewKeys::read(const Head<float>& head) {
  if (read_ == head.k.first) return;
  read_ = head.k.first;
  sees_all_ = !hides_keys(head.options.sight);
  if (!has_keys_in_place(head)) pack_panels<tile_rows>(head.k.first, head.k.stride, 1, of_.n_k, of_.d_k, packed_keys_);
  values_ = head.v.first;
  value_stride_ = head.v.stride;
  strange_.clear();
  const Sizes most = sizes(all(std::numeric_limits<float>::max() / (2 * static_cast<float>(of_.n_k))));
  if (of_.d_v < of_.wide() || any(largest_sizes(head.v, of_.n_k, of_.d_v) > most)) copy_values(head, most);
}

bool FewKeys::has_keys_in_place(const Head<float>& head) const {
  return head.k.stride == usual_stride && of_.n_k % tile_rows == 0;
}

void FewKeys::copy_values(const Head<float>& head, Sizes most) {
  values_ = copied_values_;
  value_stride_ = of_.wide();
  for (std::size_t key = 0; key < of_.n_k; ++key) {
    float* const to = copied_values_ + key * of_.wide();
    std::fill(std::copy_n(head.v[key], of_.d_v, to), to + of_.wide(), 0.0f);
    if (!any(largest_sizes({to, 0}, 1, of_.wide()) > most)) continue;
    strange_.push_back(key);
    std::fill_n(to, of_.d_v, 0.0f);
  }
}

// What the queries from `first` on see.
void FewKeys::look(const Head<float>& head, std::size_t first, std::size_t count) {
  in_sight_ = {0, of_.n_k};
  if (sees_all_) return;
  in_sight_ = {of_.n_k, 0};
  for (std::size_t query = 0; query < queries_; ++query) {
    rows_[query] = query < count ? head.in_sight(first + query) : KeyRange{0, 0};
    if (rows_[query].first == rows_[query].last) continue;
    in_sight_ = {std::min(in_sight_.first, rows_[query].first), std::max(in_sight_.last, rows_[query].last)};
  }
  in_sight_.first = in_sight_.first / tile_rows * tile_rows;
}

void FewKeys::multiply_keys(const Head<float>& head, std::size_t count) {
  const bool in_place = has_keys_in_place(head);
  for (std::size_t query = 0; query < count; query += tile_cols)
    for (std::size_t key = in_sight_.first; key < in_sight_.last; key += tile_rows) {
      const float* const queries = packed_queries_ + query * of_.d_k;
      float* const scores = scores_ + key * queries_ + query;
      if (in_place)
        multiply_tile<usual_stride, 1, false>(head.k[key], queries, of_.d_k, scores, queries_);
      else
        multiply_tile<1, tile_rows, false>(packed_keys_ + key * of_.d_k, queries, of_.d_k, scores, queries_);
    }
}

// A score becomes −∞ where its query does not see its key.
void FewKeys::hide() {
  for (std::size_t key = in_sight_.first; key < in_sight_.last; ++key)
    for (std::size_t query = 0; query < queries_; ++query)
      if (!rows_[query].contains(key)) scores_[key * queries_ + query] = -infinity<float>;
}

// Scores of four queries, one in each lane, become weights; answers what those are to be multiplied with: from 0 to 1,
// but for a query that sees no key, or ∞ or NaN.
Vector FewKeys::weigh(float* scores) const {
  const auto [begin, end] = in_sight_;
  Vector most = load(scores + begin * queries_);
#pragma clang loop unroll(disable)
  for (std::size_t key = begin + 1; key < end; ++key) most = larger(most, load(scores + key * queries_));
  const Exp2 exp2;
  Vector total{};
  for (std::size_t first = begin; first < end; first += few_weights) {
    Vector part{};
    for (std::size_t key = first; key < std::min(end, first + few_weights); ++key) {
      float* const score = scores + key * queries_;
      const Vector weight = exp2(load(score) - most);
      store(score, weight);
      part += weight;
    }
    total += part;
  }
  return 1 / total;
}

void FewKeys::multiply_values(std::size_t count, float* output, std::size_t stride) const {
  const float* const weights = scores_ + in_sight_.first * queries_;
  const float* const values = values_ + in_sight_.first * value_stride_;
  for (std::size_t col = 0; col < of_.d_v; col += tile_cols)
    for (std::size_t query = 0; query < count; query += tile_rows) {
      float sums[tile_rows * tile_cols];
      multiply_weights<1, queries_>(weights + query, values + col, value_stride_, in_sight_.last - in_sight_.first,
                                    sums);
      write_shared(sums, shares_ + query, std::min(tile_rows, count - query), std::min(tile_cols, of_.d_v - col),
                   output + query * stride + col, stride);
    }
}

bool FewKeys::sees_any(std::size_t query, const std::vector<std::size_t>& keys) const {
  if (sees_all_) return !keys.empty();
  return std::any_of(keys.begin(), keys.end(), [&](std::size_t key) {
    return rows_[query].contains(key);
  });
}

}  // namespace attention::fast
