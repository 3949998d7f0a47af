#!/bin/sh
# Run every search, environment and playout under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer, and
# random fuzzer inputs under the first two; cpp/fuzz.sh fuzzes for longer.
# Usage: cpp/sanitize.sh [folder for the programs]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../build/sanitize}
mkdir -p "$out"
build() {
    program=$1
    shift
    "${CXX:-c++}" -std=c++20 -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all "$@" \
        -DNOUSU_ISA=plain -I"$here" "$here/tests/$program.cpp" "$here/common/build.cpp" "$here/common/dispatch.cpp" \
        "$here/env/families.cpp" -pthread
}
build sanitizer_run -fsanitize=address,undefined -o "$out/check-address"
build sanitizer_run -fsanitize=thread -o "$out/check-thread"
build fuzz -fsanitize=address,undefined -DNOUSU_ALONE -o "$out/fuzz-address"
echo "address and undefined behaviour:"
"$out/check-address"
echo "threads:"
"$out/check-thread"
echo "bytes:"
"$out/fuzz-address" 20000
