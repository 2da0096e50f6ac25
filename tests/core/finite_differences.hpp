// Derivatives without a formula: the slope of a function between two points close by.
#pragma once

#include <cmath>
#include <functional>

#include "core/matrix.hpp"

namespace attention {

// d(cell (row, col) of f(x))/dx for every cell of x, and for all (row, col) at once: derivatives(f, x).at(row, col).
// Central differences: their error is about 1e-11 of the third derivative and 1e-11 of the value.
class Derivatives {
 public:
  Derivatives(const std::function<Matrix<double>(const Matrix<double>&)>& f, Matrix<double> x)
      : rows_(x.shape(0)), cols_(x.shape(1)) {
    constexpr double step = 0x1p-17;
    for (std::size_t cell = 0; cell < x.size(); ++cell) {
      Matrix<double> above = x, below = x;
      above.data()[cell] += step;
      below.data()[cell] -= step;
      const Matrix<double> high = f(above), low = f(below);
      Matrix<double> slope = filled<double>(high.shape(0), high.shape(1), 0);
      for (std::size_t row = 0; row < high.shape(0); ++row)
        for (std::size_t col = 0; col < high.shape(1); ++col)
          slope(row, col) =
              is_constant(high(row, col), low(row, col)) ? 0 : (high(row, col) - low(row, col)) / (2 * step);
      slopes_.push_back(slope);
    }
  }

  Matrix<double> at(std::size_t row, std::size_t col) const {
    Matrix<double> result = filled<double>(rows_, cols_, 0);
    for (std::size_t cell = 0; cell < slopes_.size(); ++cell) result.data()[cell] = slopes_[cell](row, col);
    return result;
  }

 private:
  // −∞ and NaN that stay what they are do not move.
  static bool is_constant(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

  std::size_t rows_, cols_;
  std::vector<Matrix<double>> slopes_;
};

}  // namespace attention
