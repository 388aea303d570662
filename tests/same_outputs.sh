# same_outputs AFLAME OTHER TRACES [ALIKE]: fails unless both programs draw and print the same of each of TRACES, which
# are more than 100. ALIKE FOLDER FOLDER, a function, compares outputs that may differ in their bytes, and removes them.
# Test scripts source this file; they have $scratch and fail().
same_outputs() {
    local n=0 trace folder program
    mkdir "$scratch/theirs" "$scratch/ours"
    for trace in "$3"/*; do
        [ -f "$trace" ] || continue
        for folder in theirs ours; do
            program=$1
            [ $folder = theirs ] || program=$2
            cp "$trace" "$scratch/$folder/trace"
            (
                cd "$scratch/$folder"
                "$program" render trace -o out.svg -o out.png -o out.pdf 2>&1 || echo "exit code $?"
                "$program" convert trace -o out.aflp 2>&1 || echo "exit code $?"
                "$program" convert trace -o out.json 2>&1 || echo "exit code $?"
                "$program" report trace 2>&1 || echo "exit code $?"
            ) >"$scratch/$folder/text"
        done
        ${4:-:} "$scratch/theirs" "$scratch/ours" || fail "${trace##*/}: pictures"
        diff -r "$scratch/theirs" "$scratch/ours" || fail "${trace##*/}"
        rm "$scratch"/theirs/* "$scratch"/ours/*
        n=$((n + 1))
    done
    [ $n -gt 100 ] || fail "only $n traces"
    echo "$n traces"
}
