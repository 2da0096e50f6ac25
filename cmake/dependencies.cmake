# The two header libraries, as targets `xtensor_headers` and `catch2_headers`, for native and wasm builds alike.
#
# The system's include folder must not reach em++ (its C library headers would shadow Emscripten's), so only the
# folders needed are linked into the build tree, and the targets point there.
#
# `catch2_headers` exists only where Catch2 can be used, since the page is built without it.

# link_headers(<target> NAMES <header to look for>... FOLDERS <folder>...): no target when no header is found.
function(link_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "NAMES;FOLDERS")
  find_path(${target}_dir NAMES ${arg_NAMES}
            PATHS /usr/include /usr/local/include /opt/homebrew/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${target}_dir)
    return()
  endif()
  set(linked "${CMAKE_BINARY_DIR}/headers/${target}")
  file(MAKE_DIRECTORY "${linked}")
  foreach(folder IN LISTS arg_FOLDERS)
    if(EXISTS "${${target}_dir}/${folder}")
      file(CREATE_LINK "${${target}_dir}/${folder}" "${linked}/${folder}" SYMBOLIC)
    endif()
  endforeach()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${linked}")
endfunction()

# From 0.26 on xtensor keeps its headers in subfolders.
link_headers(xtensor_headers NAMES xtensor/xtensor.hpp xtensor/containers/xtensor.hpp FOLDERS xtensor xtl)
if(NOT TARGET xtensor_headers)
  message(FATAL_ERROR "xtensor was not found; ./build-wasm.sh and tests/run.sh install what is missing.")
endif()

# Version 3 of Catch2 is a compiled library, which a distribution has for the machine itself and not for wasm.
find_package(Catch2 3 QUIET)
if(Catch2_FOUND)
  add_library(catch2_headers INTERFACE)
  target_link_libraries(catch2_headers INTERFACE Catch2::Catch2)
else()
  link_headers(catch2_headers NAMES catch2/catch.hpp FOLDERS catch2)
endif()
if(NOT TARGET catch2_headers)
  message(STATUS "No Catch2 for this target: the tests are left out")
endif()

# Reading the two libraries is most of the compile time of a file here, so each target reads them once.
target_precompile_headers(xtensor_headers INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/src/core/xtensor.hpp")
if(TARGET catch2_headers)
  target_precompile_headers(catch2_headers INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/tests/core/catch.hpp")
endif()

# Catch2's own main takes minutes to compile with sanitizers, and it is not what is under test. It reads Catch2 in
# another way than the tests do.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/tests/core/catch_main.cpp"
                            PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Sanitize>:-fno-sanitize=all>"
                                       SKIP_PRECOMPILE_HEADERS ON)

# The tests as wasm are a CommonJS script, which the package.json above the build tree would make a module.
if(EMSCRIPTEN)
  file(WRITE "${CMAKE_BINARY_DIR}/package.json" "{}\n")
endif()
