#!/usr/bin/env node
// Traces that could make a program slow: each has one dimension that grows with its size. Those in inputs.js are of
// other tools, some of them ordinary ones to time.
//   shapes.js                    lists the shapes: name, a size that takes about a second, the tasks of growth.sh
//                                (a ! after the size: four times it is more than any device records)
//   shapes.js SHAPE SIZE -o FILE
'use strict';
const zlib = require('node:zlib');
const {put, capture, writeFile, le, leb} = require('../support/bytes.js');

const each = (n, tell) => {
    for (let i = 0; i < n; i++) {
        tell(i);
    }
};

// ---- V1: text, then records of 10 bytes in wall time ----

const ENTER = 0, EXIT = 1, UNWIND = 2;
const TEXT = '*version\n2\ndata-file-overflow=false\nclock=wall\nvm=art\npid=1\n';
const THREADS = '*threads\n1\tmain\n';
const METHODS = `${TEXT}${THREADS}*methods\n`;
const RECORDS = '*end\nSLOW\x02\0\x20'.padEnd(5 + 32, '\0');

// The method as class, tab, name; ids ascend by 4.
const method = (i, name) => put(`0x${(i * 4).toString(16)}\t${name}\t()V\tA.java\n`);

let nowUs = 0;
const record = (thread, number, action) => put(le(thread, 2) + le(number * 4 + action, 4) + le(nowUs += 10, 4));

// Methods m0, m1 ...
const plainMethods = (n) => each(n, (i) => method(i, `com.example.Main\tm${i}`));

function beginPlain(methods) {
    put(METHODS);
    plainMethods(methods);
    put(RECORDS);
}

const call = (number, thread = 1) => {
    record(thread, number, ENTER);
    record(thread, number, EXIT);
};

// ---- V2: nanoseconds, one clock ----

const beginV2 = (version) => put(`SLOW${le(version, 2)}`.padEnd(32, '\0'));
const v2Thread = (id, name) => put(le(0, 1) + le(id, 4) + le(name.length, 2) + name);
const v2Block = (thread, count, bytes) => put(le(2, 1) + le(thread, 4) + le(count, 3) + le(bytes.length, 4) + bytes);

function v2Method(id, name) {
    const line = `com.example.Main\t${name}\t()V\tA.java\t1\n`;
    put(le(1, 1) + le(id, 8) + le(line.length, 2) + line);
}

// A block with one call of 10 us that starts at `ns`.
const v2Call = (thread, id, ns) => v2Block(thread, 2, leb(id, true) + leb(ns) + leb(1, true) + leb(10000));

function endV2(version, clock) {
    const text = `*version\n${version}\ndata-file-overflow=false\nclock=${clock}\n` +
        'elapsed-time-nsec=1000000\nvm=art\n*end\n';
    put(le(3, 1) + le(text.length, 2) + text);
}

// Some calls in V2.
function v2(write) {
    beginV2(4);
    write();
    endV2(4, 'wall');
}

// ---- calls ----

// Every call has its own path, with few methods: a tree in which each node has sixteen children.
function walkDistinct(n, tell) {
    const stack = [];
    for (let left = n, next = 0; left > 0 || stack.length > 0;) {
        if (left > 0 && stack.length < 6 && next < 16) {
            tell(next, ENTER);
            stack.push(next);
            next = 0;
            left--;
        } else if (stack.length > 0) {
            tell(stack.at(-1), EXIT);
            next = stack.pop() + 1;
        } else {
            next = 0; // the tree is full
        }
    }
}

// V1 with both clocks: records of 14 bytes.
function distinctDual(n) {
    put(`*version\n3\ndata-file-overflow=false\nclock=dual\nvm=art\npid=1\n${THREADS}*methods\n`);
    plainMethods(16);
    put(`*end\n${'SLOW\x03\0\x20'.padEnd(16, '\0')}\x0e`.padEnd(5 + 32, '\0'));
    walkDistinct(n, (number, action) => {
        const cpu = Math.floor(nowUs / 2);
        put(le(1, 2) + le(number * 4 + action, 4) + le(cpu, 4) + le(nowUs += 10, 4));
    });
}

// The same calls in V2: a block per 1,000 records.
function distinctV2(n) {
    let bytes = '', count = 0, last = [0, 0, 0];
    const endBlock = () => {
        v2Block(1, count, bytes);
        [bytes, count, last] = ['', 0, [0, 0, 0]];
    };
    beginV2(5);
    each(16, (i) => v2Method((i + 1) * 4, `m${i}`));
    v2Thread(1, 'main');
    walkDistinct(n, (number, action) => {
        nowUs += 10;
        const now = [(number + 1) * 4 + action, 1000 * nowUs, 500 * nowUs];
        bytes += now.map((value, i) => leb(value - last[i], i === 0)).join('');
        last = now;
        if (++count === 1000) {
            endBlock();
        }
    });
    endBlock();
    endV2(5, 'dual');
}

// ---- names ----

function calls(n, name, before = METHODS) {
    put(before);
    each(n, (i) => method(i, name(i)));
    put(RECORDS);
    each(n, (i) => call(i));
}

// One name as long as the size, drawn in forty places that fit a part of it.
const longName = (text) => (n) => {
    const SITES = 40;
    put(METHODS);
    method(0, `com.example.Main\tm${text.repeat(Math.floor(n / text.length))}`);
    each(SITES, (i) => method(i + 1, `com.example.Main\tm${i + 1}`));
    put(RECORDS);
    each(SITES, (i) => {
        record(1, i + 1, ENTER);
        call(0);
        record(1, i + 1, EXIT);
    });
};

// One call of one method, after `text`.
function one(text) {
    put(text);
    method(0, 'a.B\tc');
    put(RECORDS);
    call(0);
}

// Half of the methods are used but not defined, the others defined but not used.
function proxies(n) {
    put(METHODS);
    method(0, 'a.B\tc');
    each(n, (i) => method(n + i, `a.Interface\tm${n + i}`));
    each(100, (i) => method(Math.floor(n / 2) + i, `a.Target\tm${n + i}`));
    put(RECORDS);
    for (let i = 1; i < Math.floor(n / 2); i++) {
        record(1, i, ENTER);
        call(Math.floor(n / 2) + i % 100);
        record(1, i, EXIT);
    }
}

// ---- ids and names that collide in a hash table ----

// A publicly known constant: the multiplier of most integer hash tables; and its inverse.
const KNOWN = 0x9E3779B97F4A7C15n;
const INVERSE = Array.from({length: 6}).reduce((inverse) => BigInt.asUintN(64, inverse * (2n - KNOWN * inverse)), KNOWN);

// One path, its rows numbered in sequence: each next method puts its row into the same slot as the others.
function collidingPaths(n) {
    const METHODS_MAX = 4096;
    let slots = 4096n;
    while (slots < 2 * n) {
        slots *= 2n;
    }
    beginPlain(METHODS_MAX);
    each(n, (row) => {
        const hash = (number) => BigInt.asUintN(64, (BigInt(row) << 32n | BigInt(number)) * KNOWN) >> 32n;
        let number = 0;
        while (number + 1 < METHODS_MAX && (hash(number) & slots - 1n) >= slots / 1024n) {
            number++;
        }
        record(1, number, ENTER);
    });
}

// "ab" and "bA" collide in every string hash that multiplies by 33.
const collide = (number) => Array.from({length: 24}, (_, bit) => (number >> bit & 1 ? 'bA' : 'ab')).join('');

function collidingPackages(n) {
    const names = Array.from({length: n}, (_, i) => `2\t${collide(i)}\n`).join('');
    calls(n, (i) => `org.${collide(i)}.Main\trun`, `${TEXT}${THREADS}${names}*methods\n`);
    call(0, 2);
}

// ---- packets ----

function stream(n) {
    put(`${'SLOW\xf2\0\x20'.padEnd(16, '\0')}\x0a`.padEnd(32, '\0'));
    for (let i = 1; i <= n; i++) {
        const thread = 1 + i % 60000, line = `0x${(i * 4).toString(16)}\ta.B\tm${i}\t()V\tA.java\n`;
        put(`\0\0\x01${le(line.length, 2)}${line}\0\0\x02${le(thread, 2)}${le(`T${i}`.length, 2)}T${i}`);
        call(i, thread);
    }
}

// ---- gzip ----

const pack = (bytes, level) => zlib.gzipSync(Buffer.from(bytes, 'latin1'), {level}).latin1Slice();
const plainCalls = (n) => {
    beginPlain(1);
    each(n, () => call(0));
};

// One member per few records.
function members(n) {
    const bytes = capture(() => plainCalls(n));
    for (let at = 0; at < bytes.length; at += 40) {
        put(pack(bytes.slice(at, at + 40), 1));
    }
}

// As many members with a megabyte of zero-length calls, which compresses to one kilobyte; all of it is compressed
// again: ten gigabytes become some forty kilobytes.
function bomb(n) {
    const RECORDS_OF_A_MEGABYTE = 104858;
    const mega = Array.from({length: RECORDS_OF_A_MEGABYTE}, (_, i) =>
        le(1, 2) + le(i % 2 === 0 ? ENTER : EXIT, 4) + le(10, 4)).join('');
    put(pack(pack(capture(() => plainCalls(0)), 1) + pack(mega, 9).repeat(n), 1));
}

// name: [size, tasks, what writes it]. `convert` is omitted where its text may grow faster than the input.
const shapes = {
    deep: [10000, 'svg png pdf info explain', (n) => {
        beginPlain(1);
        each(n, () => record(1, 0, ENTER));
        each(n, () => record(1, 0, EXIT));
    }],
    unmatched: [50000, '! svg info', (n) => {
        beginPlain(3);
        each(n, (i) => record(1, i % 2, ENTER));
        each(n, () => record(1, 2, EXIT));
    }],
    // a matching exit of a deep call, then the stack grows again
    missing: [10000, 'svg info', (n) => {
        beginPlain(2);
        record(1, 0, ENTER);
        each(n, () => record(1, 1, ENTER));
        record(1, 0, EXIT);
        each(n, () => {
            record(1, 0, ENTER);
            record(1, 1, ENTER);
            record(1, 0, EXIT);
        });
    }],
    adopted: [10000, 'svg info', (n) => {
        beginPlain(2);
        each(n, () => {
            call(0);
            record(1, 1, EXIT);
        });
    }],
    unwound: [10000, 'svg convert info explain', (n) => {
        beginPlain(n);
        each(n, (i) => {
            record(1, i, ENTER);
            record(1, i, UNWIND);
        });
    }],
    wide: [8000, 'svg png pdf convert info explain', (n) => calls(n, (i) => `com.example.Main\tm${i}`)],
    // a chain, with one additional call at each level
    comb: [10000, 'svg png pdf info', (n) => {
        beginPlain(3);
        each(n, () => {
            record(1, 0, ENTER);
            call(1);
            call(2);
        });
        each(n, () => record(1, 0, EXIT));
    }],
    // a hundred levels, each with many children
    bushy: [20000, 'svg png pdf convert info explain', (n) => {
        const children = Math.floor(n / 100);
        beginPlain(children + 100);
        each(100, (level) => {
            record(1, level, ENTER);
            each(children, (i) => call(100 + i));
        });
        each(100, (level) => record(1, 99 - level, EXIT));
    }],
    // no path occurs twice: the digits of a counter, in base 16
    paths: [20000, 'svg png pdf convert info', (n) => {
        beginPlain(16);
        each(n, (i) => {
            const digits = [0, 4, 8, 12, 16].map((shift) => i >> shift & 15);
            [...digits].reverse().forEach((digit) => record(1, digit, ENTER));
            digits.forEach((digit) => record(1, digit, EXIT));
        });
    }],
    distinct: [50000, 'svg png pdf convert info', (n) => {
        beginPlain(16);
        walkDistinct(n, (number, action) => record(1, number, action));
    }],
    'distinct-dual': [50000, 'info', distinctDual],
    'distinct-v2': [50000, 'info', distinctV2],
    // threads that take turns at every record
    turns: [20000, 'svg convert info text', (n) => {
        beginPlain(2);
        each(n, (i) => record(1 + i * 7 % 1000, 1, Math.floor(i / 1000) % 2 === 0 ? ENTER : EXIT));
    }],
    // a sampler in which every interval differs
    steps: [20000, 'info', (n) => {
        beginPlain(4);
        each(n, (i) => {
            each(4, (k) => put(le(1, 2) + le(k * 4 + (i % 2 === 0 ? ENTER : EXIT), 4) + le(nowUs % 2 ** 32, 4)));
            nowUs += 8192 + i % 500000;
        });
    }],
    // more than fit into the large pages that malloc() begins with
    threads: [32768, '! svg png pdf info explain text', threads],
    // converting takes half the memory, so twice this number fits
    'threads-folded': [16384, '! convert', threads],
    pages: [200, 'all', threads],
    // pairs of threads with one name; that name followed by the id is the name of a third thread
    titles: [2500, 'svg convert info', (n) => v2(() => {
        v2Method(16, 'run');
        v2Method(32, 'a;b');
        each(n, (i) => {
            const trio = i - i % 3;
            v2Thread(i + 1, i % 3 === 2 ? `pool ${trio} [${trio + 1}]` : `pool ${trio}`);
            v2Call(i + 1, i % 2 === 0 ? 16 : 32, i * 1000);
        });
    })],
    // the same thread listed repeatedly, under different names
    listed: [20000, 'svg convert info', (n) => {
        put(`${TEXT}${THREADS}`);
        each(n, (i) => put(`${i % 100 + 1}\tT${i}\n`));
        put('*methods\n');
        method(0, 'a.B\tc');
        put(RECORDS);
        each(100, (i) => call(0, i + 1));
    }],
    headers: [20000, 'info', (n) => one(TEXT + `${THREADS}*methods\n\n\n`.repeat(n))],
    facts: [10000, 'svg info text', (n) => {
        put(TEXT);
        each(n, (i) => put(`key${i}=value\n`));
        one(`${THREADS}*methods\n`);
    }],
    'equal-names': [250000, '! svg info', (n) => calls(n, () => 'com.example.Main\trun')],
    'long-ascii': [200000, 'svg png pdf info', longName('x')],
    // zero-width characters: a text of any length fits everywhere
    'long-marks': [200000, 'svg png pdf info', longName('\xcc\x81')],
    'long-arabic': [200000, 'svg png pdf info', longName('\xd8\xa7\xd9\x84 ')],
    'long-broken': [100000, 'svg png pdf info', longName('\xff\x01')],
    // a package with as many components as the size
    'long-package': [200000, 'svg png pdf convert info', (n) => {
        const times = (text, length) => text.repeat(Math.floor(n / length));
        put(`${TEXT}*threads\n1\t${times('thread.', 7)}\n*methods\n0x0\t${times('com.', 4)}Main\trun\t(` +
            `${times('[I', 2)})V\tA.java\n${RECORDS}`);
        call(0);
    }],
    packages: [8000, 'svg convert info', (n) => calls(n, (i) => `c${i % 1000}.d${i}.Main\trun`)],
    proxies: [10000, 'svg info', proxies],
    'colliding-ids': [10000, 'svg convert info', (n) => v2(() => {
        const id = (i) => BigInt.asIntN(64, BigInt(i + 1) * 4n * INVERSE);
        each(n, (i) => v2Method(id(i), 'run'));
        each(n, (i) => v2Call(1, id(i), (i + 1) * 10000));
    })],
    // numbers with equal halves: GLib's hash of all of them is 0
    'colliding-halves': [10000, 'svg convert info', (n) => v2(() => each(n, (i) => {
        const id = (i + 1) * 4 * (1 + 2 ** 32);
        v2Method(id, 'run');
        v2Call(1, id, (i + 1) * 20000);
    }))],
    'colliding-paths': [20000, 'info', collidingPaths],
    'colliding-names': [8000, 'svg convert info', (n) => calls(n, (i) => `com.example.Main\t${collide(i)}`)],
    'colliding-packages': [5000, 'svg convert info', collidingPackages],
    stream: [5000, 'svg convert info', stream],
    blocks: [20000, 'svg convert info', (n) => {
        beginV2(4);
        v2Method(16, 'run');
        each(n, (i) => v2Call(1, 16, i * 20000));
    }],
    members: [4000, 'info', members],
    bomb: [20, '! svg info', bomb],
    ...require('./inputs.js'),
};

function threads(n) {
    v2(() => {
        v2Method(16, 'run');
        each(n, (i) => {
            v2Thread(i + 1, `pool-${i}`);
            v2Call(i + 1, 16, i * 1000);
        });
    });
}

const [name, size, option, file] = process.argv.slice(2);
if (name === undefined) {
    Object.entries(shapes).forEach(([shape, [least, tasks]]) => console.log(shape, least, tasks));
} else if (shapes[name] && option === '-o') {
    writeFile(file, () => shapes[name][2](Number(size)));
} else {
    console.error('usage: shapes.js [SHAPE SIZE -o FILE]');
    process.exit(2);
}
