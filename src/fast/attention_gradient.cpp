#include "fast/attention_gradient.hpp"

#include "fast/block.hpp"
#include "fast/pack.hpp"

namespace attention::fast {

namespace {

// Keys and values as the gradients read them.
class TurnedKeys {
 public:
  static std::uint64_t room(const Lengths& of) {
    return std::uint64_t{of.n_k} * of.wide_key() + std::uint64_t{of.keys()} * of.d_v;
  }

  TurnedKeys(const Lengths& of, Scratch& scratch)
      : of_(of), keys_(scratch.take(of.n_k * of.wide_key())), values_(scratch.take(of.keys() * of.d_v)) {}

  [[clang::minsize]] void pack(const Head<float>& head) {
    pack_panels<tile_cols>(head.k.first, 1, head.k.stride, of_.d_k, of_.n_k, keys_);
    pack_panels<tile_cols>(head.v.first, head.v.stride, 1, of_.n_k, of_.d_v, values_);
  }

  // [n_k − key, 8]: 8 columns of the keys from `key` on.
  const float* keys(std::size_t key, std::size_t col) const { return keys_ + col * of_.n_k + key * tile_cols; }

  // [d_v, 8]: the values from `key` on, as columns.
  const float* values(std::size_t key) const { return values_ + key * of_.d_v; }

 private:
  const Lengths of_;
  float *const keys_, *const values_;
};

// What the heads of a call share. Nearly all time goes into meet_keys and what it calls; the rest is compiled to be
// small.
class Gradients {
 public:
  [[clang::minsize]] explicit Gradients(const Lengths& of)
      : of_(of),
        scratch_(room(of)),
        slopes_(take_pairs()),
        packed_(of, scratch_, false),
        turned_(of, scratch_),
        block_(of, scratch_, slopes_),
        changes_(take_pairs()),
        given_(scratch_.take(block_queries * of.d_v)),
        given_rows_(scratch_.take(block_queries * of.d_v)),
        given_cols_(scratch_.take(block_queries * of.wide())),
        queries_(scratch_.take(block_queries * of.wide_key())),
        q_(scratch_.take(block_queries * of.wide_key())),
        k_(scratch_.take(of.keys() * of.wide_key())),
        v_(scratch_.take(of.keys() * of.wide())) {}

  [[clang::minsize]] void add(const Head<float>& head, const float* output_gradient, const HeadSums<float>& sums) {
    if (packed_.pack(head)) turned_.pack(head);
    std::fill_n(k_, of_.keys() * of_.wide_key(), 0.0f);
    std::fill_n(v_, of_.keys() * of_.wide(), 0.0f);
    factor_ = static_cast<float>(scale_of(head) / head.options.temperature);
    for (std::size_t first = 0; first < head.n_q; first += block_queries)
      add_block(head, first, output_gradient + first * of_.d_v, sums.q + first * of_.d_k);
    for (std::size_t cell = 0; cell < of_.keys() * of_.wide_key(); ++cell) k_[cell] *= factor_;

    const float zero = zero_if_finite(sums.q, head.n_q * of_.d_k) + zero_if_finite(k_, of_.keys() * of_.wide_key()) +
                       zero_if_finite(v_, of_.keys() * of_.wide());
    if (zero != 0) {
      std::fill_n(sums.q, head.n_q * of_.d_k, 0.0f);
      attention::add_gradient(head, output_gradient, sums);
      return;
    }
    add_rows(k_, of_.wide_key(), of_.d_k, sums.k);
    add_rows(v_, of_.wide(), of_.d_v, sums.v);
  }

 private:
  static std::uint64_t room(const Lengths& of) {
    const std::uint64_t wide = of.wide(), wide_key = of.wide_key(), keys = of.keys();
    return PackedKeys::room(of) + TurnedKeys::room(of) + Block::room(of) + keys * (wide_key + wide) +
           block_queries * (2 * block_keys + 2 * std::uint64_t{of.d_v} + wide + 2 * wide_key);
  }

  float* take_pairs() { return scratch_.take(block_queries * block_keys); }

  [[clang::minsize]] void add_block(const Head<float>& head, std::size_t first, const float* output_gradient,
                                    float* q) {
    block_.attend(head, first, packed_, given_, of_.d_v);
    const std::size_t count = block_.count();
    // Weights are not divided by their sum; what they meet is.
    for (std::size_t row = 0; row < count; ++row) {
      const double share = block_.share(row);
      double mean = 0;
      for (std::size_t col = 0; col < of_.d_v; ++col) {
        float& cell = given_[row * of_.d_v + col];
        const double given = output_gradient[row * of_.d_v + col];
        mean += given * cell;
        cell = static_cast<float>(given * share);
      }
      means_[row] = static_cast<float>(mean * share);
    }
    pack_panels<tile_rows>(given_, of_.d_v, 1, count, of_.d_v, given_rows_);
    pack_panels<tile_cols>(given_, 1, of_.d_v, of_.d_v, count, given_cols_);
    pack_panels<tile_cols>(head.q[first], 1, head.q.stride, of_.d_k, count, queries_);
    std::fill_n(q_, block_queries * of_.wide_key(), 0.0f);
    block_.for_each_block([&](std::size_t key, std::size_t keys) {
      meet_keys(key, keys, head.options.softcap.has_value());
    });
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t col = 0; col < of_.d_k; ++col) q[row * of_.d_k + col] = q_[row * of_.wide_key() + col] * factor_;
  }

  [[gnu::noinline]] void meet_keys(std::size_t key, std::size_t keys, bool is_capped) {
    const float* const weights = block_.weights(packed_, key, keys);
    const std::size_t count = block_.count();
    multiply_pairs(given_rows_, turned_.values(key), of_.d_v, count, keys, changes_);
    for (std::size_t row = 0; row < count; ++row) {
      const Vector mean = all(means_[row]);
      for (std::size_t at = row * block_keys, end = at + rounded_up(keys, lanes); at < end; at += lanes) {
        Vector change = load(weights + at) * (load(changes_ + at) - mean);
        if (is_capped) change *= load(slopes_ + at);
        store(changes_ + at, change);
      }
    }
    add_to_keys(weights, given_cols_, key, keys, of_.wide(), v_);
    add_to_keys(changes_, queries_, key, keys, of_.wide_key(), k_);
    for (std::size_t col = 0; col < of_.wide_key(); col += tile_cols)
      for (std::size_t row = 0; row < count; row += tile_rows)
        multiply_tile<block_keys, 1, true>(changes_ + row * block_keys, turned_.keys(key, col), keys,
                                           q_ + row * of_.wide_key() + col, of_.wide_key());
  }

  // sums [n_k, wide] += pairsᵀ·rows, of pairs [count, 256] and rows in panels of 8 columns.
  [[gnu::noinline]] void add_to_keys(const float* pairs, const float* rows, std::size_t key, std::size_t keys,
                                     std::size_t wide, float* sums) {
    const std::size_t count = block_.count();
    for (std::size_t col = 0; col < wide; col += tile_cols)
      for (std::size_t at = 0; at < keys; at += tile_rows)
        multiply_tile<1, block_keys, true>(pairs + at, rows + col * count, count, sums + (key + at) * wide + col, wide);
  }

  [[clang::minsize]] void add_rows(const float* rows, std::size_t wide, std::size_t cols, float* sums) const {
    for (std::size_t key = 0; key < of_.n_k; ++key, rows += wide, sums += cols)
      for (std::size_t col = 0; col < cols; ++col) sums[col] += rows[col];
  }

  const Lengths of_;
  Scratch scratch_;
  float* const slopes_;
  PackedKeys packed_;
  TurnedKeys turned_;
  Block block_;
  float factor_ = 0;
  // How much the loss changes with the weights, on average over a row; already times the share of the row.
  float means_[block_queries];
  // How much it changes with the weights, then with the scores [count, 256]; the gradient of the output times the share
  // of its row [count, d_v], and packed [4 rows][d_v][4] and [8 cols][count][8]; queries as the latter; the gradients
  // of the queries of a block, of keys and of values.
  float *const changes_, *const given_, *const given_rows_, *const given_cols_, *const queries_,
                                                                                    *const q_, *const k_, *const v_;
};

}  // namespace

[[clang::minsize]] HeadGradients<float> attention_gradient_of_heads(const HeadInputs<float>& inputs,
                                                                    const Tensor<float>& output_gradient,
                                                                    const AttentionOptions& options) {
  std::optional<Gradients> gradients;
  return gradients_of_heads(inputs, output_gradient, options,
                            [&](const Head<float>& head, const float* given, const HeadSums<float>& sums) {
                              if (!gradients) gradients.emplace(Lengths(head));
                              gradients->add(head, given, sums);
                            });
}

void add_gradient(const Head<float>& head, const float* output_gradient, const HeadSums<float>& sums) {
  Gradients(Lengths(head)).add(head, output_gradient, sums);
}

}  // namespace attention::fast
