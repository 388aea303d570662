import test from 'node:test';
import assert from 'node:assert';
import {pack, sample, load} from './block.js';

const AF = await load();
const tree = AF.unpack(pack(sample())).threads[0].tree;

function layOut(of, options = {}) {
    const measure = AF.measureOf(of, options.clock ?? AF.WALL);
    return AF.layOutTree(of, measure, {from: 0, to: measure.weight[0], zoom: 0, width: 1000, ...options});
}

function rows(layout) {
    const {frames} = layout;
    return Array.from({length: frames.n}, (_, i) => `${frames.row[i]} ${frames.node[i]} ` +
        `${frames.x0[i]}-${frames.x1[i]}${frames.nodes[i] > 0 ? ' x' + frames.nodes[i] : ''}`);
}

// `n` children of one node; child i has the time times(i).
function flat(n, times) {
    return AF.unpack(pack({clocks: 1, unitNs: 1, labels: [{text: 'p'}, {text: 'c'}], threads: [{
        id: 1, name: 'm', nodes: [{label: 0, self: [0], calls_to:
            Array.from({length: n}, (_, i) => ({label: 1, self: [times(i)]}))}]}]})).threads[0].tree;
}

test('siblings tile their parent', () => {
    assert.deepStrictEqual(rows(layOut(tree)),
        ['0 1 0-1000', '1 2 0-700', '1 4 700-900', '2 3 0-400']);
    assert.deepStrictEqual(rows(layOut(tree, {clock: AF.CPU, width: 600})),
        ['0 1 0-600', '1 2 0-300', '1 4 300-520', '2 3 0-200']);
});

test('a zoomed node and its ancestors fill the graph', () => {
    const {left, weight} = AF.measureOf(tree, AF.WALL);
    const layout = layOut(tree, {zoom: 2, from: left[2], to: left[2] + weight[2]});
    assert.strictEqual(layout.crumbs, 1);
    assert.deepStrictEqual(rows(layout), ['0 1 0-1000', '1 2 0-1000', '2 3 0-571.42']);
});

test('a window clips frames that extend beyond it', () => {
    const layout = layOut(tree, {from: 60e3, to: 80e3});
    assert.deepStrictEqual(rows(layout), ['0 1 0-1000', '1 2 0-500', '1 4 500-1000']);
});

// x is called by a (13 of 145) and b (25) and calls b (10) and a (5)
function sandwich(options = {}) {
    const of = AF.newTree(8, 1);
    of.parent.set([0, 0, 1, 2, 1, 1, 1, 6]);
    of.depth.set([0, 1, 2, 3, 2, 2, 2, 3]);
    of.size.set([8, 7, 2, 1, 1, 1, 2, 1]);
    of.label.set([-1, 0, 1, 2, 3, 3, 1, 0]);
    of.inclusive[0].set([100, 100, 20, 20, 30, 40, 20, 10]);
    of.turn = 5;
    return layOut(of, options);
}

test('a sandwich has callers above the method and callees below it', () => {
    const layout = sandwich();
    assert.strictEqual(layout.above, 2);
    assert.deepStrictEqual(rows(layout), ['0 3 0-200', '1 2 0-200', '1 4 200-500', '2 1 0-1000',
        '3 5 0-400', '3 6 400-600', '4 7 400-500']);
    const few = sandwich({callerRows: 1});
    assert.deepStrictEqual([few.above, few.rowsAbove, few.frames.row[0]], [1, 1, 0]);
    assert.strictEqual(sandwich({labelled: 250}).above, 1, 'rows without labels are omitted');
});

test('zooming into one half of a sandwich leaves the other half whole', () => {
    const above = sandwich({zoom: 4, from: 20, to: 50});
    assert.deepStrictEqual(rows(above), ['0 4 0-1000', '1 1 0-1000', '2 5 0-400', '2 6 400-600',
        '3 7 400-500']);
    assert.deepStrictEqual([above.crumbs, above.crumbsTop], [1, 1]);
    const below = sandwich({zoom: 6, from: 40, to: 60});
    assert.deepStrictEqual(rows(below), ['0 3 0-200', '1 2 0-200', '1 4 200-500', '2 1 0-1000',
        '3 6 0-1000', '4 7 0-500']);
    assert.deepStrictEqual([below.crumbs, below.crumbsTop], [1, 2]);
});

test('zooming into a caller that took no time on this clock leaves the callees whole', () => {
    const layout = sandwich({zoom: 4, from: 20, to: 20});
    assert.deepStrictEqual(rows(layout), ['0 1 0-1000', '1 5 0-400', '1 6 400-600', '2 7 400-500']);
    assert.deepStrictEqual([layout.above, layout.rowsAbove, layout.rows], [0, 0, 3]);
});

test('narrow neighbours merge into one block of at least half a pixel', () => {
    const of = flat(1000, (i) => (i === 500 ? 1000 : 1));
    const layout = layOut(of, {width: 100});
    assert.deepStrictEqual(rows(layout), ['0 1 0-100', '1 2 0-25.01 x500', '1 502 25.01-75.03',
        '1 503 75.03-100 x499']);
    assert.strictEqual(layout.hiddenNodes, 999);
    assert.strictEqual(layout.hiddenTime, 999);
    const {frames} = layOut(flat(40000, () => 1));
    assert.strictEqual(frames.n, 2);
    assert.strictEqual(frames.nodes[1], 40000);
});

test('no element is narrower than half a pixel', () => {
    let seed = 1;
    const random = () => {
        seed = seed * 48271 % 2147483647;
        return seed;
    };
    const of = flat(5000, () => random() % 1000 + (random() % 50 === 0 ? 40000 : 0));
    const {frames} = layOut(of, {width: 777});
    for (let i = 0; i < frames.n; i++) {
        assert.ok(frames.x1[i] - frames.x0[i] >= 0.5);
        assert.ok(i === 0 || frames.row[i] > frames.row[i - 1] || frames.x0[i] >= frames.x1[i - 1]);
    }
});

test('zooming shows frames that were too narrow', () => {
    const of = flat(1000, (i) => (i === 500 ? 1e6 : 1));
    const {left, weight} = AF.measureOf(of, AF.WALL);
    const layout = layOut(of, {zoom: 7, from: left[7], to: left[7] + weight[7], width: 100});
    assert.deepStrictEqual(rows(layout), ['0 1 0-100', '1 7 0-100']);
});

test('many ancestors are folded into one row', () => {
    let node = {label: 0, self: [1]};
    for (let i = 0; i < 29; i++) {
        node = {label: 0, self: [1], calls_to: [node]};
    }
    const deep = AF.unpack(pack({clocks: 1, unitNs: 1, labels: [{text: 'r'}],
        threads: [{id: 1, name: 'm', nodes: [node]}]})).threads[0].tree;
    const {left, weight} = AF.measureOf(deep, AF.WALL);
    const options = {zoom: 25, from: left[25], to: left[25] + weight[25]};
    const layout = layOut(deep, options);
    assert.deepStrictEqual(layout.fold, {row: 2, nodes: 13, node: 15});
    assert.strictEqual(layout.crumbs, 12);
    assert.strictEqual(layout.frames.node[2], 16);
    assert.strictEqual(layout.frames.row[2], 3);
    const measure = AF.measureOf(deep, AF.WALL);
    assert.strictEqual(AF.frameOf(layout, deep, measure, 25, {...options, width: 1000}), 11);
    assert.strictEqual(AF.frameOf(layout, deep, measure, 8, {...options, width: 1000}), -1);
    assert.strictEqual(layOut(deep, {...options, unfolded: true}).crumbs, 24);
});

test('frames are found by position and by node', () => {
    const layout = layOut(tree);
    assert.strictEqual(AF.frameAt(layout, 1, 650), 1);
    assert.strictEqual(AF.frameAt(layout, 1, 700), 2);
    assert.strictEqual(AF.frameAt(layout, 1, 950), -1);
    assert.strictEqual(AF.frameAt(layout, 7, 1), -1);
    const measure = AF.measureOf(tree, AF.WALL);
    for (let i = 0; i < layout.frames.n; i++) {
        assert.strictEqual(AF.frameOf(layout, tree, measure, layout.frames.node[i],
            {from: 0, to: 100e3, width: 1000}), i);
    }
});

test('a tree without time has no frames', () => {
    const layout = layOut(flat(3, () => 0));
    assert.strictEqual(layout.frames.n, 0);
    assert.strictEqual(layout.rows, 0);
});

// A thread with `roots` calls of the same time, each of them with `callees`.
function comb(roots, callees) {
    const of = AF.newTree(1 + roots * (callees + 1), 1);
    for (let i = 1; i < of.n; i++) {
        const root = i - (i - 1) % (callees + 1);
        of.parent[i] = i === root ? 0 : root;
        of.depth[i] = of.depth[of.parent[i]] + 1;
        of.self[0][i] = 1000;
    }
    AF.sumTree(of);
    return of;
}

// The number of nodes that the layout of a tree visits, counted by the reads of their sizes.
function countVisits(of) {
    const visited = new Uint8Array(of.n);
    let reads = 0;
    const size = new Proxy(of.size, {
        get(target, key) {
            visited[key] = 1;
            reads++;
            return target[key];
        },
    });
    layOut(Object.assign(Object.create(of), {size}), {width: 1200});
    return {reads, visited: visited.reduce((sum, one) => sum + one, 0)};
}

test('the layout visits each of a million nodes once', () => {
    const of = comb(1000, 999);
    const {reads, visited} = countVisits(of);
    assert.ok(visited >= of.n - 1, `${visited} nodes`);
    assert.ok(reads <= 3 * of.n, `${reads} reads`);
});

test('the layout does not descend into frames that are too narrow', () => {
    const {reads, visited} = countVisits(comb(100000, 9));
    assert.ok(visited <= 100001, `${visited} nodes`);
    assert.ok(reads <= 3 * 100001, `${reads} reads`);
});

test('waiting is at the end of the self time, right of the children', () => {
    const measure = AF.measureOf(tree, AF.WALL);
    const spans = [1, 2, 3, 4].map((node) => AF.waitSpan(tree, node, measure));
    spans.forEach((span, i) => {
        const node = i + 1;
        const wait = tree.self[AF.WALL][node] - tree.self[AF.CPU][node];
        const end = measure.left[node] + measure.weight[node];
        assert.deepStrictEqual(span, wait > 0 ? [end - wait, end] : null);
        for (let child = node + 1; span && child < node + tree.size[node]; child++) {
            assert.ok(measure.left[child] + measure.weight[child] <= span[0]);
        }
    });
    assert.deepStrictEqual(spans[1], [50e3, 70e3]);
    assert.strictEqual(spans[3], null);
});
