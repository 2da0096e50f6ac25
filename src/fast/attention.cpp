#include "fast/attention.hpp"

#include "fast/block.hpp"
#include "fast/few_keys.hpp"

namespace attention::fast {

namespace {

// What the heads of a call share: lengths, and keys and values where several heads of queries have the same.
class ManyKeys {
 public:
  explicit ManyKeys(const Lengths& of)
      : scratch_(PackedKeys::room(of) + Block::room(of)), packed_(of, scratch_, true), block_(of, scratch_) {}

  void attend(const Head<float>& head, float* output, std::size_t stride) {
    packed_.pack(head);
    for (std::size_t first = 0; first < head.n_q; first += block_queries)
      block_.attend(head, first, packed_, output + first * stride, stride);
  }

 private:
  Scratch scratch_;
  PackedKeys packed_;
  Block block_;
};

// The heads of a call: all are of the same kind.
class Heads {
 public:
  // Into rows that are `stride` apart.
  void attend(const Head<float>& head, float* output, std::size_t stride) {
    if (FewKeys::suits(head))
      made(few_, head).attend(head, output, stride);
    else
      made(many_, head).attend(head, output, stride);
  }

 private:
  template <class Kind>
  static Kind& made(std::optional<Kind>& kind, const Head<float>& head) {
    return kind ? *kind : kind.emplace(Lengths(head));
  }

  std::optional<FewKeys> few_;
  std::optional<ManyKeys> many_;
};

// Where the rows of one head are among those of all.
struct Place {
  std::size_t first, stride;
};

Place place_of(const HeadsLayout& layout, std::size_t batch, std::size_t head, std::size_t heads, std::size_t tokens,
               std::size_t cols) {
  if (layout.side_by_side) return {batch * tokens * heads * cols + head * cols, heads * cols};
  return {(batch * heads + head) * tokens * cols, cols};
}

Rows<float> rows_at(const float* all, Place place) { return {all + place.first, place.stride}; }

}  // namespace

HeadResult<float> attention_of_heads(const HeadInputs<float>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  Heads heads;
  return outputs_of_heads(inputs, options, [&](const Head<float>& head, std::size_t, float* output) {
    heads.attend(head, output, head.d_v);
  });
}

void attend_heads(const HeadsLayout& of, const AttentionOptions& options, const float* q, const float* k,
                  const float* v, float* output) {
  Head<float> each{of.n_q,  of.n_k, of.d_k, of.d_v, {}, {}, {}, {std::nullopt, 0, 0}, {std::nullopt, 0, 0},
                   nullptr, options};
  Heads heads;
  for (std::size_t batch = 0; batch < of.batches; ++batch)
    for (std::size_t head = 0; head < of.heads; ++head) {
      const std::size_t shared = head / (of.heads / of.kv_heads);
      each.q = rows_at(q, place_of(of, batch, head, of.heads, of.n_q, of.d_k));
      each.k = rows_at(k, place_of(of, batch, shared, of.kv_heads, of.n_k, of.d_k));
      each.v = rows_at(v, place_of(of, batch, shared, of.kv_heads, of.n_k, of.d_v));
      const Place to = place_of(of, batch, head, of.heads, of.n_q, of.d_v);
      heads.attend(each, output + to.first, to.stride);
    }
}

}  // namespace attention::fast
