#include "fast/block.hpp"

#include <cmath>
#include <limits>

#include "core/softcap.hpp"
#include "fast/exp2.hpp"
#include "fast/pack.hpp"

namespace attention::fast {

namespace {

// Scores within ± this need no maximum: raised by it, they make weights from 1 to 2^(2·raised).
constexpr float raised = 28;

constexpr float minus_infinity = -infinity<float>, not_a_number = std::numeric_limits<float>::quiet_NaN();

// Not copied to everywhere it is called.
[[gnu::noinline]] void forbid_all(float* from, float* to) { std::fill(from, to, minus_infinity); }

// Where `cells`, `stride` apart and for the first `reach` keys alone, are 0.
void forbid(const float* cells, std::size_t stride, std::size_t reach, std::size_t key, std::size_t keys,
            float* scores) {
  const std::size_t there = std::clamp(reach, key, key + keys) - key;
  std::size_t at = 0;
  if (stride == 1)
    for (cells += key; at + lanes <= there; at += lanes)
      store(scores + at, choose(load(cells + at) == Vector{}, all(minus_infinity), load(scores + at)));
  for (; at < there; ++at)
    if (cells[at * stride] == 0) scores[at] = minus_infinity;
  forbid_all(scores + there, scores + keys);
}

// Of `count` scores, a multiple of 4; NaN is passed over.
float largest(const float* scores, std::size_t count) {
  // Two, since every comparison waits for the one before.
  Vector most = all(minus_infinity), others = most;
  std::size_t at = 0;
  for (; at + 2 * lanes <= count; at += 2 * lanes) {
    most = larger(most, load(scores + at));
    others = larger(others, load(scores + at + lanes));
  }
  if (at < count) most = larger(most, load(scores + at));
  return fast::largest(larger(most, others));
}

// Scores become 2^power_of(score); answers their sum. `count` is a multiple of 4.
template <class PowerOf>
float powers(float* scores, std::size_t count, const Exp2& exp2, PowerOf power_of) {
  Vector total{};
  for (std::size_t first = 0; first < count; first += few_weights * lanes) {
    const std::size_t end = std::min(count, first + few_weights * lanes);
    Vector part{};
    for (std::size_t at = first; at < end; at += lanes) {
      const Vector weight = exp2(power_of(load(scores + at)));
      store(scores + at, weight);
      part += weight;
    }
    total += part;
  }
  return sum(total);
}

// An upper bound where squares are too small for floats.
float length(const float* of, std::size_t count) {
  Vector squares{};
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) squares += load(of + at) * load(of + at);
  float square = sum(squares);
  for (; at < count; ++at) square += of[at] * of[at];
  return std::sqrt(square + std::numeric_limits<float>::min());
}

// Four rows of weights times 8 columns of values: `sums` [4, 8].
void multiply_values(const float* weights, const float* values, std::size_t keys, float* sums) {
  multiply_tile<block_keys, 1, false>(weights, values, std::min(few_values, keys), sums, tile_cols);
  for (std::size_t key = few_values; key < keys; key += few_values)
    multiply_tile<block_keys, 1, true>(weights + key, values + key * tile_cols, std::min(few_values, keys - key), sums,
                                       tile_cols);
}

}  // namespace

bool PackedKeys::pack(const Head<float>& head) {
  if (packed_ == head.k.first) return false;
  packed_ = head.k.first;
  pack_panels<tile_cols>(head.k.first, head.k.stride, 1, of_.n_k, of_.d_k, keys_);
  strange_.clear();
  has_lengths_ = measures_ && of_.n_k > block_keys && are_products(head);
  const float most_weights = static_cast<float>(of_.n_k) * (has_lengths_ ? std::exp2(2 * raised + 1) : 2);
  const SizeBits most = size_bits(all(std::numeric_limits<float>::max() / most_weights));
  for (std::size_t key = 0; key < of_.n_k; ++key)
    if (any(pack_value(head.v[key], values_ + key * tile_cols) > most)) hide(key);
  if (has_lengths_) measure(head.k);
  return true;
}

// Into its place in each panel; answers the largest sizes there are.
SizeBits PackedKeys::pack_value(const float* value, float* to) const {
  SizeBits largest{};
  const auto pack = [&](Vector numbers, float* place) {
    largest = larger(largest, size_bits(numbers));
    store(place, numbers);
  };
  std::size_t col = 0;
  for (; col + tile_cols <= of_.d_v; col += tile_cols, to += of_.n_k * tile_cols) {
    pack(load(value + col), to);
    pack(load(value + col + lanes), to + lanes);
  }
  if (col < of_.d_v) {
    float rest[tile_cols] = {};
    std::copy_n(value + col, of_.d_v - col, rest);
    pack(load(rest), to);
    pack(load(rest + lanes), to + lanes);
  }
  return largest;
}

void PackedKeys::measure(const Rows<float>& keys) {
  float longest = 0;
  for (std::size_t key = 0; key < of_.n_k; ++key) {
    const float here = length(keys[key], of_.d_k);
    if (here > longest || std::isnan(here)) longest = here;  // for good where it is NaN
    longest_[key] = longest;
  }
}

void PackedKeys::hide(std::size_t key) {
  strange_.push_back(key);
  for (std::size_t col = 0; col < of_.wide(); col += tile_cols)
    std::fill_n(values_ + col * of_.n_k + key * tile_cols, tile_cols, 0.0f);
}

void multiply_pairs(const float* rows, const float* keys, std::size_t depth, std::size_t count, std::size_t key_count,
                    float* pairs) {
  for (std::size_t panel = 0; panel < key_count; panel += tile_cols)
    for (std::size_t row = 0; row < count; row += tile_rows)
      multiply_tile<1, tile_rows, false>(rows + row * depth, keys + panel * depth, depth,
                                         pairs + row * block_keys + panel, block_keys);
}

void Block::start(const Head<float>& head, std::size_t first, const PackedKeys& packed) {
  head_ = &head;
  first_ = first;
  count_ = std::min(block_queries, head.n_q - first);
  to_power_ = static_cast<float>(log2_e / head.options.temperature);
  const float factor = head.options.softcap ? scale_of(head) : power_scale(head);
  pack_panels<tile_rows>(head.q[first], head.q.stride, 1, count_, head.d_k, queries_, factor);
  std::fill_n(sum_, block_queries, 0.0);
  in_sight_ = {head.n_k, 0};
  for (std::size_t row = 0; row < count_; ++row) {
    rows_[row] = head.in_sight(first + row);
    is_bounded_[row] = is_bounded(rows_[row], head.q[first + row], factor, packed);
    base_[row] = is_bounded_[row] ? -raised : minus_infinity;
    if (rows_[row].first == rows_[row].last) continue;
    in_sight_ = {std::min(in_sight_.first, rows_[row].first), std::max(in_sight_.last, rows_[row].last)};
  }
}

void Block::attend(const Head<float>& head, std::size_t first, const PackedKeys& packed, float* output,
                   std::size_t stride) {
  start(head, first, packed);
  for_each_block([&](std::size_t key, std::size_t keys) {
    multiply_pairs(queries_, packed.keys(key), head_->d_k, count_, keys, scores_);
    for (std::size_t row = 0; row < count_; ++row) {
      score(row, key, keys);
      weigh(row, keys);
      if (has_one_block()) shares_[row] = static_cast<float>(share(row));
    }
    for (std::size_t col = 0; col < wide_; col += tile_cols)
      for (std::size_t row = 0; row < count_; row += tile_rows) {
        float sums[tile_rows * tile_cols];
        multiply_values(scores_ + row * block_keys, packed.values(key, col), keys, sums);
        if (has_one_block())
          write_sums(sums, row, col, output, stride);
        else
          add_sums(sums, key == first_key(), row, col);
      }
  });
  if (!has_one_block()) write(output, stride);
  for (std::size_t row = 0; row < count_; ++row) {
    if (sum_[row] > 0 && !sees_any(row, packed.strange())) continue;
    std::fill_n(output + row * stride, head_->d_v, 0.0f);
    stream_query(*head_, first_ + row, output + row * stride);
  }
}

const float* Block::weights(const PackedKeys& packed, std::size_t key, std::size_t keys) {
  // Those of the only block are there still.
  if (has_one_block()) return scores_;
  multiply_pairs(queries_, packed.keys(key), head_->d_k, count_, keys, scores_);
  const Exp2 exp2;
  for (std::size_t row = 0; row < count_; ++row) {
    score(row, key, keys);
    const Vector base = this->base(row);
    for (float *at = scores_ + row * block_keys, *end = at + rounded_up(keys, lanes); at < end; at += lanes)
      store(at, exp2(load(at) - base));
  }
  return scores_;
}

bool Block::sees_any(std::size_t row, const std::vector<std::size_t>& keys) const {
  return std::any_of(keys.begin(), keys.end(), [&](std::size_t key) {
    return rows_[row].contains(key) && head_->allows(first_ + row, key);
  });
}

// The sums of a tile, added to what the rows have so far.
void Block::add_sums(const float* sums, bool is_first, std::size_t row, std::size_t col) {
  for (std::size_t i = 0; i < tile_rows; ++i)
    for (std::size_t j = 0; j < tile_cols; j += lanes) {
      double* const to = output_ + (row + i) * wide_ + col + j;
      const Vector added = load(sums + i * tile_cols + j);
      const Doubles first = first_two(added), last = last_two(added);
      store(to, is_first ? first : load(to) + first);
      store(to + 2, is_first ? last : load(to + 2) + last);
    }
}

// The sums of a tile over all keys, as far as there are rows and columns.
void Block::write_sums(const float* sums, std::size_t first_row, std::size_t first_col, float* output,
                       std::size_t stride) const {
  const std::size_t rows = std::min(tile_rows, count_ - first_row), cols = std::min(tile_cols, head_->d_v - first_col);
  for (std::size_t row = 0; row < rows; ++row, sums += tile_cols) {
    const Vector share = load_all(shares_ + first_row + row);
    float* const to = output + (first_row + row) * stride + first_col;
    if (cols == tile_cols) {
      store(to, load(sums) * share);
      store(to + lanes, load(sums + lanes) * share);
    } else {
      for (std::size_t col = 0; col < cols; ++col) to[col] = sums[col] * share[0];
    }
  }
}

// What was added up over blocks.
void Block::write(float* output, std::size_t stride) const {
  for (std::size_t row = 0; row < count_; ++row) {
    const Doubles share = both(this->share(row));
    const double* const from = output_ + row * wide_;
    fill(output + row * stride, head_->d_v, [&](std::size_t col) {
      return rounded(load(from + col) * share, load(from + col + 2) * share);
    });
  }
}

// Products of one row become scores, −∞ where a key may not be seen or is none.
void Block::score(std::size_t row, std::size_t key, std::size_t keys) {
  const Pairs<float>& mask = head_->mask;
  float* scores = scores_ + row * block_keys;
  if (head_->options.softcap) cap(row, keys);
  if (head_->bias) add_bias(row, key, keys, scores);
  if (mask) forbid(mask.row(first_ + row), mask.stride(), mask.reach(head_->n_k), key, keys, scores);
  if (head_->padding) forbid(head_->padding, 1, head_->n_k, key, keys, scores);
  forbid_outside(row, key, keys, rounded_up(keys, lanes), scores);
}

// Whether no score of a row can be beyond ±`raised`, by the inequality of Cauchy and Schwarz. Only what the row sees
// has a say in it, so that nothing else changes how it is rounded.
bool Block::is_bounded(const KeyRange& seen, const float* query, float factor, const PackedKeys& packed) const {
  if (!packed.has_lengths() || seen.first > 0 || seen.last <= block_keys) return false;
  return length(query, head_->d_k) * std::abs(factor) * packed.longest(seen.last) <= raised;
}

// Scores of one row become weights.
void Block::weigh(std::size_t row, std::size_t keys) {
  float* const scores = scores_ + row * block_keys;
  const std::size_t padded = rounded_up(keys, lanes);
  if (is_bounded_[row]) {
    sum_[row] += powers(scores, padded, Exp2(raised), [](Vector score) {
      return score;
    });
    return;
  }
  raise_base(row, largest(scores, padded));
  sum_[row] += powers(scores, padded, Exp2(), [base = base(row)](Vector score) {
    return score - base;
  });
}

// What the row had so far shrinks if its base grew.
void Block::raise_base(std::size_t row, float maximum) {
  if (!(maximum > base_[row])) return;
  // The first is the maximum itself, so that one key alone weighs 1. Those that follow are whole, so that from the
  // second on what there is shrinks by powers of two, and is not rounded with every block.
  if (sum_[row] == 0) {
    base_[row] = maximum;
    return;
  }
  const float grown = std::ceil(maximum);
  const double shrink = Exp2()(all(base_[row]) - all(grown))[0];
  for (double *at = output_ + row * wide_, *end = at + wide_; at < end; at += 2) store(at, load(at) * both(shrink));
  sum_[row] *= shrink;
  base_[row] = grown;
}

// Where nothing was to be seen so far, every power is 0.
Vector Block::base(std::size_t row) const { return all(base_[row] == minus_infinity ? 0 : base_[row]); }

void Block::forbid_outside(std::size_t row, std::size_t key, std::size_t keys, std::size_t padded,
                           float* scores) const {
  const KeyRange seen = rows_[row];
  const std::size_t first = std::clamp(seen.first, key, key + keys) - key;
  const std::size_t last = std::max(first, std::clamp(seen.last, key, key + keys) - key);
  if (first > 0) forbid_all(scores, scores + first);
  if (last < padded) forbid_all(scores + last, scores + padded);
}

// A cap brings back what is beyond floats, so such a row is left to the core, which has the score in double.
void Block::cap(std::size_t row, std::size_t keys) const {
  const float cap = static_cast<float>(*head_->options.softcap);
  float* const scores = scores_ + row * block_keys;
  for (std::size_t at = 0; at < rounded_up(keys, lanes); ++at) {
    const auto [value, slope] = softcapped_with_slope(scores[at], cap);
    scores[at] = std::isfinite(scores[at]) ? value * to_power_ : not_a_number;
    if (slopes_) slopes_[row * block_keys + at] = slope;
  }
}

// A bias of −∞ forbids, whatever the score is.
void Block::add_bias(std::size_t row, std::size_t key, std::size_t keys, float* scores) const {
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
  forbid_all(scores + there, scores + keys);
}

}  // namespace attention::fast
