# Completions, each in its shell.
completions=$data/../../src/cli/completions
printf '[preset start]\nclean = true\n[preset stop]\nclean = true\n' >.aflame

answers() { # LINE...
    printf '%s\n' "$@" >expected
    same expected "$captured/out"
}

# what the shells ask for
expect 0 -o "$(printf 'render\tdraw traces as pictures: SVG, PNG, PDF\nreport\tprint tables')" aflame complete re
expect 0 -o '' aflame complete info --th
expect 0 -o "$(printf -- '--clock=\t')" aflame complete report --clo
expect 0 aflame complete render --preset=st
answers start stop
expect 0 aflame complete convert app.trace --format p
answers perfetto pprof
expect 0 aflame complete report -c c
answers cpu
expect 0 aflame complete app.trace --thread=Ok
answers 'OkHttp Dispatcher' 'Okio Watchdog'
expect 0 -o info aflame complete help inf
for nothing in 'app.tr' 'render app.tr' 'render --title=x' 'render --focus a'; do
    expect 0 -o '' aflame complete $nothing
done

cat >bash.sh <<'E2'
compopt() { :; } # only while a key is handled
. "$1/aflame.bash"
try() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _aflame
    printf '[%s]' "${COMPREPLY[@]}"
    echo
}
try aflame re
try aflame report --clo
try aflame report --clock = c
try aflame app.trace --thread Ok
try aflame app.trace --thread '"Ok'
try aflame render --preset = st
try aflame app.tr
E2
expect 0 bash --norc bash.sh "$completions"
answers '[render][report]' '[--clock=]' '[cpu]' '[OkHttp\ Dispatcher][Okio\ Watchdog]' \
    '[OkHttp Dispatcher][Okio Watchdog]' '[start][stop]' '[]'

expect 0 env HOME="$PWD" fish -c "source '$completions/aflame.fish'
    complete -C 'aflame re'
    complete -C 'aflame report --clo'
    complete -C 'aflame report --clock=c'
    complete -C 'aflame app.trace --thread=Ok'
    complete -C 'aflame app.trace --thread \"OkH'
    complete -C 'aflame render app.trace --clock '
    complete -C 'aflame render --preset=st'
    complete -C 'aflame app.tr'"
answers "$(printf 'render\tdraw traces as pictures: SVG, PNG, PDF')" \
    "$(printf 'report\tprint tables of methods, calls and times')" \
    "$(printf -- '--clock=\tOnly wall time, CPU time or waiting (all)')" --clock=cpu \
    '--thread=OkHttp Dispatcher' '--thread=Okio Watchdog' 'OkHttp Dispatcher' cpu wait wall --preset=start --preset=stop app.trace

cat >zsh.sh <<'E2'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w -n z $'aflame rend\t --clo\tc\t app.tr\t --preset=sta\t --thread "OkH\t --thread=\'OkH\t --thread=Ok\t'
for try in {1..600}; do
    while zpty -r -t z more; do screen+=$more; done
    [[ $screen != *'aflame render'*Dispatcher*Watchdog* ]] || break
    sleep 0.1
done
print -r -- "$screen"
zpty -d z
E2
expect 0 env HOME="$PWD" TERM=dumb zsh -f zsh.sh "$completions"
tr -d '\r\b' <"$captured/out" >screen
check 'zsh completes neither words nor threads' grep -q 'aflame render .*--clock=cpu .*app.trace .*--preset=start .*--thread "OkHttp Dispatcher" .*--thread=.OkHttp Dispatcher. .*--thread=Ok' screen
check 'zsh quotes no blank' grep -q 'OkHttp\\ Dispatcher *Okio\\ Watchdog' screen
