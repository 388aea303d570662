# Bidi controls, which make text look different from its bytes, are replaced in text for people and
# escaped in JSON. Exports keep them.
export LC_ALL=C
# U+061C, 200E, 200F, 202A to 202E, 2066 to 2069
printf '\330\234\n\342\200\216\n\342\200\217\n\342\200\252\n\342\200\253\n\342\200\254\n\342\200\255\n' >controls
printf '\342\200\256\n\342\201\246\n\342\201\247\n\342\201\250\n\342\201\251\n' >>controls
all=$(tr -d '\n' <controls)
make_trace() {
    printf '[{"ph":"M","name":"process_name","pid":1,"args":{"name":"p%s"}},' "$all"
    printf '{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"t%s"}},' "$all"
    printf '{"ph":"M","name":"thread_name","pid":2,"tid":3,"args":{"name":"u"}},'
    printf '{"ph":"B","pid":2,"tid":3,"ts":0,"name":"other"},{"ph":"E","pid":2,"tid":3,"ts":90},'
    printf '{"ph":"I","pid":1,"tid":2,"ts":3,"s":"t","name":"i%s"},' "$all"
    printf '{"ph":"C","pid":1,"ts":3,"name":"c%s","args":{"s%s":3}},' "$all" "$all"
    printf '{"ph":"B","pid":1,"tid":2,"ts":1,"cat":"g%s","name":"pkg%s.Cls%s.m%s"},' \
        "$all" "$all" "$all" "$all"
    printf '{"ph":"B","pid":1,"tid":2,"ts":2,"cat":"g%s","name":"n%s"},' "$all" "$all"
    printf '{"ph":"E","pid":1,"tid":2,"ts":%s},{"ph":"E","pid":1,"tid":2,"ts":99}]' "$1"
}
name=$(printf 'in\342\200\256put.json')
make_trace 50 >"$name"
make_trace 80 >later.json
printf '[b%s]\nmeasure = inclusive wall\nmethod = n%s\nlimit = 1 ns\n' "$all" "$all" >budget.ini

# no_controls FILE: none of them, also not as a reference of XML; XHTML and SVG have both forms
no_controls() { ! grep -qFf controls "$1" && ! grep -qiE '&#x?(61c|200[ef]|202[a-e]|206[6-9]|1564);' "$1"; }
people() {
    [ -s "$1" ] || check "$1 is missing" false
    check "$1 has a bidi control" no_controls "$1"
    check "$1 has no replacement" grep -q "$(printf '\357\277\275')" "$1"
}

expect 0 aflame render "$name" --thread all -o p.svg -o p.pdf -o p.png --data none
expect 0 aflame render "$name" --thread all --static -o static.svg --data none
expect 0 aflame render "$name" --thread all --view chart -o chart.svg --data none --mark m
expect 0 aflame render "$name" --thread all --title "x$all" -o title.svg --data none
pdftotext p.pdf p.text
people p.svg
check 'the text of the PDF has a bidi control' no_controls p.text
check 'the static SVG has a bidi control' no_controls static.svg
people chart.svg
people title.svg
for format in text html csv; do
    expect 0 aflame report "$name" --format $format -o r.$format
    people r.$format
    expect 0 aflame calls "$name" n --format $format -o c.$format
    people c.$format
    expect 0 aflame diff "$name" later.json --format $format -o d.$format
    people d.$format
done
for format in markdown svg; do
    expect 0 aflame diff "$name" later.json --format $format -o d.$format
    people d.$format
done
expect 0 aflame info "$name"
people "$captured/out"
for format in text markdown junit github; do
    expect 1 aflame check "$name" --budget budget.ini --format $format -o b.$format
    people b.$format
done

# the block of a script that draws the picture again
expect 0 aflame render "$name" --thread all -o whole.svg
people whole.svg

# JSON escapes them
escaped() { no_controls "$1" && grep -q 'u202e' "$1"; }
for verb in report info calls diff check; do
    case $verb in
    calls) expect 0 aflame calls "$name" n --json ;;
    diff) expect 0 aflame diff "$name" later.json --json ;;
    check) expect 1 aflame check "$name" --budget budget.ini --json ;;
    *) expect 0 aflame $verb "$name" --json ;;
    esac
    check "the JSON of $verb has no escaped control" escaped "$captured/out"
done

# exports, also of a picture, keep them
has_controls() { [ "$(grep -cFf controls "$1")" -gt 0 ]; }
for input in "$name" whole.svg; do
    expect 0 aflame convert "$input" -o x.folded
    check 'folded stacks lost a control' has_controls x.folded
done
