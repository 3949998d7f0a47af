#!/bin/sh
# Fuzz the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer: positions and actions that break it.
# Usage: cpp/fuzz.sh [executions] [folder of the program and its corpus [options of libFuzzer…]]; needs clang (Debian:
# clang libclang-rt-14-dev). Failing inputs are written to crash-… in that folder. Two runs at once need a folder each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
runs=${1:-1000000}
out=${2:-$here/../build/fuzz}
shift $(($# < 2 ? $# : 2))
mkdir -p "$out/corpus"
# Comparisons are not traced, which would take half the time: choices are modulo a number, so no bytes need be guessed.
"${CLANG:-clang++}" -std=c++20 -O2 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-coverage=trace-cmp -DNOUSU_ISA=plain -I"$here" -o "$out/fuzz" \
    "$here/tests/fuzz.cpp" "$here/common/build.cpp" "$here/common/dispatch.cpp" "$here/env/families.cpp" -pthread
cd "$out"
number=0
while [ $((number += 1)) -le 40 ]; do head -c 600 /dev/urandom >"corpus/random-$number"; done
# An input takes a few MiB: a quarantine of 16 MiB covers the next inputs; the default of 256 MiB costs more than it
# finds.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=16}"
# Inputs of full length from the start: libFuzzer would stay with a few bytes for hours. Weighing inputs by rarity
# (entropic) would double the time.
./fuzz -runs="$runs" -max_len=1024 -len_control=0 -entropic=0 -timeout=1200 -rss_limit_mb=4096 -print_final_stats=1 \
    "$@" corpus
