// Attention over few keys, as sentences of a dozen tokens have them.
#pragma once

#include <cstdint>
#include <vector>

#include "fast/lengths.hpp"
#include "fast/scratch.hpp"

namespace attention::fast {

// The heads of a call, one after the other; where keys are the same as before, so are values. Scores stand as [keys, 16
// queries], a query in each lane, so that nothing of a row is looked for across lanes; and what a tile can read where
// it is, is not packed.
class FewKeys {
 public:
  // More keys of the usual width do not stay in the first-level cache where they are, and packing them is worth it.
  static bool suits(const Head<float>& head) { return head.n_k <= 64 && are_products(head); }

  explicit FewKeys(const Lengths& of)
      : of_(of),
        scratch_(rows_of_keys() * (of.d_k + std::uint64_t{at_once}) + std::uint64_t{of.n_k} * of.wide() +
                 at_once * (of.d_k + std::uint64_t{of.wide()})),
        packed_keys_(scratch_.take(rows_of_keys() * of.d_k)),
        copied_values_(scratch_.take(of.n_k * of.wide())),
        packed_queries_(scratch_.take(at_once * of.d_k)),
        scores_(scratch_.take(rows_of_keys() * at_once)),
        output_with_edges_(scratch_.take(at_once * of.wide())) {}

  // The output of all queries of a head that suits, into rows of d_v that are `stride` apart.
  void attend(const Head<float>& head, float* output, std::size_t stride);

 private:
  static constexpr std::size_t at_once = 16;  // queries

  std::size_t rows_of_keys() const { return rounded_up(of_.n_k, tile_rows); }
  void read(const Head<float>& head);
  bool has_keys_in_place(const Head<float>& head) const;
  void copy_values(const Head<float>& head);
  void look(const Head<float>& head, std::size_t first, std::size_t count);
  void multiply_keys(const Head<float>& head, std::size_t count);
  void hide();
  Vector weigh(float* scores) const;
  bool multiply_values(std::size_t count, float* output, std::size_t stride) const;
  bool sees_any(std::size_t query, const std::vector<std::size_t>& keys) const;

  const Lengths of_;
  Scratch scratch_;
  float *const packed_keys_, *const copied_values_, *const packed_queries_, *const scores_, *const output_with_edges_;
  const float *read_ = nullptr, *values_ = nullptr;
  std::size_t value_stride_ = 0;
  // Keys whose value holds NaN or ∞, which a weight of 0 would not take away: copied as 0. Known where values are
  // copied.
  std::vector<std::size_t> strange_;
  // Of the queries that are computed now: the keys that each sees, those that any sees from a multiple of 4 on, and
  // what a weight is multiplied with.
  bool hides_ = false;
  KeyRange rows_[at_once], in_sight_{};
  float shares_[at_once];
};

}  // namespace attention::fast
