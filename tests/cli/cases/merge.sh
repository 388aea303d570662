# merge: the result depends neither on order nor on grouping; diff takes it like its runs one by one.
# recording LOAD DRAW >FILE, in us
recording() {
    printf '[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}},\n'
    printf '{"ph":"X","pid":1,"tid":1,"name":"a.A.run","ts":0,"dur":%s},\n' $(($1 + $2 + 100))
    printf '{"ph":"X","pid":1,"tid":1,"name":"a.B.load","ts":0,"dur":%s},\n' "$1"
    printf '{"ph":"X","pid":1,"tid":1,"name":"a.C$$Lambda$%s.draw","ts":%s,"dur":%s}]\n' "$1" "$1" "$2"
}
for i in 1 2 3 4 5 6; do
    recording $((1000 + i * 7)) $((500 + i * i)) >old$i.json
    recording $((1600 + i * 5)) $((500 + i * i * 2)) >new$i.json
done

# ---- order and groups ----
expect 0 aflame merge old1.json old2.json old3.json old4.json old5.json old6.json -o all.aflp
expect 0 aflame merge old6.json old5.json old4.json old3.json old2.json old1.json -o backward.aflp
expect 0 aflame merge old2.json old5.json -o some.aflp
expect 0 aflame merge old6.json old1.json -o others.aflp
expect 0 aflame merge others.aflp old4.json some.aflp old3.json -o groups.aflp
expect 0 aflame merge all.aflp -o again.aflp
same all.aflp backward.aflp
same all.aflp groups.aflp
same all.aflp again.aflp

# ---- the category that a file names for a method is copied into the merged profile ----
grouped() { # CATEGORY TIME >FILE
    printf '[{"ph":"X","pid":1,"tid":1,"name":"work","cat":"%s","ts":0,"dur":%s},\n' "$1" "$2"
    printf '{"ph":"X","pid":1,"tid":1,"name":"rest","cat":"other","ts":0,"dur":1}]\n'
}
grouped network,http 5 >group1.json
grouped network,http 6 >group2.json
MALLOC_PERTURB_=85 expect 0 aflame merge group1.json group2.json -o perturbed.aflp
MALLOC_PERTURB_=170 expect 0 aflame merge group1.json group2.json -o grouped.aflp
same perturbed.aflp grouped.aflp
expect 0 -o network aflame report grouped.aflp --by categories --format csv

# ---- a profile counts once: a copy of its recording, its saved profile, a picture of it ----
mkdir twice
cp old1.json old2.json twice
expect 0 -e '' aflame merge twice -o once.aflp
expect 0 aflame convert -q twice/old1.json -o twice/saved.aflp
gzip -c twice/old2.json >twice/packed.json.gz
expect 0 aflame render -q twice/old1.json -o twice/old1.svg -o twice/old1.png
for operands in twice 'twice/*' 'twice twice/old1.svg'; do
    expect 0 aflame merge $operands -o mixed.aflp
    same once.aflp mixed.aflp
    err_has 'skipped: it holds the same profile as twice/old1.json'
    err_has 'skipped: it holds the same profile as twice/old2.json'
done
err_lines 3
expect 0 aflame merge "twice/*" -q -o mixed.aflp
same once.aflp mixed.aflp
err_empty
printf '[x]\nmethod = =a.B.load\nlimit = 1 s\n' >twice.ini
expect 0 -o '"runs": 2' aflame check twice --budget twice.ini --json
# also after options that make profiles equal
expect 0 -o '"runs": 2' aflame diff --before old1.json --before old2.json --after twice --focus a.C --json
err_lacks 'the same profile as old1'
# a glob that finds only pictures means them
expect 0 aflame merge 'twice/*.png' -o picture.aflp

# ---- sums ----
expect 0 aflame convert all.aflp -o all.folded
expect 0 -o 'main;a.A.run;a.B.load 6147' cat all.folded
expect 0 aflame merge old1.json old2.json -o two.folded -o two.pb.gz
present two.folded two.pb.gz

# ---- the runs of a merged profile are those that it was made from ----
expect 0 aflame merge 'new?.json' -o new.aflp
expect 0 aflame diff --before 'old?.json' --after 'new?.json' -o one.json -o one.md
expect 0 aflame diff all.aflp new.aflp -o merged.json
check 'merged runs give other numbers' sh -c \
    'grep -v sides one.json >a; grep -v sides merged.json >b; cmp -s a b'
expect 0 -o '"runs": 6, ' cat merged.json
out_has '"name": "a.B.load", ' '"p": 0.002165, ' '"name": "a.C$$Lambda$#.draw", '
expect 0 aflame diff all.aflp new.aflp --focus a.B
out_has '6 and 6 runs: differences may be noise; options that reshape a merged profile do not'

# ---- more runs than are kept for statistics ----
mkdir many
for i in $(seq 1 70); do recording $((1000 + i)) $((500 + i * i % 37)) >many/$i.json; done
expect 0 aflame merge many -o many.aflp
expect 0 aflame merge many/1.json many/2.json many/3.json -o first.aflp
rm many/1.json many/2.json many/3.json
expect 0 aflame merge many -o rest.aflp
expect 0 aflame merge rest.aflp first.aflp -o joined.aflp
same many.aflp joined.aflp
expect 0 -o 'statistics use 64 of the 70 runs of before' aflame diff many.aflp many.aflp

# ---- info and limits know the runs ----
expect 0 -o '  runs        6 merged; times of methods are stored for each run' aflame info all.aflp
expect 0 -o '  runs        70 merged; times of methods are stored for each of 64 runs' aflame info many.aflp
expect 0 -o '"runs": 70' aflame info many.aflp --json
out_has '"runs_with_sums": 64'
for measure in self inclusive calls mean; do
    printf '[x]\nthread = main\nmethod = =a.B.load\nmeasure = %s\nlimit = 1.024 ms\n' $measure
done | awk '/\[x\]/ { sub(/x/, "x" ++n) } /calls/ { counts = 1 } /limit/ && counts { $0 = "limit = 1"; counts = 0 } 1' \
    >limits.ini
expect 1 aflame check old1.json old2.json old3.json old4.json old5.json old6.json --budget limits.ini --json -o single.json
expect 1 aflame check all.aflp --budget limits.ini --json -o merged.json
same single.json merged.json
expect 0 -o '"value_ns": 1024500' cat merged.json
# self times of several methods
printf '[x]\nmethod = /a[.]/\nmeasure = self\nlimit = 2 ms\n' >self.ini
expect 0 aflame check old1.json old2.json old3.json old4.json old5.json old6.json --budget self.ini --json -o single.json
expect 0 aflame check all.aflp --budget self.ini --json -o merged.json
same single.json merged.json
expect 0 -o '"runs": 6' cat merged.json
# with callees, of several methods that may call each other, only the mean is known
printf '[x]\nmethod = /a[.]/\nlimit = 2 ms\n' >several.ini
expect 0 -o '"runs": 6, "statistic": "mean"' aflame check all.aflp --budget several.ini --json

# ---- in many processes, as on many machines ----
check 'GNU parallel is missing' sh -c 'command -v parallel >parallel.path'
if [ -s parallel.path ]; then
    expect_sh 0 "ls many/*.json | parallel --will-cite -n 10 -j 2 aflame merge -q {} -o part-{#}.aflp"
    expect 0 aflame merge 'part-*.aflp' -o parallel.aflp
    same rest.aflp parallel.aflp
fi

# ---- the steps of other engines, as in the manual: a process reads names and merges their files ----
printf '%s\n' old1.json old2.json old3.json >names
expect_sh 0 "xargs sh -c 'aflame merge -q \"\$@\" -o \$\$.aflp; mv \$\$.aflp piped.aflp; echo piped.aflp' - <names"
out_has piped.aflp
# Hadoop passes a key and an empty value; -n 2 stands for a list that is too long for one command
expect_sh 0 "sed 's/$/\t/' names | xargs -n 2 sh -c 'aflame merge -q \$@ -o part-of-\$\$.aflp' -"
check 'a second command replaced the file of the first' [ "$(ls part-of-*.aflp | wc -l)" = 2 ]
expect 0 aflame merge 'part-of-*.aflp' -o reduced.aflp
same piped.aflp reduced.aflp
check 'the manual has another reducer' grep -qF 'xargs sh -c "aflame merge -q $@ -o part-$$.aflp" -' "$data/../../src/cli/manual/aflame-merge.1.in"

# ---- what cannot be merged ----
expect 2 aflame merge
expect 2 -e 'needs profiles and an output' aflame merge old1.json
expect 0 -n 'default: standard output' aflame merge --help
printf 'main;a.A.run 5\n' >counts.folded
expect 2 -e 'counts.folded: holds samples, but old1.json holds times' aflame merge old1.json counts.folded -o x.aflp
expect 2 -e 'has no clock in common with old1.json' aflame merge old1.json "$made/v2_single_cpu.trace" -o x.aflp
echo '{"traceEvents":[{"ph":"M","ts":0,"pid":1,"tid":1,"name":"process_name","args":{"name":"x"}}]}' >empty.json
expect 2 -m 'aflame: there is no thread to merge' aflame merge empty.json -o x.aflp
absent x.aflp

# ---- names of runs leave with --redact ----
expect 0 aflame convert all.aflp --redact -o redacted.aflp
expect 0 -n a.B.load -o '"runs": 6, ' aflame diff redacted.aflp redacted.aflp --json
# ---- an option must have an effect on one of the inputs ----
expect 2 aflame merge old1.json old2.json -o no.aflp --symfs .
err_is 'aflame: --symfs has no effect on the format of any input, only on: perf-data, perfetto'
absent no.aflp

# ---- counts with decimals and without them have different units ----
printf 'main;a 2\nmain;b 3\n' >whole.folded
printf 'main;a 2.5\nmain;b 3\n' >decimal.folded
expect 2 aflame merge whole.folded decimal.folded -o mixed.aflp
err_has 'decimal.folded: holds thousandths of samples, but whole.folded holds samples'
expect 2 aflame diff whole.folded decimal.folded
err_has 'before holds samples, after thousandths of samples: compare inputs with the same unit'
# ---- info about several runs says nothing about a single one; a clock that only some have goes ----
cp "$data/real/local-art11__deep.trace" both.trace
cp "$made/v2_single_cpu.trace" cpu.trace
expect 0 aflame merge both.trace cpu.trace -o cpu.aflp
err_has 'aflame: some of the merged recordings have no wall times, or no CPU times; the times of that clock are dropped from all of them'
expect 0 -e '' aflame merge -q both.trace cpu.trace -o cpu.aflp
expect 0 -o 'some of the merged recordings have no wall times, or no CPU times' aflame info cpu.aflp
out_has 'clocks      thread CPU only, without waiting' '  ^ calls ended by exceptions: 1'
for text in 'not recorded' 'first  ' 'last  ' 'open' 'complete'; do
    out_lacks "$text"
done
expect 0 -o '"unwinds": 1' aflame info --json cpu.aflp
out_lacks first_us open_at_end
expect 0 aflame merge all.aflp -o again.aflp
err_lacks 'no wall times'

# ---- recordings of two apps, and the time after their last records ----
for app in one two; do
    copy_sample $app.trace "s/com\.example/com.$app/g"
done
{ cat one.trace; echo again; } >again.trace
expect 0 aflame merge one.trace again.trace -o one.aflp
err_lacks 'different apps'
expect 0 aflame merge one.trace two.trace -o two.aflp
err_has 'aflame: the merged recordings seem to be of different apps; none is named as the app, and the code of all of them counts as the app'"'"'s'
for file in two.aflp three.aflp; do
    [ -e $file ] || expect 0 aflame merge two.aflp one.trace -o three.aflp
    expect 0 aflame info $file
    out_lacks 'com.one' 'com.two'
    expect 0 -o 'your app' aflame report $file --by categories --format csv
done
expect 0 -e 'seem to be of different apps' aflame merge two.aflp one.trace -o three.aflp
expect 0 aflame merge "$made/overflow.trace" "$made/stream_dual.trace" -o ends.aflp
expect 0 -o '  (994 µs)' aflame report ends.aflp

# ---- names in the style of the inputs, which steps fixed ----
expect 0 aflame render one.trace --names full --hide "kotlin.**" -o one.svg
expect 0 aflame render two.trace --names full --hide "kotlin.**" -o two.svg
expect 0 aflame merge one.svg two.svg -o full.aflp
expect 0 -o 'android.view.View.draw(' aflame report full.aflp --names full --top 0
expect 2 -e 'the saved profile has full names; --names class needs the trace' aflame report full.aflp --names class
expect 0 aflame merge one.svg two.aflp -o mixed.aflp
expect 0 aflame report mixed.aflp --names class
