// exports.js FORMAT[,FORMAT...] AFLAME PRINT_TREE FILE|FOLDER...
// The export of every input, also those in the folders, contains the numbers of its call trees to the ns: a reader that
// shares no code with the writer finds them, and aflame reads the export as a trace with the same folded stacks in ns,
// or without calls says that it is empty. FORMAT-trees is written from trees, after a step that changes nothing.
// AFLAME_PART=N/K takes every Nth input.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const {spawnSync} = require('node:child_process');
const {Rows, stackWith, stackOf, methodOf, readers} = require('./support/export_readers.js');

// What a format keeps of the trees:
// byTitle: threads have titles, not ids; byMethod: calls and CPU times belong to methods, not to stacks
// fractions: numbers that are not times have three more digits; zeros: a thread without calls or CPU times has 0
// longest: names are cut after so many bytes; deepest: stacks after so many calls, the last with the times below it
// samples: compare the samples that aflame reads from the export instead
const HOLDS = {
    chrome: {byMethod: true, calls: true, cpu: true, fractions: true},
    'chrome-trees': {fractions: true},
    gecko: {samples: true},
    perfetto: {calls: true, cpu: true, deepest: 512},
    'perfetto-trees': {},
    pprof: {byTitle: true, calls: true, cpu: true, zeros: true},
    spall: {calls: true, longest: 255},
};
// formats that keep threads without time, and the thread of each call
const KEEPS_THREADS = ['chrome', 'firefox', 'perfetto', 'spall'];
const EXCUSES = /the input holds samples|--any-size writes it|nothing is left|times are CPU time/;

const [formats, aflame, printTree, ...inputs] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'exports-'));
process.on('exit', () => fs.rmSync(scratch, {recursive: true}));

const fail = (message) => {
    throw new Error(message);
};
const run = (words, options) => spawnSync(words[0], words.slice(1), {maxBuffer: 2 ** 30, ...options});
const convert = (format, words, options) => run([aflame, 'convert', '-q', '--format', format.replace('-trees', ''),
    ...format.endsWith('-trees') ? ['--max-depth', '4294967295'] : [], ...words], options);
const unpack = (bytes) => (bytes[0] === 0x1F && bytes[1] === 0x8B ? zlib.gunzipSync(bytes) : bytes);

function cutName(text, longest = Infinity) {
    const bytes = Buffer.from(text);
    let end = longest;
    while (end < bytes.length && (bytes[end] & 0xC0) === 0x80) {
        end--;
    }
    return bytes.subarray(0, end).toString();
}

// The rows of print_tree: {hasCalls, isCount, decimals, threads: [{id, hasCalls, hasWall, hasCpu, title, nodes}]}
function readTrees(input) {
    const {status, stdout} = run([printTree, '--rows', input]), text = stdout.toString();
    if (status !== 0) {
        fail(`print_tree failed on ${input}`);
    }
    if (text.startsWith('error ')) {
        return {error: text.replace(/^error \w+: /, '')};
    }
    const [first, ...lines] = text.split('\0').slice(0, -1);
    const [hasCalls, isCount, decimals] = first.split(' ').map(Number), threads = [];
    for (const line of lines) {
        const [, depth, words, name] = /^(\d+) ((?:\d+ ){4})([^]*)$/.exec(line);
        const numbers = words.trim().split(' ').map(BigInt);
        if (depth === '0') {
            const [id, counted, hasWall, hasCpu] = numbers;
            threads.push({id, hasCalls: counted > 0n, hasWall: hasWall > 0n, hasCpu: hasCpu > 0n, title: name,
                nodes: []});
        } else {
            threads.at(-1).nodes.push({depth: Number(depth), name, numbers});
        }
    }
    return {hasCalls, isCount, decimals, threads};
}

// ---- the independent reader ----

function addExpected(rows, holds, {hasCalls, isCount, decimals, threads}) {
    const scale = holds.fractions && isCount && decimals === 0 ? 1000n : 1n;
    const deepest = hasCalls && holds.deepest || Infinity, anyCpu = threads.some(({hasCpu}) => hasCpu);
    const anyCalls = threads.some((thread) => thread.hasCalls);
    for (const thread of threads) {
        // a format with thread ids has no id 0
        const stacks = [stackOf(holds.byTitle ? thread.title : thread.id || 1n)];
        const hasWall = thread.hasWall || !thread.hasCpu;
        for (const {depth, name, numbers: [calls, wall, cpu, total]} of thread.nodes) {
            const label = cutName(name, holds.longest), isBelow = depth > deepest;
            const stack = stacks[depth] = isBelow ? stacks[depth - 1] : stackWith(stacks[depth - 1], label);
            const mine = holds.byMethod ? methodOf(stacks[0], label) : stack;
            rows.add(stack, 'wall', (hasWall ? wall : cpu) * scale); // the first clock, in a format with one
            if (holds.calls && hasCalls && !isBelow && (!holds.zeros || anyCalls)) {
                rows.add(mine, 'calls', thread.hasCalls || !holds.zeros ? calls : 0);
            }
            // stacks of samples have one clock in formats that otherwise hold calls
            if (holds.cpu && (holds.zeros || hasCalls) && hasWall && (thread.hasCpu || holds.zeros && anyCpu)) {
                rows.add(mine, 'cpu', holds.byMethod ? total : cpu);
            }
        }
    }
}

// Calls have a sample for each interval of their time, one more or less for each outermost call.
function checkSamples({meta, threads: written}, {threads}) {
    const step = Math.round(meta.interval * 1e6), lacking = new Map(), margin = new Map();
    const add = (sums, id, value) => sums.set(`${id}`, (sums.get(`${id}`) ?? 0) + value);
    for (const {id, hasWall, hasCpu, nodes} of threads) {
        add(margin, id || 1, step);
        for (const {depth, numbers: [calls, wall, cpu]} of nodes) {
            add(lacking, id || 1, Number(hasWall || !hasCpu ? wall : cpu));
            add(margin, id || 1, depth === 1 ? Number(calls) * step : 0);
        }
    }
    written.forEach(({tid, samples}) => add(lacking, tid, -samples.data.length * step));
    for (const [id, time] of lacking) {
        Math.abs(time) <= (margin.get(id) ?? 0) || fail(`the samples of thread ${id} lack ${time} ns`);
    }
}

// Returns the number of rows.
function checkRows(format, file, {trees, again}) {
    const expected = new Rows(), got = new Rows(), holds = HOLDS[format];
    const bytes = unpack(fs.readFileSync(file)), wanted = holds.samples ? again : trees;
    readers[format.replace('-trees', '')](got, bytes);
    if (holds.samples && trees.hasCalls && !trees.isCount) {
        checkSamples(JSON.parse(bytes), trees);
    }
    if (!wanted.error) {
        addExpected(expected, holds, wanted);
    }
    const wrong = [...expected.missingIn(got).slice(0, 10).map((row) => `< ${row}`),
        ...got.missingIn(expected).slice(0, 10).map((row) => `> ${row}`)];
    if (expected.count() > 0 && `${Object.keys(expected.has).sort()}` !== `${Object.keys(got.has).sort()}`) {
        wrong.push('other columns');
    }
    return wrong.length > 0 ? fail(wrong.join('\n')) : got.count();
}

// ---- aflame as the reader ----

const inNs = (isCount) => (isCount ? [] : ['--folded-unit', 'ns']);

// Folded stacks hold every ns. Empty if no time was recorded or the text would be too long.
function fold(input, {isCount}, ...words) {
    const {status, stdout, stderr} = convert('folded', [...inNs(isCount), input, ...words, '-o', '-']);
    return status === 0 ? stdout.toString() : EXCUSES.test(stderr) ? '' : fail(`cannot be folded: ${stderr}`);
}

// Without the numbers that tell threads of one name apart: Perfetto's tracks get new ones.
const dropNumbers = (format, text) => (format === 'perfetto' ? text.replace(/ \[[0-9]+\](?=;|$)/g, '') : text);

// The lines, as a set. Readers ignore leading blanks. The "_[k]" that folded stacks append to a label is removed; other
// formats write only the label. A label can end this way itself, if two frames differ in nothing else.
const listStacks = (format, text, labels) => new Set(dropNumbers(format, text).split('\n').slice(0, -1).map((line) => {
    const [, stack, count] = /^ *(.*)( \d+)$/s.exec(line);
    return stack.split(';').map((name) => cutName(labels && !labels.has(name) ? name.replace(/(.)_\[.\]$/, '$1') : name,
        HOLDS[format]?.longest)).join(';') + count;
}));

const countCalls = ({threads}) => threads.filter(({hasCalls}) => hasCalls)
    .flatMap(({nodes}) => nodes.map(({numbers: [calls]}) => calls)).reduce((sum, calls) => sum + calls, 0n);

// Returns the length of the stacks.
function checkAgain(format, input, file, {trees, again}) {
    // Perfetto's format holds 512 nested calls, and the time of deeper ones belongs to the innermost of these
    const before = format === 'perfetto' && trees.hasCalls ? fold(input, trees, '--max-depth', '512')
        : trees.folded ??= fold(input, trees);
    if (again.error) {
        return before === '' && again.error.startsWith('empty ') ? 0 : fail(`aflame does not reopen it: ${again.error}`);
    }
    const unit = format === 'folded' && !trees.isCount ? ['--unit', 'ns'] : [];
    const after = before === '' ? '' : fold(file, trees, ...unit);
    if (after !== before) {
        const labels = format === 'folded' ? null
            : new Set(trees.threads.flatMap(({nodes}) => nodes.map(({name}) => name.replaceAll(';', ':'))));
        const expected = listStacks(format, before, labels), got = listStacks(format, after, null);
        const wrong = [...[...expected].filter((line) => !got.has(line)).slice(0, 10).map((line) => `< ${line}`),
            ...[...got].filter((line) => !expected.has(line)).slice(0, 10).map((line) => `> ${line}`)];
        wrong.length > 0 && fail(wrong.join('\n'));
    }
    if (format === 'speedscope' && countCalls(trees) !== countCalls(again)) {
        fail('another number of calls');
    }
    if (KEEPS_THREADS.includes(format)) {
        const list = ({threads}) => `${[...new Set(threads.map(({title}) =>
            dropNumbers(format, cutName(title, HOLDS[format]?.longest))))].sort()}`;
        if (trees.threads.length !== again.threads.length || list(trees) !== list(again)) {
            fail(`other threads: ${list(trees)}, reopened ${list(again)}`);
        }
    }
    return before.length;
}

// ---- all ----

// Returns the number of rows or the length of the stacks; 0 if aflame refuses the export for a good reason.
function check(format, input, trees) {
    const file = path.join(scratch, `out.${format}`), {status, stderr} = convert(format,
        [input, '-o', file, ...format === 'folded' ? inNs(trees.isCount) : []]);
    if (status !== 0) {
        return EXCUSES.test(stderr) ? 0 : fail(`export failed: ${stderr}`);
    }
    const both = {trees, again: format.endsWith('-trees') ? null : readTrees(file)};
    const rows = HOLDS[format] ? checkRows(format, file, both) : 0;
    return format === 'gecko' || !both.again ? rows : Math.max(rows, checkAgain(format, input, file, both));
}

// The command writes the same bytes as a file, gzipped and through a pipe.
function checkWays(format, sample) {
    const file = path.join(scratch, 'way'), {status} = convert(format, [sample, '-o', file, '-o', `${file}.gz`]);
    const [plain, zipped] = [file, `${file}.gz`].map((name) => fs.readFileSync(name));
    const piped = convert(format, ['-', '-o', '-'], {input: fs.readFileSync(sample)});
    if (status !== 0 || !unpack(zipped).equals(unpack(plain)) || !piped.stdout.equals(plain)) {
        fail('the gzipped or piped bytes differ');
    }
}

const [every, first] = (process.env.AFLAME_PART ?? '1/0').split('/').map(Number);
const files = inputs.flatMap((input) => fs.statSync(input).isDirectory()
    ? fs.readdirSync(input).map((entry) => path.join(input, entry)).sort()
        .filter((entry, i) => fs.statSync(entry).isFile() && !entry.endsWith('.sec') && i % every === first % every)
    : input);
const sizes = new Map(formats.split(',').map((format) => [format, []]));
for (const input of files) {
    const trees = readTrees(input);
    for (const [format, list] of sizes) {
        try {
            list.push(trees.error ? fail(trees.error) : check(format, input, trees));
        } catch (error) {
            console.error(`${input} as ${format}: ${error.message}`);
            process.exitCode = 1;
        }
    }
}
for (const [format, list] of sizes) {
    const n = list.filter((size) => size > 0).length, largest = Math.max(...list);
    checkWays(format, files[0]);
    console.log(`${format}: ${n} inputs, the largest of ${largest}`);
    if (largest <= 100 || n <= 50 / every) {
        process.exitCode = 1;
    }
}
