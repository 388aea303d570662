#!/usr/bin/env node
// make_perf.js FIXTURES FOLDER CASES...: perf.data and report-sample files, one small file per fact of the format.
// Writes them into FOLDER, and a line into FOLDER/cases for each: NUMBER, SHOW, SYMFS, EXPECTED, WHERE, between tabs.
//
// A case ends at an empty line. Bytes are written as words with blanks between them: NUMBER (8 bytes) or NUMBER/BYTES,
// decimal, hex or negative; 'TEXT' with a trailing zero, "TEXT" without; `pad` fills up to a multiple of 8; `[` and `]`
// prepend the number of bytes between them, as 4 bytes; %{WORDS*N} repeats. Its lines:
//   # what it shows
//   event KEY=NUMBER...       has (names of fields, joined by +), type, config, period, id, flags, read-format,
//                             branch-type, regs; without events, a file has one
//   sample, mmap, mmap2, comm, fork, exit WORDS; kernel-sample, kernel-mmap; record TYPE MISC WORDS
//   map WHO WHERE 'FILE'      mmap2, from "PID/4 TID/4" and "ADDRESS LENGTH OFFSET"
//   packed AT WORDS           bytes of records, compressed, in two records that are divided at byte AT
//   bytes WORDS               among the records
//   feature NUMBER WORDS
//   move-to-feature NUMBER    the records so far
//   entry-size N              of the event table
//   backward 1                sections in reverse order of their numbers
//   data-size N               the size in the header, instead of that of the records
//   poke OFFSET BYTE          changes the finished file
//   head WORDS                the file has these bytes and the records, nothing else
//   library                   maps a library of process 7 at 0x1000, 0x1000 long, with symbols of 0x10 bytes: a at
//                             0x10, b at 0x20, c at 0x30 of the file; the first thread is called "t"
//   linux                     written by perf of Linux
//   java PATH                 one page each of native code, libart.so, base.vdex and JIT code in PATH, with symbols of
//                             16 bytes
//   symfs                     symbols come from libraries of the fixtures
//   fixture NAME              the file starts with a fixture
//   show event|facts|library|pid|unit    instead of the stacks and, after a !, the warnings
//   = EXPECTED                the file has this, or is refused with this error
//   : 1ST ; 2ND => EXPECTED   a file with these words in place of $1, $2; several such lines are as many files, which
//                             without => have what = says
//   each WORD...              as many files, with one word each
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const {fail, where, expand, readNumber, le} = require('./script.js');
const {zstd} = require('./damage.js');

const FIELDS = ['ip', 'tid', 'time', 'addr', 'read', 'chain', 'id', 'cpu', 'period', 'stream', 'raw', 'branch', 'regs',
    'stack'];
const bits = (...names) => names.reduce((sum, name) => sum | 1n << BigInt(FIELDS.indexOf(name)), 0n);
const DEFAULT = bits('ip', 'tid', 'time', 'chain', 'period'), IDENTIFIER = 1n << 16n;

const RECORDS = {
    sample: [9, 2], 'kernel-sample': [9, 1], mmap: [1, 2], mmap2: [10, 2], 'kernel-mmap': [1, 1], comm: [3, 0],
    fork: [7, 0], exit: [4, 0],
};

const LIBRARY = `map 7/4 7/4 0x1000 0x1000 0 '/lib/l.so'
comm 7/4 7/4 't' pad
feature 128 [ '/lib/l.so' 2/4 0 3/4 0x10 0x10/4 'a' 0x20 0x10/4 'b' 0x30 0x10/4 'c' 0 ]`;
const java = (jit) => `map 7/4 7/4 0x1000 0x1000 0 '/lib/app.so'
map 7/4 7/4 0x2000 0x1000 0 '/apex/libart.so'
map 7/4 7/4 0x3000 0x1000 0 '/app/base.vdex'
map 7/4 7/4 0x4000 0x1000 0 '${jit}'
comm 7/4 7/4 't' pad
feature 128 [ '/lib/app.so' 2/4 0 3/4 0 0x10/4 'n0' 0x10 0x10/4 'x_jni_trampoline' 0x20 0x10/4 'n2' 0 ]
feature 128 [ '/apex/libart.so' 2/4 0 3/4 0 0x10/4 'art0' 0x10 0x10/4 'art1' 0x20 0x10/4 'art_jni_trampoline' 0 ]
feature 128 [ '/app/base.vdex' 3/4 0 3/4 0 0x10/4 'p.A.d0' 0x10 0x10/4 'p.A.d1' 0x20 0x10/4 'p.A.d2' 0/4 ]
feature 128 [ '${jit}' 2/4 0 4/4 0 0x10/4 'void p.A.d0(int)' 0x10 0x10/4 'p.A.j1' 0x20 0x10/4 'p.A.d2' 0x30 0x10/4 ` +
    '\'z_jni_trampoline\' 0 ]';

const set = (bytes, at, by) => bytes.slice(0, at) + by + bytes.slice(at + by.length);

function makeBytes(words) {
    let bytes = '', open = 0;
    for (const [word, zero, plain, number, width] of
        words.matchAll(/'([^']*)'|"([^"]*)"|(-?\w+)(?:\/(\d+))?(?= |$)|\S+/g)) {
        if (word === 'pad') {
            bytes = bytes.padEnd(Math.ceil(bytes.length / 8) * 8, '\0');
        } else if (word === '[') {
            open = bytes.length;
            bytes += le(0, 4);
        } else if (word === ']') {
            bytes = set(bytes, open, le(bytes.length - open - 4, 4));
        } else {
            bytes += zero !== undefined ? `${zero}\0` : plain ?? le(readNumber(number ?? word), Number(width ?? 8));
        }
    }
    return bytes;
}

const readFields = (text) => /^\d/.test(text) ? readNumber(text) : text.split('+').reduce((sum, name) =>
    sum | (name === 'default' ? DEFAULT : name === 'identifier' ? IDENTIFIER : bits(name)), 0n);

function addRecord(file, type, misc, bytes) {
    const size = bytes.length + 8;
    file.data += le(type, 4) + le(type >= 32768 ? size >> 16 : misc, 2) + le(size, 2) + bytes;
}

const lines = {
    event(file, text) {
        const event = Object.fromEntries(text.split(' ').filter((word) => word).map((word) => word.split('=')));
        file.events.push({...event, has: readFields(event.has ?? 'default')});
    },
    record(file, text) {
        const [, type, misc, words] = /^(\S+) (\S+)(.*)/.exec(text);
        addRecord(file, Number(type), misc, makeBytes(words));
    },
    map: (file, text) => addRecord(file, 10, 2, makeBytes(`${text.replace('\'', '0/4 0/4 0 0 5/4 2/4 \'')} pad`)),
    packed(file, text) {
        const [, at, words] = /^(\d+) (.*)/.exec(text), bytes = zstd(makeBytes(words));
        addRecord(file, 81, 0, bytes.slice(0, at));
        addRecord(file, 81, 0, bytes.slice(at));
    },
    bytes(file, words) {
        file.data += makeBytes(words);
    },
    feature(file, text) {
        const [, number, words] = /^(\d+)(.*)/.exec(text);
        file.features[number] = (file.features[number] ?? '') + makeBytes(words);
    },
    'move-to-feature': (file, number) => {
        file.features[number] = file.data;
        file.data = '';
    },
    'entry-size': (file, text) => {
        file.entrySize = Number(text);
    },
    backward(file) {
        file.backward = true;
    },
    'data-size': (file, text) => {
        file.dataSize = Number(text);
    },
    poke: (file, text) => file.pokes.push(text.split(' ').map(Number)),
    head(file, words) {
        file.head = makeBytes(words);
    },
    library: (file) => addLines(file, LIBRARY),
    linux: (file) => lines.feature(file, '12 1/4 0/4 0/4 [ \'cycles\' ]'),
    java: (file, path) => addLines(file, java(path)),
};

function addLines(file, text) {
    for (const line of text.split('\n').filter((one) => one)) {
        const [, word, rest] = /^(\S+) *(.*)/.exec(expand({text: line}, 0).text);
        if (RECORDS[word]) {
            addRecord(file, ...RECORDS[word], makeBytes(rest));
        } else {
            (lines[word] ?? fail(`unknown line: ${word}`))(file, rest);
        }
    }
}

// Old versions had shorter entries, with fewer fields.
const makeEvent = (event, entrySize, idAt) => [le(event.type ?? 0, 4), le(entrySize - 16, 4),
    ...['config', 'period', 'has', 'read-format', 'flags'].map((key) => le(event[key] ?? 0, 8)), le(0, 24),
    le(event['branch-type'] ?? 0, 8), le(event.regs ?? 0, 8), le(0, 512)].join('').slice(0, entrySize - 16) +
    le(idAt, 8) + le(event.id ? 8 : 0, 8);

function makeFile({head, data, events, features, pokes, entrySize, backward, dataSize}) {
    if (head !== null) {
        return head + data;
    }
    const all = events.length > 0 ? events : [{has: DEFAULT}], HEAD = 104;
    const ids = all.map(({id}) => le(id ?? 0, 8)).join('');
    const table = all.map((event, i) => makeEvent(event, entrySize, HEAD + 8 * i)).join('');
    const tableAt = HEAD + ids.length, dataAt = tableAt + table.length, numbers = Object.keys(features).map(Number);
    const bitmap = numbers.reduce((sum, number) => sum | 1n << BigInt(number), 0n);
    const ordered = backward ? [...numbers].reverse() : numbers, positions = {};
    let sectionAt = dataAt + data.length + 16 * numbers.length;
    for (const number of ordered) {
        positions[number] = le(sectionAt, 8) + le(features[number].length, 8);
        sectionAt += features[number].length;
    }
    const file = ['PERFILE2', le(HEAD, 8), le(entrySize, 8), le(tableAt, 8), le(table.length, 8), le(dataAt, 8),
        le(dataSize ?? data.length, 8), le(0, 16), [0n, 64n, 128n, 192n].map((bit) => le(bitmap >> bit, 8)).join(''),
        ids, table, data, ...numbers.map((number) => positions[number]), ...ordered.map((number) => features[number])];
    return pokes.reduce((bytes, [at, byte]) => set(bytes, at, le(byte, 1)), file.join(''));
}

// ---- cases ----

// {lines, words: [words, expected], ...} of a paragraph.
function readCase(paragraph) {
    const one = {lines: '', words: [], expected: '', show: '', symfs: '', fixture: null};
    for (const line of paragraph.split('\n')) {
        const [, key, value] = /^(=|:|each|show|fixture|symfs)(?: +(.*)|$)/.exec(line) ?? [];
        if (key === ':') {
            const [words, expected] = value.split(/ *=> */);
            one.words.push([words.split(';').map((word) => word.trim()), expected]);
        } else if (key === 'each') {
            one.words.push(...value.split(' ').map((word) => [[word]]));
        } else if (key) {
            one[key === '=' ? 'expected' : key] = key === 'symfs' ? key : value ?? '';
        } else if (!line.startsWith('#')) {
            one.lines += `${line}\n`;
        }
    }
    return one.words.length > 0 ? one : {...one, words: [[[]]]};
}

const [fixtures, folder, ...texts] = process.argv.slice(2), table = [];
for (const text of texts) {
    let line = 1;
    for (const paragraph of fs.readFileSync(text, 'latin1').trimEnd().split('\n\n')) {
        const one = readCase(paragraph);
        Object.assign(where, {path: text, line});
        for (const [words, expected] of one.lines ? one.words : []) {
            const file = {
                entrySize: 128, backward: false, dataSize: null, head: one.fixture && '', data: '', events: [],
                features: {}, pokes: [],
            };
            addLines(file, one.lines.replace(/\$([1-9])/g, (all, i) => words[i - 1]));
            const start = one.fixture ? fs.readFileSync(path.join(fixtures, one.fixture), 'latin1') : '';
            fs.writeFileSync(path.join(folder, `${table.length}`), start + makeFile(file), 'latin1');
            table.push([table.length, one.show, one.symfs, expected ?? one.expected,
                `${path.basename(text)}:${line} ${words.join(' ; ')}`].join('\t'));
        }
        line += paragraph.split('\n').length + 1;
    }
}
fs.writeFileSync(path.join(folder, 'cases'), `${table.join('\n')}\n`, 'latin1');
