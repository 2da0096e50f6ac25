// Any call of attention over heads, drawn.
#pragma once

#include "core/heads.hpp"
#include "core/matrices.hpp"

namespace attention {

template <class Real>
struct Configuration {
  HeadInputs<Real> inputs;
  AttentionOptions options;
};

// The largest sizes that are drawn.
struct Sizes {
  std::size_t tokens = 4, width = 4, cached = 3;
};

// Any combination of what can be given.
template <class Real>
Configuration<Real> configuration(Random& random, const Sizes& sizes) {
  const std::size_t b = random.whole(1, 3), g = random.whole(1, 3), h = g * random.whole(1, 3);
  const std::size_t n_q = random.whole(0, sizes.tokens), n_new = random.whole(0, sizes.tokens),
                    d_k = random.whole(1, sizes.width);
  const std::size_t d_v = random.whole(1, sizes.width),
                    n_c = random.whole(0, 2) == 0 ? random.whole(0, sizes.cached) : 0;
  const auto sometimes = [&] {
    return random.whole(0, 2) == 0;
  };
  Configuration<Real> result;
  HeadInputs<Real>& inputs = result.inputs;
  inputs.q = random.template tensor<Real>({b, h, n_q, d_k});
  inputs.k = random.template tensor<Real>({b, g, n_new, d_k});
  inputs.v = random.template tensor<Real>({b, g, n_new, d_v});
  const std::size_t n_k = n_c + n_new;
  const auto pairs_shape = [&] {
    std::vector<std::size_t> shape{sometimes() ? b : 1, sometimes() ? h : 1, sometimes() ? n_q : 1,
                                   sometimes() ? random.whole(0, n_k) : n_k};
    shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(shape[0] == 1 ? random.whole(0, 1) : 0));
    return shape;
  };
  if (sometimes()) inputs.mask = random.template mask_tensor<Real>(pairs_shape());
  if (sometimes()) {
    inputs.bias = random.template tensor<Real>(pairs_shape());
    for (Real& cell : *inputs.bias)
      if (random.whole(0, 3) == 0) cell = -infinity<Real>;
  }
  if (sometimes()) inputs.padding = random.template mask_tensor<Real>({sometimes() ? b : 1, n_k});
  if (n_c > 0) {
    inputs.past_key = random.template tensor<Real>({b, g, n_c, d_k});
    inputs.past_value = random.template tensor<Real>({b, g, n_c, d_v});
  } else if (sometimes()) {
    for (std::size_t batch = 0; batch < b; ++batch) inputs.lengths.push_back(random.whole(0, n_k));
  }
  AttentionOptions& options = result.options;
  if (sometimes()) options.scale = random.number(-1, 1);
  if (sometimes()) options.softcap = random.number(0.5, 3);
  if (sometimes()) options.temperature = random.number(0.5, 2);
  options.sight.causal = static_cast<Causal>(random.whole(0, 2));
  if (sometimes())
    options.sight.window =
        Window{sometimes() ? std::nullopt : std::optional<std::size_t>(random.whole(0, sizes.tokens - 1)),
               sometimes() ? std::nullopt : std::optional<std::size_t>(random.whole(0, sizes.tokens - 1))};
  options.empty_row = static_cast<EmptyRow>(random.whole(0, 2));
  return result;
}

}  // namespace attention
