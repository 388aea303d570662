# Folded stacks.
cp "$data/sample.trace" app.trace
expect 0 aflame convert app.trace -o app.folded
out_empty
err_empty
present app.folded
check 'a line is no stack with a number' \
    sh -c '! LC_ALL=C grep -Eqv "^[^;]+(;[^;]+)+ [1-9][0-9]*$" app.folded'
check 'a stack is there twice' sh -c '[ -z "$(sed "s/ [0-9]*$//" app.folded | sort | uniq -d)" ]'
expect 0 aflame convert app.trace
same "$said/out" app.folded
expect 0 aflame convert app.trace -o -
same "$said/out" app.folded
expect 0 aflame convert app.trace --format folded -o stacks.txt
same stacks.txt app.folded
expect 0 aflame convert app.trace --clock wall --jobs 1
same "$said/out" app.folded
expect 0 aflame convert app.trace --clock cpu
cp "$said/out" cpu.folded
differ cpu.folded app.folded
expect 0 aflame convert app.trace --thread main
out_has 'main;'
check 'another thread' sh -c "! grep -qv '^main;' '$said/out'"
grep '^main;' app.folded >main.folded
same "$said/out" main.folded
# the order is that of the profile, whatever that of the selection
expect 0 aflame convert app.trace -t RenderThread -t main -t main
cp "$said/out" two.folded
expect 0 aflame convert app.trace -t main -t RenderThread
same "$said/out" two.folded
# a clock that the file lacks
copy_sample wall.trace 's/^clock=dual$/clock=wall/'
expect 0 aflame convert app.trace --thread all
same "$said/out" app.folded
absent '.aflame-*'
