// Which keys are in sight by position, against the rules one by one.
#include "core/sight.hpp"

#include "core/catch.hpp"
#include "core/matrices.hpp"

namespace attention {
namespace {

// Every rule as it is written down, in whole numbers that may be negative.
bool rules_allow(const SightOptions& options, long n_q, long n_k, long query, long key) {
  const long length = options.length ? std::min(static_cast<long>(*options.length), n_k) : n_k;
  const long offset = options.causal == Causal::top_left ? static_cast<long>(options.offset) : length - n_q;
  if (key >= length) return false;
  if (options.causal != Causal::none && key > query + offset) return false;
  if (!options.window) return true;
  if (options.window->left && key < query + offset - static_cast<long>(*options.window->left)) return false;
  return !(options.window->right && key > query + offset + static_cast<long>(*options.window->right));
}

std::optional<std::size_t> maybe(Random& random, std::size_t most) {
  const std::size_t drawn = random.whole(0, most + 1);
  return drawn > most ? std::nullopt : std::optional<std::size_t>(drawn);
}

}  // namespace

TEST_CASE("what is in sight is what every rule allows", "[sight]") {
  Random random(11);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t n_q = random.whole(0, 6), n_k = random.whole(0, 6);
    SightOptions options;
    options.causal = static_cast<Causal>(random.whole(0, 2));
    options.offset = static_cast<std::ptrdiff_t>(random.whole(0, 10)) - 5;
    if (random.whole(0, 1) == 1) options.window = Window{maybe(random, 4), maybe(random, 4)};
    options.length = maybe(random, 7);
    for (std::size_t query = 0; query < n_q; ++query) {
      const KeyRange range = keys_in_sight(options, n_q, n_k, query);
      REQUIRE(range.last <= n_k);
      for (std::size_t key = 0; key < n_k; ++key)
        REQUIRE(range.contains(key) == rules_allow(options, static_cast<long>(n_q), static_cast<long>(n_k),
                                                   static_cast<long>(query), static_cast<long>(key)));
    }
  }
}

TEST_CASE("bounds wider than all keys are none", "[sight]") {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (Causal causal : {Causal::none, Causal::top_left, Causal::bottom_right}) {
    const KeyRange bounded = keys_in_sight({.causal = causal, .window = Window{most, most}}, 3, 5, 1);
    const KeyRange free = keys_in_sight({.causal = causal}, 3, 5, 1);
    CHECK(bounded.first == free.first);
    CHECK(bounded.last == free.last);
  }
}

}  // namespace attention
