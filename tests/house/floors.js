// Which folder may include what. An include that this table lacks is a defect of the house.
'use strict';

const DRAWN = 'base/ render/scene.h render/canvas.h render/paint.h aflame/output.h';
const FOR_CANVASES = `${DRAWN} render/palette.h render/face.h render/sizes.h render/words.h`;
const FOR_READERS =
    'base/ read/ build/event.h build/sink.h build/chunk.h model/warning.h aflame/cancel.h aflame/error.h';
// Names and facts, but no profile and no tree.
const VISIBLE_TO_READERS = 'model/annotation.h model/facts.h model/frame_timeline.h model/markers.h aflame/cancel.h ' +
    'aflame/clock.h aflame/open.h aflame/output.h aflame/visibility.h';
const ANYTHING = '*';

const EVERYWHERE = 'glib.h math.h stdarg.h stdbool.h stddef.h stdint.h stdlib.h string.h';

// A prefix of the files in the folder (the longest match counts); headers of the project, from src/ or the top, a whole
// folder if it ends in /; libraries besides EVERYWHERE; other headers that those may include.
const FLOORS = [
    ['include/aflame/', 'aflame/'],
    ['src/base/', 'base/ aflame/cancel.h aflame/error.h aflame/output.h',
        'errno.h fcntl.h locale.h pthread.h sched.h sys/mman.h sys/types.h unistd.h zlib.h', 'aflame/visibility.h'],
    ['src/base/system_linux.c', 'base/',
        'fcntl.h limits.h linux/filter.h linux/landlock.h linux/seccomp.h malloc.h signal.h stdio.h sys/eventfd.h ' +
        'sys/mman.h sys/prctl.h sys/resource.h sys/syscall.h unistd.h'],
    ['src/model/', 'base/ model/ aflame/error.h aflame/mapping.h aflame/profile.h', '', 'aflame/'],
    ['src/build/', 'base/ model/ build/ aflame/clock.h aflame/open.h aflame/profile.h', '', 'aflame/'],
    ['src/calls/', 'base/ model/ build/ calls/ aflame/calls.h', '', 'aflame/'],
    ['src/read/', FOR_READERS,
        'errno.h fcntl.h float.h gelf.h libiberty/demangle.h minizip/unzip.h setjmp.h sys/stat.h unistd.h zlib.h ' +
        'zstd.h',
        VISIBLE_TO_READERS],
    ['src/read/aflp.c', `${FOR_READERS} build/finished.h`, 'libdeflate.h', VISIBLE_TO_READERS],
    ['src/read/perf/', FOR_READERS, 'errno.h fcntl.h unistd.h zstd.h', VISIBLE_TO_READERS],
    ['src/transform/', 'base/ model/ calls/ transform/ aflame/reshape.h', '', 'build/ aflame/'],
    ['src/compare/', 'base/ model/ calls/ compare/ aflame/budget.h aflame/diff.h aflame/error.h', '', 'build/ aflame/'],
    ['src/finding/', 'base/ model/ calls/ finding/ aflame/calls.h aflame/explain.h aflame/mapping.h', '',
        'build/ aflame/'],
    ['src/mapping/', 'base/ model/ calls/ mapping/ aflame/mapping.h', '', 'build/ aflame/'],
    ['src/report/', 'base/ model/ calls/ report/ compare/diff.h finding/finding.h build/consumer.h build/walk_plan.h ' +
        'aflame/error.h aflame/info.h aflame/profile.h aflame/report.h', 'stdio.h', 'build/ aflame/'],
    ['src/export/', 'base/ model/ calls/ export/', 'libdeflate.h protobuf-c/protobuf-c.h', 'build/ aflame/'],
    ['src/api/', 'base/ model/ build/ calls/ read/ mapping/ transform/ compare/ finding/ report/ export/ api/ ' +
        'render/ aflame/',
        'elfutils/version.h hb.h libdeflate.h png.h protobuf-c/protobuf-c.h sys/stat.h zlib.h zstd.h', ANYTHING],
    ['src/cli/', 'cli/ serve/serve.h aflame/aflame.h api/autoptr.h api/command.h',
        'dlfcn.h errno.h fcntl.h glob.h limits.h locale.h signal.h stdatomic.h stdio.h sys/ioctl.h sys/resource.h ' +
        'sys/stat.h unistd.h',
        'aflame/ base/markdown.h base/named.h base/nearest.h base/number.h base/shell.h base/system.h base/unit.h'],
    ['src/cli/manual/examples/', 'aflame/aflame.h', 'cairo.h stdio.h', 'aflame/'],
    ['src/serve/', 'base/ serve/ aflame/ api/command.h',
        'arpa/inet.h curl/curl.h errno.h fcntl.h libdeflate.h linux/tcp.h microhttpd.h netdb.h poll.h sched.h seccomp.h ' +
        'libpq-fe.h signal.h spawn.h sqlite3.h stdio.h sys/mman.h sys/prctl.h sys/random.h sys/sendfile.h ' +
        'sys/resource.h sys/socket.h sys/stat.h sys/statvfs.h sys/wait.h unistd.h zstd.h', 'aflame/'],
    ['src/graphviz/', 'graphviz/ aflame/graph_layout.h', 'graphviz/gvc.h sanitizer/lsan_interface.h',
        'aflame/visibility.h'],
    ['render/scene.', DRAWN, '', 'aflame/'],
    ['render/canvas.', DRAWN, '', 'aflame/'],
    ['render/paint.', DRAWN, '', 'aflame/'],
    ['render/svg/', `${FOR_CANVASES} render/svg/`, 'hb-subset.h libdeflate.h', 'aflame/'],
    ['render/cairo/', `${FOR_CANVASES} render/cairo/ aflame/error.h`,
        'cairo-ft.h cairo-pdf.h cairo-svg.h cairo.h fontconfig/fontconfig.h ft2build.h hb-ot.h hb.h libdeflate.h ' +
        'pango/pango.h pango/pangocairo.h png.h zlib.h', 'aflame/'],
    ['render/', 'base/ model/ calls/ render/boxes.h render/scene.h render/canvas.h render/paint.h render/palette.h ' +
        'render/face.h render/label.h render/sizes.h render/thread_rank.h render/words.h render/graph/ render/chart/ ' +
        'render/page/ render/packed/ render/diff/ render/callgraph/ render/ticket/ compare/diff.h finding/finding.h ' +
        'aflame/graph_layout.h aflame/output.h', 'hb-ot.h hb.h libdeflate.h', 'build/ aflame/'],
].map(([path, ...lists]) => ({path, lists: [0, 1, 2].map((i) => new Set(lists[i]?.split(' ')))}));

const findFloor = (path) => FLOORS.filter((floor) => path.startsWith(floor.path))
    .sort((a, b) => b.path.length - a.path.length)[0];

// Whether a list names the header or a folder above it.
const names = (list, header) =>
    list.has(header) || [...header.matchAll(/\//g)].some(({index}) => list.has(header.slice(0, index + 1)));

// A reader in a folder may include the shared parts of all readers, but no other reader.
const joinsReaders = (path, header) => path.startsWith('src/read/') && /^read\/.*\//.test(header) &&
    !path.slice(4).startsWith(/^read\/[^/]*\//.exec(header)[0]);

// {header, quoted, offset} of every #include line, relative to src/ or the top.
const includesOf = ({text}) => [...text.matchAll(/^ *# *include *([<"])([^">\n]+)[">]/gm)]
    .map(({1: sign, 2: header, index}) => ({header, quoted: sign === '"', offset: index}));

function checkInclude(source, floor, {header, quoted, offset}, complain) {
    const [headers, libraries] = floor?.lists ?? [], ours = header.startsWith('aflame/');
    if (!floor) {
        complain(source, offset, 'its folder is missing in tests/house/floors.js');
    } else if (joinsReaders(source.path, header)) {
        complain(source, offset, `a reader must not include ${header}, which is another reader's`);
    } else if (quoted || ours) {
        if (!names(headers, header) || quoted === ours) {
            complain(source, offset, `${floor.path} must not include ${header}`);
        }
    } else if (!EVERYWHERE.split(' ').includes(header) && !names(libraries, header)) {
        complain(source, offset, `${floor.path} must not include <${header}>`);
    }
}

// Headers that a file sees through its includes.
function checkView(source, floor, files, complain) {
    const [headers, , through] = floor.lists, reached = new Set();
    const look = (from, chain, start) => {
        for (const {header, offset} of includesOf(from)) {
            const found = ['src/', '', 'include/'].map((top) => files.get(top + header)).find((file) => file);
            if (!found || reached.has(header)) {
                continue; // undefined: a library's, or generated
            }
            reached.add(header);
            const line = start ?? offset;
            if (chain.length > 0 && !names(headers, header) && !names(through, header)) {
                complain(source, line,
                    `${floor.path} must not see ${header}, which it reaches through ${chain.join(' -> ')}`);
            } else {
                look(found, [...chain, header], line);
            }
        }
    };
    look(source, [], null);
}

module.exports = (sources, complain) => {
    const files = new Map(sources.map((source) => [source.path, source]));
    let checked = 0;
    for (const source of sources.filter(({path, language}) => language === 'C' && !path.startsWith('tests/'))) {
        const floor = findFloor(source.path);
        for (const include of includesOf(source)) {
            checkInclude(source, floor, include, complain);
            checked++;
        }
        if (floor && !floor.lists[2].has(ANYTHING)) {
            checkView(source, floor, files, complain);
        }
    }
    return checked;
};
