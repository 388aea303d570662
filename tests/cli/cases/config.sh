# Options in .aflame: where aflame looks for it, precedence, presets, forbidden options.
mkdir -p project/.git project/src/deep
cp app.trace project/app.trace

say() {
    printf '%s\n' "$@" >.aflame
}
file() {
    printf '%s\n' "$@" >project/.aflame
}

# its options act as if typed
expect 0 aflame render app.trace --theme dark --width 700 -o typed.svg
say 'theme = dark' '' '# nothing' '[render]' 'width=700'
expect 0 -e '' aflame render app.trace -o filed.svg
same typed.svg filed.svg
expect 0 aflame app.trace
same app.svg filed.svg
expect 0 aflame render app.trace --no-config -o bare.svg
expect 0 -e 'aflame: options of .aflame: --theme=dark --width=700' aflame render app.trace -v -o filed.svg
rm .aflame
expect 0 aflame render app.trace -o none.svg
same bare.svg none.svg

# the command line wins
say 'theme = dark' '[render]' 'theme = light' 'width = 700'
expect 0 -n dark -o 'theme = light' aflame render --print-options
expect 0 -o '[render]' aflame render --print-options --width 800
out_has '# .aflame:3' '# command line' 'width = 800'
out_lacks 700
expect 0 aflame render app.trace --theme dark -o filed.svg
same typed.svg filed.svg
# ... a list as a whole, an option without a value through --no-OPTION
say 'thread = main' 'thread = RenderThread' 'inverted = true'
expect 0 -o 'thread = main' aflame render --print-options
out_has 'thread = RenderThread'
expect 0 -o 'thread = HeapTaskDaemon' aflame render --print-options -t HeapTaskDaemon --no-inverted
out_lacks main inverted
expect 0 -n inverted -o 'thread = main' aflame convert --print-options
# the printed options form a valid .aflame
expect 0 -w printed aflame render --print-options
mv printed .aflame
expect 0 -o 'thread = RenderThread' aflame render --print-options
out_has 'inverted = true'

# presets
say 'names = full' '[preset wide]' 'width = 2000' 'names = short' '[preset dark]' 'theme = dark' \
    '[preset dark]' 'scale = 1'
expect 0 -n width aflame render --print-options
expect 0 -o 'names = short' aflame render --print-options --preset wide
out_has '# .aflame:3, preset wide'
expect 0 -o 'names = class' aflame render --preset wide --preset=dark --names class --print-options
out_has 'theme = dark' 'scale = 1'
expect 0 -e '' aflame info --preset wide app.trace
cp .aflame kept
say '[preset ]' 'scale = 1'
expect 2 -e '.aflame:1: unknown group; did you mean [preset NAME]?' aflame render app.trace
mv kept .aflame
expect 2 aflame render --preset wid app.trace
err_is 'aflame: --preset wid: .aflame has no group [preset wid]; did you mean wide?'
expect 2 aflame render --preset wide --no-config app.trace
err_is 'aflame: --preset wide needs the file that --no-config skips'
rm .aflame
expect 2 -m 'aflame: --preset wide: no file .aflame in this directory or above' aflame render --preset wide app.trace

# all steps apply, those of the file first; options that choose or limit apply once
say 'clean = true' 'max-depth = 9' '[preset p]' 'hide = =java.lang.Object.wait' \
    'within = performCreate' 'hide = /^dalvik/' 'max-depth = 8'
expect 0 aflame convert --print-options --preset p --hide x --max-depth 7
grep -v '^#' "$captured/out" >printed
cat >expected <<'END'
[convert]
clean = true
hide = =java.lang.Object.wait
within = performCreate
hide = /^dalvik/
hide = x
max-depth = 7
END
same printed expected
expect 0 aflame convert app.trace --preset p --max-depth 7 --fold framework -o filed.folded
expect 0 aflame convert app.trace --no-config --clean --hide =java.lang.Object.wait \
    --within performCreate --hide /^dalvik/ --max-depth 7 --fold framework -o typed.folded
same filed.folded typed.folded
expect 0 aflame render app.trace --no-clean --preset p -o filed.svg
expect 0 aflame render app.trace --no-config --hide =java.lang.Object.wait --within performCreate \
    --hide /^dalvik/ --max-depth 8 -o typed.svg
same filed.svg typed.svg
say 'hide = a' 'hide = /(/' 'hide = b'
expect 2 -e 'aflame: .aflame:2: --hide: ' -l 1 aflame convert app.trace --hide c -o x.folded
say 'hide = a'
expect 2 -e 'aflame: --hide: ' -l 1 aflame convert app.trace --hide '/(/' -o x.folded
rm .aflame

# the search goes upwards, up to the project
say 'width = 700'
file 'theme = dark'
cd project/src/deep
expect 0 -o '# ../../.aflame:1' aflame render --print-options
out_has 'theme = dark'
out_lacks width
rm ../../.aflame
expect 0 -n width aflame render --print-options
cd ../..
rmdir .git
cd src/deep
expect 0 -o '# ../../../.aflame:1' aflame render --print-options
cd ../..
expect 0 -n width env HOME="$PWD" aflame render --print-options
cd ..
mkdir project/.git

# mistakes: file and line, and no output
mistake() {
    file 'names = full' "$1"
    cd project
    expect 2 -m "aflame: .aflame:2: $2" aflame render app.trace -o x.svg
    absent x.svg
    cd ..
}
mistake 'them = dark' 'unknown option; did you mean theme?'
mistake 'qwertz = 1' 'unknown option'
mistake 'theme = drak' '--theme takes one of auto, light, dark; did you mean dark?'
mistake 'width = wide' '--width takes a number from 200 to 100000, not "wide"'
mistake 'inverted = yes' 'inverted must be true or false'
mistake 'from = 3' '--from: the time "3" has no unit; write 3ms, or ns, us, s, min'
mistake 'theme' 'invalid line; write OPTION = VALUE, [GROUP] or # comment'
mistake '= dark' 'invalid line; write OPTION = VALUE, [GROUP] or # comment'
mistake '[rendre]' 'unknown group; did you mean [render]?'
mistake '[preset]' 'unknown group; did you mean [preset NAME]?'
mistake '[render' 'invalid group; write [NAME]'
mistake "$(printf 'title = \377')" 'this line is not UTF-8 text'
mistake "$(printf 'title = a\033[2Jb')" 'this line is not UTF-8 text'
file '[convert]' 'theme = dark'
expect_sh 2 -m 'aflame: .aflame:2: convert has no option theme' 'cd project && aflame convert app.trace'
expect_sh 0 'cd project && aflame info -q app.trace'
file 'them = dark'
expect_sh 0 'cd project && aflame render --help'
expect_sh 0 'cd project && aflame info --no-config -q app.trace'
head -c 70000 /dev/zero | tr '\0' '#' >project/.aflame
expect_sh 2 -m 'aflame: .aflame: is not a valid options file: larger than 64 KB' 'cd project && aflame info app.trace'
printf 'a\0b' >project/.aflame
expect_sh 2 -m 'aflame: .aflame: is not a valid options file: contains zero bytes' 'cd project && aflame info app.trace'
rm project/.aflame

# other people's files must not write, run commands, or read files elsewhere
for option in output format jobs strict quiet verbose csp-hash help preset no-config print-options; do
    mistake "$option = x" "$option is allowed on the command line only"
done
for verb in render info convert report; do
    for option in $(aflame $verb --help | sed -n 's/^.*--\([a-z-]*\)=FILE.*/\1/p'); do
        file "[$verb]" "$option = x"
        expect_sh 2 "cd project && aflame $verb --print-options"
        [ "$option" = mapping ] || err_is \
            "aflame: .aflame:2: $option is allowed on the command line only"
    done
done
cp "$data/mapping.txt" outside.txt
cp "$data/mapping.txt" project/inside.txt
mistake 'mapping = ../outside.txt' \
    'mapping takes a file in the folder of .aflame or below'
mistake "mapping = $PWD/outside.txt" \
    'mapping takes a file in the folder of .aflame or below'
mistake 'mapping = missing.txt' 'mapping names a file that does not exist'
mistake 'mapping = src' 'mapping names a file that does not exist'
file 'mapping = inside.txt'
expect_sh 0 -e 'methods have their real names from ../inside.txt' 'cd project/src && aflame convert ../app.trace'
rm project/.aflame
mkdir project/.aflame
expect_sh 0 -e '' 'cd project && aflame convert -q app.trace'
rmdir project/.aflame
mkfifo project/.aflame
expect_sh 0 'cd project && aflame convert -q app.trace'

# aflame does not follow a link out of the folder, and prints nothing from the target
printf 'secret word\n' >secret.txt
mkdir linked linked/below
ln -s ../secret.txt linked/.aflame
expect_sh 2 'cd linked && aflame info ../app.trace'
err_is 'aflame: .aflame: is a link to a file outside its folder, which aflame does not read; --no-config ignores the link'
expect_sh 2 'cd linked/below && aflame info ../../app.trace'
err_lacks secret
expect_sh 0 'cd linked && aflame info --no-config ../app.trace'
printf 'width = 700\n' >linked/below/options
ln -sf below/options linked/.aflame
expect_sh 0 -e '--width=700' 'cd linked && aflame render -v ../app.trace'
for line in 'secret word' '[secret]' 'secret = 1' '[secret'; do
    printf '%s\n' "$line" >linked/below/options
    expect_sh 2 'cd linked && aflame info ../app.trace'
    err_lacks secret
done
