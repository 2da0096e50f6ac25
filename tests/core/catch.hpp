// Catch2, version 2 (one header) or 3 (a library): the part that both have, under one name.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>

template <class T>
using MatcherBase = Catch::Matchers::MatcherBase<T>;
#else
#include <catch2/catch.hpp>

template <class T>
using MatcherBase = Catch::Matchers::Impl::MatcherBase<T>;
#endif
