# Compares a call graph in Graphviz' language with the tables of a report: all methods and, of each, its
# callers. Files in order: methods and relatives as JSON, the graph.
FNR == 1 { file++ }

function fail(text) {
    print "callgraph.awk: " text
    failures++
}

# The value of a key: a number, or a string with its escapes.
function value(key,    at, rest) {
    at = index($0, "\"" key "\": ")
    if (at == 0) {
        return ""
    }
    rest = substr($0, at + length(key) + 4)
    if (substr(rest, 1, 1) == "\"") {
        match(rest, /^"([^"\\]|\\.)*"/)
        return substr(rest, 2, RLENGTH - 2)
    }
    match(rest, /^[0-9]+/)
    return substr(rest, 1, RLENGTH)
}

function attribute(key,    at, rest) {
    at = index($0, " " key "=")
    rest = substr($0, at + length(key) + 2)
    if (substr(rest, 1, 1) == "\"") {
        match(rest, /^"([^"\\]|\\.)*"/)
        return substr(rest, 2, RLENGTH - 2)
    }
    match(rest, /^[0-9]+/)
    return at == 0 ? "" : substr(rest, 1, RLENGTH)
}

file == 1 && /"self_/ {
    name = value("name")
    node[name] = value("self" suffix) " " value("inclusive" suffix) " " value("calls") + 0 " " \
        value("recursive_calls") + 0
}

file == 2 && /"relation": "callers/ && !/"name": "thread / {
    pair = value("name") "\t" value("method")
    if (/"callers while recursive"/) {
        nested[pair] = value("inclusive" suffix) + 0 " " value("calls") + 0
    } else {
        plain[pair] = value("inclusive" suffix) + 0 " " value("calls") + 0
    }
    pairs[pair] = 1
}

file == 3 && /^  n[0-9]+ \[/ {
    name = attribute("tooltip")
    names[$1] = name
    got = attribute("self") " " attribute("inclusive") " " attribute("calls") " " \
        attribute("nested_calls")
    if (got != node[name]) {
        fail("node " name ": " got ", expected " node[name])
    }
    delete node[name]
    checks++
}

file == 3 && /^  n[0-9]+ -> n[0-9]+ / {
    pair = names[$1] "\t" names[$3]
    got = attribute("time") + 0 " " attribute("calls") + 0
    more = attribute("nested_time") + 0 " " attribute("nested_calls") + 0
    if (!(pair in pairs)) {
        fail("edge " pair " is not in the report")
    }
    if (got != (pair in plain ? plain[pair] : "0 0")) {
        fail("edge " pair ": " got ", expected " plain[pair])
    }
    if (more != (pair in nested ? nested[pair] : "0 0")) {
        fail("edge " pair ": nested " more ", expected " nested[pair])
    }
    delete pairs[pair]
    checks++
}

END {
    for (name in node) {
        fail("method " name " is not in the graph")
    }
    for (pair in pairs) {
        fail("calls " pair " are not in the graph")
    }
    if (checks < 1) {
        fail("nothing compared")
    }
    exit failures > 0
}
