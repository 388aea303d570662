// The packed call tree of render/packed/pack.h, unpacked into columns: arrays indexed by node
// number.
//
// Node 0 is the thread. A parent's number is smaller than its children's, and the descendants of n
// are n + 1 ... n + size[n] - 1, so every sum is one pass over arrays, without recursion. All times
// are nanoseconds, exact up to 2^53 (a hundred days).
import {more} from './more.js';
import * as SAY from './say.js';
import {BLOCKED, IDLE, KERNEL, wording} from './words.js';

export const WALL = 0;
export const CPU = 1;
export const WAIT = 2; // wall minus CPU; never a column of the block

const CUT = 'the block ends too early';
export const DAMAGED = 'the block is damaged';
const LOOP = 15; // the reason of a method that runs tasks, and waits for them in its callees
const WHOLE = 16; // a bit of a reason for waiting: it applies to the callees of the method too

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
        this.decoder = new TextDecoder('utf-8', {ignoreBOM: true});
    }

    number() {
        const {bytes} = this;
        let byte = bytes[this.at++];
        let value = byte & 127;
        for (let scale = 128; byte > 127; scale *= 128) {
            byte = bytes[this.at++];
            value += (byte & 127) * scale;
        }
        if (this.at > bytes.length || !Number.isSafeInteger(value)) {
            throw new Error(CUT);
        }
        return value;
    }

    // A count of items that take at least one byte each.
    count() {
        const n = this.number();
        if (n > this.bytes.length - this.at) {
            throw new Error(CUT);
        }
        return n;
    }

    slice(length) {
        const from = this.at;
        this.at += length;
        if (this.at > this.bytes.length) {
            throw new Error(CUT);
        }
        return this.bytes.subarray(from, this.at);
    }

    string() {
        return this.decoder.decode(this.slice(this.number()));
    }

    // Reads `n` numbers times `factor` into `into`, and returns it.
    column(n, into, factor = 1) {
        for (let i = 0; i < n; i++) {
            into[i] = this.number() * factor;
        }
        return into;
    }

    // A number that may be negative.
    signed() {
        const n = this.number();
        return n % 2 ? -(n + 1) / 2 : n / 2;
    }

    // A count, and then as many items.
    list(read) {
        return Array.from({length: this.count()}, read);
    }

    // Pairs: the distance from the previous number, at first from `at`, and a value.
    map(at, read) {
        return new Map(this.list(() => {
            at += this.number();
            return [at, read()];
        }));
    }
}

// ---- labels ----

// The full name and the source of a label. Few are ever shown.
function readMore(bytes, labels, label) {
    if (!(label >= 0 && label < labels.n)) {
        return {full: '', source: ''};
    }
    const reader = new Reader(bytes);
    reader.at = labels.more[label];
    const kind = reader.number();
    const full = (kind < 2 ? labels.text[label] : '') + (kind > 0 ? reader.string() : '');
    return {full, source: reader.string()};
}

function readLabels(reader) {
    const n = reader.count();
    const {bytes} = reader;
    const labels = {
        n,
        more: new Uint32Array(n), // where readMore() begins
        full: (label) => readMore(bytes, labels, label).full,
        source: (label) => readMore(bytes, labels, label).source,
        category: new Uint8Array(n + 1),
        slim: new Uint8Array(n + 1), // 1 = each of its frames represents several frames
        shade: new Uint8Array(n + 1),
        reason: new Uint8Array(n + 1).fill(SAY.REASONS.length - 1),
        like: new Uint32Array(n + 1).fill(n, n), // the label that other calls of the method have
    };
    // the texts one after another, each with a NUL at its end: one by one, decoding them takes
    // many times as long
    let texts = new Uint8Array(1 << 16);
    let before = 0; // where the last text begins
    let end = 0;
    for (let i = 0; i < n; i++) {
        const shared = reader.number(); // bytes that both begin with
        const rest = reader.slice(reader.number());
        const next = end + shared + rest.length + 1;
        if (next > texts.length) {
            const larger = new Uint8Array(next * 2);
            larger.set(texts);
            texts = larger;
        }
        // the idle calls of a method follow with the same text
        labels.like[i] = rest.length === 0 && shared === end - before - 1 ? labels.like[i - 1] : i;
        texts.copyWithin(end, before, before + shared);
        texts.set(rest, end + shared);
        before = end;
        end = next;
        const category = bytes[reader.at];
        const shade = bytes[reader.at + 1];
        labels.category[i] = category & 127;
        labels.slim[i] = category >> 7;
        labels.shade[i] = shade & 7;
        labels.reason[i] = shade >> 3; // may include WHOLE
        reader.at += 2;
        labels.more[i] = reader.at;
        if (reader.number() > 0) { // the full name
            reader.slice(reader.number());
        }
        reader.slice(reader.number()); // the source
    }
    labels.text = reader.decoder.decode(texts.subarray(0, end)).split('\0').slice(0, -1);
    return labels;
}

// ---- trees ----

// Whether an entry of a chart stands for several merged calls.
export const isJoined = (tree, node) => tree.start !== undefined &&
    tree.label[node] === tree.leftOutLabel;

// A tree of `n` nodes, including the thread, with all columns zero.
export const newTree = (n, clocks) => {
    const column = (clock) => (clocks >> clock & 1 ? new Float64Array(n) : null);
    return {
        n,
        clocks,
        leftOutLabel: -1,
        depth: new Uint32Array(n),
        parent: new Uint32Array(n),
        size: new Uint32Array(n),
        label: new Int32Array(n).fill(-1, 0, 1),
        calls: new Float64Array(n),
        self: [column(WALL), column(CPU)],
        inclusive: [column(WALL), column(CPU)],
        unwinds: new Map(),
        runnable: null, // a Map: ns of self time without a processor; null = not recorded
        // by clock: the shortest and the longest call of each node, ns; null if that is not known
        extremes: [null, null],
        waits: null, // the result of waits()
        measures: [null, null, null],
        isLoop: false, // a daemon waits for tasks wherever it waits
        reasons: null, // the result of reasonsOf()
    };
};

// Adds the value of each node to those of its callers; returns the column.
export const addUp = ({n, parent}, column) => {
    for (let i = n - 1; i > 0; i--) {
        column[parent[i]] += column[i];
    }
    return column;
};

// Computes size and inclusive from parent and self.
export const sumTree = (tree) => {
    addUp(tree, tree.size.fill(1));
    for (const clock of [WALL, CPU].filter((one) => tree.self[one])) {
        tree.inclusive[clock].set(tree.self[clock]);
        addUp(tree, tree.inclusive[clock]);
    }
};

// Computes depth and parent from `up`: for each node, the number of steps from the previous
// node up to its parent.
export const climb = (tree, up) => {
    const {n, depth, parent} = tree;
    let node = 0;
    for (let i = 1; i < n; i++) {
        if (up[i - 1] > depth[i - 1]) {
            throw new Error(DAMAGED);
        }
        for (let steps = up[i - 1]; steps > 0; steps--) {
            node = parent[node];
        }
        parent[i] = node;
        depth[i] = depth[node] + 1;
        node = i;
    }
};

function readTree(reader, n, clocks, block) {
    const tree = newTree(n + 1, clocks);
    climb(tree, reader.column(n, new Uint32Array(n)));
    reader.column(n, tree.label.subarray(1));
    reader.column(n, tree.calls.subarray(1));
    const {label, calls} = tree;
    const leftOutLabel = tree.leftOutLabel = block.labels.n;
    const several = []; // nodes with several calls
    for (let i = 1; i <= n; i++) {
        if (label[i] > leftOutLabel) {
            throw new Error(DAMAGED);
        }
        if (calls[i]++ > 0 && label[i] < leftOutLabel) {
            several.push(i);
        }
    }
    for (const self of tree.self.filter(Boolean)) {
        reader.column(n, self.subarray(1), block.unitNs);
    }
    sumTree(tree);
    tree.extremes = tree.inclusive.map((times) => {
        const [min, max] = [times?.slice(), times?.slice()];
        for (let i = 0; times && i < several.length; i++) {
            min[several[i]] = reader.number() * block.unitNs;
        }
        for (let i = 0; times && i < several.length; i++) {
            max[several[i]] = min[several[i]] + reader.number() * block.unitNs;
        }
        return times && {min, max};
    });
    tree.unwinds = reader.map(0, () => reader.number());
    return tree;
}

function readThread(reader, block) {
    const thread = {
        id: reader.number(),
        name: reader.string(),
        title: reader.string(),
    };
    const flags = reader.number();
    thread.drawn = (flags & 1) !== 0;
    thread.exited = (flags & 2) !== 0;
    thread.countsCalls = !block.sampled && (flags & 4) === 0; // else `calls` counts samples
    const clocks = block.clocks & ~(flags >> 3); // the thread may lack one that others have
    thread.records = reader.number();
    const n = reader.count();
    thread.leftOut = reader.number();
    thread.tree = readTree(reader, n, clocks, block);
    thread.tree.isLoop = (flags & 64) !== 0;
    if (flags & 32) {
        thread.tree.runnable = reader.map(0, () => reader.number() * block.unitNs);
    }
    return thread;
}

// Unpacks the whole block. Throws an Error with a sentence if the block has another format.
export const unpack = (bytes) => {
    const reader = new Reader(bytes);
    if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'AFB1') {
        throw new Error('the block has a format that this script does not know');
    }
    reader.at = 4;
    const block = {
        clocks: reader.number(),
        unitNs: reader.number(),
        clock: reader.number(),
        input: reader.string(),
    };
    const flags = reader.number();
    block.sampled = (flags & 1) !== 0;
    block.chart = null;
    wording.unit = (flags & 4) === 0 ? null : {
        name: reader.string(), singular: reader.string(), digits: reader.number(),
    };
    block.lacking = flags & 32 ? reader.number() : 0; // threads of the input
    block.labels = readLabels(reader);
    block.threads = reader.list(() => readThread(reader, block));
    // CPU time, if all threads have it: it distinguishes busy threads from waiting ones
    block.busyClock = block.threads.every(({tree}) => tree.inclusive[CPU]) &&
        block.clocks & 2 ? CPU : WALL;
    const ids = new Set();
    for (const thread of block.threads) { // ids may repeat if there are several processes
        thread.elementId = ids.has(thread.id) ? `thread-${thread.id}.${ids.size}`
            : `thread-${thread.id}`;
        ids.add(thread.id).add(thread.elementId);
    }
    if (flags & 8) {
        more.readCalls(reader, block);
    }
    block.isCompared = (flags & 16) !== 0;
    if (block.isCompared) {
        more.readSides(reader, block);
    }
    return block;
};

// [shortest, longest] call of one node, ns; null if unknown. A path of callers in a sandwich
// has none: its number of calls is that of the method at its end.
export const extremesAt = (tree, node, clock) => {
    const nodes = tree.nodesOf?.(node) ?? [node];
    const extremes = tree.extremes[clock];
    return extremes && nodes.length > 0
        ? [nodes.reduce((least, i) => Math.min(least, extremes.min[i]), Infinity),
            nodes.reduce((most, i) => Math.max(most, extremes.max[i]), 0)] : null;
};

// ---- measures: the widths ----

// {own, whole}: the widths of each node and of its path in a graph of waiting time, ns. They
// follow the rule of model/wait_widths.h.
export const waits = (tree) => {
    if (!tree.waits) {
        const {n, parent, self} = tree;
        const own = new Float64Array(n);
        const whole = new Float64Array(n);
        const below = new Float64Array(n);
        for (let i = n - 1; i > 0; i--) {
            whole[i] += self[WALL][i] - self[CPU][i];
            whole[parent[i]] += whole[i];
            below[parent[i]] += Math.max(0, whole[i]);
        }
        for (let i = 0; i < n; i++) {
            let width = Math.max(0, whole[i]);
            if (i > 0) {
                const factor = below[parent[i]];
                width = factor < 1 ? Math.floor(width * factor) : width;
                width = Math.min(width, own[parent[i]]);
                own[parent[i]] -= width;
            }
            own[i] = whole[i] = width;
            below[i] = below[i] > width ? width / below[i] : 1;
        }
        tree.waits = {own, whole};
    }
    return tree.waits;
};

// An entry of `columns`, which has one column for each clock. Waiting is a difference that may
// be negative; only a sum that is shown is limited to 0.
export const termOf = (columns, node, clock) => (clock === WAIT
    ? columns[WALL][node] - columns[CPU][node] : columns[clock][node]);

// The part of a node's inclusive waiting time, ns, in which its thread could run but had no
// processor; null if that was not recorded.
export const runnableOf = (tree, node) => {
    if (tree.start || tree.turn || !tree.runnable) {
        return tree.runnable?.get(node) ?? (tree.runnable ? 0 : null);
    }
    let sum = 0;
    for (const [at, time] of tree.runnable) {
        sum += at >= node && at < node + tree.size[node] ? time : 0;
    }
    return sum;
};

// Why each node waits, as indices of WAITS: the reason of its outermost caller with WHOLE,
// otherwise that of its own label.
export const reasonsOf = (tree, labels) => {
    if (!tree.reasons) {
        const first = tree.isLoop ? LOOP : SAY.REASONS.length - 1;
        const reasons = new Uint8Array(tree.n).fill(first, 0, 1);
        for (let i = 1; i < tree.n; i++) {
            const outer = reasons[tree.parent[i]];
            const own = labels.reason[tree.label[i]];
            reasons[i] = outer & WHOLE ? outer : outer === LOOP && own & WHOLE ? WHOLE : own;
        }
        tree.reasons = reasons.map((reason) =>
            (reason === LOOP ? SAY.REASONS.length - 1 : reason & ~WHOLE));
    }
    return tree.reasons;
};

// The category of a node: that of its label, but idle if it waits for work.
export const categoryOf = (tree, node, labels) => {
    const category = labels.category[tree.label[node]];
    return (category === BLOCKED || category === KERNEL) &&
        reasonsOf(tree, labels)[node] === 0 ? IDLE : category;
};

// In a comparison, `clock` is the index of one of the four amounts.
export const hasTimes = (tree, clock) =>
    (tree.sides ? clock < tree.sides.inclusive.length
        : clock === WAIT ? tree.clocks === 3 : (tree.clocks >> clock & 1) !== 0);

export const timesOf = (tree, clock) => (tree.sides ? tree.sides.inclusive[clock]
    : clock !== WAIT ? tree.inclusive[clock]
    : hasTimes(tree, clock) ? waits(tree).whole : null);

export const timeOf = (tree, node, clock) => (!hasTimes(tree, clock) ? 0
    : tree.sides ? tree.sides.inclusive[clock][node]
    : Math.max(0, termOf(tree.inclusive, node, clock)));

// {weight, left}: the width of each node and the width to the left of it, in ns. `left` never
// decreases from node to node, except at the turn of a sandwich.
export const measureOf = (tree, clock) => {
    if (tree.start) { // single calls have a position in time
        return (tree.measures[0] ??= {weight: tree.extent, left: tree.start});
    }
    if (!tree.measures[clock]) {
        const weight = timesOf(tree, clock) ?? new Float64Array(tree.n);
        const left = new Float64Array(tree.n);
        const next = new Float64Array(tree.n);
        for (let i = 1; i < tree.n; i++) {
            const parent = tree.parent[i];
            if (i === tree.turn) { // the callees of a sandwich start at the left edge again
                next[1] = left[1];
            }
            left[i] = next[i] = next[parent];
            next[parent] += weight[i];
        }
        tree.measures[clock] = {weight, left};
    }
    return tree.measures[clock];
};

// The first number from low to high - 1 for which isBefore() is false; high if there is none.
export const findFirst = (low, high, isBefore) => {
    while (low < high) {
        const middle = low + high >>> 1;
        if (isBefore(middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
};

// ---- paths ----

// The nodes from `node` up to its root.
export const climbFrom = (tree, node) => {
    const path = [];
    for (; node > 0; node = tree.parent[node]) {
        path.push(node);
    }
    return path;
};

// Whether `node` is `above` or one of its descendants.
export const isWithin = (tree, node, above) => node >= above && node < above + tree.size[above];

// The node of `other` with the same path of labels as `node`; if several have it, the one with
// the largest weight; 0 = none.
export const findPath = (tree, node, other, weigh = (_node) => 0) => {
    const path = climbFrom(tree, node).map((at) => tree.label[at]).reverse();
    const levels = new Int32Array(other.n).fill(-1, 1); // labels shared with `path`; -1 = differs
    let found = 0;
    for (let i = 1; i < other.n; i++) {
        const level = levels[other.parent[i]];
        if (level < 0 || other.label[i] !== path[level]) {
            continue;
        }
        levels[i] = level + 1;
        if (level + 1 === path.length && (found === 0 || weigh(i) > weigh(found))) {
            found = i;
        }
    }
    return found;
};

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const encoder = new TextEncoder();

function hashBytes(hash, bytes) {
    for (let i = 0; i < bytes.length; i++) {
        hash = Math.imul(hash ^ bytes[i], FNV_PRIME);
    }
    return hash;
}

function hashStep(hash, bytes) {
    return hashBytes(Math.imul(hash ^ 0x0a, FNV_PRIME), bytes);
}

const writeHash = (hash) => (hash >>> 0).toString(16).padStart(8, '0');

export const hashText = (text) => writeHash(hashBytes(FNV_START, encoder.encode(text)));

// The hash of a node from that of its parent. An empty step separates callers from callees in a
// sandwich: a method may be both.
function hashNode(tree, labels, above, node) {
    const isTurn = tree.parent[node] === 1 && node >= tree.turn;
    return hashStep(isTurn ? hashStep(above, []) : above,
        encoder.encode(labels.text[tree.label[node]] ?? ''));
}

// A hash that does not depend on widths, clocks and renderings: FNV-1a over the thread's title
// and the labels.
export const hashPath = ({tree, title}, labels, node) => writeHash(climbFrom(tree, node).reverse()
    .reduce((hash, at) => hashNode(tree, labels, hash, at),
        hashBytes(FNV_START, encoder.encode(title))));

// The first node whose path has the hash, -1 if there is none.
export const findHash = ({tree, title}, labels, wanted) => {
    const hashes = new Int32Array(tree.n);
    hashes[0] = hashBytes(FNV_START, encoder.encode(title));
    for (let i = 1; i < tree.n; i++) {
        hashes[i] = hashNode(tree, labels, hashes[tree.parent[i]], i);
    }
    return hashes.indexOf(parseInt(wanted, 16) | 0);
};
