// A block of queries of one head over the keys, blocks of them: what attention and its gradient share.
#pragma once

#include <algorithm>
#include <vector>

#include "fast/lengths.hpp"
#include "fast/scratch.hpp"

namespace attention::fast {

// The scores of a block of queries and keys, 16 KB, lie in the first-level cache beside a tile of each operand.
constexpr std::size_t block_queries = 16, block_keys = 256;

// Keys and values of one head, packed for the tiles; the same for all heads of queries that share them.
class PackedKeys {
 public:
  static std::uint64_t room(const Lengths& of) {
    return std::uint64_t{of.keys()} * (of.d_k + std::uint64_t{1}) + std::uint64_t{of.n_k} * of.wide();
  }

  // Where it `measures`, weights may be up to 2^56; else they are 1 or less, as gradients need them.
  PackedKeys(const Lengths& of, Scratch& scratch, bool measures)
      : of_(of),
        measures_(measures),
        keys_(scratch.take(of.keys() * of.d_k)),
        values_(scratch.take(of.n_k * of.wide())),
        longest_(scratch.take(of.keys())) {}

  // Says whether they are others than before, by where they are.
  bool pack(const Head<float>& head);

  // Keys whose value holds NaN or ∞, which a weight of 0 would not take away, or what a sum over all keys could make ∞
  // of: packed as 0.
  const std::vector<std::size_t>& strange() const { return strange_; }

  // Whether `longest` may be asked.
  bool has_lengths() const { return has_lengths_; }

  // At least the length of the longest of the first `count` keys; ∞ or NaN where that is no float.
  float longest(std::size_t count) const { return longest_[count - 1]; }

  // [d_k, 8]: the keys from `key` on, a multiple of 8, as columns.
  const float* keys(std::size_t key) const { return keys_ + key * of_.d_k; }

  // [n_k − key, 8]: 8 columns of the values from `key` on, the first of them `col`, a multiple of 8.
  const float* values(std::size_t key, std::size_t col) const { return values_ + col * of_.n_k + key * tile_cols; }

 private:
  SizeBits pack_value(const float* value, float* to) const;
  void hide(std::size_t key);
  void measure(const Rows<float>& keys);

  const Lengths of_;
  const bool measures_;
  bool has_lengths_ = false;
  float *const keys_, *const values_, *const longest_;
  const float* packed_ = nullptr;
  std::vector<std::size_t> strange_;
};

// Products of rows, packed [4 rows][depth][4], and columns for keys, packed [8 keys][depth][8]: `pairs` [rows, 256].
[[gnu::noinline]] void multiply_pairs(const float* rows, const float* keys, std::size_t depth, std::size_t count,
                                      std::size_t key_count, float* pairs);

class Block {
 public:
  static std::uint64_t room(const Lengths& of) {
    return block_queries * (std::uint64_t{of.d_k} + 2 * std::uint64_t{of.wide()} + block_keys);
  }

  // `slopes` [16, 256], where they are asked for: what a cap multiplies changes of the scaled scores with.
  Block(const Lengths& of, Scratch& scratch, float* slopes = nullptr)
      : wide_(of.wide()),
        queries_(scratch.take(block_queries * of.d_k)),
        output_(scratch.take_doubles(block_queries * wide_)),
        scores_(scratch.take(block_queries * block_keys)),
        slopes_(slopes) {}

  // The output of the queries from `first` on, as many as a block has or are left, into rows of d_v that are `stride`
  // apart.
  void attend(const Head<float>& head, std::size_t first, const PackedKeys& packed, float* output, std::size_t stride);

  std::size_t count() const { return count_; }

  // Calls visit(key, keys) for each block of keys from `key` on, a multiple of 8.
  template <class Visit>
  void for_each_block(Visit visit) const {
    for (std::size_t key = first_key(); key < in_sight_.last; key += block_keys)
      visit(key, std::min(block_keys, in_sight_.last - key));
  }

  // After `attend`, one of those blocks again: weights [count, 256], each still to be multiplied with the share of its
  // row; 0 where there is no key, up to a multiple of 4.
  const float* weights(const PackedKeys& packed, std::size_t key, std::size_t keys);

  // 0 where nothing is seen.
  double share(std::size_t row) const { return sum_[row] == 0 ? 0 : 1 / sum_[row]; }

 private:
  std::size_t first_key() const { return in_sight_.first / tile_cols * tile_cols; }
  bool has_one_block() const { return first_key() + block_keys >= in_sight_.last; }
  void start(const Head<float>& head, std::size_t first, const PackedKeys& packed);
  bool is_bounded(const KeyRange& seen, const float* query, float factor, const PackedKeys& packed) const;
  bool sees_any(std::size_t row, const std::vector<std::size_t>& keys) const;
  void add_sums(const float* sums, bool is_first, std::size_t row, std::size_t col);
  void write_sums(const float* sums, std::size_t row, std::size_t col, float* output, std::size_t stride) const;
  void write(float* output, std::size_t stride) const;
  void score(std::size_t row, std::size_t key, std::size_t keys);
  void weigh(std::size_t row, std::size_t keys);
  void raise_base(std::size_t row, float maximum);
  Vector base(std::size_t row) const;
  void forbid_outside(std::size_t row, std::size_t key, std::size_t keys, std::size_t padded, float* scores) const;
  void cap(std::size_t row, std::size_t keys) const;
  void add_bias(std::size_t row, std::size_t key, std::size_t keys, float* scores) const;

  const Head<float>* head_ = nullptr;
  std::size_t first_ = 0, count_ = 0;
  float to_power_ = 0;
  KeyRange in_sight_{}, rows_[block_queries];
  // A weight is 2^(score − base), with no score above the base but where all are bounded; sum_ is that of the weights.
  float base_[block_queries];
  bool is_bounded_[block_queries];
  double sum_[block_queries];
  float shares_[block_queries];  // that of each weight where a block sees all keys
  const std::size_t wide_;
  // Queries packed [4 rows][d_k][4], what they have of the output [count, wide], scores [count, 256].
  float* const queries_;
  double* const output_;
  float *const scores_, *const slopes_;
};

}  // namespace attention::fast
