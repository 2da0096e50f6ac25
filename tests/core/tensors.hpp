// Tensors for tests: written down, laid out as one row to be compared, and what a call with them is refused with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catch.hpp"
#include "core/error.hpp"
#include "core/matrices.hpp"
#include "core/matrix.hpp"

namespace attention {

using Shape = std::vector<std::size_t>;

template <class Numbers>
Shape shape_of(const Numbers& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

// These numbers, row by row.
template <class Real>
Tensor<Real> tensor(const Shape& shape, const std::vector<double>& numbers) {
  Tensor<Real> result = zeros<Real>(shape);
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<Real>(numbers.at(i));
  return result;
}

// The same numbers in double.
inline Tensor<double> widened(const Tensor<float>& tensor) {
  Tensor<double> result = zeros<double>({tensor.shape().begin(), tensor.shape().end()});
  std::copy(tensor.begin(), tensor.end(), result.begin());
  return result;
}

inline std::optional<Tensor<double>> widened(const std::optional<Tensor<float>>& tensor) {
  return tensor ? std::optional<Tensor<double>>(widened(*tensor)) : std::nullopt;
}

// All numbers in one row.
template <class Numbers>
auto flat(const Numbers& tensor) {
  using Real = typename Numbers::value_type;
  Matrix<Real> row = filled<Real>(1, tensor.size(), 0);
  std::copy(tensor.begin(), tensor.end(), row.begin());
  return row;
}

template <class Real>
Matrix<Real> row(const std::vector<double>& numbers) {
  return flat(tensor<Real>({numbers.size()}, numbers));
}

// "code field: message", or "nothing" when the call is not refused.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const AttentionError& error) {
    return error.code + " " + error.field + ": " + error.what();
  }
  return "nothing";
}

template <class Call>
bool refused(Call call, const std::string& code_and_field, const std::vector<std::string>& in_the_message = {}) {
  const std::string text = refusal(call);
  bool as_expected = text.rfind(code_and_field + ": ", 0) == 0;
  for (const std::string& part : in_the_message) as_expected = as_expected && text.find(part) != std::string::npos;
  if (!as_expected) UNSCOPED_INFO(text);
  return as_expected;
}

}  // namespace attention
