// perfetto_raw.js AFLAME INPUT...
// The packets that aflame takes from Perfetto traces, by kind, are those of the file, also in compressed packets.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const {spawnSync} = require('node:child_process');
const {Message} = require('./support/export_readers.js');

// names in `info`, and the fields of a packet
const KINDS = {ftrace: 1, 'process trees': 2, 'process statistics': 9, 'track events': 11, configuration: 33,
    'ftrace statistics': 34, 'trace statistics': 35, 'markers of synchronization': 36, 'heap profiles': 37,
    'process descriptions': 43, 'thread descriptions': 44, 'system information': 45, packages: 47, compressed: 50,
    'streaming profiles': 54, 'Java heap graphs': 56, tracks: 60, symbols: 61, 'real names': 64, 'perf samples': 66,
    'service events': 69, 'frame timelines': 76, translations: 82, identifiers: 89, 'ranges of interest': 90,
    'task states': 117, 'task names': 120, 'task trees': 122, 'stack samples': 135};

function count(bytes, counts) {
    for (const packet of new Message(bytes).messages(1)) {
        for (const [kind, field] of Object.entries(KINDS)) {
            counts[kind] = (counts[kind] ?? 0) + packet.all(field).length;
        }
        packet.all(KINDS.compressed).forEach((packed) => count(zlib.inflateSync(packed), counts));
    }
    return counts;
}

// The counts of the line `packets`, which may be wrapped.
function readTaken(info) {
    const [, text] = /^ {2}packets +(.*(?:\n {14}.*)*)/m.exec(info) ?? [null, ''];
    return Object.fromEntries([...text.replace(/\s+/g, ' ').matchAll(/([a-z][^:,]*): ([\d,]+) \(/gi)]
        .map(([, kind, n]) => [kind, Number(n.replaceAll(',', ''))]));
}

const list = (counts) =>
    Object.entries(counts).filter(([, n]) => n > 0).map((pair) => pair.join(': ')).sort().join(', ');
const [aflame, ...inputs] = process.argv.slice(2);
let checked = 0;
for (const input of inputs) {
    const info = spawnSync(aflame, ['info', input], {encoding: 'utf8'}).stdout;
    let found = null;
    try {
        found = list(count(fs.readFileSync(input), {}));
    } catch (error) {
        continue; // damaged, or in an archive
    }
    const taken = list(readTaken(info));
    checked++;
    if (taken !== found) {
        console.error(`${path.basename(input)}: aflame takes ${taken}; the file has ${found}`);
        process.exitCode = 1;
    }
}
console.log(`${checked} inputs`);
if (checked < 30) {
    process.exitCode = 1;
}
