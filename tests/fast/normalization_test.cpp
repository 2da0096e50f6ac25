// Layer normalisation of floats against the core in double, from the same numbers.
#include "fast/normalization.hpp"

#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

using Floats = NormalizationInputs<float>;

using attention::widened;

NormalizationInputs<double> widened(const Floats& inputs) {
  return {widened(inputs.x), widened(inputs.scale), widened(inputs.bias)};
}

TEST_CASE("layer normalisation of rows of every length: as precise as the core promises", "[fast]") {
  Random random(41);
  for (std::size_t length = 1; length < 70; ++length) {
    const double middle = random.number(-1000, 1000);
    const Floats inputs{random.tensor<float>({3, length}, middle - 1, middle + 1), {}, {}};
    const LayerNorm<float> found = fast::layer_norm(inputs, 1, 1e-5);
    const LayerNorm<double> wanted = layer_norm(widened(inputs), 1, 1e-5);
    const double unit = 0x1p-24, allowed = static_cast<double>(length + 8) * unit;
    CHECK_THAT(flat(found.output), AllClose(flat(wanted.output), allowed, allowed));
    CHECK_THAT(flat(found.mean), AllClose(flat(wanted.mean), 4 * unit, 0));
    CHECK_THAT(flat(found.inverse_deviation), AllClose(flat(wanted.inverse_deviation), allowed, 0));
  }
}

TEST_CASE("scale and bias belong to the place in a row, and several axes are one row", "[fast]") {
  Random random(43);
  const Floats inputs{random.tensor<float>({2, 3, 5}, -4, 4), random.tensor<float>({3, 5}, -2, 2),
                      random.tensor<float>({5}, -2, 2)};
  for (std::size_t axis : {1, 2}) {
    const Floats given = axis == 1 ? inputs : Floats{inputs.x, {}, inputs.bias};
    CHECK_THAT(flat(fast::layer_norm(given, axis, 1e-5).output),
               AllClose(flat(layer_norm(widened(given), axis, 1e-5).output), 1e-5, 1e-5));
  }
}

TEST_CASE("layer normalisation of rows that are no numbers is the core's", "[fast]") {
  const auto same_as_core = [](std::vector<std::size_t> shape, const std::vector<double>& cells, double epsilon) {
    const Floats inputs{tensor<float>(shape, cells), {}, {}};
    const std::size_t axis = shape.size() - 1;
    const LayerNorm<float> found = fast::layer_norm(inputs, axis, epsilon), wanted = layer_norm(inputs, axis, epsilon);
    CHECK_THAT(flat(found.output), Same(flat(wanted.output)));
    CHECK_THAT(flat(found.mean), Same(flat(wanted.mean)));
    CHECK_THAT(flat(found.inverse_deviation), Same(flat(wanted.inverse_deviation)));
  };
  for (const double strange : {nan, inf, -inf}) same_as_core({1, 9}, {1, 2, strange, 4, 5, 6, 7, 8, 9}, 1e-5);
  same_as_core({1, 9}, {7, 7, 7, 7, 7, 7, 7, 7, 7}, 0);
  same_as_core({1, 8}, {1e30, -1e30, 1e30, -1e30, 1e30, -1e30, 1e30, -1e30}, 1e-5);
  same_as_core({2, 0}, {}, 1e-5);
  same_as_core({0, 3}, {}, 1e-5);
}

TEST_CASE("layer normalisation of floats refuses what the core refuses", "[fast]") {
  const Tensor<float> x = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK_THROWS_AS(fast::layer_norm({x, {}, {}}, 2, 1e-5), AttentionError);
  CHECK_THROWS_AS(fast::layer_norm({x, x, {}}, 1, 1e-5), AttentionError);
  CHECK_THROWS_AS(fast::layer_norm({x, {}, {}}, 1, -1), AttentionError);
}

}  // namespace
}  // namespace attention
