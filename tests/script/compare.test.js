// Blocks of comparisons: sides, sums, words.
import test from 'node:test';
import assert from 'node:assert';
import {pack, load} from './block.js';

const AF = await load();

// main: run (before 3, after 5) calls twice (1, 0) and left-out frames (before 4, after 6, width 7).
const spec = (changes = {}) => ({
    clocks: 1,
    unitNs: 1000,
    labels: [{text: 'a.B.run'}, {text: 'a.B.part', shade: 5}],
    threads: [{id: 1, name: 'main', nodes: [{label: 0, self: [5], calls_to: [
        {label: 1, self: [1]}, {label: 2, calls: 9, self: [7]},
    ]}]}],
    compared: {clock: 1, threads: [{flags: 2 + 8 + 16, columns: [
        [2, 0, 3], [0, 1, 1], [3, 1, 0], [5, 0, 0], [2 + 24, 5 + 8, 0]], twins: [], ...changes}]},
});

test('the sides add up', () => {
    const block = AF.unpack(pack(spec()));
    const [{tree, status, sides}] = block.threads;
    assert.ok(block.isCompared && AF.wording.sides);
    assert.deepStrictEqual([block.comparedClock, status, sides], [1, 2, 3]);
    const ms = (column) => [...column].map((ns) => ns / 1000);
    assert.deepStrictEqual(tree.sides.inclusive.map(ms),
        [[13, 13, 1, 7], [8, 8, 1, 4], [11, 11, 0, 6], [7, 7, 1, 4]]);
    assert.deepStrictEqual([ms(tree.sides.grown), ms(tree.sides.shrunk)],
        [[5, 5, 0, 3], [2, 2, 1, 1]]);
    assert.deepStrictEqual([...tree.sides.status], [0, 2, 5, 0]);
    assert.deepStrictEqual([...tree.sides.present], [0, 3, 1, 0]);
    assert.strictEqual(tree.label[3], tree.leftOutLabel);
    assert.strictEqual(AF.timeOf(tree, 1, 3), 7000);
    assert.ok(AF.hasTimes(tree, 3) && !AF.hasTimes(tree, 4));
    assert.strictEqual(AF.clockSuffix(2), ' after');
    const {weight, left} = AF.measureOf(tree, 2);
    assert.deepStrictEqual([ms(weight), ms(left)], [[11, 11, 0, 6], [0, 0, 0, 0]]);
});

test('probabilities and other places are optional; damaged ones are refused', () => {
    const [{tree}] = AF.unpack(pack(spec({flags: 2 + 24 + 32, twins: [[1, 2]], columns:
        [...spec().compared.threads[0].columns, [9, 0, 0]]}))).threads;
    assert.deepStrictEqual([...tree.sides.p], [0, 9, 0, 0]);
    assert.strictEqual(tree.sides.twins.get(1), 2);
    assert.throws(() => AF.unpack(pack(spec({twins: [[1, 4]]}))), /damaged/);
    const bytes = pack(spec());
    for (let length = 5; length < bytes.length; length++) {
        assert.throws(() => AF.unpack(bytes.subarray(0, length)), /ends too early|damaged/);
    }
});

test('changes and ratios read as in the drawing', () => {
    assert.strictEqual(AF.changeText(1e6, 13.3e6), '+12.3 ms');
    assert.strictEqual(AF.changeText(4e6, 0), '-4.00 ms');
    assert.strictEqual(AF.changeText(5, 5), '0');
    assert.strictEqual(AF.ratio(2e6, 6.2e6), '3.1x');
    assert.strictEqual(AF.ratio(1000, 1042), '+4.2 %');
    assert.strictEqual(AF.ratio(1000, 500), '-50.0 %');
    assert.strictEqual(AF.ratio(10000, 10001), '0.0 %');
    assert.strictEqual(AF.ratio(0, 7) + AF.ratio(7, 0), '');
});
