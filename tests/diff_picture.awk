# Compares the frames of a picture with the union of both sides, computed from folded stacks (ns). Files
# in order: stacks before, after; the frames of one thread as "ROW X0 X1 COMMON GROWN SHRUNK NAME", pixels.
# -v thread=NAME -v graph=WIDTH
FNR == 1 { file++ }

function fail(text) {
    print "diff_picture.awk: " text
    failures++
}

function add(side, stack, ns,    n, parts, i, path) {
    n = split(stack, parts, ";")
    if (parts[1] != thread) {
        return
    }
    path = parts[1]
    paths[path] = 1
    for (i = 2; i <= n; i++) {
        path = path ";" parts[i]
        paths[path] = 1
    }
    self[side, path] += ns
}

file <= 2 {
    ns = $0
    sub(/.* /, "", ns)
    sub(/ [0-9]+$/, "")
    add(file, $0, ns)
    next
}

# A path's own parts count for it and for every path above.
function add_up(    path, before, after, common, above) {
    for (path in paths) {
        before = self[1, path] + 0
        after = self[2, path] + 0
        common = before < after ? before : after
        for (above = path; above != ""; ) {
            both[above] += common
            grown[above] += after - common
            shrunk[above] += before - common
            above = index(above, ";") ? above : ""
            sub(/;[^;]*$/, "", above)
        }
    }
    total = both[thread] + grown[thread] + shrunk[thread]
}

# `most`: what is beyond lies in the gap after the frame.
function compare(path, what, got, ns, most,    wanted) {
    wanted = ns * graph / total
    wanted = wanted < most ? wanted : most
    checks++
    if (got - wanted > 0.021 || wanted - got > 0.021) {
        fail(path ": " what " at " got " px, expected " wanted)
    }
}

FNR == 1 { add_up() }

# The caller is the frame of the row below that covers the left edge.
{
    row = $1
    path = thread
    for (i = 1; i <= n[row - 1]; i++) {
        if (x0[row - 1, i] <= $2 + 0.005) {
            path = name[row - 1, i]
        }
    }
    k = ++n[row]
    x0[row, k] = $2
    text = $0
    sub(/^[^ ]* [^ ]* [^ ]* [^ ]* [^ ]* [^ ]* /, "", text)
    name[row, k] = path = path ";" text
    if (!(path in paths)) {
        fail(path ": neither side has it")
    }
    drawn[path] = 1
    width = $3 - $2
    gap = width >= 3 ? 0.6 : width / 5
    compare(path, "the frame ends", width + gap, both[path] + grown[path] + shrunk[path], graph)
    compare(path, "the part of both sides ends", $4, both[path], width)
    compare(path, "the part of after ends", $4 + $5, both[path] + grown[path], width)
    compare(path, "the part of before ends", $4 + $5 + $6, total, width)
}

END {
    for (path in paths) {
        width = (both[path] + grown[path] + shrunk[path]) * graph / total
        # narrower frames are strokes without a name
        if (path != thread && !(path in drawn) && width >= 1.25) {
            fail(path ": is not drawn")
        }
    }
    if (checks < 6) {
        fail("only " checks + 0 " checks of " thread)
    }
    exit failures > 0
}
