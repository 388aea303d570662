// Writes packed call trees for tests, from the format text in render/pack.h, independent of the reader.
import path from 'node:path';
import {readdirSync} from 'node:fs';

function number(value) {
    const bytes = [];
    let rest = value;
    do {
        const low = rest % 128;
        rest = Math.floor(rest / 128);
        bytes.push(low + (rest > 0 ? 128 : 0));
    } while (rest > 0);
    return bytes;
}

function string(text) {
    const bytes = [...Buffer.from(text, 'utf8')];
    return [...number(bytes.length), ...bytes];
}

// The bytes shared with the previous label, even if that splits a character.
function packLabel(label, before) {
    const bytes = Buffer.from(label.text, 'utf8');
    let shared = 0;
    while (shared < bytes.length && bytes[shared] === before[shared]) {
        shared++;
    }
    const full = label.full === undefined ? number(0)
        : label.full.startsWith(label.text) ? [...number(1), ...string(label.full.slice(label.text.length))]
            : [...number(2), ...string(label.full)];
    return [...number(shared), ...number(bytes.length - shared), ...bytes.subarray(shared),
        (label.category ?? 0) | (label.slim ? 128 : 0), (label.shade ?? 0) | (label.reason ?? 9) << 3, ...full, ...string(label.source ?? '')];
}

function list(nodes, depth, into) {
    for (const node of nodes) {
        into.push({...node, depth});
        list(node.calls_to ?? [], depth + 1, into);
    }
    return into;
}

// Bits 1 << clock: clocks that the thread lacks.
const clocksOf = (thread, spec) => spec.clocks & ~(thread.lacks ?? 0);

function packThread(thread, spec) {
    const nodes = list(thread.nodes, 1, []);
    const several = nodes.filter((node) => (node.calls ?? 1) > 1 && node.label < spec.labels.length);
    const out = [...number(thread.id), ...string(thread.name), ...string(thread.title ?? thread.name),
        (thread.drawn === false ? 0 : 1) + (thread.exited ? 2 : 0) + (thread.sampled ? 4 : 0) +
            (thread.lacks ?? 0) * 8,
        ...number(thread.records ?? 0),
        ...number(nodes.length), ...number(thread.leftOut ?? 0)];
    let depth = 0;
    for (const node of nodes) {
        out.push(...number(depth + 1 - node.depth));
        depth = node.depth;
    }
    nodes.forEach((node) => out.push(...number(node.label)));
    nodes.forEach((node) => out.push(...number((node.calls ?? 1) - 1)));
    const clocks = [0, 1].filter((clock) => clocksOf(thread, spec) >> clock & 1);
    for (const clock of clocks) {
        nodes.forEach((node) => out.push(...number(node.self[clock] ?? 0)));
    }
    for (const clock of clocks) {
        several.forEach((node) => out.push(...number(node.min[clock])));
        several.forEach((node) => out.push(...number(node.max[clock] - node.min[clock])));
    }
    const unwound = nodes.map((node, i) => [i + 1, node.unwinds ?? 0]).filter(([, n]) => n > 0);
    out.push(...number(unwound.length));
    let before = 0;
    for (const [at, unwinds] of unwound) {
        out.push(...number(at - before), ...number(unwinds));
        before = at;
    }
    return out;
}

// Entries: {label, start, extent, other, calls, gaps, flags, below}; times from the start of the axis.
function packCalls(thread, spec) {
    const entries = [];
    const add = (list, depth, from) => {
        let free = from;
        for (const entry of list) {
            entries.push({...entry, depth, gap: entry.start - free});
            free = entry.start + entry.extent;
            add(entry.below ?? [], depth + 1, entry.start);
        }
    };
    const calls = thread.calls ?? {first: 0, last: 0, entries: []};
    add(calls.entries, 1, 0);
    const out = [...number(calls.first), ...number(calls.last - calls.first),
        ...number(entries.length)];
    const column = (value) => entries.forEach((entry, i) => out.push(...number(value(entry, i))));
    column((entry, i) => (i > 0 ? entries[i - 1].depth : 0) + 1 - entry.depth);
    column((entry) => entry.label);
    column((entry) => entry.gap);
    column((entry) => entry.extent);
    for (const entry of entries.filter(({label}) => label === spec.labels.length)) {
        out.push(...number(entry.calls - 1), ...number(entry.gaps ?? 0));
    }
    if (clocksOf(thread, spec) === 3) {
        const other = (entry) => entry.other ?? entry.extent;
        const less = (entry) => entry.extent - (entry.gaps ?? 0) - other(entry);
        out.push(calls.differences ? 1 : 0);
        column((entry) => (!calls.differences ? other(entry)
            : less(entry) >= 0 ? less(entry) * 2 : -less(entry) * 2 - 1));
    }
    const flagged = entries.map(({flags}, i) => [i, flags ?? 0]).filter(([, flags]) => flags > 0);
    out.push(...number(flagged.length));
    flagged.forEach(([i, flags], k) =>
        out.push(...number(i - (k > 0 ? flagged[k - 1][0] : 0)), ...number(flags)));
    const marks = calls.marks ?? [];
    out.push(...number(marks.length));
    let end = 0;
    for (const {start, extent, gaps, calls: n} of marks) {
        out.push(...number(start - end), ...number(extent), ...number(gaps ?? 0), ...number(n - 1));
        end = start + extent;
    }
    return out;
}

function packChart(spec) {
    const {chart} = spec;
    const out = [chart.clock ?? 0, chart.unitNs ?? 1000, chart.from ?? 0, chart.length,
        chart.recorded ?? chart.length, chart.flags ?? 0, chart.shortest ?? 0, chart.calls ?? 0,
        chart.interval ?? 0]
        .flatMap(number);
    return out.concat(string(chart.marked ?? ''), ...spec.threads.map((thread) =>
        packCalls(thread, spec)));
}

// compared: {clock, threads: [{flags, columns: [[...], ...], twins: [[entry, entry], ...]}]}.
function packSides({clock, threads}) {
    return number(clock).concat(...threads.map(({flags, columns, twins}) => [...number(flags),
        ...columns.flat().flatMap(number), ...number(twins.length), ...twins.flat().flatMap(number)]));
}

// spec: {clocks, unitNs, clock, input, sampled, unit: {name, singular, digits},
// labels: [{text, full, source, category, slim, shade}],
// threads: [{id, name, title, drawn, exited, sampled, lacks, records, leftOut,
//     nodes: [{label, calls, self: [wall, cpu], min, max, unwinds, calls_to: [...]}]}]};
// times in units.
export const pack = (spec) => {
    const out = [...Buffer.from('AFB1'), ...number(spec.clocks), ...number(spec.unitNs ?? 1000),
        ...number(spec.clock ?? 0), ...string(spec.input ?? 'x.trace'),
        (spec.sampled ? 1 : 0) + (spec.unit ? 4 : 0) + (spec.chart ? 8 : 0) +
            (spec.compared ? 16 : 0),
        ...(spec.unit ? [...string(spec.unit.name), ...string(spec.unit.singular),
            ...number(spec.unit.digits)] : []),
        ...number(spec.labels.length)];
    let before = Buffer.alloc(0);
    for (const label of spec.labels) {
        out.push(...packLabel(label, before));
        before = Buffer.from(label.text, 'utf8');
    }
    out.push(...number(spec.threads.length));
    return Uint8Array.from(out.concat(...spec.threads.map((thread) => packThread(thread, spec)),
        spec.chart ? packChart(spec) : [], spec.compared ? packSides(spec.compared) : []));
};

// The exports of all modules of the script.
export const load = async () => {
    const folder = process.env.AFLAME_MODULES;
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
    await import(path.join(folder, 'whole.js')); // first, as in files
    return Object.assign({}, ...await Promise.all(names.map((name) => import(path.join(folder, name)))));
};

// A thread with both clocks: main calls load twice and draw; load calls read.
export const sample = () => ({
    clocks: 3,
    unitNs: 1000,
    labels: [
        {text: 'com.a.Main.main', full: 'com.a.Main.main(String[])', source: 'Main.java:7', shade: 1},
        {text: 'com.a.Main.load', full: 'com.a.Main.load()', category: 0, shade: 1},
        {text: 'java.io.In.read', category: 4, shade: 3},
        {text: 'android.view.View.draw', full: 'View#draw', category: 1, shade: 2},
    ],
    threads: [{
        id: 12, name: 'main', records: 10,
        nodes: [{label: 0, self: [10, 8], calls_to: [
            {label: 1, calls: 2, self: [30, 10], min: [20, 2], max: [50, 28], unwinds: 1, calls_to: [
                {label: 2, calls: 5, self: [40, 20], min: [1, 1], max: [30, 9]},
            ]},
            {label: 3, self: [20, 22]},
        ]}],
    }, {
        id: 13, name: 'Worker', title: 'Worker [13]', drawn: false, exited: true, leftOut: 3,
        nodes: [
            {label: 2, self: [5, 5], calls_to: [{label: 4, calls: 3, self: [7, 0]}]},
        ],
    }],
});
