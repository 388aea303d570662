# again COMMAND...: runs a command whose leaks another run has looked for; sanitizers need as long for
# that as for all that a short command does. Test scripts source this file.

again() {
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$@"
}
