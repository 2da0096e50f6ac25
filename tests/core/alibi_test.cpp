// The slopes of attention with linear biases, against the authors' own.
#include "core/alibi.hpp"
#include "core/all_close.hpp"
#include "core/tensors.hpp"

namespace attention {
namespace {

TEMPLATE_TEST_CASE("slopes of the authors", "[alibi]", double, float) {
  const double close = std::numeric_limits<TestType>::epsilon();
  // Press, Smith & Lewis 2022, section 3: 8 heads have 1/2, 1/4, …, 1/256; 16 have their geometric means between them.
  const Matrix<TestType> eight = row<TestType>({1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256});
  CHECK_THAT(flat(alibi_slopes<TestType>(8)), Same(eight));
  const Tensor<TestType> sixteen = alibi_slopes<TestType>(16);
  for (std::size_t i = 0; i < 8; ++i) CHECK(sixteen.data()[2 * i + 1] == eight(0, i));
  CHECK(is_close(sixteen.data()[0], 0.7071067811865476, close, 0));
  // get_slopes of the authors (fairseq/models/transformer.py): 12 heads are those of 8, then 2^(−½), 2^(−1½), ….
  CHECK_THAT(flat(alibi_slopes<TestType>(12)),
             AllClose(row<TestType>({1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256,
                                     0.7071067811865476, 0.3535533905932738, 0.1767766952966369, 0.08838834764831845}),
                      close, 0));
  // Keras Hub, alibi_bias_test.py: 2 heads with 12 in place of 8, 3 heads with 6.
  CHECK_THAT(flat(alibi_slopes<TestType>(2, 12)), Same(row<TestType>({1. / 64, 1. / 4096})));
  CHECK_THAT(flat(alibi_slopes<TestType>(3, 6)), AllClose(row<TestType>({1. / 8, 1. / 64, 0.35355338}), 1e-7, 0));
}

TEMPLATE_TEST_CASE("slopes of a power of two fall by one factor and end at 2^-8", "[alibi]", double, float) {
  const double close = 8 * std::numeric_limits<TestType>::epsilon();
  for (std::size_t heads = 1; heads <= most_heads; heads *= 2) {
    const Tensor<TestType> slopes = alibi_slopes<TestType>(heads);
    CHECK(slopes.data()[heads - 1] == TestType(1) / 256);
    for (std::size_t h = 1; h < heads; h += 1 + heads / 100)
      CHECK(is_close(slopes.data()[h] / slopes.data()[h - 1], slopes.data()[0], close, 0));
  }
}

TEST_CASE("slopes of any number of heads are different and taken from two powers", "[alibi]") {
  for (std::size_t heads = 1; heads <= 130; ++heads) {
    std::size_t power = 1;
    while (2 * power <= heads) power *= 2;
    const Tensor<double> slopes = alibi_slopes<double>(heads), below = alibi_slopes<double>(power),
                         above = alibi_slopes<double>(2 * power);
    REQUIRE(slopes.size() == heads);
    for (std::size_t h = 0; h < heads; ++h)
      CHECK(slopes.data()[h] == (h < power ? below.data()[h] : above.data()[2 * (h - power)]));
  }
}

TEST_CASE("what ALiBi refuses", "[alibi]") {
  CHECK(refused(
      [] {
        alibi_slopes<double>(0);
      },
      "bad-size heads"));
  CHECK(refused(
      [] {
        alibi_slopes<double>(most_heads + 1);
      },
      "bad-size heads"));
  for (double number : {0.0, -8.0, inf, nan})
    CHECK(refused(
        [&] {
          alibi_slopes<double>(4, number);
        },
        "bad-bias-max biasMax"));
}

}  // namespace
}  // namespace attention
