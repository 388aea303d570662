# again COMMAND...: runs a command whose leaks another run has looked for. Test scripts source this file.

again() {
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$@"
}
