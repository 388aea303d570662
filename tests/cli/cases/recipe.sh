# The job for a CI server in the manual of check: its lines run as they are, with stand-ins for the
# emulator (adb), for GitHub (gh) and for sleep.
manual_block aflame-check.1 'adb install' >job.sh || fail 'the manual has no job'
manual_block aflame-check.1 'aflame merge runs/' >baseline.sh || fail 'the manual has no baseline'

mkdir bin perf
cp "$data/mapping.txt" mapping.txt
cat >bin/adb <<'END'
#!/bin/sh
echo "adb $*" >>adb.log
# no two runs are equal
[ "$1" != pull ] || sed "s/^elapsed-time-usec=.*/elapsed-time-usec=$(wc -l <adb.log)999999/" release.trace >"$3"
END
cat >bin/gh <<'END'
#!/bin/sh
echo "gh $*" >>gh.log
cp "$5" comment.md
END
printf '#!/bin/sh\n' >bin/sleep
chmod +x bin/adb bin/gh bin/sleep
PATH=$PWD/bin:$PATH
export PATH PULL_REQUEST=7 GITHUB_REPOSITORY=example/app

# the repository that the server checked out, and the one that it pushes to
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q --bare origin.git
git init -q .
git remote add origin origin.git
git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m 'the code'

# the baseline has the real names, and the runs of a release build get them by its mapping
for run in 1 2 3 4 5; do copy_sample run$run.trace "s/^elapsed-time-usec=.*/elapsed-time-usec=${run}999999/"; done
expect 0 aflame merge -q run1.trace run2.trace run3.trace run4.trace run5.trace -o perf/baseline.aflp
cat >perf/budgets.ini <<'END'
[startup]
thread = main
method = com.example.recipes.MainActivity.onCreate
measure = inclusive wall
limit = 1 s
increase = 5 %, at least 2 ms
END
expect 0 -e 'ok    startup: inclusive wall of com.example.recipes.MainActivity.onCreate on main is ' sh job.sh
present out/diff.md out/diff.png
opens out/diff.png
expect 0 -o 'gh pr comment 7 --body-file out/comment.md' cat gh.log
expect 0 -o '5 and 5 runs' cat comment.md
# the address in the comment leads to the picture, which carries both sides
address=$(sed -n '1s/^!\[.*\](https:\/\/github.com\/example\/app\/raw\/\(.*\))$/\1/p' comment.md)
check "the comment has no picture: $(head -n 1 comment.md)" test -n "$address"
git -C origin.git show "${address%%/*}:${address#*/}" >posted.png
same out/diff.png posted.png
expect 0 -o '5 and 5 runs' aflame diff posted.png
expect 0 -o "${address%%/*}" git -C origin.git log --format=%H pictures/7
expect 0 -o 5 grep -c 'adb pull /data/local/tmp/run.trace runs/' adb.log

# over the budget: the comment is posted, then the job fails
sed -i 's/limit = 1 s/limit = 1 ms/' perf/budgets.ini
rm gh.log
expect 1 -e 'FAIL  startup: ' sh job.sh
present gh.log

# the next baseline
expect 0 sh baseline.sh
expect 0 -o '5 merged' aflame info perf/baseline.aflp
