#!/bin/sh
# Look for positions and choices that break the compiled core, under AddressSanitizer and UndefinedBehaviorSanitizer.
# Usage: cpp/fuzz.sh [executions] [folder for the program and what it keeps [options of libFuzzer…]]; needs clang
# (Debian: clang libclang-rt-14-dev). What it finds is written to crash-… in that folder. Two of them at once need a
# folder each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
runs=${1:-1000000}
out=${2:-$here/../build/fuzz}
shift $(($# < 2 ? $# : 2))
mkdir -p "$out/kept"
# Comparisons are not traced, which would take half the time: choices are taken modulo, so bytes need not be guessed.
"${CLANG:-clang++}" -std=c++20 -O2 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-coverage=trace-cmp -DNOUSU_ISA=plain -I"$here" -o "$out/fuzz" \
    "$here/tests/fuzz.cpp" "$here/common/build.cpp" "$here/common/dispatch.cpp" "$here/env/families.cpp" -pthread
cd "$out"
number=0
while [ $((number += 1)) -le 40 ]; do head -c 600 /dev/urandom >"kept/chance-$number"; done
# An input takes a few MiB: what is freed is watched for the next ones, not for 256 MiB, which costs more than it finds.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=16}"
# Whole hands from the beginning: libFuzzer would go on with a few bytes for hours. To count how rare each place is
# (entropic) takes as long as everything else together.
./fuzz -runs="$runs" -max_len=1024 -len_control=0 -entropic=0 -timeout=1200 -rss_limit_mb=4096 -print_final_stats=1 \
    "$@" kept
