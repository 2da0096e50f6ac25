// Where a token stands, as numbers that attention can see: it does not know the order of its rows by itself.
#pragma once

#include <cstddef>
#include <vector>

#include "core/attention.hpp"

namespace attention {

// An encoding of more numbers than this is refused: 2²², eight times 1024 positions of 512.
constexpr std::size_t most_encoded = std::size_t(1) << 22;

struct SinusoidalOptions {
  double base = 10000;                  // finite, at least 1, so that no angle is larger than its position
  Layout layout = Layout::interleaved;  // halves: all ⌈d/2⌉ sines first, then the ⌊d/2⌋ cosines
  double offset = 0;                    // added to every position
};

// PE(pos, 2r) = sin(pos/base^(2r/d)), PE(pos, 2r+1) = cos(pos/base^(2r/d)), one row for each position, [n, d_model]
// (Vaswani et al. 2017, section 3.5). With an odd d the last sine has no cosine. A cell is computed in double and then
// rounded to Real; in double it is within 2e-15·(1 + |pos|) for base ≤ 1e6. Throws AttentionError for a position
// that, with the offset, is not finite or beyond 2⁵³, an offset that is not finite, a base below 1 or not finite,
// d_model = 0, and more than `most_encoded` numbers.
template <class Real>
Matrix<Real> sinusoidal(const std::vector<double>& positions, std::size_t d_model, const SinusoidalOptions& options);

enum class Encoding { none, sinusoidal };
enum class Combine { add, concatenate };

struct PositionOptions {
  Encoding encoding = Encoding::sinusoidal;
  SinusoidalOptions sinusoidal;
  Combine combine = Combine::add;
  std::size_t width = 0;  // of the encoding: as many columns as X when it is added, at least one else
};

// Self-attention that can be told where its tokens stand: the inputs X [n, d] and P [n, width], the encoding of the
// positions 0 … n − 1; H = X + P [n, d] or H = [X, P] [n, d + width]; then record_self_attention of H. Without an
// encoding it is that of X, and there is neither P nor H. So scores are divided by √(d + width) where the encoding
// stands beside X, unless `attention.scale` says otherwise. Throws AttentionError as sinusoidal and validate do, and
// for a width that does not fit.
template <class Real>
Tape<Real> positional_tape(const Matrix<Real>& x, const PositionOptions& positions, const AttentionOptions& attention);

}  // namespace attention
