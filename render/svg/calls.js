// Single calls in order of time: the part of the block with the chart (render/packed/pack.h), as
// trees in which each node is one call, or a run of calls too short to be stored separately.
//
// Two additional columns distinguish such a tree from a merged one: start and extent, in ns since
// the start of the axis. Node 0 is the axis.
import {readFrames} from './frame_tracks.js';
import {readMarkers} from './markers.js';
import {readStates} from './run_band.js';
import {Paths} from './sandwich.js';
import * as SAY from './say.js';
import {addUp, climb, CPU, DAMAGED, isJoined, newTree, sumTree, WALL} from './tree.js';
import {addTimes, countedEntries, exact, isolate} from './words.js';

export const UNWOUND = 1;
export const OPEN = 2;
const CUT = 4;

const OVERFLOW = 1;
const TRUNCATED = 2;
const SAMPLED = 4;
const MARKERS = 8;
const WAKERS = 16;
const STATES = 32;
const FRAMES = 64;

// The starts of entries, counted from the end of the previous one or the start of the caller.
function positionCalls(tree, gaps) {
    const {n, start, extent, parent} = tree;
    const free = new Float64Array(n);
    for (let i = 1; i < n; i++) {
        start[i] = free[parent[i]] + gaps[i - 1];
        free[i] = start[i];
        free[parent[i]] = start[i] + extent[i];
    }
}

function sumCalls(tree) {
    const {n, parent} = tree;
    addUp(tree, tree.size.fill(1));
    for (const clock of [WALL, CPU]) {
        const [self, inclusive] = [tree.self[clock], tree.inclusive[clock]];
        for (let i = n - 1; inclusive && i > 0; i--) {
            self[i] += inclusive[i];
            if (parent[i] > 0) {
                self[parent[i]] -= inclusive[i];
            } else {
                inclusive[0] += inclusive[i];
            }
        }
    }
}

function readJoined(reader, tree, unit) {
    const clock = tree.axis;
    for (let i = 1; i < tree.n; i++) {
        if (tree.label[i] === tree.leftOutLabel) {
            tree.calls[i] = reader.number() + 1;
            tree.inclusive[clock][i] -= reader.number() * unit;
        }
    }
}

// Reads the other clock: its times, or their differences from those of the axis.
function readOther(reader, tree, unit) {
    const [own, other] = [tree.inclusive[tree.axis], tree.inclusive[1 - tree.axis]];
    const isDifference = reader.number() === 1;
    for (let i = 1; i < tree.n; i++) {
        other[i] = isDifference ? own[i] - reader.signed() * unit : reader.number() * unit;
    }
}

function readHighlights(reader, unit) {
    let end = 0;
    return reader.list(() => {
        const start = end + reader.number() * unit;
        const extent = reader.number() * unit;
        end = start + extent;
        return {start, extent, length: extent - reader.number() * unit,
            calls: reader.number() + 1};
    });
}

function readThread(reader, thread, block) {
    const {chart} = block;
    const first = reader.number() * chart.unitNs;
    const last = first + reader.number() * chart.unitNs;
    const n = reader.count();
    const tree = newTree(n + 1, thread.tree.clocks);
    tree.isLoop = thread.tree.isLoop;
    const column = (into, unit) => reader.column(n, into, unit);
    tree.axis = chart.clock;
    tree.leftOutLabel = block.labels.n;
    tree.life = {first, last};
    climb(tree, column(new Uint32Array(n), 1));
    column(tree.label.subarray(1), 1);
    if (tree.label.some((label) => label > block.labels.n)) {
        throw new Error(DAMAGED);
    }
    tree.start = new Float64Array(n + 1);
    tree.extent = new Float64Array(n + 1);
    const gaps = column(new Float64Array(n), chart.unitNs);
    column(tree.extent.subarray(1), chart.unitNs);
    positionCalls(tree, gaps);
    tree.isSampled = chart.isSampled;
    tree.hasSlices = !thread.countsCalls;
    if (tree.isSampled) {
        column(tree.calls.subarray(1), 1);
        for (const weights of tree.inclusive.filter((weights) => weights)) {
            column(weights.subarray(1), chart.unitNs);
        }
    } else {
        tree.inclusive[chart.clock]?.set(tree.extent); // absent without that clock
        tree.calls.fill(1, 1);
        readJoined(reader, tree, chart.unitNs);
        if (tree.inclusive[1 - chart.clock]) {
            readOther(reader, tree, chart.unitNs);
        }
    }
    tree.flags = reader.map(1, () => reader.number());
    if (thread.tree.runnable && !tree.isSampled) {
        // how long calls were runnable, with callees, and which threads ended their longest sleeps
        const waits = [...reader.map(1, () => [reader.number() * chart.unitNs, reader.number()])];
        tree.runnable = new Map(waits.map(([at, [time]]) => [at, time]));
        tree.wakers = new Map(waits.filter(([, [, waker]]) => waker > 0)
            .map(([at, [, waker]]) => [at, waker - 1]));
    }
    tree.highlights = readHighlights(reader, chart.unitNs);
    sumCalls(tree);
    tree.extent[0] = chart.length;
    thread.calls = tree;
}

export const readCalls = (reader, block) => {
    const chart = {
        clock: reader.number(),
        unitNs: reader.number(),
        from: reader.number(),
        length: reader.number(),
        recorded: reader.number(),
    };
    const flags = reader.number();
    chart.shortest = reader.number();
    chart.calls = reader.number();
    chart.interval = reader.number();
    chart.isSampled = (flags & SAMPLED) !== 0;
    // the weights of samples may be on another clock than the axis
    chart.amounts = chart.isSampled ? block.clock : chart.clock;
    chart.highlighted = reader.string();
    if (flags & WAKERS) {
        chart.wakers = reader.list(() => reader.string());
    }
    const why = flags & OVERFLOW ? SAY.BUFFER_FULL : SAY.FILE_CUT;
    chart.lost = (flags & (OVERFLOW | TRUNCATED)) !== 0 && chart.recorded < chart.length &&
        chart.clock === WALL ? why : null;
    block.chart = chart;
    for (const thread of block.threads) {
        readThread(reader, thread, block);
    }
    chart.markers = flags & MARKERS ? readMarkers(reader, block) : null;
    for (const thread of flags & STATES ? block.threads : []) {
        thread.states = readStates(reader);
    }
    chart.frames = flags & FRAMES ? readFrames(reader) : null;
};

// ---- facts of a call ----

const ENDS = [[UNWOUND, 'ended by an exception'], [OPEN, 'still running at the end'],
    [CUT, 'cut at the edge of the selected part']];

// All facts of one call, each a piece of text.
export const callFacts = (view, tree, node) => {
    const {chart} = view.block;
    const since = chart.from + tree.start[node];
    const facts = [`from ${exact(since)} to ${exact(since + tree.extent[node])}`];
    const joined = isJoined(tree, node);
    addTimes(tree, node, facts, !joined);
    if (tree.wakers?.has(node)) {
        facts.push(`${SAY.WOKEN_BY} ${isolate(chart.wakers[tree.wakers.get(node)])}`);
    }
    if (tree.isSampled && !joined) {
        facts.push(countedEntries(tree, tree.calls[node]));
    }
    const flags = tree.flags.get(node) ?? 0;
    return [...facts, `depth ${tree.depth[node]}`,
        ...ENDS.filter(([flag]) => flags & flag).map(([, words]) => words)];
};

// The time in which a call itself waited, [from, to] in ns, null if it did not wait: the end of
// its longest gap between callees, as in render/chart/chart_layout.c.
export const callWaitSpan = (tree, node) => {
    const {start, extent, size, self} = tree;
    if (tree.clocks !== 3 || tree.axis !== WALL) {
        return null;
    }
    const wait = self[WALL][node] - self[CPU][node];
    if (wait <= 0) {
        return null;
    }
    const last = start[node] + extent[node];
    let free = start[node];
    let longest = 0;
    let end = last;
    for (let child = node + 1; child < node + size[node]; child += size[child]) {
        if (start[child] - free > longest) {
            longest = start[child] - free;
            end = start[child];
        }
        free = start[child] + extent[child];
    }
    if (last - free >= longest) {
        longest = last - free;
        end = last;
    }
    return [end - Math.min(wait, longest), end];
};

// ---- a time range, merged ----

// The calls between two times, merged along their paths: a tree like those of the whole trace.
// Of a call that crosses an edge, the part inside counts.
export const mergeCalls = (tree, from, to) => {
    const {n, start, extent, size, parent, label, leftOutLabel} = tree;
    const paths = new Paths();
    const group = new Uint32Array(n);
    for (let i = 1; i < n;) {
        const inside = insideOf(tree, i, from, to);
        if (inside < 0 || (inside === 0 && extent[i] > 0) || start[i] >= to) {
            i += size[i];
        } else {
            group[i] = paths.step(group[parent[i]], label[i], i);
            i++;
        }
    }
    const result = newTree(paths.label.length, tree.clocks);
    Object.assign(result, {isSampled: tree.isSampled, isUncounted: tree.hasSlices, leftOutLabel});
    paths.numberGroups(result, 0, 1);
    const runnable = new Float64Array(result.n);
    const clocks = [WALL, CPU].filter((one) => tree.inclusive[one]);
    paths.each((node, i) => {
        const part = extent[i] > 0 ? insideOf(tree, i, from, to) / extent[i] : 1;
        const add = (column, amount) => {
            column[node] += Math.round(amount * part);
            column[result.parent[node]] -= Math.round(amount * part);
        };
        result.calls[node] += Math.max(1, Math.round(tree.calls[i] * part));
        if ((tree.flags.get(i) ?? 0) & UNWOUND) {
            result.unwinds.set(node, (result.unwinds.get(node) ?? 0) + 1);
        }
        clocks.forEach((clock) => add(result.self[clock], tree.inclusive[clock][i]));
        add(runnable, tree.runnable?.get(i) ?? 0);
    });
    for (const self of result.self.filter(Boolean)) {
        self[0] = 0;
        self.forEach((time, node) => (self[node] = Math.max(0, time)));
    }
    result.runnable = tree.runnable ? readyTimes(result, runnable) : null;
    sumTree(result);
    return result;
};

const insideOf = ({start, extent}, i, from, to) =>
    Math.min(start[i] + extent[i], to) - Math.max(start[i], from);

// How long nodes were runnable, at most as long as they waited.
function readyTimes({clocks, self: [wall, cpu]}, runnable) {
    const times = new Map();
    runnable.forEach((time, node) => {
        const most = node > 0 && clocks === 3 ? Math.min(time, wall[node] - cpu[node]) : 0;
        if (most > 0) {
            times.set(node, most);
        }
    });
    return times;
}
