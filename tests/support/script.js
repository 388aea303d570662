// The words of a fixture description, and bytes. Bytes are strings with a character up to \xff for each.
'use strict';
const bytes = require('./bytes.js');

// The statement that runs, for messages.
const where = {path: '', line: 0};

function fail(message) {
    throw new Error(`${where.path}:${where.line}: ${message}`);
}

// ---- words: {text, quoted} ----

const ESCAPES = {n: '\n', t: '\t', r: '\r', 0: '\0', '"': '"', '\\': '\\'};

const unescape = (text) => text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (all, byte, point, kind) =>
    byte ? String.fromCharCode(parseInt(byte, 16))
        : point ? Buffer.from(String.fromCharCode(parseInt(point, 16))).latin1Slice()
            : ESCAPES[kind] ?? fail(`unknown escape \\${kind}`));

// A statement is one line of words; `{` at its end opens a block of statements that `}` closes. `#` starts a comment.
// Bytes between single quotes are literal, which suits JSON; "..." has escapes. Returns [{line, words, block}].
function parse(path, text) {
    const word = /[ \t\r]*(?:#[^\n]*)?(?:(\n)|'([^'\n]*)'|"((?:[^"\\\n]|\\.)*)"|([^ \t\n\v\f\r'"][^ \t\n\v\f\r]*)|$)/y;
    const open = [{block: []}];
    let now = null;
    Object.assign(where, {path, line: 1});
    for (;;) {
        const found = word.exec(text) ?? fail('the quote is not closed');
        const [all, newline, literal, escaped, bare] = found;
        if (newline) {
            where.line++;
            now = null;
        } else if (bare === '}') {
            now = null;
            open.length > 1 ? open.pop() : fail('no block is open here');
        } else if (bare === '{') {
            open.push(now ?? fail('a block belongs at the end of a statement'));
            now.block = [];
            now = null;
        } else if (word.lastIndex === text.length && (literal ?? escaped ?? bare) === undefined) {
            return open.length === 1 ? open[0].block : fail('a block is not closed');
        } else {
            if (!now) {
                now = {line: where.line, words: []};
                open.at(-1).block.push(now);
            }
            now.words.push({text: literal ?? bare ?? unescape(escaped), quoted: bare === undefined});
        }
    }
}

// Replaces %i, %(i*N+M) and %{TEXT*N}; i is the round of the innermost `repeat`, from 1.
const expand = ({text, quoted}, i) => ({quoted, text: !text.includes('%') ? text : text.replace(
    /%(?:\(i(?:\*(\w+))?(?:\+(\w+))?\)|\{([^*]*)\*(\d+)\}|i(?![0-9a-z])|[({])/gi, (all, factor, more, repeated, n) =>
        all.length === 2 && all !== '%i' ? fail('expected i, i*N, i+N or i*N+M, or TEXT*N')
            : repeated !== undefined ? repeated.repeat(n) : BigInt(i) * BigInt(factor ?? 1) + BigInt(more ?? 0))});

// ---- numbers ----

const unsigned = (value) => BigInt.asUintN(64, BigInt(value));

function readNumber(text) {
    const [, sign, digits] = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(text) ?? fail(`expected a number: ${text}`);
    return unsigned(sign ? -BigInt(digits) : digits);
}

const le = (value, width) => bytes.le(unsigned(value), width);
const double = (value) => bytes.double(Number(value));
const uleb = (value) => bytes.leb(unsigned(value));
const sleb = (value) => bytes.leb(BigInt.asIntN(64, value), true);

// The bytes of words: hex pairs, quoted bytes, VALUE:WIDTH for integers and VALUE:f64 for doubles.
const readBytes = (words) => words.map(({text, quoted}) => {
    const [, value, width] = /^(.*):(\d+|f64)$/.exec(text) ?? [];
    return quoted ? text
        : width === 'f64' ? double(value)
            : width ? le(readNumber(value), width)
                : /^([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex').latin1Slice()
                    : fail(`not pairs of hex digits: ${text}`);
}).join('');

module.exports = {where, fail, parse, expand, unsigned, readNumber, le, double, uleb, sleb, readBytes};
