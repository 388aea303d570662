import test from 'node:test';
import assert from 'node:assert';
import {pack, sample, load} from './block.js';

const AF = await load();
const unpack = (spec) => AF.unpack(pack(spec));

test('names, facts and shapes are unpacked', () => {
    const block = unpack(sample());
    assert.deepStrictEqual(block.labels.text, ['com.a.Main.main', 'com.a.Main.load',
        'java.io.In.read', 'android.view.View.draw']);
    assert.deepStrictEqual([0, 1, 2, 3].map(block.labels.full), ['com.a.Main.main(String[])', 'com.a.Main.load()',
        'java.io.In.read', 'View#draw']);
    assert.strictEqual(block.labels.source(0), 'Main.java:7');
    assert.deepStrictEqual([...block.labels.category], [0, 0, 4, 1, 0]);
    const [main, worker] = block.threads;
    assert.deepStrictEqual([main.id, main.title, main.drawn, main.exited, main.records],
        [12, 'main', true, false, 10]);
    assert.deepStrictEqual([worker.title, worker.drawn, worker.exited, worker.leftOut],
        ['Worker [13]', false, true, 3]);
    assert.deepStrictEqual([...main.tree.parent], [0, 0, 1, 2, 1]);
    assert.deepStrictEqual([...main.tree.depth], [0, 1, 2, 3, 2]);
    assert.deepStrictEqual([...main.tree.size], [5, 4, 2, 1, 1]);
    assert.deepStrictEqual([...main.tree.calls], [0, 1, 2, 5, 1]);
});

test('a unit that is not time has a plural and a singular', () => {
    const unit = {name: 'cache-misses', singular: 'cache-miss', digits: 0};
    const {threads} = unpack({...sample(), unit});
    assert.deepStrictEqual(AF.wording.unit, unit);
    assert.strictEqual(threads[0].tree.inclusive[0][1], 100e3);
    unpack(sample());
    assert.strictEqual(AF.wording.unit, null);
});

test('times are sums in ns, the thread has the total', () => {
    const {tree} = unpack(sample()).threads[0];
    assert.deepStrictEqual([...tree.inclusive[0]], [100e3, 100e3, 70e3, 40e3, 20e3]);
    assert.deepStrictEqual([...tree.inclusive[1]], [60e3, 60e3, 30e3, 20e3, 22e3]);
    assert.strictEqual(AF.timeOf(tree, 2, AF.WAIT), 40e3);
    assert.strictEqual(AF.timeOf(tree, 4, AF.WAIT), 0); // 20 us wall, 22 us CPU
});

test('shortest and longest call; for a single call its own time', () => {
    const {tree} = unpack(sample()).threads[0];
    const [min, max] = [tree.extremes.map((one) => one.min), tree.extremes.map((one) => one.max)];
    assert.deepStrictEqual([min[0][2], max[0][2], min[1][2], max[1][2]], [20e3, 50e3, 2e3, 28e3]);
    assert.deepStrictEqual([min[0][3], max[0][3]], [1e3, 30e3]);
    assert.deepStrictEqual([min[0][1], max[0][1]], [100e3, 100e3]);
    assert.strictEqual(tree.unwinds.get(2), 1);
});

test('dropped nodes become one node with their time', () => {
    const {tree} = unpack(sample()).threads[1];
    assert.strictEqual(tree.label[2], tree.leftOutLabel);
    assert.strictEqual(tree.calls[2], 3);
    assert.strictEqual(tree.inclusive[0][0], 12e3);
    assert.strictEqual(tree.extremes[0].max[1], 12e3);
});

test('with one clock the other has no columns', () => {
    const spec = sample();
    spec.clocks = 2;
    const cpu = unpack({...spec, threads: [{id: 1, name: 'm', nodes: [{label: 0, self: [, 3]}]}]});
    const {tree} = cpu.threads[0];
    assert.strictEqual(tree.inclusive[0], null);
    assert.strictEqual(tree.inclusive[1][1], 3e3);
});

test('numbers beyond 32 bits stay exact', () => {
    const big = 2 ** 45 + 12345;
    const {tree} = unpack({clocks: 1, unitNs: 1, labels: [{text: 'a'}],
        threads: [{id: 2 ** 40 + 1, name: 'm', nodes: [{label: 0, self: [big]}]}]}).threads[0];
    assert.strictEqual(tree.inclusive[0][0], big);
});

test('labels may share bytes inside a character', () => {
    const texts = ['a.\u00e9', 'a.\u00e8', '\ud83d\ude00', '\ud83d\ude01'];
    const block = unpack({clocks: 1, labels: texts.map((text) => ({text})), threads: []});
    assert.deepStrictEqual(block.labels.text, texts);
});

test('a deep recursion is unpacked', () => {
    const n = 50000;
    const bytes = pack({clocks: 1, labels: [{text: 'r'}], threads: []});
    const head = [...bytes.subarray(0, bytes.length - 1)];
    const varint = (value) => (value < 128 ? [value] : [value % 128 + 128, ...varint(value >> 7)]);
    const column = (value) => new Array(n).fill(value);
    const deep = [...head, 1, 1, 1, 109, 1, 109, 1, 0, ...varint(n), 0,
        ...column(0), ...column(0), ...column(0), ...column(1), 0];
    const {tree} = AF.unpack(Uint8Array.from(deep)).threads[0];
    assert.strictEqual(tree.depth[n], n);
    assert.strictEqual(tree.inclusive[0][1], n * 1000);
    assert.strictEqual(AF.sandwichOf(tree, 0).n, n + 1);
});

test('truncation at any byte is detected', () => {
    const bytes = pack(sample());
    for (let length = 0; length < bytes.length; length++) {
        assert.throws(() => AF.unpack(bytes.subarray(0, length)), Error, `${length} bytes`);
    }
});

test('another format is refused with a message', () => {
    const bytes = pack(sample());
    bytes[3] = 0x32;
    assert.throws(() => AF.unpack(bytes), /format/);
});

test('hashes of paths do not depend on node numbers', () => {
    const block = unpack(sample());
    const [main] = block.threads;
    // FNV-1a of "main\ncom.a.Main.main", computed step by step
    let hash = 0x811c9dc5n;
    for (const byte of Buffer.from('main\ncom.a.Main.main')) {
        hash = (hash ^ BigInt(byte)) * 0x01000193n & 0xffffffffn;
    }
    assert.strictEqual(AF.hashPath(main, block.labels, 1), hash.toString(16).padStart(8, '0'));
    for (let node = 0; node < main.tree.n; node++) {
        assert.strictEqual(AF.findHash(main, block.labels, AF.hashPath(main, block.labels, node)), node);
    }
    assert.strictEqual(AF.findHash(main, block.labels, '00000001'), -1);
});

test('waiting adds up to wall minus CPU time; widths are never negative', () => {
    // the parent has more CPU than wall time due to the resolution of the clocks
    const {tree} = unpack({clocks: 3, unitNs: 1, labels: [{text: 'p'}, {text: 'c'}], threads: [{
        id: 1, name: 'm', nodes: [{label: 0, self: [0, 40], calls_to: [
            {label: 1, self: [50, 0]}, {label: 1, self: [30, 30]}, {label: 1, self: [10, 5]},
        ]}]}]}).threads[0];
    const {weight, left} = AF.measureOf(tree, AF.WAIT);
    // as test_tree.c
    assert.deepStrictEqual([...weight], [15, 15, 13, 0, 1]);
    assert.deepStrictEqual([...AF.waits(tree).own], [0, 1, 13, 0, 1]);
    assert.deepStrictEqual([...left], [0, 0, 0, 13, 13]);
    assert.deepStrictEqual([0, 1, 2, 3, 4].map((node) => AF.timeOf(tree, node, AF.WAIT)),
        [15, 15, 50, 0, 5]);
    const totals = AF.totalsOf([tree], AF.WAIT).map(({label, self, total}) => [label, self, total]);
    assert.deepStrictEqual(totals, [[1, 55, 55], [0, 0, 15]]);
    const sandwich = AF.sandwichOf(tree, 1);
    assert.deepStrictEqual([...AF.waits(sandwich).whole], [14, 14, 14]);
    assert.deepStrictEqual([0, 1, 2].map((node) => AF.timeOf(sandwich, node, AF.WAIT)), [55, 55, 55]);
    const wall = unpack({clocks: 1, unitNs: 1, labels: [{text: 'p'}], threads: [{
        id: 1, name: 'm', nodes: [{label: 0, self: [7]}]}]}).threads[0].tree;
    assert.strictEqual(AF.timeOf(wall, 1, AF.WAIT), 0);
});

// m > a > x (twice, one of them > b), m > b > x > a > x, x > b
function recursive() {
    const labels = ['m', 'a', 'b', 'x'].map((text) => ({text}));
    const {tree} = unpack({clocks: 1, unitNs: 1, labels, threads: [{id: 1, name: 't', nodes: [
        {label: 0, self: [1], calls_to: [
            {label: 1, self: [1], calls_to: [{label: 3, calls: 2, self: [10], min: [4], max: [9],
                calls_to: [{label: 2, self: [3]}]}]},
            {label: 2, self: [1], calls_to: [{label: 3, self: [20], calls_to: [
                {label: 1, self: [0], calls_to: [{label: 3, self: [5]}]}]}]},
        ]},
        {label: 3, self: [100], calls_to: [{label: 2, self: [7]}]},
    ]}]}).threads[0];
    return {tree, labels};
}

test('a sandwich has all callers and callees of a method, and its time counted once', () => {
    const {tree, labels} = recursive();
    const sandwich = AF.sandwichOf(tree, 3);
    const lines = [];
    for (let i = 1; i < sandwich.n; i++) {
        lines.push(`${sandwich.depth[i]} ${labels[sandwich.label[i]].text} ` +
            `${sandwich.inclusive[0][i]} ${sandwich.self[0][i]} ${sandwich.calls[i]}`);
    }
    assert.deepStrictEqual(lines, ['1 x 145 130 4', '2 a 13 0 2', '3 m 13 0 2', '2 b 25 0 1',
        '3 m 25 0 1', '2 b 10 10 2', '2 a 5 0 1', '3 x 5 5 1']);
    assert.strictEqual(sandwich.turn, 6);
    assert.deepStrictEqual([...sandwich.parent], [0, 0, 1, 2, 1, 4, 1, 1, 7]);
    assert.deepStrictEqual([...sandwich.size], [9, 8, 2, 1, 2, 1, 1, 2, 1]);
    assert.strictEqual(sandwich.inclusive[0][0], 145);
    assert.deepStrictEqual(AF.extremesAt(sandwich, 1, AF.WALL), [4, 107]);
    assert.deepStrictEqual(AF.extremesAt(sandwich, 6, AF.WALL), [3, 7]);
    assert.strictEqual(AF.extremesAt(sandwich, 2, AF.WALL), null, 'a path of callers has no calls');
    assert.strictEqual(AF.sandwichOf(tree, 9), null);
});

test('callers and callees of a sandwich start at the same place', () => {
    const {tree} = recursive();
    const {left, weight} = AF.measureOf(AF.sandwichOf(tree, 3), AF.WALL);
    assert.deepStrictEqual([...left], [0, 0, 0, 0, 13, 13, 0, 10, 10]);
    assert.strictEqual(weight[0], 145);
});

test('a path of callers and an equal one of callees have different hashes', () => {
    const {tree, labels} = recursive();
    const thread = {tree: AF.sandwichOf(tree, 3), title: 't'};
    const texts = {text: labels.map(({text}) => text)};
    const hashes = Array.from(thread.tree.label, (_, node) => AF.hashPath(thread, texts, node));
    assert.strictEqual(new Set(hashes).size, thread.tree.n);
    hashes.forEach((hash, node) => assert.strictEqual(AF.findHash(thread, texts, hash), node));
});

test('totals by method count recursion once', () => {
    const {tree, labels} = recursive();
    const totals = AF.totalsOf([tree], AF.WALL).map(({label, self, total, calls}) =>
        `${labels[label].text} ${self} ${total} ${calls}`);
    assert.deepStrictEqual(totals, ['x 135 145 5', 'b 11 36 3', 'm 1 41 1', 'a 1 19 2']);
});

test('a path is found in another tree', () => {
    // 0 > 1 a > 2 b, 3 a > 4 b; 5 b > 6 b
    const make = (labels, parents) => {
        const tree = AF.newTree(labels.length + 1, 1);
        labels.forEach((label, i) => {
            tree.label[i + 1] = label;
            tree.parent[i + 1] = parents[i];
        });
        return tree;
    };
    const [a, b] = [0, 1];
    const other = make([a, b, a, b, b, b], [0, 1, 0, 3, 0, 5]);
    const one = make([b, a, b, b], [0, 0, 2, 3]);
    assert.strictEqual(AF.findPath(one, 3, other), 2); // a, b
    assert.strictEqual(AF.findPath(one, 3, other, (i) => i), 4);
    assert.strictEqual(AF.findPath(one, 3, other, (i) => -i), 2);
    assert.strictEqual(AF.findPath(one, 1, other), 5); // b
    assert.strictEqual(AF.findPath(one, 4, other), 0); // a, b, b
});

// The sample's worker, without CPU times.
const mixed = () => {
    const spec = sample();
    spec.threads[1].lacks = 1 << AF.CPU;
    return spec;
};

test('a thread may lack a clock', () => {
    const {clocks, busyClock, threads: [main, worker]} = unpack(mixed());
    assert.deepStrictEqual([clocks, main.tree.clocks, worker.tree.clocks], [3, 3, 1]);
    assert.strictEqual(worker.tree.inclusive[AF.CPU], null);
    assert.strictEqual(worker.tree.inclusive[AF.WALL][0], 12e3);
    assert.deepStrictEqual([AF.CPU, AF.WAIT, AF.WALL].map((c) => AF.hasTimes(worker.tree, c)),
        [false, false, true]);
    assert.strictEqual(AF.timesOf(worker.tree, AF.WAIT), null);
    assert.strictEqual(AF.waitSpan(worker.tree, 1, AF.measureOf(worker.tree, AF.WALL)), null);
    assert.notStrictEqual(AF.waitSpan(main.tree, 1, AF.measureOf(main.tree, AF.WALL)), null);
    assert.strictEqual(worker.tree.extremes[AF.WALL].max[1], 12e3);
    assert.deepStrictEqual([...AF.measureOf(worker.tree, AF.CPU).weight], [0, 0, 0]);
    assert.strictEqual(busyClock, AF.WALL, 'CPU time tells nothing of the worker');
    assert.strictEqual(unpack(sample()).busyClock, AF.CPU);
});

test('facts omit a clock that the thread lacks', () => {
    const block = unpack(mixed());
    const facts = (thread) => {
        const panel = {tree: thread.tree, base: thread.tree, zoom: 0, thread};
        return AF.factsOf({block, state: {clock: AF.WALL}}, panel, 1);
    };
    assert.deepStrictEqual(facts(block.threads[0]).slice(0, 3),
        ['wall 100 \u00b5s (self 10 \u00b5s)', 'CPU 60 \u00b5s (self 8 \u00b5s)', 'waiting 40 \u00b5s']);
    assert.ok(!facts(block.threads[1]).some((fact) => /CPU|wait/.test(fact)));
    assert.deepStrictEqual(AF.totalsOf([block.threads[1].tree], AF.CPU), []);
    assert.strictEqual(AF.totalsOf([block.threads[1].tree], AF.WALL).length, 2);
});

test('samples are not called calls', () => {
    const spec = sample();
    assert.deepStrictEqual(AF.entryWords(unpack(spec).threads), ['call', 'calls']);
    spec.threads[1].sampled = true;
    const {threads} = unpack(spec);
    assert.deepStrictEqual(threads.map(({countsCalls}) => countsCalls), [true, false]);
    assert.deepStrictEqual(AF.entryWords(threads), ['call or slice', 'calls and slices']);
    assert.deepStrictEqual(AF.entryWords([threads[1]]), ['slice', 'slices']);
    const all = unpack({...sample(), sampled: true}).threads;
    assert.deepStrictEqual(AF.entryWords(all), ['slice', 'slices']);
});

test('the outermost method that waits with all its callees gives the reason', () => {
    const tree = AF.newTree(6, 3);
    const labels = {reason: [9, 4, 1 | 16, 2, 6]}; // other, Binder, Object.wait, lock, file
    tree.label.set([-1, 0, 2, 4, 1, 3]);
    tree.parent.set([0, 0, 1, 2, 1, 4]);
    const names = [...AF.reasonsOf(tree, labels)].map((reason) => AF.REASONS[reason]);
    assert.deepStrictEqual(names.slice(1), ['other', 'Object.wait', 'Object.wait', 'Binder', 'lock']);
    assert.strictEqual(AF.REASONS.length, 10);
});
