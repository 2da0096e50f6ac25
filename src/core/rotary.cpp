#include "core/rotary.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/frequency.hpp"
#include "core/sine_cosine.hpp"

namespace attention {

namespace {

// How the heads of x lie in memory.
struct HeadLayout {
  std::size_t batches, heads, tokens, width;
  bool packed;

  std::size_t first_of(std::size_t batch, std::size_t head, std::size_t token) const {
    return (packed ? (batch * tokens + token) * heads + head : (batch * heads + head) * tokens + token) * width;
  }
};

template <class Real>
HeadLayout layout_of(const Tensor<Real>& x, const std::optional<std::size_t>& heads) {
  const std::size_t axes = x.dimension();
  if (axes < 2 || axes > 4)
    throw AttentionError("bad-rank", "x", "x " + shape_text(x) + " must be [n, d], [h, n, d] or [b, h, n, d]");
  const std::size_t last = x.shape(axes - 1), before = x.shape(axes - 2);
  if (!heads || axes == 4) {
    const HeadLayout layout{axes == 4 ? x.shape(0) : 1, axes > 2 ? x.shape(axes - 3) : 1, before, last, false};
    if (heads && *heads != layout.heads)
      throw AttentionError(
          "dimension-mismatch", "heads",
          "x " + shape_text(x) + " has " + std::to_string(layout.heads) + " heads, not " + std::to_string(*heads));
    return layout;
  }
  if (*heads == 0 || last % *heads != 0)
    throw AttentionError(
        "dimension-mismatch", "heads",
        "the last axis of x " + shape_text(x) + " cannot be cut into " + std::to_string(*heads) + " heads");
  return {axes == 3 ? x.shape(0) : 1, *heads, before, last / *heads, true};
}

// The cosines and sines of all turns: pair i of a token in a batch is at (batch·tokens + token)·pairs + i.
template <class Real>
struct Turns {
  std::vector<Real> cosine, sine;
};

// The position of every token of every batch.
template <class Real>
std::vector<double> positions_of(const RotaryInputs<Real>& inputs, const HeadLayout& layout) {
  const std::size_t n = layout.tokens;
  std::vector<double> result(layout.batches * n);
  if (!inputs.positions) {
    for (std::size_t at = 0; at < result.size(); ++at) result[at] = static_cast<double>(at % n);
    return result;
  }
  const Tensor<double>& given = *inputs.positions;
  const bool for_all = given.dimension() == 1 && given.shape(0) == n;
  if (!for_all && !(given.dimension() == 2 && given.shape(0) == layout.batches && given.shape(1) == n))
    throw AttentionError("dimension-mismatch", "positions",
                         "positions " + shape_text(given) + " do not fit x " + shape_text(inputs.x) + ": it needs [" +
                             std::to_string(n) + "] or [" + std::to_string(layout.batches) + ", " + std::to_string(n) +
                             "]");
  for (std::size_t at = 0; at < result.size(); ++at) {
    result[at] = given.data()[for_all ? at % n : at];
    require_position(result[at]);
  }
  return result;
}

template <class Real>
Turns<Real> computed(const std::vector<double>& positions, std::size_t pairs, double base) {
  if (positions.empty()) return {};
  Turns<Real> turns{std::vector<Real>(positions.size() * pairs), std::vector<Real>(positions.size() * pairs)};
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const double divisor = angle_divisor(pair, 2 * pairs, base);
    for (std::size_t at = 0; at < positions.size(); ++at) {
      const SineCosine both = sine_cosine(positions[at] / divisor);
      turns.cosine[at * pairs + pair] = static_cast<Real>(both.cosine);
      turns.sine[at * pairs + pair] = static_cast<Real>(both.sine);
    }
  }
  return turns;
}

// From caches with a row for each position.
template <class Real>
Turns<Real> looked_up(const RotaryInputs<Real>& inputs, const std::vector<double>& positions, std::size_t pairs) {
  const Tensor<Real>&cosine = *inputs.cosine, &sine = *inputs.sine;
  const std::size_t rows = cosine.shape(0);
  Turns<Real> turns;
  for (double position : positions) {
    if (!(position >= 0 && position < static_cast<double>(rows) && position == std::floor(position)))
      throw AttentionError(inputs.positions ? "bad-position" : "dimension-mismatch",
                           inputs.positions ? "positions" : "cos",
                           "cos " + shape_text(cosine) + " has no row for every position of x " + shape_text(inputs.x) +
                               ": positions must be whole numbers from 0 and below " + std::to_string(rows));
    const std::size_t first = static_cast<std::size_t>(position) * pairs;
    turns.cosine.insert(turns.cosine.end(), cosine.data() + first, cosine.data() + first + pairs);
    turns.sine.insert(turns.sine.end(), sine.data() + first, sine.data() + first + pairs);
  }
  return turns;
}

template <class Real>
Turns<Real> turns_of(const RotaryInputs<Real>& inputs, const HeadLayout& layout, std::size_t pairs, double base) {
  if (inputs.cosine.has_value() != inputs.sine.has_value())
    throw AttentionError("missing", inputs.cosine ? "sin" : "cos", "cos and sin must be given together");
  if (!inputs.cosine) return computed<Real>(positions_of(inputs, layout), pairs, base);

  const Tensor<Real>&cosine = *inputs.cosine, &sine = *inputs.sine;
  if (cosine.shape() != sine.shape())
    throw AttentionError("dimension-mismatch", "sin",
                         "sin " + shape_text(sine) + " must have the shape of cos " + shape_text(cosine));
  const std::size_t axes = cosine.dimension();
  const bool for_tokens =
      axes == 3 && !inputs.positions && cosine.shape(0) == layout.batches && cosine.shape(1) == layout.tokens;
  if (!(axes == 2 || for_tokens) || cosine.shape(axes - 1) != pairs) {
    const std::string end = std::to_string(pairs) + "]";
    throw AttentionError("dimension-mismatch", "cos",
                         "cos " + shape_text(cosine) + " does not fit x " + shape_text(inputs.x) +
                             ": it needs [positions, " + end + ", or without positions [" +
                             std::to_string(layout.batches) + ", " + std::to_string(layout.tokens) + ", " + end);
  }
  if (for_tokens) return {{cosine.begin(), cosine.end()}, {sine.begin(), sine.end()}};
  return looked_up(inputs, positions_of(inputs, layout), pairs);
}

template <class Real>
std::size_t rotary_dim_of(const Tensor<Real>& x, std::size_t width, const std::optional<std::size_t>& rotary_dim) {
  const std::size_t r = rotary_dim.value_or(width);
  if (r < 2 || r > width || r % 2 != 0)
    throw AttentionError("bad-rotary-dim", "rotaryDim",
                         "rotaryDim " + std::to_string(r) + " must be even and from 2 to the width of a head, " +
                             std::to_string(width) + " for x " + shape_text(x));
  return r;
}

}  // namespace

template <class Real>
Tensor<Real> rotary(const RotaryInputs<Real>& inputs, const RotaryOptions& options) {
  require_base(options.base);
  const HeadLayout layout = layout_of(inputs.x, options.heads);
  const std::size_t pairs = rotary_dim_of(inputs.x, layout.width, options.rotary_dim) / 2;
  const Turns<Real> turns = turns_of(inputs, layout, pairs, options.base);
  const std::size_t step = options.interleaved ? 2 : 1, partner = options.interleaved ? 1 : pairs;

  Tensor<Real> result = inputs.x;
  for (std::size_t batch = 0; batch < layout.batches; ++batch)
    for (std::size_t head = 0; head < layout.heads; ++head)
      for (std::size_t token = 0; token < layout.tokens; ++token) {
        Real* numbers = result.data() + layout.first_of(batch, head, token);
        const std::size_t first = (batch * layout.tokens + token) * pairs;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
          const Real cosine = turns.cosine[first + pair], sine = turns.sine[first + pair];
          Real &u = numbers[pair * step], &v = numbers[pair * step + partner];
          const Real was = u;
          u = was * cosine - v * sine;
          v = was * sine + v * cosine;
        }
      }
  return result;
}

template Tensor<float> rotary(const RotaryInputs<float>&, const RotaryOptions&);
template Tensor<double> rotary(const RotaryInputs<double>&, const RotaryOptions&);

}  // namespace attention
