# Toolchain of the native presets: clang when it is there, since it sanitizes these sources in a fraction
# of the time and memory that g++ needs; else whatever CMake finds.
find_program(clang_cxx NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
if(clang_cxx)
  set(CMAKE_CXX_COMPILER "${clang_cxx}")
endif()
