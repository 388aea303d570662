# A PostgreSQL server for one run of the tests, as an ordinary user: PostgreSQL refuses root. It
# listens on a socket in a folder with a short name, since such names are limited to 107 bytes.

postgresql=

as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        runuser -u nobody -- "$@"
    else
        "$@"
    fi
}

start_postgresql() {
    postgresql=$(mktemp -d /tmp/aflame.XXXXXX) && chmod 755 "$postgresql" || return
    [ "$(id -u)" -ne 0 ] || chown nobody "$postgresql" || return
    (
        cd "$postgresql" &&
            as_user "$AFLAME_POSTGRESQL/initdb" -D "$postgresql/data" -U aflame -A trust -E UTF8 \
                --locale=C.UTF-8 --no-sync
    ) >"$postgresql/start" 2>&1 </dev/null && run_postgresql && return
    cat "$postgresql/start" "$postgresql/log" >&2
    return 1
}

run_postgresql() {
    (cd / && as_user "$AFLAME_POSTGRESQL/pg_ctl" -D "$postgresql/data" -w -l "$postgresql/log" \
        -o "-k $postgresql -c listen_addresses= -c fsync=off" start) >>"$postgresql/start" 2>&1 </dev/null
}

# halt_postgresql MODE: fast ends the connections, immediate is a crash
halt_postgresql() {
    (cd / && as_user "$AFLAME_POSTGRESQL/pg_ctl" -D "$postgresql/data" -w -m "$1" stop) >>"$postgresql/start" 2>&1
}

stop_postgresql() {
    [ -n "$postgresql" ] || return 0
    halt_postgresql immediate
    rm -rf "$postgresql"
}

# database NAME: the address of a database, which is created if it does not exist
database() {
    "$AFLAME_POSTGRESQL/createdb" -h "$postgresql" -U aflame "$1" 2>/dev/null
    echo "postgresql://aflame@/$1?host=$postgresql"
}

# ask DATABASE SQL: the rows, with the columns separated by bars
ask() {
    "$AFLAME_POSTGRESQL/psql" -h "$postgresql" -U aflame -d "$1" -Atc "$2"
}
