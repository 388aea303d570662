#!/bin/sh
# house.sh TOP
# The floors: which folder may include which. An arrow that is not in this table is a defect of the
# house, not of the table.
set -eu
top=$1
cd "$top"

# May a file of `room` include `target`? Rooms are folders; render/scene and render/canvas are a
# room of their own, because a scene knows nothing of profiles. A reader that is a folder knows what
# all readers share, and no other reader.
may() {
    case "$1:$2" in
    base:base/*) ;;
    model:base/*|model:model/*) ;;
    build:base/*|build:model/*|build:build/*) ;;
    build:calls/call_walk.h) ;;
    calls:base/*|calls:model/*|calls:build/*|calls:calls/*) ;;
    read:base/*|read/*:base/*) ;;
    read:build/event.h|read:build/sink.h|read:build/chunk.h|read:model/warning.h) ;;
    read/*:build/event.h|read/*:build/sink.h|read/*:build/chunk.h|read/*:model/warning.h) ;;
    read:read/*/*) return 1 ;;
    read:read/*) ;;
    read/*:read/*/*) [ "${2%/*}" = "$1" ] ;;
    read/*:read/*) ;;
    transform:base/*|transform:model/*|transform:build/*|transform:calls/*|transform:transform/*) ;;
    mapping:base/*|mapping:model/*|mapping:build/*|mapping:calls/*|mapping:mapping/*) ;;
    report:base/*|report:model/*|report:build/*|report:calls/*|report:report/*) ;;
    export:base/*|export:model/*|export:build/*|export:calls/*|export:export/*) ;;
    paper:base/*|paper:render/scene.h|paper:render/canvas.h|paper:render/paint.h) ;;
    render:base/*|render:model/*|render:build/*|render:calls/*) ;;
    render:render/cairo/*|render:render/svg/*) return 1 ;;
    render:render/*) ;;
    svg:render/svg/*|cairo:render/cairo/*) ;;
    svg:base/*|cairo:base/*) ;;
    svg:render/scene.h|svg:render/canvas.h|svg:render/paint.h|svg:render/palette.h|svg:render/face.h) ;;
    cairo:render/scene.h|cairo:render/canvas.h|cairo:render/paint.h|cairo:render/palette.h|cairo:render/face.h) ;;
    api:cli/*) return 1 ;;
    api:*) ;;
    cli:cli/*) ;;
    *) return 1 ;;
    esac
}

room_of() {
    case "$1" in
    src/read/*/*) room=${1#src/} && echo "${room%/*}" ;;
    src/*) room=${1#src/} && echo "${room%%/*}" ;;
    render/cairo/*) echo cairo ;;
    render/svg/*) echo svg ;;
    render/scene.*|render/canvas.*|render/paint.*) echo paper ;;
    render/*) echo render ;;
    esac
}

complain() {
    echo "$1" >&2
    bad=1
}

bad=0 arrows=0
files=$(find src render -name '*.[ch]' | LC_ALL=C sort)
for file in $files; do
    room=$(room_of "$file")
    for target in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
        arrows=$((arrows + 1))
        may "$room" "$target" || complain "$file: $room must not include $target"
    done
    for target in $(sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file"); do
        case "$target" in
        cairo*|pango*|fontconfig/*|ft2build.h|freetype/*)
            [ "$room" = cairo ] || complain "$file: only render/cairo includes <$target>" ;;
        json-glib/*|hb*|png.h|protobuf-c/*|zlib.h)
            [ "$room" != model ] && [ "$room" != cli ] || complain "$file: $room includes <$target>" ;;
        esac
    done
    # the library never prints, exits, or looks at what is around it
    if [ "$room" != cli ] &&
        grep -nE '(^|[^a-zA-Z0-9_])(printf|puts|putchar|fprintf|exit|abort|setlocale|getenv|g_print|g_printerr|g_error|g_warning|g_message|g_getenv|g_get_home_dir|rand|random|time|g_get_real_time)\(' "$file" >&2; then
        complain "$file: prints, ends the program or looks around"
    fi
done

# the public headers include each other and GLib, nothing else
for file in include/aflame/*.h; do
    for target in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$file"); do
        case "$target" in
        aflame/*|glib.h|gio/gio.h|stdint.h|stddef.h) ;;
        *) complain "$file: a public header must not include $target" ;;
        esac
    done
done

# names that say nothing
find src render include tests -name '*.[ch]' | grep -E '/[a-z_]*(util|misc|manager|helper)[a-z_]*\.' >&2 &&
    complain "a file's name says nothing"

echo "$arrows includes"
[ "$arrows" -gt 100 ] && [ "$bad" -eq 0 ]
