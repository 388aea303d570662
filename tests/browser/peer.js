// The size of a picture of the same stacks with one group of elements per frame, as inferno and
// flamegraph.pl write it: title, rectangle with its numbers, text. Their own files also contain
// a script and styles of some 25 KB.
'use strict';

const LEAST = 0.0001; // of the width: they drop narrower frames permanently

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function sizeOfFrame(name, x, w, all, depth) {
    const percent = (part, digits) => (100 * part / all).toFixed(digits);
    const y = 100 + depth * 16;
    const label = name.slice(0, Math.max(0, Math.floor(1180 * w / all / 7)));
    return Buffer.byteLength(`<g><title>${escape(name)} (${w.toLocaleString('en')} samples, ` +
        `${percent(w, 2)}%)</title><rect x="${percent(x, 4)}%" y="${y}" width="${percent(w, 4)}%" ` +
        `height="15" fill="rgb(227,102,12)" fg:x="${x}" fg:w="${w}"/><text x="${percent(x, 4)}%" ` +
        `y="${y + 10.5}">${escape(label)}</text></g>`);
}

// {bytes, frames} for folded stacks.
exports.measurePeer = (folded) => {
    const lines = folded.trimEnd().split('\n').map((line) => {
        const at = line.lastIndexOf(' ');
        return {stack: line.slice(0, at).split(';'), n: Number(line.slice(at + 1))};
    });
    const all = lines.reduce((sum, {n}) => sum + n, 0);
    const open = []; // {name, from}, the stack so far
    let x = 0;
    let bytes = 0;
    let frames = 0;
    const closeTo = (depth) => {
        while (open.length > depth) {
            const {name, from} = open.pop();
            if ((x - from) / all >= LEAST) {
                frames++;
                bytes += sizeOfFrame(name, from, x - from, all, open.length);
            }
        }
    };
    const before = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    lines.sort((a, b) => before(a.stack.join(';'), b.stack.join(';')));
    for (const {stack, n} of lines) {
        let same = 0;
        while (same < stack.length && open[same]?.name === stack[same]) {
            same++;
        }
        closeTo(same);
        stack.slice(same).forEach((name) => open.push({name, from: x}));
        x += n;
    }
    closeTo(0);
    return {bytes, frames};
};
