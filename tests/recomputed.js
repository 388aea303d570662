#!/usr/bin/env node
// recomputed.js AFLAME numbers|picture|graph INPUT...: computes again what aflame says of inputs.
//   numbers: every number of `aflame diff --format json` and of its folded stacks, from what `convert` and
//     `report` give for each side
//   picture: in the picture of `aflame diff`, the widths of all frames and of their parts, from the folded
//     stacks of both sides; of the five threads of both sides that have most stacks
//   graph: every node and edge of the call graph in Graphviz' language, from the tables of `report`
// Comparisons are of pairs of inputs, and of the first one and itself without some methods.
'use strict';
const assert = require('node:assert');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const [program, kind, ...inputs] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'recomputed.'));
process.on('exit', () => fs.rmSync(scratch, {recursive: true}));
let about = '', checks = 0;

function fail(text) {
    console.log(`${about}: ${text}`);
    process.exitCode = 1;
}

function expect(what, got, wanted) {
    checks++;
    if (got !== wanted) fail(`${what}: ${got}, not ${wanted}`);
}

// What a command prints; `attempt` returns null if it fails.
function attempt(words, ...inputs) {
    const args = [...words.split(' '), ...inputs, '-q', '-o', '-'];
    const run = spawnSync(program, args, {encoding: 'utf8', maxBuffer: Infinity});
    return run.status === 0 ? run.stdout : null;
}
function aflame(...words) {
    return attempt(...words) ?? assert.fail(`aflame ${words.join(' ')} fails`);
}

// Keys name the unit, which is ns here, whatever it is.
const rowsOf = (text) => JSON.parse(text.replace(
    /"((?:self_|inclusive_)?(?:before|after|common|grown|shrunk|by_calls|by_mean))_[a-z]+": /g, '"$1": '));

// Folded stacks as [stack, number]; in ns, or in the unit of the input.
const stacksOf = (text) => text.trimEnd().split('\n').map((line) => {
    const at = line.lastIndexOf(' ');
    return [line.slice(0, at), Number(line.slice(at + 1))];
});
const fold = (input) => stacksOf(attempt('convert --format folded --folded-unit ns', input) ??
    aflame('convert --format folded', input));
const methodsOf = (input) => JSON.parse(aflame('report --by methods --top 0 --format json', input)).methods;

// Sums by key, as [before, after].
class Sides extends Map {
    of(key) {
        return this.get(key) ?? [0, 0];
    }
    add(key, side, number) {
        const sides = [...this.of(key)];
        sides[side] += number;
        this.set(key, sides);
    }
}

// ---- the numbers of a comparison ----

const timesOf = (row) => [row.self_before, row.self_after, row.inclusive_before, row.inclusive_after].join(' ');

// The stacks of both sides, the calls of their methods and the rows of their comparison.
function compareNumbers(stacks, calls, {threads, methods, paths}) {
    const [ofThread, ofStack, ofPath, ofMethod, self] = Array.from({length: 5}, () => new Sides());
    stacks.forEach((lines, side) => lines.forEach(([stack, ns]) => {
        const [thread, ...frames] = stack.split(';');
        let above = thread;
        ofThread.add(thread, side, ns);
        ofStack.add(stack, side, ns);
        for (const frame of frames) ofPath.add(above += `;${frame}`, side, ns);
        for (const frame of new Set(frames)) ofMethod.add(frame, side, ns);
        if (frames.length > 0) self.add(frames.at(-1), side, ns);
    }));
    const common = new Sides();
    for (const [stack, sides] of ofStack) common.add(stack.split(';')[0], 0, Math.min(...sides));

    for (const row of threads) {
        const [before, after] = ofThread.of(row.name), [both] = common.of(row.name);
        expect(`thread ${row.name}`, [row.before, row.after, row.common, row.grown, row.shrunk].join(' '),
            [before, after, both, after - both, before - both].join(' '));
    }
    let last = Infinity;
    for (const row of methods) {
        const [before, after] = ofMethod.of(row.name);
        expect(`${row.name}: time`, timesOf(row), [...self.of(row.name), before, after].join(' '));
        if (row.calls_before !== undefined) {
            const [callsBefore, callsAfter] = calls.of(row.name);
            expect(`${row.name}: calls`, `${row.calls_before} ${row.calls_after}`, `${callsBefore} ${callsAfter}`);
            expect(`${row.name}: split`, row.by_calls + row.by_mean, after - before);
            const wanted = callsBefore > 0 ? (callsAfter - callsBefore) * before / callsBefore : after - before;
            if (Math.abs(row.by_calls - wanted) > 0.500001)
                fail(`${row.name}: ${row.by_calls} by calls, not ${wanted}`);
        }
        if (Math.abs(after - before) > last) fail(`${row.name} is not sorted by size of the difference`);
        last = Math.abs(after - before);
    }
    const total = new Sides();
    for (const row of paths) {
        expect(row.path, timesOf(row), [...ofStack.of(row.path), ...ofPath.of(row.path)].join(' '));
        [row.self_before, row.self_after].forEach((ns, side) => total.add('paths', side, ns));
    }
    for (const sides of ofThread.values()) sides.forEach((ns, side) => total.add('threads', side, ns));
    expect('all paths', total.of('paths').join(' '), total.of('threads').join(' '));
    if (![threads, methods, paths].every((rows) => rows.length > 0)) fail('nothing was compared');
}

// The calls by what `rename` makes of a method's name.
function callsOf(methods, rename) {
    const calls = new Sides();
    methods.forEach((rows, side) => rows.forEach((row) => calls.add(rename(row.name), side, row.calls ?? 0)));
    return calls;
}

// Numbers of a compiler or a run, as the manual lists them.
const mask = (name) => name.replace(/\$\$Lambda\$[0-9]+(\/(0x)?[0-9a-f]+)?/g, '$$$$Lambda$$#')
    .replace(/(ExternalSynthetic[A-Za-z]+)[0-9]+/g, '$1#').replace(/^0x[0-9a-f]+ \[unknown\]/, '0x# [unknown]')
    .replace(/(-\$\$Nest\$|access\$|lambda\$[A-Za-z_]+\$|\$Proxy)[0-9]+/g, '$1#');
const inFrames = (stack, change) => stack.split(';').map((name, i) => i > 0 ? change(name) : name).join(';');

// Anonymous classes: if only one method of each side differs from the methods of the other side and has the same name
// but for numbers of anonymous classes, both get the name with #. Returns the name that each such method gets.
function joinAnonymous(stacks) {
    const names = stacks.map((lines) => new Set(lines.flatMap(([stack]) => stack.split(';').slice(1))));
    const maskClass = (name) => name.replace(/\$[0-9]+(?=[.$])/g, '$$#');
    const single = names.map((own, side) => [...own].filter((name) => !names[1 - side].has(name)));
    const lonely = new Sides();
    single.forEach((own, side) => own.forEach((name) => lonely.add(maskClass(name), side, 1)));
    return new Map(single.flat().map((name) => [name, maskClass(name)])
        .filter(([name, masked]) => masked !== name && lonely.of(masked).join() === '1,1'));
}

// The same without --exact-names: names with such numbers are one, and threads without a partner.
function compareMasked(pair, stacks, methods) {
    const threads = stacks.map((lines) => new Set(lines.map(([stack]) => stack.split(';')[0])));
    const masked = stacks.map((lines, side) => lines.map(([stack, ns]) => {
        const [thread, ...frames] = stack.split(';');
        const name = threads[1 - side].has(thread) ? thread : thread.replace(/[0-9]+/g, '#');
        return [[name, ...frames.map(mask)].join(';'), ns];
    }));
    const becomes = joinAnonymous(masked), join = (name) => becomes.get(name) ?? name;
    const rows = rowsOf(aflame('diff --paths --top 0 --format json', ...pair));
    for (const row of rows.methods) row.name = mask(row.name);
    for (const row of rows.paths) row.path = inFrames(row.path, mask);
    compareNumbers(masked.map((lines) => lines.map(([stack, ns]) => [inFrames(stack, join), ns])),
        callsOf(methods, (name) => join(mask(name))), rows);
}

function compareNumbersOf(pair) {
    const stacks = pair.map(fold), methods = pair.map(methodsOf);
    compareNumbers(stacks, callsOf(methods, (name) => name),
        rowsOf(aflame('diff --exact-names --paths --top 0 --format json', ...pair)));
    // each column of the folded stacks is what convert gives for its side
    const both = stacksOf(aflame('diff --exact-names --format folded', ...pair))
        .map(([left, after]) => [...stacksOf(left)[0], after]);
    pair.forEach((input, side) => {
        const column = both.filter((row) => row[side + 1] > 0).map((row) => `${row[0]} ${row[side + 1]}`);
        expect(`column ${side + 1} of the folded stacks`, column.sort().join('\n'),
            aflame('convert --format folded', input).trimEnd().split('\n').sort().join('\n'));
    });
    compareMasked(pair, stacks, methods);
}

// ---- the picture of a comparison ----

const GRAPH = 59968; // pixels of the root

// The frames as {name, x, width, y, parts: pixels of both sides, of after, of before}, callers first. Edges of parts
// lie inside, so only rectangles as high as a frame count.
function listFrames(svg) {
    const entities = {lt: '<', gt: '>', amp: '&'};
    const groups = svg.split('<g><title>').slice(1).filter((text) => !/^[0-9,]+ frames? too narrow/.test(text));
    return groups.map((text) => {
        const name = text.split('\n')[0].replace(/&([a-z]+);/g, (all, entity) => entities[entity]);
        const frame = {name, parts: [0, 0, 0]};
        for (const [, kind, x, y, width] of text.matchAll(
            /<rect class="([^"]*)"[^>]* x="([^"]*)" y="([^"]*)" width="([^"]*)" height="17"/g)) {
            frame.x ??= Number(x) - 16;
            frame.width = Number(x) - 16 + Number(width) - frame.x;
            frame.y = Number(y);
            frame.parts[/^[GW]$/.test(kind) ? 1 : /^h?[SK]$/.test(kind) ? 2 : 0] += Number(width);
        }
        return frame;
    }).sort((a, b) => b.y - a.y || a.x - b.x);
}

// Of each path of a thread: the time of both sides, of after alone, of before alone; with what it calls.
function unite(stacks, thread) {
    const own = new Sides(), paths = new Map();
    stacks.forEach((lines, side) => lines.filter(([stack]) => stack.split(';')[0] === thread)
        .forEach(([stack, ns]) => own.add(stack, side, ns)));
    for (const [stack, [before, after]] of own) {
        const both = Math.min(before, after), frames = stack.split(';');
        frames.forEach((frame, i) => {
            const above = frames.slice(0, i + 1).join(';'), parts = paths.get(above) ?? [0, 0, 0];
            paths.set(above, [parts[0] + both, parts[1] + after - both, parts[2] + before - both]);
        });
    }
    return paths;
}

function comparePicture(pair, stacks, thread) {
    const paths = unite(stacks, thread), sum = (parts) => parts.reduce((a, b) => a + b, 0);
    const scale = GRAPH / sum(paths.get(thread));
    const rows = new Map(), drawn = new Set(), before = checks;
    // beyond `most` is the gap after the frame
    const near = (what, got, ns, most) => {
        const wanted = Math.min(ns * scale, most);
        checks++;
        if (Math.abs(got - wanted) > 0.021) fail(`${what} ends at ${got} px, not ${wanted}`);
    };
    const svg = aflame('diff --no-script --exact-names --full-depth --min-width 0.5 --width 60000 --format svg',
        ...pair, '--thread', thread);
    for (const {name, x, y, width, parts} of listFrames(svg)) {
        // the caller is the frame of the row below that covers the left edge
        const caller = rows.get(y + 18)?.findLast((below) => below.x <= x + 0.005)?.path ?? thread;
        const own = `${caller};${name}`;
        const [both, grown, shrunk] = paths.get(own) ?? fail(`${own} is on no side`) ?? [0, 0, 0];
        rows.set(y, [...rows.get(y) ?? [], {x, path: own}]);
        drawn.add(own);
        near(`${own}: the frame`, width + (width >= 3 ? 0.6 : width / 5), both + grown + shrunk, GRAPH);
        near(`${own}: the part of both sides`, parts[0], both, width);
        near(`${own}: the part of after`, parts[0] + parts[1], both + grown, width);
        near(`${own}: the part of before`, sum(parts), Infinity, width);
    }
    // narrower frames are strokes without a name
    for (const [own, parts] of paths)
        if (own !== thread && !drawn.has(own) && sum(parts) * scale >= 1.25) fail(`${own} is not drawn`);
    if (checks - before < 6) fail(`only ${checks - before} checks of ${thread}`);
}

function comparePicturesOf(pair) {
    const stacks = pair.map(fold), counts = new Sides();
    stacks.forEach((lines, side) => lines.forEach(([stack]) => counts.add(stack.split(';')[0], side, 1)));
    // threads of one name, told apart by their id, are compared as one group
    [...counts].filter(([name, sides]) => Math.min(...sides) > 0 && !/ \[[0-9]*\]$/.test(name))
        .sort((a, b) => b[1][0] - a[1][0] || (a[0] < b[0] ? -1 : 1)).slice(0, 5)
        .forEach(([thread]) => comparePicture(pair, stacks, thread));
}

// ---- call graphs ----

// The attributes of a node or an edge as {name: text}.
const attributes = (line) => Object.fromEntries([...line.matchAll(/ ([a-z_]+)=("(?:[^"\\]|\\.)*"|[0-9.]+)/g)]
    .map(([, key, value]) => [key, JSON.parse(value)]));

function compareGraph(input, clock) {
    const options = `--clock ${clock} --top 0`, nodes = new Map(), edges = new Map(), names = {};
    const methods = attempt(`report ${options} --format json`, input);
    if (!methods) return;
    for (const row of JSON.parse(methods).methods) {
        nodes.set(row.name, [row[`self_${clock}_ns`], row[`inclusive_${clock}_ns`], row.calls ?? 0,
            row.recursive_calls ?? 0].join(' '));
    }
    for (const row of JSON.parse(aflame(`report ${options} --method /./ --format json`, input)).relatives) {
        if (!row.relation.startsWith('callers') || row.name.startsWith('thread ')) continue;
        const pair = `${row.name} -> ${row.method}`, at = row.relation === 'callers' ? 0 : 2;
        const edge = edges.get(pair) ?? [0, 0, 0, 0];
        [edge[at], edge[at + 1]] = [row[`inclusive_${clock}_ns`] ?? 0, row.calls ?? 0];
        edges.set(pair, edge);
    }
    for (const line of aflame(`convert ${options} --min-percent 0 --format dot`, input).split('\n')) {
        const [, from, to] = /^ {2}(n[0-9]+)(?: -> (n[0-9]+))? \[/.exec(line) ?? [], own = attributes(line);
        if (to) {
            const pair = `${names[from]} -> ${names[to]}`;
            expect(`edge ${pair}`, edges.get(pair)?.join(' '),
                [own.time, own.calls, own.nested_time, own.nested_calls].map((n) => n ?? 0).join(' '));
            edges.delete(pair);
        } else if (from) {
            names[from] = own.tooltip;
            expect(`node ${own.tooltip}`, `${own.self} ${own.inclusive} ${own.calls} ${own.nested_calls}`,
                nodes.get(own.tooltip));
            nodes.delete(own.tooltip);
        }
    }
    for (const name of [...nodes.keys(), ...edges.keys()]) fail(`${name} is not in the graph`);
}

// ---- inputs ----

// The same recording without some methods, as a saved profile: those of the sample, and its end, or the busiest one.
function withoutSome(input) {
    const changed = path.join(scratch, 'changed.aflp');
    const methods = methodsOf(input);
    const some = methods.some((row) => row.name.includes('onBindViewHolder'))
        ? ['--hide', 'onBindViewHolder', '--ignore', 'decode', '--to', '500ms'] : ['--hide', `=${methods[0].name}`];
    spawnSync(program, ['convert', '-q', input, ...some, '-o', changed]);
    return changed;
}

// The sample with methods in anonymous classes: one has a partner, one has two candidates on a side.
function intoClasses(input) {
    const text = fs.readFileSync(input, 'latin1');
    if (!text.includes('RecipeAdapter')) return [];
    return [[1, 3, 'decodeStringElement', 4], [2, 5, 'decodeNothing', 6]].map(([first, second, method, third]) => {
        const file = path.join(scratch, `anonymous${first}.trace`);
        const numbers = {decodeElementIndex: second, [method]: third};
        fs.writeFileSync(file, text.replace(/RecipeAdapter(?=\tonBindViewHolder\t)/g, (name) => `${name}$${first}`)
            .replace(/(StreamingJsonDecoder)\t([a-zA-Z]+)\t/g, (all, name, of) =>
                numbers[of] ? `${name}$${numbers[of]}\tdecode\t` : all), 'latin1');
        return file;
    });
}

if (kind === 'graph') {
    for (const input of inputs) {
        about = input;
        for (const clock of ['wall', 'cpu', 'wait']) compareGraph(input, clock);
    }
} else {
    const all = [...kind === 'numbers' ? intoClasses(inputs[0]) : [], inputs[0], withoutSome(inputs[0]), ...inputs];
    for (let i = 0; i < all.length; i += 2) {
        const pair = all.slice(i, i + 2);
        about = pair.join(' and ');
        if (kind === 'picture') comparePicturesOf(pair);
        else [pair, [...pair].reverse()].forEach(compareNumbersOf);
    }
}
if (checks === 0) fail('nothing was compared');
