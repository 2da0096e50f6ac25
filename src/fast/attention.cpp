#include "fast/attention.hpp"

#include <vector>

#include "fast/block.hpp"

namespace attention::fast {

namespace {

// What the heads of a call share: lengths, and keys and values where several heads of queries have the same.
class Heads {
 public:
  explicit Heads(const Lengths& lengths)
      : scratch_(PackedKeys::room(lengths) + Block::room(lengths)),
        packed_(lengths, scratch_),
        block_(lengths, scratch_) {}

  // Where other keys or values stand where those before were.
  void forget_keys() { packed_.forget(); }

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

// Where the rows of one head are among those of all.
struct Rows {
  std::size_t first, stride;
};

Rows rows_of(const HeadsLayout& layout, std::size_t batch, std::size_t head, std::size_t heads, std::size_t tokens,
             std::size_t cols) {
  if (layout.side_by_side) return {batch * tokens * heads * cols + head * cols, heads * cols};
  return {(batch * heads + head) * tokens * cols, cols};
}

// The rows one behind the other: as they are, or copied into `room`.
const float* gathered(const float* all, Rows rows, std::size_t count, std::size_t cols, std::vector<float>& room) {
  const float* from = all + rows.first;
  if (rows.stride == cols) return from;
  room.resize(count * cols);
  for (std::size_t row = 0; row < count; ++row, from += rows.stride) std::copy_n(from, cols, room.data() + row * cols);
  return room.data();
}

}  // namespace

HeadResult<float> attention_of_heads(const HeadInputs<float>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  std::optional<Heads> heads;
  return outputs_of_heads(inputs, options, [&](const Head<float>& head, std::size_t, float* output) {
    if (!heads) heads.emplace(Lengths(head));
    heads->attend(head, output);
  });
}

void attend_heads(const HeadsLayout& of, const AttentionOptions& options, const float* q, const float* k,
                  const float* v, float* output) {
  std::vector<float> queries, keys, values, outputs;
  Head<float> each{
      of.n_q,  of.n_k, of.d_k, of.d_v, nullptr, nullptr, nullptr, {std::nullopt, 0, 0}, {std::nullopt, 0, 0},
      nullptr, options};
  Heads heads((Lengths(each)));
  for (std::size_t batch = 0; batch < of.batches; ++batch)
    for (std::size_t head = 0; head < of.heads; ++head) {
      const std::size_t group = of.heads / of.kv_heads;
      if (head % group == 0) {
        each.k = gathered(k, rows_of(of, batch, head / group, of.kv_heads, of.n_k, of.d_k), of.n_k, of.d_k, keys);
        each.v = gathered(v, rows_of(of, batch, head / group, of.kv_heads, of.n_k, of.d_v), of.n_k, of.d_v, values);
        heads.forget_keys();
      }
      each.q = gathered(q, rows_of(of, batch, head, of.heads, of.n_q, of.d_k), of.n_q, of.d_k, queries);
      const Rows to = rows_of(of, batch, head, of.heads, of.n_q, of.d_v);
      if (to.stride == of.d_v) {
        heads.attend(each, output + to.first);
        continue;
      }
      outputs.resize(of.n_q * of.d_v);
      heads.attend(each, outputs.data());
      for (std::size_t row = 0; row < of.n_q; ++row)
        std::copy_n(outputs.data() + row * of.d_v, of.d_v, output + to.first + row * to.stride);
    }
}

}  // namespace attention::fast
