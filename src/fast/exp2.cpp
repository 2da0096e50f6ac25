#include "fast/exp2.hpp"

namespace attention::fast {

const float exp2_numbers[9] = {12582912,        1.000000072f,    0.6931469671f, 0.2402211972f, 0.05550713273f,
                               0.009675541334f, 0.001327647199f, -127,          -152};

}  // namespace attention::fast
