#include "fast/few_keys.hpp"

#include <algorithm>

#include "fast/exp2.hpp"
#include "fast/pack.hpp"

namespace attention::fast {

namespace {

// Keys so far apart are read in place: a tile's rows have to be constants, and this is what most heads have.
constexpr std::size_t usual_stride = 64;

}  // namespace

void FewKeys::attend(const Head<float>& head, float* output, std::size_t stride) {
  read(head);
  const float factor = power_scale(head);
  for (std::size_t first = 0; first < head.n_q; first += at_once, output += at_once * stride) {
    const std::size_t count = std::min(at_once, head.n_q - first);
    look(head, first, count);
    if (in_sight_.first < in_sight_.last) {
      pack_panels<tile_cols>(head.q[first], head.q.stride, 1, count, of_.d_k, packed_queries_, factor);
      multiply_keys(head, count);
      if (hides_) hide();
      for (std::size_t query = 0; query < count; query += lanes) store(shares_ + query, weigh(scores_ + query));
      const bool is_finite = multiply_values(count, output, stride);
      if (is_finite && strange_.empty()) continue;
      if (!is_finite && values_ != copied_values_) {
        copy_values(head);
        multiply_values(count, output, stride);
      }
    }
    // Left to the core: who sees nothing, or what was not copied, or is no number or beyond floats on the way.
    for (std::size_t query = 0; query < count; ++query) {
      float* const row = output + query * stride;
      if (in_sight_.first < in_sight_.last && !sees_any(query, strange_) && zero_if_finite(row, of_.d_v) == 0) continue;
      std::fill_n(row, of_.d_v, 0.0f);
      stream_query(head, first + query, row);
    }
  }
}

// Keys and values, unless those before were the same, which one of them tells.
[[gnu::noinline, clang::minsize]] void FewKeys::read(const Head<float>& head) {
  if (read_ == head.k.first) return;
  read_ = head.k.first;
  if (!has_keys_in_place(head)) pack_panels<tile_rows>(head.k.first, head.k.stride, 1, of_.n_k, of_.d_k, packed_keys_);
  values_ = head.v.first;
  value_stride_ = head.v.stride;
  strange_.clear();
  if (of_.d_v < of_.wide()) copy_values(head);
}

bool FewKeys::has_keys_in_place(const Head<float>& head) const {
  return head.k.stride == usual_stride && of_.n_k % tile_rows == 0;
}

// In rows of whole tiles, without NaN and ∞.
[[gnu::noinline, clang::minsize]] void FewKeys::copy_values(const Head<float>& head) {
  values_ = copied_values_;
  value_stride_ = of_.wide();
  strange_.clear();
  for (std::size_t key = 0; key < of_.n_k; ++key) {
    float* const to = copied_values_ + key * of_.wide();
    std::fill(std::copy_n(head.v[key], of_.d_v, to), to + of_.wide(), 0.0f);
    if (zero_if_finite(to, of_.d_v) == 0) continue;
    strange_.push_back(key);
    std::fill_n(to, of_.d_v, 0.0f);
  }
}

// What the queries from `first` on see.
[[gnu::noinline, clang::minsize]] void FewKeys::look(const Head<float>& head, std::size_t first, std::size_t count) {
  in_sight_ = {0, of_.n_k};
  std::fill_n(rows_, at_once, in_sight_);
  hides_ = hides_keys(head.options.sight);
  if (!hides_) return;
  in_sight_ = {of_.n_k, 0};
  for (std::size_t query = 0; query < at_once; ++query) {
    rows_[query] = head.in_sight(first + std::min(query, count - 1));
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
      float* const scores = scores_ + key * at_once + query;
      if (in_place)
        multiply_tile<usual_stride, 1, false>(head.k[key], queries, of_.d_k, scores, at_once);
      else
        multiply_tile<1, tile_rows, false>(packed_keys_ + key * of_.d_k, queries, of_.d_k, scores, at_once);
    }
}

// A score becomes −∞ where its query does not see its key.
[[gnu::noinline, clang::minsize]] void FewKeys::hide() {
  for (std::size_t key = in_sight_.first; key < in_sight_.last; ++key)
    for (std::size_t query = 0; query < at_once; ++query)
      if (!rows_[query].contains(key)) scores_[key * at_once + query] = -infinity<float>;
}

// Scores of four queries, one in each lane, become weights; answers what those are to be multiplied with: from 0 to 1,
// but for a query that sees no key, or ∞ or NaN.
Vector FewKeys::weigh(float* scores) const {
  const auto [begin, end] = in_sight_;
  Vector most = load(scores + begin * at_once);
#pragma clang loop unroll(disable)
  for (std::size_t key = begin + 1; key < end; ++key) most = larger(most, load(scores + key * at_once));
  const Exp2 exp2;
  Vector total{};
  for (std::size_t first = begin; first < end; first += few_weights) {
    Vector part{};
    for (std::size_t key = first; key < std::min(end, first + few_weights); ++key) {
      float* const score = scores + key * at_once;
      const Vector weight = exp2(load(score) - most);
      store(score, weight);
      part += weight;
    }
    total += part;
  }
  return 1 / total;
}

// Answers whether all of the output is certainly finite. It may be where the answer is no: where all together are
// beyond floats, or the last query sees no key, which stands for those that a tile has too many.
bool FewKeys::multiply_values(std::size_t count, float* output, std::size_t stride) const {
  const bool has_edges = count % tile_rows > 0 || of_.d_v < of_.wide();
  float* const to = has_edges ? output_with_edges_ : output;
  const std::size_t to_stride = has_edges ? of_.wide() : stride;
  const std::size_t keys = in_sight_.last - in_sight_.first;
  const float* const all_weights = scores_ + in_sight_.first * at_once;
  const float* const all_values = values_ + in_sight_.first * value_stride_;
  Vector all_sums{};
  for (std::size_t col = 0; col < of_.d_v; col += tile_cols)
    for (std::size_t query = 0; query < count; query += tile_rows) {
      const float *const weights = all_weights + query, *const values = all_values + col;
      float* const place = to + query * to_stride + col;
      const auto finish = [&](Vector sum, float* cells, std::size_t row) {
        store(cells, sum * load_all(shares_ + query + row));
        all_sums += sum;
      };
      Tile tile = product_tile<1, at_once>(weights, values, value_stride_, std::min(few_values, keys));
      if (keys <= few_values) {
        tile.for_each(place, to_stride, finish);
        continue;
      }
      tile.for_each(place, to_stride, [](Vector sum, float* cells, std::size_t) {
        store(cells, sum);
      });
      std::size_t key = few_values;
      for (; key + few_values < keys; key += few_values) {
        tile =
            product_tile<1, at_once>(weights + key * at_once, values + key * value_stride_, value_stride_, few_values);
        tile.for_each(place, to_stride, [](Vector sum, float* cells, std::size_t) {
          store(cells, load(cells) + sum);
        });
      }
      tile = product_tile<1, at_once>(weights + key * at_once, values + key * value_stride_, value_stride_, keys - key);
      tile.for_each(place, to_stride, [&](Vector sum, float* cells, std::size_t row) {
        finish(load(cells) + sum, cells, row);
      });
    }
  if (has_edges)
    for (std::size_t query = 0; query < count; ++query)
      std::copy_n(to + query * to_stride, of_.d_v, output + query * stride);
  return !any(all_sums - all_sums != Vector{});
}

bool FewKeys::sees_any(std::size_t query, const std::vector<std::size_t>& keys) const {
  return std::any_of(keys.begin(), keys.end(), [&](std::size_t key) {
    return rows_[query].contains(key);
  });
}

}  // namespace attention::fast
