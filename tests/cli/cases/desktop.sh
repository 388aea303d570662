# What file managers use: thumbnails, the types of files, and the program that opens a trace.
desktop=$data/../../src/cli/desktop
printf 'no trace\n' >broken.trace

# ---- thumbnails ----
expect 0 -e '' -o '' aflame thumbnail app.trace thumbnail.png
opens thumbnail.png
expect 0 -o '0   0   1   0   0   0   1   0' sh -c 'od -An -tu1 -j16 -N8 thumbnail.png'
expect 0 aflame thumbnail "$made/recursion.trace" other.png
opens other.png
for few in 'thumbnail' 'thumbnail app.trace' 'thumbnail app.trace a.png b'; do
    expect 2 -m 'aflame: needs a trace and a PNG: aflame thumbnail TRACE PNG' aflame $few
done
expect 3 aflame thumbnail broken.trace none.png
expect 3 aflame thumbnail missing.trace none.png
absent none.png

# ---- opening a trace; a stand-in for xdg-open keeps what it was given ----
mkdir bin run
printf '#!/bin/sh\necho "$1" >opened\n' >bin/xdg-open
chmod +x bin/xdg-open
open_trace() {
    expect 0 env PATH="$PWD/bin:$PATH" XDG_RUNTIME_DIR="$PWD/run" "$desktop/aflame-open" "$1"
}
open_trace app.trace
page=$(cat opened)
expect 0 -o 'content="0; url=graph.svg"' cat "$page"
opens "${page%.html}.svg"
open_trace broken.trace
expect 0 -o 'aflame: broken.trace: ' cat "$(cat opened)"

# ---- the types: those of the desktop entry, and of the thumbnailer ----
check 'a file is not well-formed' xmllint --noout "$desktop/aflame.xml" "$desktop/aflame.svg"
xmllint --xpath '//*[local-name()="mime-type"]/@type' "$desktop/aflame.xml" | sed 's/.*="\(.*\)"/\1/' >types
check 'there are fewer than ten types' [ "$(wc -l <types)" -ge 10 ]
for entry in desktop thumbnailer; do
    sed -n 's/^MimeType=//p' "$made/../../generated/aflame.$entry" | tr ';' '\n' | sed '/^$/d' >listed
    same types listed
done
