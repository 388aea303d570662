#!/usr/bin/env node
// unpack_all.js FILE...: prints the bytes of files and everything in them that can be unpacked: zlib and gzip streams
// wherever they begin, and base64. So grep finds whatever a file holds.
'use strict';
const fs = require('node:fs');
const zlib = require('node:zlib');

const DEEPEST = 4, LIMIT = {maxOutputLength: 64 << 20, info: true};

function* unpackStreams(bytes) {
    for (let i = 0; i + 6 < bytes.length; i++) {
        const isZlib = (bytes[i] & 0x8f) === 8 && bytes.readUInt16BE(i) % 31 === 0;
        if (isZlib || bytes[i] === 0x1f && bytes[i + 1] === 0x8b) {
            try {
                const {buffer, engine} = zlib.unzipSync(bytes.subarray(i), LIMIT);
                i += engine.bytesWritten - 1;
                yield buffer;
            } catch {
                // not the begin of a stream
            }
        }
    }
}

function print(bytes, depth) {
    fs.writeSync(1, bytes);
    fs.writeSync(1, '\n');
    if (depth < DEEPEST) {
        for (const plain of unpackStreams(bytes)) {
            print(plain, depth + 1);
        }
        // shorter texts are words
        for (const [text] of bytes.latin1Slice().matchAll(/[A-Za-z0-9+/=]{60,}/g)) {
            print(Buffer.from(text, 'base64'), depth + 1);
        }
    }
}

process.argv.slice(2).forEach((file) => print(fs.readFileSync(file), 0));
