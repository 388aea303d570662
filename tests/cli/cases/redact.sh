# --redact: no name of the app is anywhere in any output, whatever is unpacked of it.
mkdir in
copy_sample in/secretinput.trace 's/^\*threads/secretkey=secretvalue\n*threads/'
platform='^(android|androidx|java|javax|kotlin|kotlinx|dalvik|sun|libcore|com\.android|jdk)\.'

# originals FILE: one a line, of the sample
originals() {
    aflame report -q --top 0 --names full --format csv "$1" | tail -n +2 |
        sed 's/^"//;s/[",(].*//' | grep -Ev "$platform" |
        awk -F. '{ for (i = 1; i <= NF; i++) { n = split($i, p, "$"); for (j = 1; j <= n; j++)
            if (length(p[j]) > 4) print p[j] } }'
    aflame report -q --top 0 --by threads --format csv "$1" | tail -n +2 | cut -d, -f1 |
        tr -d '"' | grep -vx main | awk 'length > 4'
    aflame report -q --top 0 --by sources --format csv "$1" | tail -n +2 | grep -Ev "$platform|^(android|java|kotlin|dalvik|sun|libcore|com/android)" |
        cut -d, -f1 | tr -d '"' | sed 's/.*\///' | awk 'length > 6'
}

# Names that the platform has too say nothing, nor do words of aflame's own texts and scripts.
printf 'A;B 1\n' >own.folded
aflame render -q --data none own.folded -o own.svg -o own.pdf
aflame report -q --data none own.folded -o own.html
aflame convert -q own.folded -o own.firefox.json
aflame convert -q own.folded -o own.gecko.json
"$AFLAME_UNPACK" own.* >own
echo 'in content providers' >>own # a sentence of a finding
originals in/secretinput.trace | sort -u >all.txt
aflame report -q --top 0 --names full --format csv in/secretinput.trace | tail -n +2 |
    grep -E "^\"?$platform" >platform.txt
while IFS= read -r word; do
    grep -qF -e "$word" platform.txt || LC_ALL=C grep -aqF -e "$word" own ||
        printf '%s\n' "$word"
done <all.txt >found.txt
# a pseudonym, made of such letters, may contain a short word by chance
grep -vxE 'C?[a-z2-7]{1,6}' found.txt >words.txt
printf '%s\n' secretinput secretkey secretvalue com.example recipes >>words.txt
check 'no names to look for' [ "$(wc -l <words.txt)" -gt 60 ]

# clean FILE...: none of the names is in them
clean() {
    for file; do
        checks=$((checks + 1))
        "$AFLAME_UNPACK" "$file" >unpacked
        if LC_ALL=C grep -aoFf words.txt unpacked | sort -u | head -n 5 >found && [ -s found ]; then
            fail "$file has $(tr '\n' ' ' <found)"
        fi
    done
}

redact="--redact --redact-key key"
expect 0 aflame render -q in/secretinput.trace $redact -o a.svg -o a.png -o a.pdf
check 'the key is readable by others' [ "$(stat -c %a key)" = 600 ]
check 'the key leaves a draft' [ "$(ls key*)" = key ]
cp key before
expect 0 aflame render -q in/secretinput.trace $redact --static -o static.svg
expect 0 aflame render -q in/secretinput.trace $redact --view chart -o c.svg -o c.png
expect 0 aflame render -q in/secretinput.trace $redact --names short --thread RenderThread -o t.svg
expect 0 aflame render -q in/secretinput.trace $redact --names full --focus onCreate -o f.svg
expect 0 aflame report -q in/secretinput.trace $redact --top 0 -o a.html -o a.json -o a.csv -o a.txt
expect 0 aflame report -q in/secretinput.trace $redact --tree down --tree up -o t.txt
for format in aflp folded speedscope.json json pftrace firefox.json gecko.json spall pb.gz callgrind; do
    expect 0 aflame convert -q in/secretinput.trace $redact -o a.$format
done
expect 0 -w info.txt aflame info in/secretinput.trace $redact
expect 0 -w info.json aflame info --json in/secretinput.trace $redact
same key before
opens a.svg a.png a.pdf static.svg
clean a.* static.svg c.svg c.png t.svg f.svg t.txt info.txt info.json
check 'the check finds names' sh -c 'aflame render -q in/secretinput.trace -o leak.png &&
    "$AFLAME_UNPACK" leak.png | LC_ALL=C grep -aqFf words.txt'

# the same key: the same file; another key: other names, equal times
expect 0 aflame convert -q in/secretinput.trace $redact -o again.aflp
same a.aflp again.aflp
expect 0 aflame convert -q in/secretinput.trace --redact -o other.aflp
differ a.aflp other.aflp
expect 0 aflame convert -q in/secretinput.trace -o plain.folded
check 'times differ' sh -c "[ \"\$(awk '{ print \$NF }' a.folded | sort)\" = \
    \"\$(awk '{ print \$NF }' plain.folded | sort)\" ]"
grep -q 'android.os.Looper.loop' a.folded || fail 'names of the platform are gone'

# what a redacted picture carries is redacted
expect 0 aflame convert -q a.png -o carried.folded
same carried.folded a.folded

# ---- the same names in files of other tools ----
for format in pftrace pb.gz gecko.json firefox.json json speedscope.json folded callgrind aflp; do
    in_part || continue
    expect 0 aflame convert -q in/secretinput.trace -o in/secretinput.$format
    expect 0 aflame render -q in/secretinput.$format $redact -o o.svg -o o.png -o o.pdf
    expect 0 aflame report -q in/secretinput.$format $redact --top 0 -o o.html -o o.json -o o.txt
    expect 0 aflame convert -q in/secretinput.$format $redact -o o.aflp -o o.folded
    expect 0 -w o.info.json aflame info --json in/secretinput.$format $redact
    expect 0 -w o.info.txt aflame info in/secretinput.$format $redact
    clean o.*
    rm -f o.*
done

# ---- two sides, and many runs ----
cp in/secretinput.trace in/secretother.trace
expect 0 aflame diff -q in/secretinput.trace in/secretother.trace $redact -o d.svg -o d.png -o d.pdf \
    -o d.html -o d.json -o d.csv -o d.md -o d.txt -o d.folded
expect 0 aflame diff -q in/secretinput.trace in/secretother.trace $redact --thread RenderThread \
    --paths --by files --tree down -o e.json -o e.txt
clean d.* e.*
expect 0 -n '"status": "changed"' cat d.json
# without a file the key of the run is the same for all of its inputs
expect 0 aflame diff -q in/secretinput.trace in/secretother.trace --redact --json
out_lacks '"status": "new"' '"status": "gone"'
differ "$captured/out" d.json
expect 0 aflame merge -q in/secretinput.trace in/secretother.trace $redact -o m.aflp -o m.folded
clean m.aflp m.folded
check 'a merged profile has other names' sh -c "cut -d' ' -f1 m.folded | sort >m.names
    cut -d' ' -f1 a.folded | sort | comm -13 m.names - >missing && [ ! -s missing ]"

# ---- what does not go with it ----
printf '[x]\nmethod = onCreate\nlimit = 1 s\n' >budget.ini
expect 2 aflame diff in/secretinput.trace in/secretother.trace --redact --budget budget.ini
err_has '--budget shows or needs original names; leave it out when you use --redact'
for option in '--title secret' '--mark onCreate --view chart'; do
    expect 2 -e 'leave it out when you use --redact' aflame render in/secretinput.trace --redact $option -o x.svg
done
expect 2 aflame report in/secretinput.trace --redact --method onCreate
expect 2 aflame report in/secretinput.trace --redact --records
expect 2 aflame report in/secretinput.trace --redact --format dmtracedump
expect 2 -e 'needs --redact' aflame render in/secretinput.trace --redact-key key -o x.svg
printf short >shortkey
expect 2 aflame render in/secretinput.trace --redact --redact-key shortkey -o x.svg
expect 5 aflame render in/secretinput.trace --redact --redact-key none/key -o x.svg
absent x.svg

# ---- numbers that a compiler or a run assigns pair as they do without pseudonyms ----
name() { # LAMBDA NUMBER ADDRESS
    printf 'main;com.shop.Main$$Lambda$%s.run;com.shop.Main.lambda$start$%s;com.shop.Main.access$%s;' "$1" "$2" "$2"
    printf 'com.shop.Main$$ExternalSyntheticLambda%s.run;com.shop.Main$%s.run;com.shop.-$$Lambda$Main$Y%sk.run;' "$2" "$2" "$2"
    printf '$Proxy%s.invoke;libshop.so[+%s];libshop.so+0x%s;[jit-cache]+0x%s 10\n' "$2" "$3" "$3" "$3"
}
name 12/0x7f3a 4 1f2a0 >before.folded
name 7/0x99 19 77 >after.folded
expect 0 -w plain.json aflame diff before.folded after.folded --json --paths
expect 0 -n shop aflame diff before.folded after.folded --json --paths --redact --redact-key numbers.key
check 'other statuses' test "$(grep -c '"status": "same"' plain.json)" = "$(grep -c '"status": "same"' "$captured/out")"
out_lacks '"status": "new"'
printf '{"traceEvents":[%s,%s]}' '{"ph":"M","pid":1,"tid":9,"name":"thread_name","args":{"name":"pool-2-thread-7"}}' \
    '{"ph":"X","pid":1,"tid":9,"name":"a","ts":0,"dur":5}' >before.json
sed 's/pool-2-thread-7/pool-1-thread-3/' before.json >after.json
expect 0 -n pool aflame diff before.json after.json --json --redact --redact-key numbers.key
out_has '"before_ns": 5000, "after_ns": 5000'

# ---- a proxy of an interface, and one that nothing names ----
expect 0 aflame convert -q "$made/proxy_names.trace" --redact -o proxies.folded
omits proxies.folded Users
check 'a proxy is not marked' [ "$(grep -c '\[proxy\]' proxies.folded)" -ge 3 ]
expect 0 aflame convert -q "$made/proxy_only.trace" --redact -o one.folded
expect 0 aflame convert -q "$made/proxy_only.trace" -o plain.folded
check 'another proxy' [ "$(grep -c '0x.*\[' plain.folded)" = "$(grep -c '0x.*\[' one.folded)" ]

# ---- processes, markers, libraries, folded frames ----
# a key of one's own: pseudonyms of a random one may hold "fps" by chance
printf '%032d' 1 >fixed.key
for input in perfetto_processes systrace_marks perfetto_event_stacks; do
    expect 0 aflame convert -q --process all --redact --redact-key fixed.key "$made/$input.trace" -o names.aflp
    expect 0 aflame convert -q --process all --redact --redact-key fixed.key "$made/$input.trace" -o names.json
    "$AFLAME_UNPACK" names.aflp names.json >names
    check "$input: a name is left" sh -c '! grep -aE "com.example|other.app|ple.app|retry|fps|inline" names'
done
# paths of the system name no app
expect 0 aflame convert -q --redact --redact-key fixed.key "$made/perf_simpleperf.trace" -o names.aflp
"$AFLAME_UNPACK" names.aflp >names
for path in /apex/libc.so /apex/lib64/libart.so /vendor/wifi.ko; do
    check "$path is gone" grep -qaF $path names
done
check 'the path of an app is left' sh -c '! grep -aE "data/app|vdex|com.example" names'
expect 0 -o 'main;… 6 folded frames' aflame convert -q --fold framework --redact "$data/sample.trace"
