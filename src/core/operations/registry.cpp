// The table of operations, in the order of OperationName.
#include "core/operation.hpp"

namespace attention {

template <class Real>
Operation<Real> input_operation();
template <class Real>
Operation<Real> matmul_operation();
template <class Real>
Operation<Real> transpose_operation();
template <class Real>
Operation<Real> scale_operation();
template <class Real>
Operation<Real> add_operation();
template <class Real>
Operation<Real> multiply_operation();
template <class Real>
Operation<Real> select_operation();
template <class Real>
Operation<Real> row_max_operation();
template <class Real>
Operation<Real> is_max_operation();
template <class Real>
Operation<Real> subtract_column_operation();
template <class Real>
Operation<Real> exp_operation();
template <class Real>
Operation<Real> row_sum_operation();
template <class Real>
Operation<Real> spread_operation();
template <class Real>
Operation<Real> divide_rows_operation();
template <class Real>
Operation<Real> concatenate_operation();
template <class Real>
Operation<Real> columns_operation();
template <class Real>
Operation<Real> softcap_operation();
template <class Real>
Operation<Real> rotate_operation();

template <class Real>
const std::vector<Operation<Real>>& operations() {
  static const std::vector<Operation<Real>> table = {
      input_operation<Real>(),           matmul_operation<Real>(),      transpose_operation<Real>(),
      scale_operation<Real>(),           add_operation<Real>(),         multiply_operation<Real>(),
      select_operation<Real>(),          row_max_operation<Real>(),     is_max_operation<Real>(),
      subtract_column_operation<Real>(), exp_operation<Real>(),         row_sum_operation<Real>(),
      spread_operation<Real>(),          divide_rows_operation<Real>(), concatenate_operation<Real>(),
      columns_operation<Real>(),         softcap_operation<Real>(),     rotate_operation<Real>(),
  };
  return table;
}

template const std::vector<Operation<float>>& operations();
template const std::vector<Operation<double>>& operations();

}  // namespace attention
