# tidy_groups.awk: sources that clang-tidy can read in one go.
#   awk -f tidy_groups.awk -v scratch=FOLDER -v top=FOLDER -v most=N FILES compile_commands.json
# FILES has one path a line, relative to `top`. Writes scratch/N.c, which includes up to `most` files
# and define no name twice, scratch/N.files with their names, and scratch/compile_commands.json. A
# group has the macros and folders of all its files; other options must be the same. Most of the time
# clang-tidy takes goes into headers of the system: a group reads them once.
# The names of a file are found by their layout (clang-format's). A name that is missed costs
# time: the compiler reports it, and tidy.sh then reads the files of the group one by one.

# ---- the commands ----

FILENAME == ARGV[1] { wanted[top "/" $0] = $0; order[++files] = $0; next }
/^ *"command": / {
    command = $0
    sub(/^ *"command": "/, "", command)
    sub(/",$/, "", command)
    sub(/ -o .*/, "", command)
}
/^ *"file": / {
    file = $0
    sub(/^ *"file": "/, "", file)
    sub(/",?$/, "", file)
    if (file in wanted && !(wanted[file] in commands)) read_command(wanted[file])
}
/^ *"directory": / { directory = $0 }

# Stores the macros and folders of a command, and the command without them; nothing depends on how it
# optimises.
function read_command(path,    words, i) {
    defined[path] = commands[path] = ""
    for (i = 1; i <= split(command, words, " "); i++) {
        if (words[i] ~ /^-(D|I)/) {
            defined[path] = defined[path] "\n" words[i]
        } else if (words[i] == "-isystem") {
            defined[path] = defined[path] "\n" words[i] " " words[++i]
        } else if (words[i] !~ /^-f(PIC|PIE|no-tree-slp-vectorize)$/) {
            commands[path] = commands[path] " " words[i]
        }
    }
}

# ---- the names ----

# Adds the names that a file defines at its top level to names[1..], its macros to macros[1..].
function read_names(path,    line, listed, rest, word, word_at) {
    names_found = macros_found = listed = 0
    while ((getline line < path) > 0) {
        if (line ~ /^# *define /) {
            word = line
            sub(/^# *define +/, "", word)
            sub(/[^A-Za-z0-9_].*/, "", word)
            macros[++macros_found] = word
            names[++names_found] = word
        } else if (line ~ /^(typedef )?enum/) {
            listed = 1
        } else if (line ~ /^}/) {
            listed = 0
            if (match(line, /[a-z_0-9]+(;|\[| =)/)) {
                word = substr(line, RSTART, RLENGTH)
                gsub(/[^a-z_0-9]/, "", word)
                names[++names_found] = word
            }
        }
        if (listed) {
            for (rest = line; match(rest, /[A-Z][A-Z0-9_]*/); rest = substr(rest, RSTART + RLENGTH))
                names[++names_found] = substr(rest, RSTART, RLENGTH)
            if (line ~ /};/) listed = 0
        }
        if (line ~ /^(struct|union|enum) [a-z_0-9]+ \{/ || line ~ /^typedef (struct|union|enum) [a-z_0-9]+ /) {
            split(line, word_at, " ")
            names[++names_found] = word_at[line ~ /^typedef/ ? 3 : 2]
        }
        # the last word before the first bracket, or before = or ;
        sub(/ G_GNUC_[A-Z_]+\([^)]*\)/, "", line)
        if (line ~ /^[a-z]/ && line !~ /^(struct|union|enum) [a-z_0-9]+ \{/) {
            if (match(line, /[A-Za-z_][A-Za-z_0-9]*(\(|\[| =|;)/)) {
                word = substr(line, RSTART, RLENGTH)
                gsub(/[^A-Za-z_0-9]/, "", word)
                names[++names_found] = word
            }
        }
    }
    close(path)
}

# ---- the groups ----

function fits(group,    i) {
    if (size[group] >= most || command_of[group] != commands[path]) return 0
    for (i = 1; i <= names_found; i++)
        if ((group, names[i]) in taken) return 0
    return 1
}

END {
    for (n = 1; n <= files; n++) {
        path = order[n]
        if (!(path in commands)) continue # this build has no such part
        read_names(top "/" path)
        for (group = 1; group <= groups && !fits(group); group++) { }
        if (group > groups) {
            groups = group
            command_of[group] = commands[path]
        }
        size[group]++
        for (i = split(substr(defined[path], 2), words, "\n"); i > 0; i--) {
            if ((group, words[i]) in has) continue
            has[group, words[i]] = 1
            defined_in[group] = words[i] " " defined_in[group]
        }
        for (i = 1; i <= names_found; i++) taken[group, names[i]] = 1
        print path >(scratch "/" group ".files")
        printf "#include \"%s/%s\" // NOLINT\n", top, path >(scratch "/" group ".c")
        for (i = 1; i <= macros_found; i++) print "#undef " macros[i] >(scratch "/" group ".c")
    }
    out = scratch "/compile_commands.json"
    for (group = 1; group <= groups; group++) {
        printf "%s{\n%s\n  \"command\": \"%s -c %s/%d.c\",\n  \"file\": \"%s/%d.c\"\n}",
            group == 1 ? "[" : ",\n", directory, substr(command_of[group], 2) " " defined_in[group], scratch,
            group, scratch, group >out
    }
    print "]" >out
}
