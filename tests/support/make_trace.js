#!/usr/bin/env node
// make_trace.js DESCRIPTION.fix... DIRECTORY: writes each trace to DIRECTORY/<name of the description>.trace, with a
// pair or a side file next to it if the description contains one. ../README.md explains the statements.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const {where, fail, parse, expand, unsigned, readNumber, le, double, uleb, readBytes} = require('./script.js');
const {containers, keyText, endBlock, openBlock} = require('./containers.js');
const {damage} = require('./damage.js');

const CLOCKS = 2;

// The value of `key=value` among the words.
const findOption = (words, key) =>
    words.find(({text}, i) => i > 0 && text.startsWith(`${key}=`))?.text.slice(key.length + 1);
const findFlag = (words, flag) => words.some(({text}, i) => i > 0 && text === flag);

function findNumber(words, key, fallback) {
    const text = findOption(words, key);
    return text === undefined ? fallback : readNumber(text);
}

// Sets the sizes and offsets in the header to those of Android's writers, unless the description gives others.
function setFormat(r, words) {
    const name = words[1].text, number = (key, fallback) => Number(findNumber(words, key, fallback));
    const version = number('version', {stream: 0xf3, v2: 5}[name] ?? 3), header = number('header', 32);
    const recordSize = number('record', {1: 9, 2: 10}[version & 15] ?? 14);
    Object.assign(r, {
        container: containers[name] ?? fail(`unknown container: ${name}`),
        version, header, recordSize,
        dual: name !== 'spall' && ((version & 15) === 5 || (version & 15) === 3 && recordSize !== 10),
        offsetField: number('offset-field', header),
        recordField: number('record-field', version >= 3 ? recordSize : 0),
        start: findNumber(words, 'start', 0n),
        frequency: findNumber(words, 'frequency', 0n),
        split: findFlag(words, 'split'),
        inText: findFlag(words, 'anr-text'), // dumps: base64 inside an ANR text
        process: findNumber(words, 'process', 0n), // Spall: of all threads
        unit: Number(findOption(words, 'unit') ?? 1), // Spall: of a tick
        // V2: c, d, e; dumps: l (long-running), a (all methods)
        layout: findOption(words, 'layout')?.[0] ?? (name === 'v2' ? 'd' : 'l'),
        suffix: findOption(words, 'suffix') ?? '.trace',
    });
    r.container.begin(r);
}

// Threads and methods are lines of a text part, or packets.
const namesOf = (r) => r.inKeyText ? keyText : r.container;

function addMethod(r, words) {
    const [id, ...columns] = words.slice(1).map(({text}) => text);
    namesOf(r).method(r, readNumber(id), columns.join('\t'));
    const name = columns.slice(0, 2).join('.');
    if (columns.length >= 2 && !r.methods.has(name)) { // records can use it instead of the id
        r.methods.set(name, readNumber(id));
    }
}

// `cpu/wall` if the file has two clocks, otherwise one time; + and - count from the thread's last.
function readTimes(r, last, text) {
    const parts = text.split('/');
    if (parts.length > (r.dual ? CLOCKS : 1)) {
        fail(`expected one time per clock of the file: ${text}`);
    }
    return [parts[0], parts.at(-1)].map((part, clock) => {
        const step = {'+': 1n, '-': -1n}[part[0]];
        return step ? unsigned(last[clock] + step * readNumber(part.slice(1))) : readNumber(part);
    });
}

function addRecord(r, words) {
    const [id, verb, name, times] = words.map(({text}) => text);
    const action = ['enter', 'exit', 'unwind', 'odd'].indexOf(verb), thread = readNumber(id);
    if (action < 0 || words.length > 4 || name === undefined) {
        fail('expected THREAD, enter, exit, unwind or odd, METHOD and at most one time');
    }
    const method = /^[0-9]/.test(name) ? readNumber(name) : r.methods.get(name) ?? fail(`unknown method: ${name}`);
    const last = r.clocks.get(thread) ?? [0n, 0n], time = times === undefined ? last : readTimes(r, last, times);
    r.clocks.set(thread, time);
    r.container.record(r, {thread, method, action: BigInt(action), time});
    r.records++;
}

function beginBlock(r, words) {
    endBlock(r, findFlag(words, 'keep'));
    r.block.headerCount = findNumber(words, 'count', null);
    r.block.headerSize = findNumber(words, 'size', null);
    if (findOption(words, 'thread') !== undefined) {
        openBlock(r, findNumber(words, 'thread'));
    }
}

// `summary {` and `sec {`: the text of a stream's summary packet, or of the file next to the trace.
function addKeyText(r, words, statement, round) {
    keyText.clear(r);
    r.inKeyText = true;
    runBlock(r, statement.block, round);
    r.inKeyText = false;
    if (words[0].text === 'summary') {
        r.container.summary(r, keyText.write(r));
    } else {
        r.output(`${r.suffix}.sec`, keyText.write(r));
    }
}

// ---- protobuf messages ----

const deflate = (bytes) => zlib.deflateSync(Buffer.from(bytes, 'latin1')).latin1Slice();
const field = (number, bytes) => uleb(number << 3n | 2n) + uleb(bytes.length) + bytes;

// A field with one value, or with several numbers, packed.
function makeField(words) {
    const [number, ...values] = words, key = readNumber(number.text), [value] = values;
    return values.length !== 1 ? field(key, values.map(({text}) => uleb(readNumber(text))).join(''))
        : value.quoted ? field(key, value.text)
            : value.text.endsWith(':f64') ? uleb(key << 3n | 1n) + double(value.text.slice(0, -4))
                : uleb(key << 3n) + uleb(readNumber(value.text));
}

const makeFields = (block, round) => block.map((statement) => {
    where.line = statement.line;
    const words = statement.words.map((word) => expand(word, round));
    return words[0].text === 'repeat'
        ? Array.from({length: words[1].text}, (_, i) => makeFields(statement.block, i + 1)).join('')
        : statement.block ? makeMessage(words, statement.block, round) : makeField(words);
}).join('');

// FIELD {, or FIELD zlib {: the fields of the block, compressed.
function makeMessage([number, zipped], block, round) {
    const bytes = makeFields(block, round);
    return field(readNumber(number.text), zipped ? deflate(bytes) : bytes);
}

// ---- statements ----

const addLine = (list) => (r, words) => r.text[list].push(words[1].text);

const statements = {
    format: setFormat,
    thread: (r, words) => namesOf(r).thread(r, readNumber(words[1].text), words[2].text),
    method: addMethod,
    set: (r, words) => r.text.keys.push(...words.slice(1).map(({text}) => text)),
    'thread-line': addLine('threads'),
    'method-line': addLine('methods'),
    'text-line': (r, words) => {
        r.text.verbatim += `${words[1].text}\n`;
    },
    raw: (r, words) => r.container.raw(r, readBytes(words.slice(1))),
    zlib: (r, words) => r.container.raw(r, deflate(readBytes(words.slice(1)))),
    block: beginBlock,
    message: (r, words, {block}, round) => r.container.raw(r, makeMessage(words.slice(1), block, round)),
    summary: addKeyText,
    sec: addKeyText,
    repeat: (r, words, {block}) => {
        for (let i = 1n; i <= readNumber(words[1].text); i++) {
            runBlock(r, block, i);
        }
    },
};

function runBlock(r, block, round) {
    for (const statement of block) {
        const words = statement.words.map((word) => expand(word, round)), name = words[0].text;
        where.line = statement.line;
        if (!r.container && name !== 'format') {
            fail('`format` comes first');
        }
        const run = /^[0-9]/.test(name) ? addRecord : statements[name] ?? fail(`unknown statement: ${name}`);
        run(r, words, statement, round);
    }
}

// Damage applies to whole files, so its statements wait until all others have run.
function make(description, directory) {
    const script = parse(description, fs.readFileSync(description, 'latin1'));
    const isDamage = ({words}) => words[0].text === 'damage', files = [];
    const r = {
        bytes: '', // V1: header and records; otherwise the whole file
        records: 0,
        block: {bytes: '', open: false, keep: false, headerCount: null, headerSize: null},
        methods: new Map(), // by name: the id
        names: new Map(), // Spall: by id
        clocks: new Map(), // by thread: the times of its last record
        output: (suffix, bytes, dataAt = 0) => files.push({suffix, bytes, dataAt}),
    };
    keyText.clear(r);
    runBlock(r, script.filter((statement) => !isDamage(statement)), 0);
    r.container.finish(r);
    for (const {words, line} of script.filter(isDamage)) {
        where.line = line;
        files.forEach((file) => damage(file, words.slice(1)));
    }
    const name = path.basename(description).replace(/\.[^.]*$/, '');
    for (const {suffix, bytes} of files) {
        fs.writeFileSync(path.join(directory, name + suffix), bytes, 'latin1');
    }
}

const descriptions = process.argv.slice(2), directory = descriptions.pop();
if (descriptions.length === 0) {
    console.error('usage: make_trace.js DESCRIPTION.fix... DIRECTORY');
    process.exit(2);
}
try {
    descriptions.forEach((description) => make(description, directory));
} catch (error) {
    console.error(error.message);
    process.exit(1);
}
