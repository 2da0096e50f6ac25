// An error a caller can act on: which rule was broken, at which argument, and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

#include "core/matrix.hpp"

namespace attention {

class AttentionError : public std::invalid_argument {
 public:
  AttentionError(std::string code, std::string field, const std::string& message)
      : std::invalid_argument(message), code(std::move(code)), field(std::move(field)) {}

  std::string code;   // a word for programs: "dimension-mismatch"
  std::string field;  // the argument at fault: "k"
};

// "[2, 3]", for messages.
template <class Numbers>
std::string shape_text(const Numbers& tensor) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < tensor.dimension(); ++axis)
    text += (axis > 0 ? ", " : "") + std::to_string(tensor.shape(axis));
  return text + "]";
}

}  // namespace attention
