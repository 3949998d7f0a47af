// Gather and scatter bits: one instruction each with BMI2, short loops elsewhere.
#pragma once
#include <cstdint>

#include "common/cards.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace nousu::NOUSU_ISA {

inline std::uint64_t gather(std::uint64_t from, std::uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(from, mask);
#else
    std::uint64_t out = 0;
    for (std::uint64_t place = 1; mask; place += place) {
        if (from & mask & -mask) out |= place;
        mask &= mask - 1;
    }
    return out;
#endif
}

inline std::uint64_t scatter(std::uint64_t from, std::uint64_t mask) {
#ifdef __BMI2__
    return _pdep_u64(from, mask);
#else
    std::uint64_t out = 0;
    for (; mask; mask &= mask - 1, from >>= 1)
        if (from & 1) out |= mask & -mask;
    return out;
#endif
}

constexpr std::uint64_t EVENS = 0x5555555555555555ull;

// Double every bit of the low half into a pair of equal bits.
inline std::uint64_t doubled(std::uint64_t low_half) {
#ifdef __BMI2__
    return _pdep_u64(low_half, EVENS) * 3;
#else
    std::uint64_t x = low_half & 0xFFFFFFFF;
    x = (x | x << 16) & 0x0000FFFF0000FFFFull;
    x = (x | x << 8) & 0x00FF00FF00FF00FFull;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
    x = (x | x << 2) & 0x3333333333333333ull;
    x = (x | x << 1) & EVENS;
    return x * 3;
#endif
}

// Inverse of `doubled`: one bit of every pair.
inline std::uint64_t halved(std::uint64_t pairs) {
#ifdef __BMI2__
    return _pext_u64(pairs, EVENS);
#else
    std::uint64_t x = pairs & EVENS;
    x = (x | x >> 1) & 0x3333333333333333ull;
    x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Full;
    x = (x | x >> 4) & 0x00FF00FF00FF00FFull;
    x = (x | x >> 8) & 0x0000FFFF0000FFFFull;
    return (x | x >> 16) & 0xFFFFFFFF;
#endif
}

}  // namespace nousu::NOUSU_ISA
