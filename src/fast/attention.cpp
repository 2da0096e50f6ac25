#include "fast/attention.hpp"

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

}  // namespace

HeadResult<float> attention_of_heads(const HeadInputs<float>& inputs, const AttentionOptions& options) {
  validate(inputs, options);
  std::optional<Heads> heads;
  return outputs_of_heads(inputs, options, [&](const Head<float>& head, std::size_t, float* output) {
    if (!heads) heads.emplace(Lengths(head));
    heads->attend(head, output);
  });
}

void attend(const Head<float>& head, float* output) { Heads(Lengths(head)).attend(head, output); }

}  // namespace attention::fast
