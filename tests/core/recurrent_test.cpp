// The recurrent cell h_t = w·h_{t−1} + x_t. Unrolled, h_n = Σ_t w^(n−t)·x_t, so ∂h_n/∂x_t = w^(n−t).
#include "core/recurrent.hpp"
#include "core/definition.hpp"
#include "core/error.hpp"
#include "core/gradient.hpp"
#include "core/matrices.hpp"

namespace attention {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-13 : 1e-5;

template <class Real>
double influence(const Matrix<Real>& x, double w, std::size_t of, std::size_t token) {
  Tape<Real> tape = recurrent_tape(x, w);
  const StepId state = *tape.find("h" + std::to_string(of)), input = *tape.find("x" + std::to_string(token));
  return tape.value(record_gradient(tape, state, 0, 0, input))(0, 0);
}

TEMPLATE_TEST_CASE("the last state is the sum of w^(n-t) x_t", "[recurrent]", double, float) {
  Random random(1);
  const Matrix<TestType> x = random.matrix<TestType>(7, 1);
  for (double w : {-1.0, -0.5, 0.0, 0.5, 0.875, 1.0, 1.25}) {
    INFO("w = " << w);
    const Tape<TestType> tape = recurrent_tape(x, w);
    double sum = 0;
    for (std::size_t token = 1; token <= 7; ++token) sum += std::pow(w, 7 - token) * x(token - 1, 0);
    CHECK(is_close(tape.value(*tape.find("h7"))(0, 0), sum, tolerance<TestType>, tolerance<TestType>));
    CHECK(first_fault(tape) == "");
  }
}

TEMPLATE_TEST_CASE("the influence of a token fades as w^(n-t)", "[recurrent][gradient]", double, float) {
  Random random(2);
  const Matrix<TestType> x = random.matrix<TestType>(32, 1);
  for (double w : {-0.5, 0.5, 0.9, 1.0, 1.2})
    for (std::size_t token : {1, 2, 16, 31, 32}) {
      INFO("w = " << w << ", token " << token);
      CHECK(is_close(influence(x, w, 32, token), std::pow(w, 32 - token), tolerance<TestType>, 0));
    }
  // Powers of two are exact. 2⁻³¹ ≈ 5e-10, 0.9³¹ ≈ 0.038: what is left of the first of 32 tokens.
  CHECK(influence(x, 0.5, 32, 1) == 0x1p-31);
  CHECK(is_close(influence(x, 0.9, 32, 1), 0.038, 0, 5e-4));
  CHECK(influence(x, 1, 32, 1) == 1);
}

TEMPLATE_TEST_CASE("a cell with w = 0 remembers nothing but the token before it", "[recurrent][gradient]", double,
                   float) {
  const Matrix<TestType> x = table<TestType>({{3}, {4}, {5}});
  CHECK(influence(x, 0, 3, 1) == 0);
  CHECK(influence(x, 0, 3, 2) == 0);
  CHECK(influence(x, 0, 3, 3) == 1);
  const Tape<TestType> tape = recurrent_tape(x, 0);
  CHECK(tape.value(*tape.find("h3"))(0, 0) == 5);
}

TEMPLATE_TEST_CASE("no state depends on a later token", "[recurrent][gradient]", double, float) {
  const Matrix<TestType> x = table<TestType>({{3}, {4}, {5}});
  CHECK(influence(x, 0.5, 1, 3) == 0);
  CHECK(influence(x, 0.5, 2, 3) == 0);
  CHECK(influence(x, 0.5, 1, 1) == 1);
}

TEMPLATE_TEST_CASE("the tape of one token", "[recurrent]", double, float) {
  const Tape<TestType> tape = recurrent_tape(table<TestType>({{2.5}}), 0.5);
  CHECK(tape.value(*tape.find("h1"))(0, 0) == TestType(2.5));
  CHECK_FALSE(tape.find("h2"));
}

TEMPLATE_TEST_CASE("the steps of a recurrent gradient can be explained", "[recurrent][gradient]", double, float) {
  Tape<TestType> tape = recurrent_tape(table<TestType>({{1}, {-2}, {0.5}, {3}}), 0.75);
  record_gradient(tape, *tape.find("h4"), 0, 0, *tape.find("x1"));
  CHECK(first_fault(tape) == "");
}

TEMPLATE_TEST_CASE("what a recurrent tape refuses", "[recurrent]", double, float) {
  const auto error_of = [](const Matrix<TestType>& x, double w) {
    try {
      recurrent_tape(x, w);
    } catch (const AttentionError& error) {
      return error.code + " " + error.field;
    }
    return std::string("nothing");
  };
  const Matrix<TestType> column = table<TestType>({{1}, {2}});
  CHECK(error_of(column, 1) == "nothing");
  CHECK(error_of(filled<TestType>(0, 1, 0), 1) == "dimension-mismatch x");
  CHECK(error_of(filled<TestType>(3, 2, 0), 1) == "dimension-mismatch x");
  CHECK(error_of(filled<TestType>(3, 0, 0), 1) == "dimension-mismatch x");
  for (double w : {nan, inf, -inf}) CHECK(error_of(column, w) == "not-finite w");
  CHECK_THROWS_WITH(recurrent_tape(filled<TestType>(3, 2, 0), 1), "x [3, 2] must be a column, [n, 1], with n ≥ 1");
}

}  // namespace
}  // namespace attention
