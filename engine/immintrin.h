// What the engine's evaluation asks of AVX2, in Clang's portable vectors. Without it the engine takes a table of the sigmoid
// that ends at 8, and its chances are wrong by up to 0.0003.
#pragma once
#include <string.h>
typedef float __m128 __attribute__((ext_vector_type(4)));
typedef float __m256 __attribute__((ext_vector_type(8)));
typedef int __m256i __attribute__((ext_vector_type(8)));
#define FUNCTION static inline __attribute__((always_inline))
FUNCTION __m256 _mm256_set1_ps(float x) { return (__m256)(x); }
FUNCTION __m256 _mm256_setzero_ps() { return (__m256)(0.0f); }
FUNCTION __m256i _mm256_set1_epi32(int x) { return (__m256i)(x); }
FUNCTION __m256 _mm256_loadu_ps(const float* from) { __m256 values; memcpy(&values, from, sizeof values); return values; }
FUNCTION void _mm256_storeu_ps(float* into, __m256 values) { memcpy(into, &values, sizeof values); }
FUNCTION __m256 _mm256_add_ps(__m256 a, __m256 b) { return a + b; }
FUNCTION __m256 _mm256_sub_ps(__m256 a, __m256 b) { return a - b; }
FUNCTION __m256 _mm256_mul_ps(__m256 a, __m256 b) { return a * b; }
FUNCTION __m256 _mm256_div_ps(__m256 a, __m256 b) { return a / b; }
FUNCTION __m256 _mm256_fmadd_ps(__m256 a, __m256 b, __m256 c) { return a * b + c; }
FUNCTION __m256 _mm256_min_ps(__m256 a, __m256 b) { return a < b ? a : b; }
FUNCTION __m256 _mm256_max_ps(__m256 a, __m256 b) { return a > b ? a : b; }
FUNCTION __m256 _mm256_floor_ps(__m256 a) { return __builtin_elementwise_floor(a); }
FUNCTION __m256i _mm256_cvttps_epi32(__m256 a) { return __builtin_convertvector(a, __m256i); }
FUNCTION __m256i _mm256_add_epi32(__m256i a, __m256i b) { return a + b; }
FUNCTION __m256i _mm256_slli_epi32(__m256i a, int bits) { return a << bits; }
FUNCTION __m256 _mm256_castsi256_ps(__m256i a) { __m256 values; memcpy(&values, &a, sizeof values); return values; }
FUNCTION __m128 _mm256_castps256_ps128(__m256 a) { return a.lo; }
FUNCTION __m128 _mm256_extractf128_ps(__m256 a, int half) { return half ? a.hi : a.lo; }
FUNCTION __m128 _mm_add_ps(__m128 a, __m128 b) { return a + b; }
FUNCTION __m128 _mm_hadd_ps(__m128 a, __m128 b) { return (__m128){a.x + a.y, a.z + a.w, b.x + b.y, b.z + b.w}; }
FUNCTION float _mm_cvtss_f32(__m128 a) { return a.x; }
#undef FUNCTION
