// Shapes of other tools' inputs: name: [size, tasks, what writes it]. The size is the number of calls, of samples, or
// of the elements that the shape multiplies.
'use strict';
const {put, patch, le, double, leb} = require('../support/bytes.js');

// The same numbers on every machine.
let state = 88172645;
function draw(below) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
}

const WORDS = ['doFrame', 'onMeasure', 'onDraw', 'inflate', 'setContent', 'decode', 'query', 'RunTask', 'Layout::Run',
    'Commit', 'Animator', 'Parse'];
const word = (i) => WORDS[i % WORDS.length];

// One of a thousand stacks: the numbers of its frames, below `n`.
function drawStack(n) {
    const stack = draw(1000);
    return Array.from({length: 4 + stack % 20}, (_, level) =>
        ((stack >> Math.max(10 - level, 0)) * 40503 + level * 26544) % 65521 % n);
}

// A simulated program: `size` calls of a thread, at most 24 deep. tell(name, now, begin) is called at the begin of
// each, without `begin`, and at its end. Programs repeat the same calls.
function run(size, now, pace, tell) {
    const open = [];
    for (let i = 0, at = now; i < size || open.length > 0;) {
        at += 1 + draw(pace);
        if (i < size && (open.length === 0 || open.length < 24 && draw(100) < 50)) {
            const name = word(open.length * 5 + (open.length < 8 ? draw(2) : 0));
            open.push({name, begin: at});
            tell(name, at);
            i++;
        } else {
            const {name, begin} = open.pop();
            tell(name, at, begin);
        }
    }
}

// What writes a file: its head, item(i, n) for each i below n * times, separated by `between`, and its end.
const list = (head, item, {times = 1, between = '', end = ''} = {}) => (n) => {
    put(typeof head === 'function' ? head(n) : head);
    for (let i = 0; i < n * times; i++) {
        put(i > 0 ? between + item(i, n) : item(i, n));
    }
    put(end);
};

// ---- Chrome's trace events ----

const chrome = (item, times = 1) => ['info', list('[\n', item, {times, between: ',\n', end: '\n]\n'})];
const event = (fields) => `{"pid":1,${JSON.stringify(fields).slice(1)}`;
const span = (ts, dur, name) => event({tid: 7, ts, dur, ph: 'X', name});
const edge = (ts, ph, name) => event({tid: 7, ts, ph, name});
const SOURCE = {args: {src_func: 'Post'}};

// Events of a simulated program; `tell` gives each, or ''.
const chromeRun = (tell) => (n) => {
    let before = '[\n';
    run(n, 1000000, 40, (...args) => {
        const text = tell(...args);
        put(text && before + text);
        before = text ? ',\n' : before;
    });
    put('\n]\n');
};

// Begins and ends, as programs write them.
const tellEdge = (name, now, begin) => event({tid: 7, ts: now + draw(1000) / 1000, ph: begin === undefined ? 'B' : 'E',
    cat: 'toplevel', name, ...begin === undefined && SOURCE});

// Complete slices in the order of their ends, as Chrome writes them.
const tellSlice = (name, now, begin) => (begin === undefined ? '' : event({tid: 7, ts: begin, dur: now - begin, ph: 'X',
    cat: 'toplevel', name, tts: Math.floor(begin / 2), tdur: Math.floor((now - begin) / 2), ...SOURCE}));

// ---- speedscope's own format ----

const speedscope = (type, unit, key) => `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":` +
    `${JSON.stringify({frames: WORDS.map((name) => ({name}))})},"profiles":[{"type":"${type}","name":"main",` +
    `"unit":"${unit}","${key}":[\n`;
const scope = (type, frame, at) => JSON.stringify({type, frame, at});
const END_SCOPES = ']}]}\n';

// Deep calls of one method, then ends of another that is not open.
const scopeStrangers = (unit) => ['info', list(speedscope('evented', unit, 'events'),
    (i, n) => (i < n ? scope('O', 0, i) : scope('C', 1, i)), {times: 2, between: ',\n', end: END_SCOPES})];

// ---- Spall ----

const spallHead = (version) => le(0x0BADF00D, 8) + le(version, 8) + double(1) + le(0, 8);
const spallBuffer = (size, thread) => le(size, 4) + le(thread, 4) + le(1, 4) + le(0, 8);
const spallText = (name) => (name ? le(name.length, 1) + le(0, 1) + name : '');
// without a name: an end
const spall1 = (time, name) => (name ? '\x03\0' : '\x04') + le(1, 4) + le(7, 4) + double(time) + spallText(name);
const spall3 = (time, name) => (name ? '\x03' : '\x04') + le(time, 8) + spallText(name);
const CALL_SIZE = 11 + 6 + 9;

// ---- perf.data ----

// A perf.data file as simpleperf writes it: one event, samples with their stacks, then the symbols of one library, one
// every 128 bytes. write(record) writes the records.
const perfFile = (path, symbols, write) => (n) => {
    const ATTRIBUTES = 112, HEAD = 104, FILES = 128, begin = HEAD + ATTRIBUTES + 16;
    const section = (offset, size) => le(offset, 8) + le(size, 8);
    const header = (records) => `PERFILE2${le(HEAD, 8)}${le(ATTRIBUTES + 16, 8)}${section(HEAD, ATTRIBUTES + 16)}` +
        section(begin, records) + section(0, 0) + '\0'.repeat(FILES / 8) + '\x01'.padEnd(32 - FILES / 8, '\0');
    let at = begin;
    const add = (bytes) => {
        at += bytes.length;
        put(bytes);
    };
    // cpu-clock, a software event: instruction, thread, time, stack, period
    put(header(0) + (le(1, 4) + le(ATTRIBUTES, 4) + le(0, 8) + le(250000, 8) + le(1 | 2 | 4 | 32 | 256, 8))
        .padEnd(ATTRIBUTES, '\0') + section(0, 0));
    write(n, (type, bytes) => add(le(type, 4) + le(2, 2) + le(8 + bytes.length, 2) + bytes));
    const names = Array.from({length: symbols(n)}, (_, i) => symbols(n) - 1 - i);
    const library = [path, '\0', le(2, 4), le(0, 8), le(names.length, 4), ...names.map((i) =>
        `${le(i * 128, 8)}${le(128, 4)}f${String(i).padStart(9, '0')}\0`), le(0, 8)].join('');
    put(section(at + 16, 4 + library.length) + le(library.length, 4) + library);
    patch(0, header(at - begin));
};
const padded = (text) => text.padEnd(Math.floor((text.length + 8) / 8) * 8, '\0');
const LIBRARY = '/lib/libapp.so', BASE = 0x10000;
const comm = (add, pid) => add(3, le(pid, 4) + le(pid, 4) + padded('app'));
const map = (add, pid, start, size, path = LIBRARY) =>
    add(1, le(pid, 4) + le(pid, 4) + le(start, 8) + le(size, 8) + le(0, 8) + padded(path));
// the stack starts with the leaf and has at most 8,000 addresses
const sample = (add, pid, time, period, chain) => add(9, le(chain[0], 8) + le(pid, 4) + le(pid, 4) + le(time, 8) +
    le(period, 8) + le(chain.length + 1, 8) + le(-512n, 8) + chain.map((address) => le(address, 8)).join(''));

const perf = (size, write, {path = LIBRARY, symbols = () => 8} = {}) =>
    [size, 'info', perfFile(path, symbols, (n, add) => write(n, (f, ...args) => f(add, ...args)))];

// ---- messages ----

const number = (field, value) => leb(field * 8) + leb(value);
const bytes = (field, value) => leb(field * 8 + 2) + leb(value.length) + value;

// ---- report-sample ----

const reportRecord = (field, value) => {
    const message = bytes(field, value);
    return le(message.length, 4) + message;
};
const reportFrame = (address, library, symbol) =>
    bytes(3, number(1, address) + number(2, library) + number(3, symbol));
const reportSample = (time, thread, frames, weight) =>
    reportRecord(1, number(1, time) + number(2, thread) + frames + number(4, weight));
const reportFile = (item, libraries, symbols) => ['info', list(
    `SIMPLEPERF\x01\0${reportRecord(5, bytes(1, 'cpu-clock'))}`, item, {end: Array.from({length: libraries}, (_, i) =>
        reportRecord(3, number(1, i) + bytes(2, `/lib/lib${i}.so`) +
            Array.from({length: symbols}, (_, k) => bytes(3, word(k))).join(''))).join('') + le(0, 4)})];

// ---- Perfetto ----

// A message whose length has four bytes, as the SDK writes it before it knows the end.
const part = (field, value) => leb(field * 8 + 2) + String.fromCharCode(value.length & 127 | 128,
    value.length >> 7 & 127 | 128, value.length >> 14 & 127 | 128, value.length >> 21) + value;

// Track events of a thread, with names in tables, as the SDK writes them. As in a program, most slices of a level have
// the same name, so that there are some thousand paths.
function perfettoEvents(n) {
    const names = WORDS.map((name, i) => part(2, number(1, i + 1) + bytes(2, name))).join('');
    put(part(1, number(10, 1) + number(13, 1) + part(12, names)));
    const track = number(11, 0x1234567812345678n);
    for (let i = 0, depth = 0, now = 80123051981010; i < n; i++) {
        const begins = depth === 0 || depth < 12 && draw(2) === 0;
        const name = begins ? number(10, 1 + (depth * 5 + (draw(4) === 0 ? 1 : 0)) % WORDS.length) : '';
        put(part(1, number(8, now += 100 + draw(1000)) + number(10, 1) + number(13, 2) +
            part(11, number(9, begins ? 1 : 2) + track + name)));
        depth += begins ? 1 : -1;
    }
}

const ftrace = (now, tid, field, content) => part(2, number(1, now) + number(2, tid) + part(field, content));
const ftraceSwitch = (now, from, to) => ftrace(now, from, 4, bytes(1, 'RenderThread') + number(2, from) +
    number(3, 120) + number(4, 1) + bytes(5, 'Binder:9214_3') + number(6, to) + number(7, 120));
const ftraceMark = (now, tid, text) => ftrace(now, tid, 3, number(1, 0) + bytes(2, text));

// Marks and switches on four CPUs, in bundles that take turns: each begins before the last ended.
function perfettoFtrace(n) {
    const now = [1000000, 1000000, 1000000, 1000000];
    for (let i = 0; i < n;) {
        const cpu = draw(4);
        let bundle = number(1, cpu);
        for (let k = 0; k < 64; k++, i += 4) {
            const tid = 100 + cpu * 10 + k % 3;
            bundle += ftraceMark(now[cpu] += 1000, tid, `B|99|${word(draw(WORDS.length))}`) +
                ftraceSwitch(now[cpu] += 5000, tid, tid + 3) + ftraceSwitch(now[cpu] += 5000, tid + 3, tid) +
                ftraceMark(now[cpu] += 1000, tid, 'E|99');
        }
        put(part(1, part(1, bundle)));
    }
}

const seconds = (us) => `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;

function systraceSlice(i) {
    const tid = 100 + draw(8), line = (us, text) => `    RenderThread-${tid}   (   99) [00${tid % 4}] ...1 ` +
        `${seconds(us)}: tracing_mark_write: ${text}\n`;
    return line(100000000 + i * 20, `B|99|${word(draw(WORDS.length))}`) + line(100000001 + i * 20, 'E|99');
}

// Threads that wait for a lock of the last one.
const anrThread = (i, n) => `"t${i}" prio=5 tid=${i + 1} Blocked\n  at a.B.c(B.kt:1)\n` +
    `  - waiting to lock <0x0123> (a a.Lock) held by thread ${n}\n\n`;

module.exports = {
    anr: [20000, '! info', list('----- pid 100 at 2026-01-02 03:04:05 -----\nDALVIK THREADS:\n', anrThread)],
    'perfetto-events': [20000, 'info', perfettoEvents],
    'perfetto-ftrace': [20000, 'info', perfettoFtrace],
    systrace: [20000, 'info', (n) => list('# tracer: nop\n#\n', systraceSlice)(n / 2)],
    'chrome-calls': [10000, 'info', chromeRun(tellEdge)],
    'chrome-spans': [10000, 'info', chromeRun(tellSlice)],
    'chrome-backward': [10000, ...chrome((i, n) => {
        const at = n - 1 - i;
        return span(at * 10, at % 3 === 0 ? 25 : 8, word(at));
    })],
    'chrome-shuffled': [10000, ...chrome((i, n) => span(draw(n * 10), 1 + draw(100), word(i)))],
    'chrome-nested': [10000, ...chrome((i, n) => span(i, 2 * (n - i), word(i)))],
    'chrome-at-once': [10000, ...chrome((i) => span(5, 10, word(i)))],
    'chrome-overlapping': [10000, ...chrome((i, n) => span(i, n, word(i)))],
    'chrome-deep': [10000, ...chrome((i, n) =>
        edge(i, i < n ? 'B' : 'E', word(i < n ? i : 2 * n - 1 - i)), 2)],
    // ends that match no open slice, under a deep stack
    'chrome-strangers': [10000, ...chrome((i, n) => (i < n ? edge(i, 'B', `b${i}`) : edge(i, 'E', `e${i}`)), 2)],
    // a deep stack whose top changes, and ends that name the slice below
    'chrome-teeth': [10000, ...chrome((i, n) => {
        const k = (i - n) % 3;
        return i < n ? edge(i, 'B', `base${i}`) : edge(i, k < 2 ? 'B' : 'E', k === 1 ? 'two' : 'one');
    }, 4)],
    'chrome-names': [10000, ...chrome((i) => span(i * 10, 5, `call ${i}`))],
    'chrome-threads': [4000, ...chrome((i) => `${event({tid: i, ts: i, dur: 5, ph: 'X', name: 'run'})},\n` +
        event({tid: i, ph: 'M', name: 'thread_name', args: {name: `t${i}`}}))],
    'chrome-async': [4000, ...chrome((i, n) => event({tid: 7, ts: i, ph: i < n ? 'b' : 'e', cat: 'net',
        id: `0x${(i % n).toString(16)}`, name: 'load'}), 2)],
    'chrome-async-strangers': [40000, '! info', chrome((i, n) => event({ts: i, ph: i < n ? 'b' : 'e', cat: 'net', id: 1,
        name: i < n ? `b${i}` : `e${i}`}), 2)[1]],
    // texts that could be keys, and blanks at the end
    'chrome-keys': [20000, 'info', (n) => {
        list('{"a":[', () => '"traceEvents"', {between: ',', end: `],"traceEvents":[${span(1, 2, 'run')}]}`})(n);
        put(' '.repeat(20 * n));
    }],
    // samples without a process, each of a different thread
    'chrome-samples': [4000, 'info', list('{"traceEvents":[],"stackFrames":{"1":{"name":"run"}},"samples":[',
        (i) => JSON.stringify({tid: i + 10, ts: i, sf: 1}), {between: ',', end: ']}\n'})],
    'chrome-counters': [10000, ...chrome((i, n) => event({tid: 7, ts: i, ph: 'C', name: `c${i}`, args: {v: i}}) +
        (i === n - 1 ? `,\n${span(1, 2, 'run')}` : ''))],
    speedscope: [20000, 'info', (n) => {
        let between = '';
        put(speedscope('evented', 'nanoseconds', 'events'));
        run(n, 0, 4000, (name, now, begin) => {
            put(between + scope(begin === undefined ? 'O' : 'C', WORDS.indexOf(name), now));
            between = ',\n';
        });
        put(END_SCOPES);
    }],
    'speedscope-sampled': [10000, 'info', (n) => {
        list(speedscope('sampled', 'nanoseconds', 'samples'), () => JSON.stringify(drawStack(WORDS.length)),
            {between: ',\n', end: '],"weights":['})(n);
        list('', () => String(draw(1000000)), {between: ',', end: END_SCOPES})(n);
    }],
    'speedscope-strangers': [20000, ...scopeStrangers('nanoseconds')],
    'speedscope-bytes': [20000, ...scopeStrangers('bytes')],
    'spall-1': [20000, 'info', (n) => {
        put(spallHead(1));
        run(n, 1000, 40, (name, now, begin) => put(spall1(now, begin === undefined && name)));
    }],
    // buffers of 1 MB, the recommended maximum for writers
    'spall-3': [20000, 'info', list(spallHead(3), (i, n) => {
        const BUFFER = 32768, at = 1000 + i * 50, name = ['onDraw', 'decode', 'Commit'][draw(3)];
        return (i % BUFFER === 0 ? spallBuffer(Math.min(n - i, BUFFER) * CALL_SIZE, 7) : '') + spall3(at, name) +
            spall3(at + 20 + draw(20));
    })],
    'spall-threads': [4000, 'info', list(spallHead(3), (i) =>
        spallBuffer(CALL_SIZE, i) + spall3(i, 'onDraw') + spall3(i + 5))],
    'spall-backward': [20000, 'info', list(spallHead(1), (i, n) => {
        const at = n - 1 - i;
        return spall1(at * 10, word(at)) + spall1(at * 10 + 5);
    })],
    'spall-deep': [20000, 'info', list(spallHead(1), (i, n) => spall1(i, i < n && word(i)), {times: 2})],
    'spall-names': [20000, 'info', list(spallHead(1), (i) => spall1(i * 10, `call ${i}`) + spall1(i * 10 + 5))],
    folded: [5000, 'info', list('', () => `app;com.example.Main.run${drawStack(3 * WORDS.length).map((frame) =>
        `;com.example.${word(Math.floor(frame / 3))}.${word(frame % 3)}`).join('')} ${1 + draw(1000)}\n`)],
    'folded-deep': [50000, 'info', list('main', (i) => `;${word(i)}`, {end: ' 1\n'})],
    'folded-names': [20000, 'info', list('', (i) => `main;f${i} 1\n`)],
    perf: perf(10000, (n, put) => {
        put(comm, 7);
        put(map, 7, BASE, BASE);
        for (let i = 0; i < n; i++) {
            put(sample, 7, 1000 + i * 1000, 250000, drawStack(100).reverse().map((frame) => BASE + 16 + 128 * frame));
        }
    }, {symbols: () => 100}),
    'perf-threads': perf(4000, (n, put) => {
        for (let i = 0; i < n; i++) {
            put(comm, i + 10);
            put(map, i + 10, BASE, BASE);
            put(sample, i + 10, 1000 + i, 1, [BASE + 16]);
        }
    }),
    // maps each placed below the previous one, each of its own library
    'perf-maps': perf(4000, (n, put) => {
        for (let i = n; i-- > 0;) {
            put(map, 7, BASE + i * 0x1000, 0x1000, `/lib/lib${i}.so`);
            put(sample, 7, 1000 + i, 1, [BASE + i * 0x1000 + 16]);
        }
    }, {path: '/lib/lib0.so'}),
    'perf-symbols': perf(20000, (n, put) => {
        put(map, 7, BASE, n * 128 + 128);
        for (let i = 0; i < n; i++) {
            put(sample, 7, 1000 + i, 1, [BASE + i * 128 + 16]);
        }
    }, {symbols: (n) => n}),
    'perf-deep': perf(20, (n, put) => {
        put(map, 7, BASE, 0x1000000);
        for (let i = 0; i < n; i++) {
            put(sample, 7, 1000 + i, 1, Array.from({length: 8000}, () => BASE + draw(8) * 128 + 16));
        }
    }),
    // every sample ends in its own path: the digits of a counter, in base 128, name its frames
    'script-distinct': [10000, 'info', list('', (i) => `app 7 ${seconds(i)}: 9 cycles:\n${[0, 7, 14].map((shift) =>
        `\t${(BASE + (i >> shift & 127) * 64).toString(16)} f${i >> shift & 127} (libapp.so)\n`).join('')}\n`)],
    report: [10000, ...reportFile((i) => reportSample(1000 + i * 1000, 7, drawStack(48).reverse().map((frame) =>
        reportFrame(frame % 6 * 128, Math.floor(frame / 6), frame % 6)).join(''), 250000), 8, 6)],
    // frames without symbols, each with a different address
    'report-addresses': [10000, ...reportFile((i) =>
        reportSample(1000 + i, 7 + i % 1000, reportFrame(i * 16, i % 64, 2n ** 64n - 1n), 1), 64, 1)],
};
