# Completion of aflame for fish.
function __aflame_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l prefix (string match -r -- '^--[a-z-]*=' $last)
    for line in ($words[1] complete $words[2..-1] $last 2>/dev/null)
        # a value replaces the whole word
        if test -n "$prefix"; and not string match -q -- '--*' $line
            echo $prefix$line
        else
            echo $line
        end
    end
end
complete -c aflame -a '(__aflame_complete)'
