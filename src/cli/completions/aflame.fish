# Completion of aflame for fish.
function __aflame_ask
    set -l words (commandline -opc)
    # as it was typed, with quotes
    set -l last (commandline -ct | string replace -ra '["\'\\\\]' '')
    set -l prefix (string match -r -- '^--[a-z-]*=' "$last")
    set -g __aflame_replies
    for line in ($words[1] complete $words[2..-1] "$last" 2>/dev/null)
        # a value replaces the whole word
        if test -n "$prefix"; and not string match -q -- '--*' $line
            set line $prefix$line
        end
        set -a __aflame_replies $line
    end
    test -n "$__aflame_replies"
end
# without replies, fish completes names of files
complete -c aflame -f -n __aflame_ask -a '(printf "%s\n" $__aflame_replies)'
