# The numbers of a comparison, computed from folded stacks (ns) and reports of the two sides. Files in
# order: stacks before, after; methods of the reports before, after; rows of the comparison: threads,
# methods, paths.
FNR == 1 { file++ }

function fail(text) {
    print "diff.awk: " text
    failures++
}

# The value of a key in a row of JSON. Names have no escapes in these inputs.
function value(row, key,    at, rest) {
    at = index(row, "\"" key "\": ")
    if (at == 0) {
        return ""
    }
    rest = substr(row, at + length(key) + 4)
    if (substr(rest, 1, 1) == "\"") {
        rest = substr(rest, 2)
        return substr(rest, 1, index(rest, "\"") - 1)
    }
    sub(/[,}].*/, "", rest)
    return rest
}

function expect(what, got, wanted) {
    checks++
    if (got "" != wanted "") {
        fail(what ": " got ", not " wanted)
    }
}

# Inclusive times of every path of a stack; of methods and threads.
function add(side, stack, ns,    n, parts, i, path, seen) {
    n = split(stack, parts, ";")
    path = parts[1]
    thread[side, path] += ns
    threads[path] = 1
    own[side, stack] += ns
    for (i = 2; i <= n; i++) {
        path = path ";" parts[i]
        inclusive[side, path] += ns
        if (!(parts[i] in seen)) {
            seen[parts[i]] = 1
            method[side, parts[i]] += ns
        }
    }
    if (n > 1) {
        self[side, parts[n]] += ns
    }
    stacks[stack] = 1
}

function least(a, b) { return a < b ? a : b }

file <= 2 {
    ns = $0
    sub(/.* /, "", ns)
    stack = $0
    sub(/ [0-9]+$/, "", stack)
    add(file, stack, ns + 0)
    next
}

file <= 4 {
    calls[file - 2, value($0, "name")] += value($0, "calls")
    next
}

# by the time threads come, all stacks are known
file == 5 && FNR == 1 {
    for (stack in stacks) {
        name = stack
        sub(/;.*/, "", name)
        b = own[1, stack] + 0
        a = own[2, stack] + 0
        common[name] += least(a, b)
        grown[name] += a - least(a, b)
        shrunk[name] += b - least(a, b)
    }
}

file == 5 {
    name = value($0, "name")
    n_threads++
    expect("thread " name " before", value($0, "before_ns"), thread[1, name] + 0)
    expect("thread " name " after", value($0, "after_ns"), thread[2, name] + 0)
    expect("thread " name " common", value($0, "common_ns"), common[name] + 0)
    expect("thread " name " grown", value($0, "grown_ns"), grown[name] + 0)
    expect("thread " name " shrunk", value($0, "shrunk_ns"), shrunk[name] + 0)
}

file == 6 {
    name = value($0, "name")
    n_methods++
    expect(name " self before", value($0, "self_before_ns"), self[1, name] + 0)
    expect(name " self after", value($0, "self_after_ns"), self[2, name] + 0)
    expect(name " inclusive before", value($0, "inclusive_before_ns"), method[1, name] + 0)
    expect(name " inclusive after", value($0, "inclusive_after_ns"), method[2, name] + 0)
    if (value($0, "calls_before") != "") {
        expect(name " calls before", value($0, "calls_before"), calls[1, name] + 0)
        expect(name " calls after", value($0, "calls_after"), calls[2, name] + 0)
        delta = method[2, name] - method[1, name]
        expect(name " split", value($0, "by_calls_ns") + value($0, "by_mean_ns"), delta)
        wanted = delta
        if (calls[1, name] > 0) {
            wanted = (calls[2, name] - calls[1, name]) * method[1, name] / calls[1, name]
        }
        got = value($0, "by_calls_ns")
        if (got - wanted > 0.500001 || wanted - got > 0.500001) {
            fail(name " by calls: " got ", not " wanted)
        }
    }
    size = delta < 0 ? -delta : delta
    size = method[2, name] - method[1, name]
    size = size < 0 ? -size : size
    if (n_methods > 1 && size > last) {
        fail(name " is not sorted by size of the difference")
    }
    last = size
}

file == 7 {
    path = value($0, "path")
    n_paths++
    expect(path " self before", value($0, "self_before_ns"), own[1, path] + 0)
    expect(path " self after", value($0, "self_after_ns"), own[2, path] + 0)
    expect(path " inclusive before", value($0, "inclusive_before_ns"), inclusive[1, path] + 0)
    expect(path " inclusive after", value($0, "inclusive_after_ns"), inclusive[2, path] + 0)
    sum_before += value($0, "self_before_ns")
    sum_after += value($0, "self_after_ns")
}

END {
    for (name in threads) {
        total[1] += thread[1, name]
        total[2] += thread[2, name]
    }
    expect("all paths before", sum_before + 0, total[1] + 0)
    expect("all paths after", sum_after + 0, total[2] + 0)
    if (n_threads == 0 || n_methods == 0 || n_paths == 0) {
        fail("nothing was compared")
    }
    exit failures > 0
}
