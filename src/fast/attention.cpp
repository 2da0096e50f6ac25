#include "fast/attention.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/head.hpp"
#include "core/softcap.hpp"
#include "fast/exp2.hpp"
#include "fast/pack.hpp"
#include "fast/tile.hpp"

namespace attention::fast {

namespace {

// The scores of a block of queries and keys, 16 KB, lie in the first-level cache beside a tile of each operand.
constexpr std::size_t block_queries = 32, block_keys = 128;

constexpr float minus_infinity = -infinity<float>;

// Keys and values of one head, packed for the tiles; the same for all heads of queries that share them.
class PackedKeys {
 public:
  // Numbers of another call may lie where those of the last one did.
  void forget() { keys_ = nullptr; }

  void pack(const Head<float>& head) {
    if (keys_ == head.k) return;
    keys_ = head.k;
    depth_ = head.d_k;
    n_k_ = head.n_k;
    cells_.resize(rounded_up(head.n_k, tile_cols) * head.d_k + head.n_k * rounded_up(head.d_v, tile_cols));
    pack_panels<tile_cols>(head.k, head.d_k, 1, head.n_k, head.d_k, cells_.data());
    pack_panels<tile_cols>(head.v, 1, head.d_v, head.d_v, head.n_k, values());
  }

  // [d_k, 8]: the keys from `key` on, a multiple of 8, as columns.
  const float* keys(std::size_t key) const { return cells_.data() + key * depth_; }

  // [n_k − key, 8]: 8 columns of the values from `key` on, the first of them `col`, a multiple of 8.
  const float* values(std::size_t key, std::size_t col) { return values() + col * n_k_ + key * tile_cols; }

 private:
  float* values() { return cells_.data() + rounded_up(n_k_, tile_cols) * depth_; }

  std::vector<float> cells_;
  const float* keys_ = nullptr;
  std::size_t depth_ = 0, n_k_ = 0;
};

// A block of queries of one head while it goes over the keys.
class Block {
 public:
  // Scores are computed in powers of two, unless a cap has to see them as they are.
  void start(const Head<float>& head, std::size_t first) {
    head_ = &head;
    first_ = first;
    count_ = std::min(block_queries, head.n_q - first);
    wide_ = rounded_up(head.d_v, tile_cols);
    to_power_ = static_cast<float>(log2_e / head.options.temperature);
    const float factor = head.options.softcap
                             ? scale_of(head)
                             : static_cast<float>(scale_of(head) * (log2_e / head.options.temperature));
    queries_.resize(rounded_up(count_, tile_rows) * head.d_k);
    pack_panels<tile_rows>(head.q + first * head.d_k, head.d_k, 1, count_, head.d_k, queries_.data());
    for (float& cell : queries_) cell *= factor;
    output_.assign(rounded_up(count_, tile_rows) * wide_, 0);
    std::fill_n(maximum_, block_queries, minus_infinity);
    std::fill_n(sum_, block_queries, 0.0f);
    in_sight_ = {head.n_k, 0};
    for (std::size_t row = 0; row < count_; ++row) {
      rows_[row] = head.in_sight(first + row);
      if (rows_[row].first == rows_[row].last) continue;
      in_sight_ = {std::min(in_sight_.first, rows_[row].first), std::max(in_sight_.last, rows_[row].last)};
    }
  }

  void meet_keys(PackedKeys& packed) {
    for (std::size_t key = in_sight_.first / tile_cols * tile_cols; key < in_sight_.last; key += block_keys) {
      const std::size_t keys = std::min(block_keys, in_sight_.last - key);
      for (std::size_t panel = 0; panel < keys; panel += tile_cols)
        for (std::size_t row = 0; row < count_; row += tile_rows)
          multiply_tile<1, tile_rows, false>(queries_.data() + row * head_->d_k, packed.keys(key + panel), head_->d_k,
                                             scores_ + row * block_keys + panel, block_keys);
      for (std::size_t row = 0; row < count_; ++row) weigh(row, key, keys);
      for (std::size_t col = 0; col < wide_; col += tile_cols)
        for (std::size_t row = 0; row < count_; row += tile_rows)
          multiply_tile<block_keys, 1, true>(scores_ + row * block_keys, packed.values(key, col), keys,
                                             output_.data() + row * wide_ + col, wide_);
    }
  }

  void write(float* to) const {
    for (std::size_t row = 0; row < count_; ++row, to += head_->d_v) {
      const float* from = output_.data() + row * wide_;
      float strange = sum_[row] > 0 ? 0 : NAN;
      for (std::size_t col = 0; col < head_->d_v; ++col) {
        to[col] = from[col] / sum_[row];
        strange += to[col] * 0;
      }
      if (strange == 0) continue;
      std::fill_n(to, head_->d_v, 0.0f);
      stream_query(*head_, first_ + row, to);
    }
  }

 private:
  // Scores of one row become weights, and what the row had so far shrinks if its maximum grew.
  void weigh(std::size_t row, std::size_t key, std::size_t keys) {
    float* scores = scores_ + row * block_keys;
    const std::size_t padded = rounded_up(keys, lanes);
    forbid_outside(row, key, keys, padded, scores);
    if (head_->options.softcap) cap(scores, keys);
    if (head_->bias) add_bias(row, key, keys, scores);
    if (head_->mask)
      forbid(head_->mask.row(first_ + row), head_->mask.stride(), head_->mask.reach(head_->n_k), key, keys, scores);
    if (head_->padding) forbid(head_->padding, 1, head_->n_k, key, keys, scores);

    Vector most = all(maximum_[row]);
    for (std::size_t at = 0; at < padded; at += lanes) most = larger(most, load(scores + at));
    const float maximum = largest(most);
    // Where nothing was to be seen so far, every power is 0.
    const Vector base = all(maximum == minus_infinity ? 0 : maximum);
    const Exp2 exp2;
    if (maximum > maximum_[row]) {
      const Vector shrink = exp2(all(maximum_[row]) - base);
      sum_[row] *= shrink[0];
      float* output = output_.data() + row * wide_;
      for (std::size_t col = 0; col < wide_; col += lanes) store(output + col, load(output + col) * shrink);
      maximum_[row] = maximum;
    }
    Vector total{};
    for (std::size_t at = 0; at < padded; at += lanes) {
      const Vector weight = exp2(load(scores + at) - base);
      store(scores + at, weight);
      total += weight;
    }
    sum_[row] += sum(total);
  }

  void forbid_outside(std::size_t row, std::size_t key, std::size_t keys, std::size_t padded, float* scores) const {
    const KeyRange seen = rows_[row];
    const std::size_t first = std::clamp(seen.first, key, key + keys) - key;
    const std::size_t last = std::max(first, std::clamp(seen.last, key, key + keys) - key);
    std::fill(scores, scores + first, minus_infinity);
    std::fill(scores + last, scores + padded, minus_infinity);
  }

  void cap(float* scores, std::size_t keys) const {
    const float cap = static_cast<float>(*head_->options.softcap);
    for (std::size_t at = 0; at < keys; ++at)
      if (scores[at] != minus_infinity) scores[at] = softcapped(scores[at], cap) * to_power_;
  }

  // A bias of −∞ forbids, whatever the score is.
  void add_bias(std::size_t row, std::size_t key, std::size_t keys, float* scores) const {
    const Pairs<float>& bias = head_->bias;
    const float* cells = bias.row(first_ + row);
    const std::size_t reach = bias.reach(head_->n_k), there = std::clamp(reach, key, key + keys) - key;
    const Vector to_power = all(to_power_), none = all(minus_infinity);
    std::size_t at = 0;
    if (bias.stride() == 1)
      for (cells += key; at + lanes <= there; at += lanes) {
        const Vector cell = load(cells + at);
        store(scores + at, choose(cell == none, none, load(scores + at) + cell * to_power));
      }
    for (; at < there; ++at) {
      const float cell = cells[at * bias.stride()];
      scores[at] = cell == minus_infinity ? minus_infinity : scores[at] + cell * to_power_;
    }
    std::fill(scores + there, scores + keys, minus_infinity);
  }

  // Where `cells`, `stride` apart and for the first `reach` keys alone, are 0.
  static void forbid(const float* cells, std::size_t stride, std::size_t reach, std::size_t key, std::size_t keys,
                     float* scores) {
    const std::size_t there = std::clamp(reach, key, key + keys) - key;
    std::size_t at = 0;
    if (stride == 1)
      for (cells += key; at + lanes <= there; at += lanes)
        store(scores + at, choose(load(cells + at) == Vector{}, all(minus_infinity), load(scores + at)));
    for (; at < there; ++at)
      if (cells[at * stride] == 0) scores[at] = minus_infinity;
    std::fill(scores + there, scores + keys, minus_infinity);
  }

  const Head<float>* head_ = nullptr;
  std::size_t first_ = 0, count_ = 0, wide_ = 0;
  float to_power_ = 0;
  KeyRange in_sight_{}, rows_[block_queries];
  float maximum_[block_queries], sum_[block_queries];
  alignas(16) float scores_[block_queries * block_keys];
  std::vector<float> queries_, output_;  // packed [4 rows][d_k][4]; [count, d_v rounded up to 8]
};

// Kept from call to call, so that a call takes no memory that the last one had.
PackedKeys packed_keys;
Block block;

}  // namespace

Tensor<float> streaming_attention(const HeadInputs<float>& inputs, const AttentionOptions& options) {
  packed_keys.forget();
  return outputs_of_heads(inputs, options, [](const Head<float>& head, float* output) {
    packed_keys.pack(head);
    for (std::size_t first = 0; first < head.n_q; first += block_queries) {
      block.start(head, first);
      block.meet_keys(packed_keys);
      block.write(output + first * head.d_v);
    }
  });
}

}  // namespace attention::fast
