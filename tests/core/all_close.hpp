// Matrices compared cell by cell: CHECK_THAT(actual, AllClose(expected, relative, absolute)).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "core/catch.hpp"
#include "core/matrix.hpp"

// |actual − expected| ≤ absolute, or ≤ relative·|expected|. NaN is close to NaN alone, an infinity to itself alone.
inline bool is_close(double actual, double expected, double relative, double absolute) {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) && std::isnan(expected);
  if (std::isinf(actual) || std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= std::max(absolute, relative * std::abs(expected));
}

// The larger of two differences, NaN if one of them is: std::max(largest, NaN) is `largest`, and a test would not see
// it.
inline double larger_or_nan(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

// "[2, 2]: 1, 2; 3, 4"
template <class Real>
std::string matrix_text(const attention::Matrix<Real>& matrix) {
  std::ostringstream text;
  text.precision(std::numeric_limits<Real>::max_digits10);
  text << "[" << matrix.shape(0) << ", " << matrix.shape(1) << "]";
  for (std::size_t row = 0; row < matrix.shape(0); ++row)
    for (std::size_t col = 0; col < matrix.shape(1); ++col)
      text << (col > 0 ? ", " : row > 0 ? "; " : ": ") << matrix(row, col);
  return text.str();
}

namespace Catch {

template <>
struct StringMaker<attention::Matrix<double>> {
  static std::string convert(const attention::Matrix<double>& matrix) { return matrix_text(matrix); }
};

template <>
struct StringMaker<attention::Matrix<float>> {
  static std::string convert(const attention::Matrix<float>& matrix) { return matrix_text(matrix); }
};

}  // namespace Catch

template <class Real>
class AllCloseMatcher : public MatcherBase<attention::Matrix<Real>> {
 public:
  AllCloseMatcher(attention::Matrix<Real> expected, double relative, double absolute)
      : expected_(std::move(expected)), relative_(relative), absolute_(absolute) {}

  bool match(const attention::Matrix<Real>& actual) const override {
    difference_ = first_difference(actual);
    return difference_.empty();
  }

  std::string describe() const override {
    std::ostringstream text;
    text << "is close to " << matrix_text(expected_) << " (relative " << relative_ << ", absolute " << absolute_
         << "): " << difference_;
    return text.str();
  }

 private:
  std::string first_difference(const attention::Matrix<Real>& actual) const {
    if (actual.shape() != expected_.shape()) return "another shape";
    for (std::size_t row = 0; row < actual.shape(0); ++row)
      for (std::size_t col = 0; col < actual.shape(1); ++col) {
        if (is_close(actual(row, col), expected_(row, col), relative_, absolute_)) continue;
        std::ostringstream text;
        text.precision(std::numeric_limits<Real>::max_digits10);
        text << "first difference at (" << row << ", " << col << "), " << actual(row, col) << " instead of "
             << expected_(row, col);
        return text.str();
      }
    return "";
  }

  attention::Matrix<Real> expected_;
  double relative_, absolute_;
  mutable std::string difference_;
};

template <class Real>
AllCloseMatcher<Real> AllClose(const attention::Matrix<Real>& expected, double relative, double absolute) {
  return {expected, relative, absolute};
}

// Equal to the last bit, but for the payload of a NaN and the sign of a zero.
template <class Real>
AllCloseMatcher<Real> Same(const attention::Matrix<Real>& expected) {
  return AllClose(expected, 0, 0);
}
