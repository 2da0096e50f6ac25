// Catch2's own part, in a file of its own: it is slow to compile and never changes.
#define CATCH_CONFIG_RUNNER
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#include <catch2/catch.hpp>
#endif

int main(int count, char* arguments[]) { return Catch::Session().run(count, arguments); }
