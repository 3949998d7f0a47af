#!/bin/sh
# Run every search under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer.
# Usage: cpp/sanitize.sh [folder for the programs]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../build/sanitize}
mkdir -p "$out"
build() {
    "${CXX:-c++}" -std=c++20 -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all "$@" \
        -DNOUSU_ISA=plain "$here/check.cpp" "$here/core.cpp" "$here/env.cpp" "$here/fastest.cpp" -pthread
}
build -fsanitize=address,undefined -o "$out/check-address"
build -fsanitize=thread -o "$out/check-thread"
echo "address and undefined behaviour:"
"$out/check-address"
echo "threads:"
"$out/check-thread"
