# Selecting and reshaping: in command-line order, the same for every verb.

total() {
    aflame convert app.trace "$@" 2>/dev/null | awk '{ sum += $NF } END { print sum + 0 }'
}

# every line of the output matches
only() {
    check "a line without $1" sh -c "! grep -vE -e '$1' '$captured/out'"
}

# ---- time is preserved, or reported as removed ----
all=$(total)
check 'the result was not measured' [ "$all" -gt 1000000 ]
for options in '--hide Looper' '--fold android.**' '--fold framework' '--max-depth 7' \
    '--collapse-recursion' '--clean' '--clean --collapse-recursion' '--merge-numbers' '--sort name' \
    '--merge-threads all'; do
    # a stack's time is written in whole microseconds
    lost=$((all - $(total $options)))
    check "$options loses $lost us" [ "$lost" -le 100 ] && check "$options adds time" [ "$lost" -ge -100 ]
done
inside=$(total --focus MainActivity.onCreate)
outside=$(total --ignore MainActivity.onCreate)
check 'inside and outside do not add up to the total' [ $((all - inside - outside)) -le 100 ]
check 'the selection is empty' [ "$inside" -gt 1000 ]
check '--within and --focus differ' [ "$inside" -eq "$(total --within MainActivity.onCreate)" ]

# ---- the effect of each option on stacks ----
printf '%s\n' 'main;frame 17;Base64 8' 'main;frame 18;Base64 4' 'main;frame 18;frame 2 [3];a.b$0 1' >frames.folded
expect 0 aflame convert frames.folded --merge-numbers
check 'numbered names do not merge' [ "$(sort "$captured/out")" = 'main;frame #;Base64 12
main;frame #;frame # [#];a.b$0 1' ]
expect 0 aflame convert app.trace --focus =com.example.recipes.MainActivity.onCreate
only ';com.example.recipes.MainActivity.onCreate(;| )'
out_has 'main;com.android.internal.os.ZygoteInit.main;'
expect 0 aflame convert app.trace --root =com.example.recipes.MainActivity.onCreate
only '^main;com.example.recipes.MainActivity.onCreate(;| )'
expect 0 -n MainActivity aflame convert app.trace --ignore mainactivity
expect 0 -n android. aflame convert app.trace --hide '!com.example.recipes.**'
out_has 'main;com.example.recipes.MainActivity.onCreate'
expect 0 aflame convert app.trace --max-depth 1 --thread main
only '^main;[^;]*$'
expect 0 -o ' framework frames;com.example.recipes' aflame convert app.trace --thread main --fold framework
expect 0 -o 'main;java.lang.Object.wait;java.lang.Object.wait;' aflame convert app.trace --thread main --invert-callers
expect 0 aflame convert app.trace --clean
out_lacks '$default' 'Kt.'
expect 0 -n setText aflame convert app.trace --shorter-than 100ms --thread main
expect 0 -o 'DefaultDispatcher-worker-#;' aflame convert app.trace --merge-threads Dispatcher-worker
out_lacks 'DefaultDispatcher-worker-1;'

# ---- order ----
expect 1 aflame convert app.trace --hide Handler --focus Handler
err_is 'aflame: app.trace: --focus Handler: it matches no remaining frame'
expect 0 -n Handler aflame convert app.trace --focus Handler --hide Handler
# thread names match those at that point of the steps
expect 0 aflame convert app.trace --merge-threads worker -t 'DefaultDispatcher-worker-#'
only '^DefaultDispatcher-worker-#;'
expect 0 aflame convert app.trace -t DefaultDispatcher-worker-1 -t main --merge-threads worker
err_is 'aflame: app.trace: --merge-threads worker: no two matching threads have names that differ only in digits'
only '^(DefaultDispatcher-worker-1|main);'
expect 2 aflame convert app.trace --merge-threads worker --thread DefaultDispatcher-worker-1
err_has 'did you mean "DefaultDispatcher-worker-#"?'

# ---- no match, empty result ----
expect 0 aflame convert app.trace --hide Handlr
err_is 'aflame: app.trace: --hide Handlr: no method matches "Handlr"; did you mean "Handler"?'
expect 0 -e '' aflame convert -q app.trace --hide Handlr
expect 1 aflame render app.trace --focus Handlr
err_is 'aflame: app.trace: --focus Handlr: no method matches "Handlr"; did you mean "Handler"?'
absent app.svg
expect 1 -m "aflame: app.trace: nothing is left after --ignore '**'" aflame convert app.trace --ignore '**'
expect 1 aflame render app.trace --focus MainActivity --thread RenderThread -o x.png
err_is 'aflame: app.trace: nothing is left in RenderThread after --focus MainActivity'
absent x.png
expect 0 aflame convert app.trace --fold =com.example.recipes.MainActivity.onCreate
err_is 'aflame: app.trace: --fold =com.example.recipes.MainActivity.onCreate: no two matching frames follow each other on a path'

# ---- errors ----
expect 2 -e 'aflame: --focus: /(/ is not a valid regular expression: ' aflame render app.trace --focus '/(/'
expect 2 -m 'aflame: --hide: the pattern "" is empty' aflame render app.trace --hide ''
expect 2 -m 'aflame: --max-depth takes a whole number from 1 up, not "0"' aflame render app.trace --max-depth 0
expect 2 aflame render app.trace --shorter-than 5
err_is 'aflame: --shorter-than: the time "5" has no unit; write 5ms, or ns, us, s, min'
expect 2 -m 'aflame: --shorter-than: the time "-5ms" is below 0' aflame render app.trace --shorter-than=-5ms
expect 2 -m 'aflame: --sort takes one of first, time, name; did you mean time?' aflame render app.trace --sort tiem
expect 2 -m 'aflame: --clean takes no value' aflame render app.trace --clean=1
expect 2 -m 'aflame: unknown option --focsu; did you mean --focus?' aflame render app.trace --focsu x
absent app.svg

# ---- every verb and format shows the steps ----
expect 0 aflame render app.trace --merge-threads 'Binder*' --focus onCreate --clean \
    -o app.svg -o app.png -o app.pdf
opens app.svg app.png app.pdf
check 'the picture does not list the steps' \
    grep -q -e "--merge-threads 'Binder\*' · --focus onCreate · --clean<" app.svg
check 'the picture does not report the removed time' \
    grep -q -e '--focus onCreate left out [0-9.]* s (9[0-9.]* % of all threads' app.svg
pdftotext app.pdf app.txt
check 'the PDF does not list the steps' grep -q -e '--focus onCreate' app.txt
expect 0 aflame render app.trace --clean --thread '/worker-1$/' --thread main -o app.svg
check 'the picture does not name the threads' \
    grep -q -e "--clean · --thread '/worker-1\$/' · --thread main<" app.svg
check 'coroutine machinery is not dimmed' \
    grep -q 'dimmed: coroutine machinery 0.4 %' app.svg
expect 0 -o RecipeAdapter.onBind -n MainActivity.onCreate aflame report app.trace --focus RecipeAdapter.onBind
expect 2 -e '--focus has no effect on the records of the file' aflame report app.trace --focus x --format dmtracedump
expect 2 -e '--clean has no effect on the records of the file' aflame report app.trace --clean --records
expect 2 -e '--thread is the only reshaping option' aflame report app.trace --clean -o x.csv -o x.dmtracedump
for verb in render convert report; do
    expect 0 aflame $verb --help --all
    for option in --merge-threads --focus --within --ignore --root --hide --fold \
        --collapse-recursion --merge-numbers --max-depth --shorter-than --clean --invert-callers --compensate; do
        out_has "  $option"
    done
    out_has "  -t, --thread=WHICH " 'A PATTERN is text, /regex/, /regex/i, =exact'
done

# reports tell their steps in every format
expect 0 aflame report --hide '=java.lang.Object.wait' --format html "$data/sample.trace" -o steps.html
contains steps.html '<p>--hide =java.lang.Object.wait moved to callers '
