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

// How attention is told the order: not at all; by a vector for each place; by turning queries and keys; by a bias.
enum class Encoding { none, sinusoidal, rotary, alibi };
enum class Combine { add, concatenate };

struct PositionOptions {
  Encoding encoding = Encoding::sinusoidal;
  SinusoidalOptions sinusoidal;     // rotary has the same base, layout and offset
  Combine combine = Combine::add;   // sinusoidal
  std::size_t width = 0;            // sinusoidal: as many columns as X when it is added, at least one else
  std::size_t heads = 8, head = 0;  // alibi: which head of how many
};

// Self-attention of X [n, d] that can be told where its tokens stand, at the positions 0 … n − 1:
//
//   none        of X itself
//   sinusoidal  of H = X + P [n, d] or H = [X, P] [n, d + width], P [n, width] being an input. So scores are divided
//               by √(d + width) where the encoding stands beside X, unless `attention.scale` says otherwise
//   rotary      of the queries and keys R [n, d], the rows of X turned by their positions, and the values X, which are
//               not turned (Su et al. 2021, section 3.4.2). The last column of an odd d stays as it is
//   alibi       of X, with the input bias [n, n] added to the scaled scores: −slope·|i − j|, the slope being
//               alibi_slope of `head`. Under a causal mask i − j is never negative where it counts, which is the form
//               of the paper (Press, Smith & Lewis 2022, section 3). No step for one token, which has no distance
//
// then the steps of record_self_attention. Throws AttentionError as sinusoidal, alibi_slope and validate do, and for a
// width that does not fit.
template <class Real>
Tape<Real> positional_tape(const Matrix<Real>& x, const PositionOptions& positions, const AttentionOptions& attention);

}  // namespace attention
