#!/bin/sh
# bundle.sh ESBUILD MODULES OUT
#
# Copies the modules of the script into the folder MODULES, next to those that it shares with the
# drawing: sizes.js from ../sizes.h, and say.js from ../words.h and the names of the model's category.c
# and waits.c. Bundles graph.js and whole.js into OUT/graph_script.js and OUT/script.js.
set -eu
esbuild=$1 modules=$2 out=$3
cd "$(dirname "$0")/.."
if grep -nE '^#define AF_[A-Z_]* *(\\|/\*.*)?$' sizes.h words.h | grep -v '_H$'; then
    echo 'bundle.sh: a value must follow on the line of its #define' >&2
    exit 1
fi
mkdir -p "$modules"
rm -f "$modules"/*.js
cp svg/*.js "$modules"
echo '{"type": "module"}' >"$modules/package.json"
sed -n -e 's|^#define AF_\([A-Z_]*\)_C  *\([0-9]*\).*|export const \1 = \2 / 100;|p' -e t \
    -e 's|^#define AF_\([A-Z_]*\)  *\([0-9][0-9]*\).*|export const \1 = \2;|p' sizes.h >"$modules/sizes.js"
names() { # NAME FILE PREFIX
    echo "export const $1 = ["
    sed -n "s|^ *\[$3_[A-Z]*\] = \(\"[^\"]*\",\)\$|    \1|p" "$2"
    echo '];'
}
{
    sed -n -e 's|^#define AF_SAY_\([A-Z_]*\)  *\(".*", ".*"\)$|export const \1 = [\2];|p' -e t \
        -e 's|^#define AF_SAY_\([A-Z_]*\)  *\(".*"\)$|export const \1 = \2;|p' words.h
    names CATEGORIES ../src/model/category.c AF_CATEGORY
    names REASONS ../src/model/waits.c AF_WAITS
} >"$modules/say.js"
# "]]>" ends a CDATA section; the modules have it in no text
for name in graph whole; do
    "$esbuild" "$modules/$name.js" --bundle --minify --global-name=AF --log-level=warning |
        sed 's/]]>/]] >/g' >"$modules/$name.min"
    [ -s "$modules/$name.min" ]
done
mv "$modules/graph.min" "$out/graph_script.js"
mv "$modules/whole.min" "$out/script.js"
