// The containers of a trace: they get threads, methods and records in the order of the description and turn them into
// bytes. They share no code with the readers in src/read: these files are the proof that the readers are right.
'use strict';
const {fail, unsigned, le, double, uleb, sleb} = require('./script.js');

const CPU = 0, WALL = 1, ENTER = 0;

// ---- text: `*version`, `*threads`, `*methods`, `*end` ----

// As printf's %#x prints the id since Android 7: 0 is a bare "0".
const methodLine = (id, columns) => (id === 0n ? '0' : `0x${id.toString(16)}`) + (columns && `\t${columns}`);

const keyText = {
    thread: (r, id, name) => r.text.threads.push(`${BigInt.asIntN(64, id)}\t${name}`),
    method: (r, id, columns) => r.text.methods.push(methodLine(id, columns)),
    clear: (r) => {
        r.text = {keys: [], threads: [], methods: [], verbatim: ''};
    },
    write(r) {
        const {keys, threads, methods, verbatim} = r.text;
        const lines = [...keys.map((key) => key.replace(/=%records.*/s, `=${r.records}`)),
            ...r.container === v2 ? [] : ['*threads', ...threads, '*methods', ...methods]];
        return verbatim || ['*version', r.version & 15, ...lines, '*end\n'].join('\n');
    },
};

const put = (r, ...bytes) => {
    r.bytes += bytes.join('');
};
const refuse = (what) => () => fail(`this container has no ${what}`);
const finish = (r) => r.output(r.suffix, r.bytes);

// ---- V1: text part, data header, records: Dalvik, and ART without streaming ----

const v1 = {
    thread: keyText.thread,
    method: keyText.method,
    begin: (r) => put(r, ['SLOW', le(r.version, 2), le(r.offsetField, 2), le(r.start, 8),
        r.header < 18 ? '' : le(r.recordField, 2)].join('').padEnd(r.header, '\0')),
    // Fills the bytes after the times of an oversized record with a non-zero value, so that a reader that uses them
    // fails.
    record: (r, {thread, method, action, time}) => put(r, [le(thread, (r.version & 15) === 1 ? 1 : 2),
        le(method | action, 4), le(time[0], 4), r.dual ? le(time[WALL], 4) : ''].join('').padEnd(r.recordSize, '\xa5')),
    raw: put,
    summary: refuse('summary packet'),
    finish(r) {
        const text = keyText.write(r);
        if (r.split) {
            r.output('.key', text, text.length);
            r.output('.data', r.bytes);
        } else {
            r.output(r.suffix, text + r.bytes, text.length);
        }
    },
};

// Packets; a thread id of 0 announces a control packet.
const stream = {
    ...v1,
    thread: (r, id, name) => put(r, le(0, 2), le(2, 1), le(id, 2), le(name.length, 2), name),
    method(r, id, columns) {
        const line = `${methodLine(id, columns)}\n`;
        put(r, le(0, 2), le(1, 1), le(line.length, 2), line);
    },
    summary: (r, text) => put(r, le(0, 2), le(3, 1), le(text.length, 4), text),
    finish,
};

// Any bytes.
const raw = {
    begin() {},
    thread: refuse('threads'),
    method: refuse('methods'),
    record: refuse('records'),
    raw: put,
    summary: refuse('summary packet'),
    finish,
};

// ---- blocks of one thread: V2, dumps, Spall ----

function endBlock(r, keep = false) {
    const b = r.block;
    if (b.open) {
        r.container.block(r, b);
        Object.assign(b, {bytes: '', open: false, headerCount: null, headerSize: null});
    }
    b.keep = keep;
}

// Unless the last block ended with `keep`, its running values start from 0.
function openBlock(r, thread) {
    const b = r.block;
    if (!b.open || b.thread !== thread) {
        const {keep} = b;
        endBlock(r, keep && !b.open);
        if (!b.keep) {
            Object.assign(b, {count: 0, lastId: 0n, last: [0n, 0n], afterEntry: true});
        }
        Object.assign(b, {keep: false, open: true, thread});
    }
    return b;
}

// Outside blocks.
const putPacket = (r, ...bytes) => {
    endBlock(r, r.block.keep);
    put(r, ...bytes);
};

function putMethod(b, id) {
    b.bytes += sleb(id - b.lastId);
    b.lastId = id;
}

function putStamp(b, clock, stamp) {
    b.bytes += sleb(stamp - b.last[clock]);
    b.last[clock] = stamp;
}

// The writers before 2025 used 32-bit arithmetic.
function putDifference(r, b, clock, now) {
    const step = unsigned(now - b.last[clock]);
    b.bytes += uleb(r.layout === 'c' ? step & 0xffffffffn : step);
    b.last[clock] = now;
}

// Android 15 and later.
const v2 = {
    // layout e: the counter at the start, which readers ignore
    begin: (r) => put(r, ['SLOW', le(r.version, 2), le(r.start, 8),
        ...r.layout === 'e' ? [le(0x123456789a, 8), le(r.frequency, 8)] : []].join('').padEnd(32, '\0')),
    thread: (r, id, name) => putPacket(r, le(0, 1), le(id, 4), le(name.length, 2), name),
    method: (r, id, columns) => putPacket(r, le(1, 1), le(id, 8), le(columns.length + 1, 2), columns, '\n'),
    record(r, {thread, method, action, time}) {
        const b = openBlock(r, thread);
        if (r.layout === 'e') { // the time contains the action; only entries name their method
            putStamp(b, WALL, unsigned(time[r.dual ? WALL : 0] << 2n | action));
            if (r.dual) {
                putStamp(b, CPU, time[CPU]);
            }
            if (action === 0n) {
                putMethod(b, method);
            }
        } else {
            putMethod(b, method | action);
            if (r.dual) {
                putDifference(r, b, WALL, time[WALL]);
            }
            putDifference(r, b, CPU, time[0]);
        }
        b.count++;
    },
    // Android's writer stores only 16 of the count's 24 bits.
    block: (r, b) => put(r, le(2, 1), le(b.thread, 4), le(b.headerCount ?? b.count & 0xffff, 3),
        le(b.headerSize ?? b.bytes.length, 4), b.bytes),
    raw(r, bytes) { // inside an open block the bytes become part of it
        if (r.block.open) {
            r.block.bytes += bytes;
        } else {
            put(r, bytes);
        }
    },
    summary: (r, text) => putPacket(r, le(3, 1), le(text.length, 2), text),
    finish(r) {
        endBlock(r);
        finish(r);
    },
};

// The dumps of long-running methods and of all methods: entry blocks without a header, with other records.
const dump = {
    ...v2,
    begin(r) {
        r.dual = false;
    },
    record(r, {thread, method, action, time}) {
        const b = openBlock(r, thread), enters = Number(action) === ENTER;
        if (r.layout === 'a') { // no times; after an entry the difference 1 is an exit, after an exit 0 is
            b.bytes += enters ? sleb(method - (b.afterEntry ? b.lastId : 1n)) : sleb(b.afterEntry ? 1n : 0n);
            b.lastId = enters ? method : b.lastId;
            b.afterEntry = enters;
            b.headerSize = 0xdeadbeef; // four bytes that the writer leaves uninitialised
        } else { // bit 0 of the time marks an exit; exits do not name a method
            putStamp(b, 0, unsigned(time[0] << 1n | (enters ? 0n : 1n)));
            if (enters) {
                putMethod(b, method);
            }
        }
        b.count++;
    },
    summary: refuse('summary packet'),
    finish(r) {
        endBlock(r);
        r.output(r.suffix, !r.inText ? r.bytes : `----- pid 100 at 2026-01-02 03:04:05.000000000+0000 -----
Cmd line: com.example.app
Build type: optimized
suspend all histogram:\tSum: 120us
DALVIK THREADS (2):
"main" prio=5 tid=1 Runnable
  at com.example.app.Main.onCreate(Main.kt:12)
LongRunningMethods: ${Buffer.from(r.bytes, 'latin1').toString('base64')}
----- end 100 -----
`);
    },
};

// Files from manually instrumented programs. Versions 0 and 1 are a sequence of records, versions 2 and 3 are buffers
// of one thread each. A method is its name.
const spall = {
    ...v2,
    begin: (r) => put(r, le(0x0badf00d, 8), le(r.version, 8), double(r.unit), le(0, 8)),
    thread(r, id, name) {
        if (r.version !== 3) {
            fail('thread names need version 3');
        }
        openBlock(r, id).bytes += `\x09${le(name.length, 1)}${name}`;
    },
    method: (r, id, name) => r.names.set(id, name),
    record(r, {thread, method, action, time}) {
        const enters = Number(action) === ENTER, blocks = r.version >= 2;
        const name = enters ? r.names.get(method) ?? fail('the method has no name') : '';
        // a category, no arguments
        const bytes = [le(enters ? 3 : 4, 1), enters && (r.version === 1 || r.version === 2) ? le(0, 1) : '',
            blocks ? le(time[0], 8) : le(r.process, 4) + le(thread, 4) + double(BigInt.asUintN(64, time[0])),
            enters ? le(name.length, 1) + le(0, r.version === 0 ? 0 : 1) + name : ''].join('');
        if (blocks) {
            openBlock(r, thread).bytes += bytes;
        } else {
            put(r, bytes);
        }
    },
    // the first time is one that readers must not trust
    block: (r, b) => put(r, le(b.headerSize ?? b.bytes.length, 4), le(b.thread, 4),
        r.version === 3 ? le(r.process, 4) + le(0x7777777777, 8) : '', b.bytes),
    summary: refuse('summary packet'),
    finish(r) {
        endBlock(r);
        r.output(r.suffix, r.bytes, 32);
    },
};

module.exports = {containers: {v1, stream, v2, dump, raw, spall}, keyText, endBlock, openBlock};
