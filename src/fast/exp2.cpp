#include "fast/exp2.hpp"

namespace attention::fast {

const float exp2_numbers[9] = {
    12582912 + Exp2::bias, 1,    0.693146944f, 0.2402224541f, 0.05550776795f, 0.009671387263f,
    0.001325186458f,       -127, -152};

}  // namespace attention::fast
