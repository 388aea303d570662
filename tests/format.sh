#!/bin/sh
# format.sh CLANG_FORMAT TOP
# clang-format 14 changes no C file. Other versions format differently.
set -eu
cd "$2"
find src render include tests -name '*.[ch]' ! -path '*/node_modules/*' | LC_ALL=C sort |
    xargs "$1" --dry-run --Werror
