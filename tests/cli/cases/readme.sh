# The README says what the commands say: every line after `$` in its console blocks is run, and
# the README is made again with what they print. AFLAME_BLESS=1 accepts the difference.
readme=$data/../../README.md
cp "$data/sample.trace" app.trace
end=$(LC_ALL=C grep -abo '^\*end$' app.trace | cut -d: -f1)
head -c $((end + 5)) app.trace >old.key
tail -c +$((end + 6)) app.trace >old.data
head -c 99999 app.trace >cut.trace
copy_sample release.trace "$(cat "$data/release.sed")"
cp "$data/mapping.txt" mapping.txt
cp "$made/perf_simpleperf.trace" perf.data
cp "$made/spall_v3.trace" game.spall
printf '[{"ph":"X","name":"fetch","pid":1,"tid":1,"ts":0,"dur":30},' >page.json
printf '{"ph":"X","name":"parse","pid":1,"tid":1,"ts":20,"dur":30}]' >>page.json
mkdir -p project/src project/.git
cp release.trace mapping.txt project
sed -n '/^```ini$/,/^```$/p' "$readme" | sed '/^```/d' >project/.aflame

commands=0 inside=
while IFS= read -r line; do
    case $inside$line in
    '```console') inside=yes: ;;
    'yes:```') inside= ;;
    'yes:$ '*)
        printf '%s\n' "$line"
        sh -c "${line#\$ }" 2>&1 </dev/null
        commands=$((commands + 1))
        continue
        ;;
    yes:*) continue ;; # printed by the command before
    esac
    printf '%s\n' "$line"
done <"$readme" >made.md
last='the commands of README.md'
check 'fewer than ten commands' [ $commands -ge 10 ]
if [ "${AFLAME_BLESS-}" = 1 ] && [ -z "${was_ci-}" ]; then
    cp made.md "$readme"
fi
diff "$readme" made.md >&2
same "$readme" made.md
opens chart.svg resume.png mine.svg callers.png app.svg graph.svg graph.png graph.pdf cpu.png start.svg old.svg cut.svg static.svg
absent cut.png

