// log softmax(x)_i = x_i − log Σ_j e^(x_j), also where softmax itself is 0 or 1 to the last bit.
#include "core/log_softmax.hpp"
#include "core/all_close.hpp"
#include "core/matrices.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double unit = std::numeric_limits<Real>::epsilon() / 2;

TEMPLATE_TEST_CASE("logarithms of softmax from elsewhere", "[log_softmax]", double, float) {
  // Closed form: numbers that are logarithms give their shares.
  CHECK_THAT(log_softmax_rows(table<TestType>({{std::log(2.0), std::log(3.0), std::log(5.0)}})),
             AllClose(table<TestType>({{std::log(0.2), std::log(0.3), std::log(0.5)}}), 8 * unit<TestType>, 0));
  // SciPy, scipy/special/tests/test_logsumexp.py: 0 … 3 from arithmetic with 200 digits, and with 100 added.
  const Matrix<TestType> expected =
      table<TestType>({{-3.4401896985611953, -2.4401896985611953, -1.4401896985611953, -0.44018969856119533}});
  CHECK_THAT(log_softmax_rows(table<TestType>({{0, 1, 2, 3}})), AllClose(expected, 8 * unit<TestType>, 0));
  CHECK_THAT(log_softmax_rows(table<TestType>({{100, 101, 102, 103}})), AllClose(expected, 8 * unit<TestType>, 0));
  CHECK_THAT(log_softmax_rows(table<TestType>({{1000, 1}, {1, 1000}})), Same(table<TestType>({{0, -999}, {-999, 0}})));
  CHECK_THAT(log_softmax_rows(table<TestType>({{1}})), Same(table<TestType>({{0}})));
}

TEMPLATE_TEST_CASE("small weights keep their differences", "[log_softmax]", double, float) {
  // e^(−1000) is 0 in both types, its logarithm is not.
  CHECK_THAT(log_softmax_rows(table<TestType>({{0, -1000}})), Same(table<TestType>({{0, -1000}})));
  CHECK_THAT(log_softmax_rows(table<TestType>({{0, -1000, -2000}})), Same(table<TestType>({{0, -1000, -2000}})));
}

TEMPLATE_TEST_CASE("a weight next to 1 keeps what it lacks", "[log_softmax]", double, float) {
  // −log(1 + e^(−t)) = −e^(−t) + e^(−2t)/2 − …, and e^(−20), e^(−40) from tables.
  CHECK_THAT(log_softmax_rows(table<TestType>({{20, 0}, {0, 40}})),
             AllClose(table<TestType>({{-2.0611536203143808e-9, -20.000000002061154}, {-40, -4.248354255291589e-18}}),
                      8 * unit<TestType>, 0));
}

TEMPLATE_TEST_CASE("their exponentials sum to 1", "[log_softmax]", double, float) {
  Random random(1);
  const Matrix<TestType> found = log_softmax_rows(random.template matrix<TestType>(20, 9, -30, 30));
  for (std::size_t row = 0; row < found.shape(0); ++row) {
    double sum = 0;
    for (std::size_t col = 0; col < found.shape(1); ++col) sum += std::exp(static_cast<double>(found(row, col)));
    CHECK(std::abs(sum - 1) <= 200 * unit<TestType>);
  }
}

TEMPLATE_TEST_CASE("a shift changes nothing", "[log_softmax]", double, float) {
  Random random(2);
  Matrix<TestType> x = filled<TestType>(20, 7, 0);
  for (TestType& cell : x) cell = static_cast<TestType>(random.whole(0, 1000)) / 64;  // so that sums are exact
  Matrix<TestType> shifted = x;
  for (TestType& cell : shifted) cell -= 512;
  CHECK_THAT(log_softmax_rows(shifted), Same(log_softmax_rows(x)));
}

TEMPLATE_TEST_CASE("every cell is as exact as it says", "[log_softmax]", double, float) {
  Random random(3);
  for (std::size_t n : {1, 2, 5, 64, 1000}) {
    const Matrix<TestType> x = random.template matrix<TestType>(3, n, -20, 20), found = log_softmax_rows(x);
    for (std::size_t row = 0; row < 3; ++row) {
      std::vector<double> scores(x.data() + row * n, x.data() + (row + 1) * n);
      std::sort(scores.rbegin(), scores.rend());
      const double below = n == 1 ? 0 : scores[0] - scores[1];
      for (std::size_t col = 0; col < n; ++col) {
        // Written from the cell: −log(1 + Σ e^(x_j − x_i)) over the others, whose terms are all positive.
        double others = 0;
        for (std::size_t other = 0; other < n; ++other)
          if (other != col) others += std::exp(static_cast<double>(x(row, other)) - static_cast<double>(x(row, col)));
        const double bound = (2 * static_cast<double>(n) + below + 4) * (unit<TestType> + unit<double>);
        CHECK(is_close(found(row, col), -std::log1p(others), bound, 0));
      }
    }
  }
}

TEMPLATE_TEST_CASE("log softmax of infinities and of nothing", "[log_softmax]", double, float) {
  CHECK_THAT(log_softmax_rows(table<TestType>({{0, -inf, 0}, {-inf, 5, -inf}})),
             AllClose(table<TestType>({{-std::log(2.0), -inf, -std::log(2.0)}, {-inf, 0, -inf}}), unit<TestType>, 0));
  for (double broken : {inf, nan})
    for (std::size_t at = 0; at < 3; ++at) {
      Matrix<TestType> x = table<TestType>({{1, -inf, 2}});
      x(0, at) = static_cast<TestType>(broken);
      CHECK_THAT(log_softmax_rows(x), Same(table<TestType>({{nan, nan, nan}})));
    }
  CHECK_THAT(log_softmax_rows(table<TestType>({{-inf, -inf}, {inf, inf}})),
             Same(table<TestType>({{nan, nan}, {nan, nan}})));
  CHECK(log_softmax_rows(filled<TestType>(3, 0, 0)).shape(0) == 3);
  CHECK(log_softmax_rows(filled<TestType>(0, 3, 0)).size() == 0);
}

}  // namespace
}  // namespace attention
