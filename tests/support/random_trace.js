#!/usr/bin/env node
// random_trace.js FOLDER SEED...: writes FOLDER/SEED.trace for each seed, a V1 trace that dmtracedump reads to its end:
// calls match and thread ids are below 32,768. Everything else that such a file may contain occurs over many seeds:
// recursion, exits on an empty stack, calls that stay open, ids without a line, lines with the same id or the same
// names, method lines with any number of columns, a clock that steps back, a truncated last record. The same seed gives
// the same bytes on every machine.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const {le, unsigned} = require('./script.js');

const MOST_METHODS = 12, MOST_THREADS = 5, MOST_OPEN = 400;

let state = 0n;

function roll(n) {
    state ^= unsigned(state << 13n);
    state ^= state >> 7n;
    state ^= unsigned(state << 17n);
    return Number(BigInt.asUintN(32, state >> 20n) % BigInt(n));
}

// True once in `n` times on average.
const onceIn = (n) => roll(n) === 0;
const pick = (...items) => items[roll(items.length)];

// Adds an id, and returns its line; the first two ids have none.
function makeMethod(ids) {
    const id = (onceIn(3) ? roll(1 << 30) : roll(24)) * 4;
    if (ids.some((other) => other === id && !onceIn(3))) {
        return '';
    }
    ids.push(id);
    const kind = roll(20), number = onceIn(3) ? id : `0x${id.toString(16).padStart(8, '0')}`;
    return kind === 0 ? `${number}\t${pick('lonely', 'a name', '$Proxy2')}\n`
        : kind === 1 ? `${number}\t${pick('a.A', 'z.Z')}\t${pick('run', '<init>')}\n`
            : `${number}\t${pick('a.A', 'a.B', '$Proxy2', 'b/C', '(x', 'z.Z', '')}\t` +
                `${pick('m', 'n', '<init>', 'run')}\t${pick('()V', '(I)V', '')}` +
                `${pick('', '\tA.java', '\tA.java\t12', '\t\t3', '\tx\ty\tz')}\n`;
}

function makeText(version, threads, ids) {
    const names = threads.map((id) => `${id}\t${pick('main', 'T', '', 'x y')}\n`).join('');
    const methods = Array.from({length: 1 + roll(MOST_METHODS)}, () => makeMethod(ids)).join('');
    const clock = version === 3 ? 'dual' : pick('wall', 'thread-cpu'), vm = pick('art', 'dalvik');
    return `*version\n${version}\nclock=${clock}\nvm=${vm}\n*threads\n${names}*methods\n${methods}*end\n` +
        `SLOW${le(version, 2)}${le(32, 2)}${le(12345, 8)}${le(version === 3 ? 14 : 0, 16)}`;
}

// The next call or return of the thread, as the word of a record.
function act({open}, ids) {
    if (open.length > 0 && (onceIn(2) || open.length === MOST_OPEN)) {
        const id = open.pop();
        // dmtracedump merges all ids without a line
        return (ids.indexOf(id) < 2 ? ids[roll(2)] : id) + (onceIn(4) ? 2 + roll(2) : 1);
    }
    if (open.length === 0 && onceIn(3)) {
        return pick(...ids) + 1;
    }
    open.push(onceIn(2) ? ids[2 + roll(Math.min(ids.length - 2, 2))] : pick(...ids));
    return open.at(-1);
}

function makeRecords(version, threads, ids) {
    const stepsBack = onceIn(10), n = pick(1, 5, 60, 300);
    const states = threads.map((id) => ({id, open: [], cpu: onceIn(2) ? roll(5000) : 0, wall: 0}));
    let bytes = '';
    for (let i = 0; i < n; i++) {
        const thread = pick(...states);
        thread.cpu += pick(0, 0, 1, 5, 100);
        thread.wall += roll(8);
        if (stepsBack && onceIn(10)) {
            thread.cpu = Math.max(thread.cpu - 50, 0);
        }
        bytes += le(thread.id, version === 1 ? 1 : 2) + le(act(thread, ids), 4) + le(thread.cpu, 4) +
            (version === 3 ? le(thread.wall, 4) : '');
    }
    return bytes + (onceIn(10) ? '\x01' : '');
}

function make(seed) {
    state = unsigned(BigInt(seed) * 0x9E3779B97F4A7C15n + 1n);
    Array.from({length: 10}, () => roll(2));
    const version = pick(1, 2, 3, 3), apart = version === 1 || onceIn(2) ? 50 : 5000;
    const threads = Array.from({length: 1 + roll(MOST_THREADS)}, (_, i) => 1 + i * apart + roll(apart));
    const ids = Array.from({length: 2}, () => (roll(1 << 28) + (1 << 29)) * 4);
    return makeText(version, threads, ids) + makeRecords(version, threads, ids);
}

const [folder, ...seeds] = process.argv.slice(2);
seeds.forEach((seed) => fs.writeFileSync(path.join(folder, `${seed}.trace`), make(seed), 'latin1'));
