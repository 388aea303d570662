# The tables and records of dmtracedump; tests/dmtracedump.sh compares their bytes.

expect 0 -e '' -o 'Total cycles: 1330671' aflame report app.trace --format dmtracedump
out_has 'Exclusive elapsed time for each class, summed over all the methods'
out_lacks '	'
cp "$captured/out" tables
expect 0 -o '' aflame report app.trace -o app.dmtracedump -o app.csv
same app.dmtracedump tables
expect_sh 0 -s tables 'cat app.trace | aflame report - --format dmtracedump --jobs 3'
gzip -c app.trace >packed.trace
expect 0 -s tables aflame report packed.trace --format dmtracedump
expect 0 aflame report app.trace packed.trace --format dmtracedump
check 'the tables of both traces are not printed' sh -c "cat tables tables | cmp - '$captured/out'"
expect 0 -o '	Looper.java' aflame report app.trace --format dmtracedump --quirks

# ---- a clock and threads ----

expect 0 -o 'Total cycles: ' aflame report app.trace --format dmtracedump --clock wall
check 'both clocks give the same tables' sh -c "! cmp -s tables '$captured/out'"
expect 0 -o 'Total cycles: 8308' aflame report app.trace --format dmtracedump --thread RenderThread
expect 2 -o '' aflame report app.trace --format dmtracedump --thread nobody
expect 2 -e 'did you mean cpu?' aflame report app.trace --format dmtracedump --clock cup

# ---- records ----

expect 0 -o '7 xit        26 ...com.example.Main.parse' aflame report "$made/exception.trace" --records
expect 0 -e '' -o 'VERSION: 3' aflame report app.trace --records
out_has 'Threads (16):' '9214 ent         0 ...'
check 'the list does not have one line per record' \
    sh -c "[ \"\$(sed '1,/^Trace (/d' '$captured/out' | wc -l)\" -eq 8445 ]"
cp "$captured/out" records
expect_sh 0 -o '' 'aflame report - --records -o r.txt <app.trace'
same r.txt records
expect 0 aflame report app.trace --records --thread RenderThread --clock wall
check 'the number of records of the thread is wrong' \
    sh -c "[ \"\$(sed '1,/^Trace (/d' '$captured/out' | grep -c '^9241 ')\" -eq 60 ]"
check 'records of other threads are listed' sh -c "[ \"\$(wc -l <'$captured/out')\" -eq 79 ]"
expect 2 -m 'aflame: --records takes one trace, not 2' aflame report app.trace packed.trace --records
expect 2 aflame report app.trace --records -o records.json
err_is 'aflame: records.json: --records lists text; name the file *.txt'
check 'a file was written' [ ! -e records.json ]
expect 2 -e 'leave out --format' aflame report app.trace --records --format csv
expect 5 -e '/dev/full: cannot write' aflame report app.trace --records -o /dev/full
expect 3 aflame report missing.trace --records
expect_sh 0 'aflame report app.trace --records | head -n 1'

expect 2 -e 'dmtracedump tables come straight from the records' aflame report app.trace --records --from 300ms
expect 2 -e 'only --thread and --clock apply to them' aflame report app.trace --format dmtracedump --to 1s

# ---- dmtracedump takes each line of a name with line breaks for a thread ----
copy_sample broken.trace 's/Signal Catcher/Signal\n7 Catcher\nx\tBird/'
expect 0 aflame report --records --quirks broken.trace
sed -n '2,5p' "$captured/out" >threads
printf 'Threads (18):\n 0 Bird\n 7 7 Catcher\n9214 main\n' >expected
same expected threads
expect 0 -o '9221 Signal␊7 Catcher␊x' aflame report --records broken.trace

# into a page, as its -h: the same text, with links from each number to its method
expect 0 aflame report app.trace --format dmtracedump -o page.html
check 'the page is not well formed' xmllint --html --noout page.html
check 'the text differs' sh -c "sed -n '/^<pre>/,/^<.pre>/p' page.html | sed '1d; \$d; s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\\&/g' | cmp - tables"
contains page.html '<a id="m1" href="#m1">[1]</a> '
# the call graph leaves out methods that took no time, here stopMethodTracing: the next table has them
check 'a link leads nowhere' sh -c "grep -o 'href=\"#m[0-9]*' page.html | sed 's/.*#/id=\"/' | sort -u >links
    grep -o 'id=\"m[0-9]*' page.html | sort -u >ids; [ -s links ] && cmp links ids && ! grep -o 'id=\"m[0-9]*' page.html | sort | uniq -d | grep ."
check 'the wrong line has the anchor' grep -q '0.0.*<a id="m401" href="#m401">.401.</a> stopMethodTracing' page.html
