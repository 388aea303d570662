# Restrictions that an operator may impose: no network, a read-only file system except for the
# output folder, no new privileges, at most 1 GB of memory, no new processes.
outputs='-o graph.svg -o graph.png -o graph.pdf'
aflame render app.trace $outputs
mkdir whole
mv graph.* whole

drawn() {
    for made in graph.svg graph.png graph.pdf; do
        same $made whole/$made
    done
    absent '.aflame-*'
    rm -f graph.*
}

# memory: of address space, of which aflame uses far less than it reserves
limited() {
    for jobs in 1 2 16; do
        expect_sh 0 "ulimit -v 1048576; aflame render app.trace --jobs $jobs $outputs"
        err_carries 2
        drawn
    done
    expect_sh 0 -e '' 'ulimit -v 1048576; aflame convert app.trace -o app.folded && aflame info app.trace'
    # with far too little memory: a message, or an error from the loader, never a partial file
    expect_sh 5 'ulimit -v 4096; aflame render app.trace -o graph.svg || exit 5'
    absent graph.svg '.aflame-*'
}
if [ -z "${AFLAME_SANITIZED-}" ]; then
    limited
else
    echo "no limit of addresses: sanitizers take terabytes of them"
fi

# no privileges and only file access: setpriv drops the rest permanently
if [ "$(id -u)" = 0 ]; then
    chmod 777 .
    chmod a+r app.trace
    for folder in . .. ../..; do
        chmod a+x $folder
    done
    expect 0 setpriv --no-new-privs --bounding-set=-all --inh-caps=-all \
        --reuid=65534 --regid=65534 --clear-groups aflame render app.trace $outputs
else
    expect 0 setpriv --no-new-privs aflame render app.trace $outputs
fi
drawn

# namespaces: as root, or where users may create them
unshare=unshare
[ "$(id -u)" = 0 ] || unshare='unshare -r'
if ! $unshare -n true 2>/dev/null; then
    echo "no namespaces: the lack of a network could not be tried"
else
    expect 0 $unshare -n aflame render app.trace $outputs
    err_carries 2
    drawn
fi
# in a chroot the root is not a separate mount
if ! $unshare -mn true 2>/dev/null; then
    echo "no mounts of its own: a read-only root could not be tried"
else
    # everything is read-only, even /tmp and /dev/shm; a pipe can be read, and read again
    cat >closed.sh <<'END'
mount --bind . . && mount --make-rprivate / && cd "$PWD" || exit 77
# innermost first, except for the kernel's own mounts
tac /proc/self/mounts | while read -r device folder type rest; do
    case $type:$folder in
    *:"$PWD"*|proc:*|sysfs:*|cgroup*:*|devpts:*) ;;
    *) mount -o remount,bind,ro "$folder" 2>/dev/null ;;
    esac
done
mktemp -p /tmp 2>/dev/null && exit 78
touch here && rm here || exit 79
export HOME=/nowhere XDG_CACHE_HOME=/nowhere
aflame render app.trace -o graph.svg -o graph.png -o graph.pdf || exit 1
cat app.trace | aflame render - --title app.trace --view chart -o chart.svg
END
    expect 0 $unshare -mn sh closed.sh
    err_carries 2
    present chart.svg
    rm chart.svg
    drawn
fi

# at run time aflame requests only memory, threads and its own files: it executes no programs and
# creates no sockets
if command -v strace >/dev/null && strace -o traced -f -e trace=execve true 2>/dev/null; then
    expect 0 strace -f -o traced -e trace=process,network,openat \
        aflame render app.trace --jobs 2 $outputs
    check 'it executes a program' [ "$(grep -c execve traced)" -eq 1 ]
    omits traced 'socket('
    drawn
else
    echo "no strace here: what it asks the kernel for was not looked at"
fi
