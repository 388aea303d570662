// Damage to trace files in transit: truncated, edited, copied as text, compressed, packed. Stored, not compressed: the
// bytes depend on no library.
'use strict';
const {fail, le, readBytes} = require('./script.js');

// The code points of the bytes 0x80 to 0x9f in Windows-1252; the five undefined bytes map to themselves.
const WINDOWS_1252 = '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function findOffset(file, text) {
    const inData = text.startsWith('data+'), number = Number(inData ? text.slice(5) : text);
    const offset = number + (inData ? file.dataAt : number < 0 ? file.bytes.length : 0);
    return offset >= 0 && offset <= file.bytes.length ? offset : fail(`the offset ${text} is outside the file`);
}

const replace = ({bytes}, at, length, by) => bytes.slice(0, at) + by + bytes.slice(at + length);

// Changes bytes from 0x80 on in the binary part as a text tool would.
const writeAsText = ({bytes, dataAt}, convert) => bytes.slice(0, dataAt) + bytes.slice(dataAt).replace(/[\x80-\xff]/g,
    (byte) => Buffer.from(convert(byte)).latin1Slice());

function crc32(bytes) {
    let crc = -1;
    for (let i = 0; i < bytes.length; i++) {
        crc ^= bytes.charCodeAt(i);
        for (let bit = 0; bit < 8; bit++) {
            crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc >>> 0;
}

// Blocks of at most `most` bytes.
function split(bytes, most, block) {
    let blocks = '', at = 0;
    do {
        const part = bytes.slice(at, at + most);
        at += part.length;
        blocks += block(part, at === bytes.length ? 1 : 0);
    } while (at < bytes.length);
    return blocks;
}

const gzip = (bytes) => '\x1f\x8b\x08\0\0\0\0\0\x04\x03' + split(bytes, 65535, (part, last) =>
    le(last, 1) + le(part.length, 2) + le(~part.length, 2) + part) + le(crc32(bytes), 4) + le(bytes.length, 4);

// One segment, four bytes of length, raw blocks.
const zstd = (bytes) => le(0xfd2fb528, 4) + le(0xa0, 1) + le(bytes.length, 4) +
    split(bytes, 128 * 1024, (part, last) => le(part.length << 3 | last, 3) + part);

// An archive in which each of the paths has this content. Later paths have later dates.
function zip(bytes, paths) {
    let files = '', list = '';
    paths.forEach((path, i) => {
        // version, flags, method, minutes, 2025-01-01, checksum, lengths, no extra field
        const entry = [le(20, 2), le(0, 4), le(i << 5, 2), le(0x5a21, 2), le(crc32(bytes), 4), le(bytes.length, 4),
            le(bytes.length, 4), le(path.length, 2), le(0, 2)].join('');
        // no comment, disk 0, attributes, offset
        list += `PK\x01\x02${le(20, 2)}${entry}${le(0, 10)}${le(files.length, 4)}${path}`;
        files += `PK\x03\x04${entry}${path}${bytes}`;
    });
    const n = le(paths.length, 2);
    return `${files}${list}PK\x05\x06${le(0, 4)}${n}${n}${le(list.length, 4)}${le(files.length, 4)}${le(0, 2)}`;
}

const kinds = {
    truncate: (file, [where]) => file.bytes.slice(0, findOffset(file, where.text)),
    crlf: ({bytes}) => bytes.replace(/\n/g, '\r\n'),
    'windows-1252': (file) => writeAsText(file, (byte) => byte < '\xa0' ? WINDOWS_1252[byte.charCodeAt() & 31] : byte),
    lossy: (file) => writeAsText(file, () => '\ufffd'),
    set(file, [where, ...words]) {
        const bytes = readBytes(words);
        return replace(file, findOffset(file, where.text), bytes.length, bytes);
    },
    insert: (file, [where, ...words]) => replace(file, findOffset(file, where.text), 0, readBytes(words)),
    delete: (file, [where, length]) => replace(file, findOffset(file, where.text), Number(length.text), ''),
    gzip({bytes}, [members]) {
        const n = Number(members?.text ?? 1), at = (i) => Math.floor(bytes.length * i / n);
        return Array.from({length: n}, (_, i) => gzip(bytes.slice(at(i), at(i + 1)))).join('');
    },
    zip: ({bytes}, paths) => zip(bytes, paths.map(({text}) => text)),
    zstd: ({bytes}) => zstd(bytes),
};

// One `damage` statement.
const damage = (file, [kind, ...words]) => {
    file.bytes = (kinds[kind.text] ?? fail(`unknown damage: ${kind.text}`))(file, words);
};

module.exports = {damage, zstd};
