// Prints what the core computes for numbers drawn from a seed, every function and every step of every tape, exactly:
// one line for each tensor, its name and its numbers in hexadecimal. Built natively and as WebAssembly; compare.mjs
// holds the two against each other.
#include <cstdio>
#include <string>

#include "core/alibi.hpp"
#include "core/gelu.hpp"
#include "core/gradient.hpp"
#include "core/heads.hpp"
#include "core/log_softmax.hpp"
#include "core/matrices.hpp"
#include "core/normalization.hpp"
#include "core/positional.hpp"
#include "core/product.hpp"
#include "core/recurrent.hpp"
#include "core/rotary.hpp"

namespace attention {
namespace {

template <class Numbers>
void print(const std::string& name, const Numbers& numbers) {
  std::printf("%s", name.c_str());
  for (double number : numbers) std::printf(" %a", number);
  std::printf("\n");
}

template <class Real>
void print_tape(const std::string& name, const Tape<Real>& tape) {
  for (const Step<Real>& step : tape.steps()) print(name + "/" + step.key, step.value);
}

template <class Real>
void print_with_gradient(const std::string& name, Tape<Real> tape, const char* of, const char* wrt) {
  if (tape.value(*tape.find(of)).size() > 0) record_gradient(tape, *tape.find(of), 0, 0, *tape.find(wrt));
  print_tape(name, tape);
}

AttentionOptions drawn_options(Random& random) {
  AttentionOptions options;
  if (random.whole(0, 1) == 1) options.scale = random.number(-2, 2);
  if (random.whole(0, 2) == 0) options.softcap = random.number(0.5, 5);
  if (random.whole(0, 1) == 1) options.temperature = random.number(0.1, 4);
  options.sight.causal = static_cast<Causal>(random.whole(0, 2));
  if (random.whole(0, 3) == 0) options.sight.window = Window{random.whole(0, 3), random.whole(0, 3)};
  options.softmax = static_cast<SoftmaxKind>(random.whole(0, 1));
  options.empty_row = random.whole(0, 1) == 0 ? EmptyRow::zero : EmptyRow::uniform;
  return options;
}

template <class Real>
void print_tapes(Random& random, const std::string& round) {
  const std::size_t n_q = random.whole(1, 8), n_k = random.whole(1, 8), d_k = random.whole(1, 16);
  const AttentionInputs<Real> inputs{random.matrix<Real>(n_q, d_k), random.matrix<Real>(n_k, d_k),
                                     random.matrix<Real>(n_k, random.whole(1, 5)), random.mask<Real>(n_q, n_k),
                                     random.matrix<Real>(n_q, n_k)};
  const AttentionOptions options = drawn_options(random);
  print_with_gradient(round + "attention", attention_tape(inputs, options), "output", "Q");
  PositionOptions positions;
  positions.encoding = static_cast<Encoding>(random.whole(0, 3));
  positions.combine = random.whole(0, 1) == 0 ? Combine::add : Combine::concatenate;
  positions.width = d_k;
  positions.sinusoidal = {random.number(1, 1e5), random.whole(0, 1) == 0 ? Layout::interleaved : Layout::halves,
                          random.number(-5, 50)};
  print_with_gradient(round + "positional", positional_tape(inputs.q, positions, options), "output", "X");
  const SoftmaxOptions softmax{random.number(-3, 3), random.number(-3, 3), random.number(0.1, 3), SoftmaxKind::stable,
                               true};
  print_with_gradient(round + "softmax", softmax_tape(random.matrix<Real>(2, 6, -50, 50), softmax), "weights", "x");
  print_tape(round + "recurrent", recurrent_tape(random.matrix<Real>(6, 1), random.number(-1, 1)));
}

template <class Real>
void print_heads(Random& random, const std::string& round) {
  const std::size_t b = random.whole(1, 2), g = random.whole(1, 2), h = g * random.whole(1, 2);
  const std::size_t n_q = random.whole(0, 9), n_k = random.whole(0, 9), d_k = random.whole(1, 20);
  HeadInputs<Real> inputs;
  inputs.q = random.template tensor<Real>({b, h, n_q, d_k}, -3, 3);
  inputs.k = random.template tensor<Real>({b, g, n_k, d_k}, -3, 3);
  inputs.v = random.template tensor<Real>({b, g, n_k, random.whole(1, 6)}, -3, 3);
  if (random.whole(0, 1) == 1) inputs.bias = random.template tensor<Real>({h, n_q, n_k}, -3, 3);
  if (random.whole(0, 1) == 1) inputs.mask = random.template mask_tensor<Real>({n_q, n_k});
  if (random.whole(0, 2) == 0) inputs.padding = random.template mask_tensor<Real>({b, n_k});
  if (random.whole(0, 2) == 0)
    for (std::size_t batch = 0; batch < b; ++batch) inputs.lengths.push_back(random.whole(0, n_k));
  AttentionOptions options = drawn_options(random);
  options.softmax = SoftmaxKind::stable;
  for (Keep keep : {Keep::scaled, Keep::softcapped, Keep::masked, Keep::weights}) {
    const HeadResult<Real> result = attention_of_heads(inputs, options, keep);
    print(round + "heads/output", result.output);
    print(round + "heads/kept", *result.kept);
  }
  print(round + "streaming", streaming_attention(inputs, options));
}

template <class Real>
void print_functions(Random& random, const std::string& round) {
  const std::size_t n = random.whole(1, 6), d = 2 * random.whole(1, 8);
  const Matrix<Real> rows = random.matrix<Real>(n, d, -20, 20);
  print(round + "softmax-rows", softmax_rows(rows, random.number(0.1, 3), SoftmaxKind::stable));
  print(round + "log-softmax", log_softmax_rows(rows));
  const Tensor<Real> x = random.template tensor<Real>({n, d}, -3, 3), scale = random.template tensor<Real>({d}, -3, 3),
                     bias = random.template tensor<Real>({d}, -3, 3);
  const LayerNorm<Real> normalized = layer_norm<Real>({x, scale, bias}, 1, 1e-5);
  print(round + "layer-norm", normalized.output);
  print(round + "layer-norm/mean", normalized.mean);
  print(round + "layer-norm/inverse-deviation", normalized.inverse_deviation);
  print(round + "rms-norm", rms_norm<Real>(x, scale, 1, 1e-5));
  print(round + "gelu", gelu(x, GeluKind::exact));
  print(round + "gelu/tanh", gelu(x, GeluKind::tanh));
  // Arguments of a call are computed in no order that is the same everywhere: what is drawn has names.
  const Tensor<Real> left = random.template tensor<Real>({2, n, d}, -3, 3),
                     right = random.template tensor<Real>({d, 3}, -3, 3);
  print(round + "matmul", matmul(left, right));
  print(round + "rotary", rotary<Real>({x, std::nullopt, std::nullopt, std::nullopt}, {.base = random.number(1, 1e5)}));
  print(round + "rotary/interleaved",
        rotary<Real>({x, std::nullopt, std::nullopt, std::nullopt}, {.interleaved = true}));
  print(round + "alibi", alibi_slopes<Real>(random.whole(1, 40)));
  print(round + "sinusoidal", sinusoidal<Real>({0, 1, 2.5, 1000, -7}, d, {.base = random.number(1, 1e5)}));
}

template <class Real>
void print_all(const std::string& precision) {
  for (int round = 0; round < 400; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const std::string name = precision + "/" + std::to_string(round) + "/";
    print_tapes<Real>(random, name);
    print_heads<Real>(random, name);
    print_functions<Real>(random, name);
  }
}

}  // namespace
}  // namespace attention

int main() {
  attention::print_all<double>("float64");
  attention::print_all<float>("float32");
}
