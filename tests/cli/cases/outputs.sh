# An output file is complete or absent.
aflame render app.trace -o graph.svg
echo old >old.svg
cp old.svg old.copy

expect 5 -m 'aflame: missing/x.svg: cannot write: No such file or directory' aflame render app.trace -o missing/x.svg
mkdir directory.svg
expect 5 -m 'aflame: directory.svg: cannot write: Is a directory' aflame render app.trace -o directory.svg
for target in /dev/full full.svg; do
    [ -e $target ] || ln -s /dev/full $target
    expect 5 -m "aflame: $target: cannot write: No space left on device" aflame render app.trace -o $target
done
for format in svg png pdf; do
    expect 5 aflame render app.trace -o /dev/full --format $format
    err_is 'aflame: /dev/full: cannot write: No space left on device'
    expect_sh 5 "aflame render app.trace -o - --format $format >/dev/full"
    err_is 'aflame: standard output: cannot write: No space left on device'
done
expect 5 -e 'No space left' aflame convert app.trace -o /dev/full
expect_sh 5 -m 'aflame: standard output: cannot write: No space left on device' 'aflame convert app.trace >/dev/full'
expect_sh 5 -m 'aflame: standard output: cannot write: No space left on device' 'aflame info app.trace >/dev/full'
expect_sh 5 -e 'No space left' 'aflame info --json app.trace >/dev/full'
expect_sh 5 -e 'standard output: cannot write' 'aflame convert app.trace >&-'
expect_sh 5 -e 'standard output: cannot write' 'aflame info app.trace >&-'

# all outputs of a run or none, and old files stay
expect 5 aflame render app.trace -o old.svg -o new.png -o /dev/full
same old.svg old.copy
absent new.png '.aflame-*'
expect 5 aflame render app.trace -o old.svg -o missing/x.png
same old.svg old.copy
expect 2 aflame render app.trace -o old.svg --thread nobody
same old.svg old.copy
expect 3 aflame render old.copy -o old.svg
same old.svg old.copy
absent '.aflame-*'

# a new file has the mode of the umask, a replaced one keeps its own
(umask 027 && aflame render app.trace -o mode.svg)
check 'the mode is not 640' sh -c '[ "$(stat -c %a mode.svg)" = 640 ]'
chmod 600 old.svg
expect 0 aflame render app.trace -o old.svg
same old.svg graph.svg
check 'the mode is not 600' sh -c '[ "$(stat -c %a old.svg)" = 600 ]'

# a symbolic link stays a link
mkdir real
echo old >real/target.svg
ln -s real/target.svg link.svg
ln -s later/dangling.svg dangling.svg
mkdir later
ln -s ../dangling.svg later/second.svg
expect 0 aflame render app.trace -o later/second.svg
check 'the link was replaced' [ -L dangling.svg -a -L later/second.svg -a -f later/dangling.svg ]
ln -s loop.svg loop.svg
expect 5 aflame render app.trace -o loop.svg
rm -r later dangling.svg loop.svg
expect 0 aflame render app.trace -o link.svg
check 'the link was replaced' [ -L link.svg ]
same real/target.svg graph.svg
absent 'real/.aflame-*'

# a name as long as the file system allows
long=$(printf 'x%.0s' $(seq 251)).svg
expect 0 aflame render app.trace -o "$long"
same "$long" graph.svg

# pipes and descriptors are written directly
mkfifo pipe.svg
cat pipe.svg >from_pipe.svg &
expect 0 aflame render app.trace -o pipe.svg
wait
same from_pipe.svg graph.svg
check 'the pipe was replaced' [ -p pipe.svg ]
expect_sh 0 'aflame render app.trace -o /dev/fd/3 3>from_descriptor.svg'
same from_descriptor.svg graph.svg
absent '.aflame-*'
