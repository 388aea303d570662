# Completion of aflame for bash.
_aflame() {
    local words=() i=1 joined line replies
    # bash takes = for a word of its own
    while [ $i -le "$COMP_CWORD" ]; do
        joined=${COMP_WORDS[i]}
        while [ $i -lt "$COMP_CWORD" ] && { [ "${COMP_WORDS[i + 1]}" = = ] || [ "${COMP_WORDS[i]}" = = ]; }; do
            i=$((i + 1))
            joined+=${COMP_WORDS[i]}
        done
        words+=("$joined")
        i=$((i + 1))
    done
    # words are as they were typed, with quotes
    for i in "${!words[@]}"; do
        words[i]=$(printf '%s' "${words[i]}" | sed "s/[\"'\\\\]//g")
    done
    COMPREPLY=()
    mapfile -t replies < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
    for line in "${replies[@]}"; do
        line=${line%%$'\t'*}
        # in quotes, which bash closes
        [[ ${COMP_WORDS[COMP_CWORD]} == [\"\']* ]] || line=$(printf '%q' "$line")
        COMPREPLY+=("$line")
    done
    if [ ${#COMPREPLY[@]} -eq 0 ]; then
        compopt -o default
    elif [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -F _aflame aflame
