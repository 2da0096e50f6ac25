#include "fast/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/softcap.hpp"
#include "fast/exp2.hpp"
#include "fast/pack.hpp"
#include "fast/scratch.hpp"
#include "fast/tile.hpp"

namespace attention::fast {

namespace {

// The scores of a block of queries and keys, 16 KB, lie in the first-level cache beside a tile of each operand.
constexpr std::size_t block_queries = 32, block_keys = 128;

// A float that grows with the row loses what is small beside it, so few numbers are added in one go: the values of 16
// keys, then the sums of a block, then the blocks with what is lost kept beside them.
constexpr std::size_t few_keys = 16, few_vectors = 8;

constexpr float minus_infinity = -infinity<float>, not_a_number = std::numeric_limits<float>::quiet_NaN();

// Lengths that all heads of a call share.
struct Lengths {
  std::size_t n_k, d_k, d_v;
  std::size_t keys() const { return rounded_up(n_k, tile_cols); }
  std::size_t wide() const { return rounded_up(d_v, tile_cols); }
};

// Keys and values of one head, packed for the tiles; the same for all heads of queries that share them.
class PackedKeys {
 public:
  static std::uint64_t room(const Lengths& of) {
    return std::uint64_t{of.keys()} * of.d_k + std::uint64_t{of.n_k} * of.wide();
  }

  PackedKeys(const Lengths& of, Scratch& scratch)
      : of_(of), keys_(scratch.take(of.keys() * of.d_k)), values_(scratch.take(of.n_k * of.wide())) {}

  void pack(const Head<float>& head) {
    if (packed_ == head.k) return;
    packed_ = head.k;
    pack_panels<tile_cols>(head.k, of_.d_k, 1, of_.n_k, of_.d_k, keys_);
    pack_panels<tile_cols>(head.v, 1, of_.d_v, of_.d_v, of_.n_k, values_);
    strange_.clear();
    for (std::size_t key = 0; key < of_.n_k; ++key)
      if (zero_if_finite(head.v + key * of_.d_v, of_.d_v) != 0) hide(key);
  }

  // Keys whose value holds NaN or ∞: packed as 0, since a weight of 0 would not take it away.
  const std::vector<std::size_t>& strange() const { return strange_; }

  // [d_k, 8]: the keys from `key` on, a multiple of 8, as columns.
  const float* keys(std::size_t key) const { return keys_ + key * of_.d_k; }

  // [n_k − key, 8]: 8 columns of the values from `key` on, the first of them `col`, a multiple of 8.
  const float* values(std::size_t key, std::size_t col) const { return values_ + col * of_.n_k + key * tile_cols; }

 private:
  void hide(std::size_t key) {
    strange_.push_back(key);
    for (std::size_t col = 0; col < of_.wide(); col += tile_cols)
      std::fill_n(values_ + col * of_.n_k + key * tile_cols, tile_cols, 0.0f);
  }

  const Lengths of_;
  float *const keys_, *const values_;
  const float* packed_ = nullptr;
  std::vector<std::size_t> strange_;
};

// Adds to a sum, and to `lost` what its rounding takes away (Knuth's two-sum).
void add_with_loss(Vector added, float* sum, float* lost) {
  const Vector before = load(sum), after = before + added, taken = after - before;
  store(lost, load(lost) + ((before - (after - taken)) + (added - taken)));
  store(sum, after);
}

// A block of queries of one head while it goes over the keys.
class Block {
 public:
  static std::uint64_t room(const Lengths& of) {
    return block_queries * (std::uint64_t{of.d_k} + 2 * std::uint64_t{of.wide()} + block_keys);
  }

  Block(const Lengths& of, Scratch& scratch)
      : wide_(of.wide()),
        queries_(scratch.take(block_queries * of.d_k)),
        output_(scratch.take(block_queries * wide_)),
        lost_(scratch.take(block_queries * wide_)),
        scores_(scratch.take(block_queries * block_keys)) {}

  // Scores are computed in powers of two, unless a cap has to see them as they are.
  void start(const Head<float>& head, std::size_t first) {
    head_ = &head;
    first_ = first;
    count_ = std::min(block_queries, head.n_q - first);
    to_power_ = static_cast<float>(log2_e / head.options.temperature);
    const float factor = head.options.softcap
                             ? scale_of(head)
                             : static_cast<float>(scale_of(head) * (log2_e / head.options.temperature));
    pack_panels<tile_rows>(head.q + first * head.d_k, head.d_k, 1, count_, head.d_k, queries_);
    for (std::size_t cell = 0; cell < rounded_up(count_, tile_rows) * head.d_k; ++cell) queries_[cell] *= factor;
    std::fill_n(base_, block_queries, minus_infinity);
    std::fill_n(sum_, block_queries, 0.0);
    in_sight_ = {head.n_k, 0};
    for (std::size_t row = 0; row < count_; ++row) {
      rows_[row] = head.in_sight(first + row);
      if (rows_[row].first == rows_[row].last) continue;
      in_sight_ = {std::min(in_sight_.first, rows_[row].first), std::max(in_sight_.last, rows_[row].last)};
    }
  }

  void meet_keys(const PackedKeys& packed) {
    const std::size_t first = in_sight_.first / tile_cols * tile_cols;
    for (std::size_t key = first; key < in_sight_.last; key += block_keys) {
      const std::size_t keys = std::min(block_keys, in_sight_.last - key);
      for (std::size_t panel = 0; panel < keys; panel += tile_cols)
        for (std::size_t row = 0; row < count_; row += tile_rows)
          multiply_tile<1, tile_rows, false>(queries_ + row * head_->d_k, packed.keys(key + panel), head_->d_k,
                                             scores_ + row * block_keys + panel, block_keys);
      for (std::size_t row = 0; row < count_; ++row) weigh(row, key, keys);
      for (std::size_t col = 0; col < wide_; col += tile_cols)
        for (std::size_t row = 0; row < count_; row += tile_rows)
          add_values(scores_ + row * block_keys, packed.values(key, col), keys, key == first, row * wide_ + col);
    }
  }

  void write(const PackedKeys& packed, float* to) const {
    for (std::size_t row = 0; row < count_; ++row, to += head_->d_v) {
      const float *from = output_ + row * wide_, *lost = lost_ + row * wide_;
      const double share = 1 / sum_[row];
      for (std::size_t col = 0; col < head_->d_v; ++col)
        to[col] = static_cast<float>((static_cast<double>(from[col]) + lost[col]) * share);
      const bool is_finite = sum_[row] > 0 && zero_if_finite(to, head_->d_v) == 0;
      if (is_finite && !sees_any(row, packed.strange())) continue;
      std::fill_n(to, head_->d_v, 0.0f);
      stream_query(*head_, first_ + row, to);
    }
  }

 private:
  bool sees_any(std::size_t row, const std::vector<std::size_t>& keys) const {
    return std::any_of(keys.begin(), keys.end(), [&](std::size_t key) {
      return rows_[row].contains(key) && head_->allows(first_ + row, key);
    });
  }

  // Four rows of weights times 8 columns of values: what the output has where that tile is, or more of it.
  void add_values(const float* weights, const float* values, std::size_t keys, bool is_first, std::size_t tile) {
    float sums[tile_rows * tile_cols] = {};
    for (std::size_t key = 0; key < keys; key += few_keys)
      multiply_tile<block_keys, 1, true>(weights + key, values + key * tile_cols, std::min(few_keys, keys - key), sums,
                                         tile_cols);
    for (std::size_t row = 0; row < tile_rows; ++row)
      for (std::size_t col = 0; col < tile_cols; col += lanes) {
        const std::size_t at = tile + row * wide_ + col;
        const Vector added = load(sums + row * tile_cols + col);
        if (is_first) {
          store(output_ + at, added);
          store(lost_ + at, Vector{});
        } else {
          add_with_loss(added, output_ + at, lost_ + at);
        }
      }
  }

  // Scores of one row become weights, and what the row had so far shrinks if its base grew.
  void weigh(std::size_t row, std::size_t key, std::size_t keys) {
    float* scores = scores_ + row * block_keys;
    const std::size_t padded = rounded_up(keys, lanes);
    if (head_->options.softcap) cap(scores, keys);
    if (head_->bias) add_bias(row, key, keys, scores);
    if (head_->mask)
      forbid(head_->mask.row(first_ + row), head_->mask.stride(), head_->mask.reach(head_->n_k), key, keys, scores);
    if (head_->padding) forbid(head_->padding, 1, head_->n_k, key, keys, scores);
    forbid_outside(row, key, keys, padded, scores);

    Vector most = all(base_[row]);
    for (std::size_t at = 0; at < padded; at += lanes) most = larger(most, load(scores + at));
    const Exp2 exp2;
    if (const float maximum = largest(most); maximum > base_[row]) {
      // The first is the maximum itself, so that one key alone weighs 1. Those that follow are whole, so that from the
      // second on what there is shrinks by powers of two, and is not rounded with every block.
      const float grown = sum_[row] == 0 ? maximum : std::ceil(maximum);
      const Vector shrink = exp2(all(base_[row]) - all(grown));
      if (sum_[row] != 0)
        for (float* sums : {output_ + row * wide_, lost_ + row * wide_})
          for (std::size_t col = 0; col < wide_; col += lanes) store(sums + col, load(sums + col) * shrink);
      sum_[row] *= shrink[0];
      base_[row] = grown;
    }
    // Where nothing was to be seen so far, every power is 0.
    const Vector base = all(base_[row] == minus_infinity ? 0 : base_[row]);
    Vector total{};
    for (std::size_t first = 0; first < padded; first += few_vectors * lanes) {
      const std::size_t end = std::min(padded, first + few_vectors * lanes);
      Vector part{};
      for (std::size_t at = first; at < end; at += lanes) {
        const Vector weight = exp2(load(scores + at) - base);
        store(scores + at, weight);
        part += weight;
      }
      total += part;
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

  // A cap brings back what is beyond floats, so such a row is left to the core, which has the score in double.
  void cap(float* scores, std::size_t keys) const {
    const float cap = static_cast<float>(*head_->options.softcap);
    for (std::size_t at = 0; at < keys; ++at)
      scores[at] = std::isfinite(scores[at]) ? softcapped(scores[at], cap) * to_power_ : not_a_number;
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
  std::size_t first_ = 0, count_ = 0;
  float to_power_ = 0;
  KeyRange in_sight_{}, rows_[block_queries];
  // A weight is 2^(score − base) with no score above the base; sum_ is that of the weights.
  float base_[block_queries];
  double sum_[block_queries];
  const std::size_t wide_;
  // Queries packed [4 rows][d_k][4], what they have of the output and what its rounding took away, both [count, wide],
  // scores [count, 128].
  float *const queries_, *const output_, *const lost_, *const scores_;
};

// What the heads of a call share: lengths, and keys and values where several heads of queries have the same.
class Heads {
 public:
  explicit Heads(const Lengths& lengths)
      : scratch_(PackedKeys::room(lengths) + Block::room(lengths)),
        packed_(lengths, scratch_),
        block_(lengths, scratch_) {}

  void attend(const Head<float>& head, float* output) {
    packed_.pack(head);
    for (std::size_t first = 0; first < head.n_q; first += block_queries) {
      block_.start(head, first);
      block_.meet_keys(packed_);
      block_.write(packed_, output + first * head.d_v);
    }
  }

 private:
  Scratch scratch_;
  PackedKeys packed_;
  Block block_;
};

Lengths lengths_of(const Head<float>& head) { return {head.n_k, head.d_k, head.d_v}; }

}  // namespace

HeadResult<float> attention_of_heads(const HeadInputs<float>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  std::optional<Heads> heads;
  return outputs_of_heads(inputs, options, [&](const Head<float>& head, std::size_t, float* output) {
    if (!heads) heads.emplace(lengths_of(head));
    heads->attend(head, output);
  });
}

void attend(const Head<float>& head, float* output) { Heads(lengths_of(head)).attend(head, output); }

}  // namespace attention::fast
