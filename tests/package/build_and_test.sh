# build_and_test LABELS OPTION...: builds aflame in $build with these options of cmake. The tests that open inputs and
# compare what comes out pass, and those of single functions; and those with LABELS (|a|b). Others try limits of the
# system or the source. Graphviz looks for its plugins in /usr. Test scripts source this file; they have $source,
# $build, $scratch and fail().
build_and_test() {
    local labels=$1
    shift
    {
        cmake --preset dev -S "$source" -B "$build" "$@"
        cmake --build "$build" --target aflame_command compare_calls fixtures print_tree unit_tests
    } >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; fail 'no program'; }
    ctest --test-dir "$build" --output-on-failure -j2 -L "^(bytes|tree|folded|calls|export|report|unit$labels)\$" \
        -E callgraph >"$scratch/log" 2>&1 || { tail -n 100 "$scratch/log" >&2; fail 'tests fail'; }
    grep 'tests passed' "$scratch/log"
}
