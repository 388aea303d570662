// Writes bytes to a file. Bytes are strings with a character up to \xff for each.
'use strict';
const fs = require('node:fs');

const SIZE = 1 << 20;
const CHARS = Array.from({length: 256}, (_, i) => String.fromCharCode(i));

let file = -1;
let pieces = null; // of `capture`
let buffer = Buffer.alloc(SIZE);
let used = 0;

function flush() {
    if (pieces) {
        pieces.push(Buffer.from(buffer.subarray(0, used)));
    } else {
        fs.writeSync(file, buffer, 0, used);
    }
    used = 0;
}

function put(bytes) {
    for (let at = 0; at < bytes.length; at += SIZE) {
        const piece = bytes.length > SIZE ? bytes.slice(at, at + SIZE) : bytes;
        if (used + piece.length > SIZE) {
            flush();
        }
        used += buffer.latin1Write(piece, used);
    }
}

// What `write` puts, as a string.
function capture(write) {
    const before = [pieces, buffer, used];
    [pieces, buffer, used] = [[], Buffer.alloc(SIZE), 0];
    write();
    flush();
    const bytes = Buffer.concat(pieces).latin1Slice();
    [pieces, buffer, used] = before;
    return bytes;
}

function writeFile(path, write) {
    file = fs.openSync(path, 'w');
    write();
    flush();
    fs.closeSync(file);
}

// Replaces bytes that have been written.
function patch(at, bytes) {
    flush();
    fs.writeSync(file, Buffer.from(bytes, 'latin1'), 0, bytes.length, at);
}

// A number of `width` bytes, low byte first.
function le(value, width) {
    let bytes = '';
    for (let i = 0; i < width; i++) {
        bytes += CHARS[typeof value === 'bigint' ? Number(value & 255n) : value % 256];
        value = typeof value === 'bigint' ? value >> 8n : Math.floor(value / 256);
    }
    return bytes;
}

function double(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes.latin1Slice();
}

// LEB128, of seven bits each.
function leb(value, isSigned = false) {
    const step = typeof value === 'bigint' ? 128n : 128;
    for (let bytes = '', rest = value; ;) {
        const low = Number((rest % step + step) % step);
        rest = (rest - (typeof value === 'bigint' ? BigInt(low) : low)) / step;
        if (!isSigned && Number(rest) === 0 || isSigned && Number(rest) === (low & 64 ? -1 : 0)) {
            return bytes + CHARS[low];
        }
        bytes += CHARS[low | 128];
    }
}

module.exports = {put, capture, writeFile, patch, le, double, leb};
