import test from 'node:test';
import assert from 'node:assert';
import {pack, load} from './block.js';

const AF = await load();

// main: loop from 10 to 900, in it draw, 3 merged calls, and a wait; then draw alone. us.
const spec = () => ({
    clocks: 3,
    unitNs: 1000,
    labels: [{text: 'loop'}, {text: 'draw'}, {text: 'wait'}],
    threads: [{
        id: 1, name: 'main', nodes: [{label: 0, self: [1, 1]}],
        calls: {
            first: 10, last: 1000,
            entries: [
                {label: 0, start: 10, extent: 890, other: 300, below: [
                    {label: 1, start: 20, extent: 100, other: 100, flags: 1, below: [
                        {label: 1, start: 30, extent: 50, other: 50},
                    ]},
                    {label: 3, start: 150, extent: 50, other: 20, calls: 3, gaps: 30},
                    {label: 2, start: 400, extent: 400, other: 10},
                ]},
                {label: 1, start: 950, extent: 50, other: 50, flags: 2},
            ],
            marks: [{start: 20, extent: 100, calls: 1}, {start: 950, extent: 50, calls: 2, gaps: 9}],
        },
    }, {id: 2, name: 'empty', nodes: []}],
    chart: {from: 5000, length: 1000000, recorded: 960000, flags: 1, shortest: 12000, calls: 99,
        marked: 'draw'},
});

const block = AF.unpack(pack(spec()));
const tree = block.threads[0].calls;
const us = (list) => Array.from(list, (time) => time / 1000);

test('calls are unpacked at their times', () => {
    assert.deepStrictEqual(block.chart, {clock: 0, unitNs: 1000, from: 5000, length: 1000000,
        recorded: 960000, shortest: 12000, calls: 99, interval: 0, isSampled: false, amounts: 0,
        highlighted: 'draw', lost: block.chart.lost, markers: null, frames: null});
    assert.deepStrictEqual([...tree.parent], [0, 0, 1, 2, 1, 1, 0]);
    assert.deepStrictEqual([...tree.size], [7, 5, 2, 1, 1, 1, 1]);
    assert.deepStrictEqual(us(tree.start), [0, 10, 20, 30, 150, 400, 950]);
    assert.deepStrictEqual(us(tree.extent), [1000, 890, 100, 50, 50, 400, 50]);
    assert.deepStrictEqual(us(tree.inclusive[0]), [940, 890, 100, 50, 20, 400, 50]);
    assert.deepStrictEqual(us(tree.self[0]), [0, 370, 50, 50, 20, 400, 50]);
    assert.deepStrictEqual(us(tree.self[1]), [0, 170, 50, 50, 20, 10, 50]);
    assert.deepStrictEqual([...tree.calls], [0, 1, 1, 1, 3, 1, 1]);
    assert.deepStrictEqual([...tree.flags], [[2, AF.UNWOUND], [6, AF.OPEN]]);
    assert.deepStrictEqual(tree.life, {first: 10000, last: 1000000});
    assert.deepStrictEqual(tree.highlights[1],
        {start: 950000, extent: 50000, length: 41000, calls: 2});
    assert.ok(AF.isJoined(tree, 4) && !AF.isJoined(tree, 5));
    assert.strictEqual(block.threads[1].calls.n, 1);
    assert.strictEqual(AF.unpack(pack({...spec(), chart: undefined})).chart, null);
});

test('the other clock may be stored as a difference', () => {
    const other = spec();
    other.threads[0].calls.differences = true;
    other.threads[0].calls.entries[1].other = 57;
    const calls = AF.unpack(pack(other)).threads[0].calls;
    assert.deepStrictEqual(us(calls.inclusive[1]), [357, 300, 100, 50, 20, 10, 57]);
    assert.deepStrictEqual(us(calls.inclusive[0]), us(tree.inclusive[0]));
});

test('a block truncated anywhere is refused with a message', () => {
    const whole = pack(spec());
    for (let n = 0; n < whole.length; n++) {
        assert.throws(() => AF.unpack(whole.subarray(0, n)), /block/);
    }
    const wrong = spec();
    wrong.threads[0].calls.entries[1].label = 4;
    assert.throws(() => AF.unpack(pack(wrong)), /damaged/);
});

test('rectangles are at the times of calls, with gaps between blocks', () => {
    const layOut = (options) => {
        const {frames} = AF.layOutTree(tree, AF.measureOf(tree, AF.WALL), {zoom: 0, ...options});
        return Array.from({length: frames.n}, (_, i) => `${frames.row[i]} ${frames.node[i]} ` +
            `${frames.x0[i]}-${frames.x1[i]}${frames.nodes[i] > 0 ? ' x' + frames.nodes[i] : ''}`);
    };
    assert.deepStrictEqual(layOut({from: 0, to: 1000000, width: 1000}),
        ['0 1 10-900', '0 6 950-1000', '1 2 20-120', '1 4 150-200', '1 5 400-800', '2 3 30-80']);
    assert.deepStrictEqual(layOut({from: 100000, to: 200000, width: 100}),
        ['0 1 0-100', '1 2 0-20', '1 4 50-100']);
    // at 20 pixels: 2 and 4 are separate, each wide enough to be visible
    assert.deepStrictEqual(layOut({from: 0, to: 1000000, width: 20, narrow: 3}),
        ['0 1 0.2-18', '0 6 18.5-20 x1', '1 2 0.4-4 x5', '1 5 8-16']);
    assert.deepStrictEqual(layOut({from: 0, to: 1000000, width: 20, narrow: 0.6}).slice(2),
        ['1 2 0.4-2.4', '1 4 3-4', '1 5 8-16', '2 3 0.6-1.6']);
    assert.deepStrictEqual(layOut({from: 0, to: 1000000, width: 4, narrow: 0.3}).slice(2),
        ['1 2 0.08-0.48', '1 4 0.48-1.6 x3', '1 5 1.6-3.2', '2 3 0.12-1.62 x1']);
});

test('waiting is at the end of the longest gap between callees', () => {
    assert.deepStrictEqual(AF.callWaitSpan(tree, 5), [410000, 800000]);
    // 200 us self time: no callees from 200 to 400
    assert.deepStrictEqual(AF.callWaitSpan(tree, 1), [200000, 400000]);
    assert.strictEqual(AF.callWaitSpan(tree, 3), null);
});

test('merged calls of the whole range add up to it', () => {
    const merged = AF.mergeCalls(tree, 0, 1000000);
    assert.deepStrictEqual([...merged.label], [-1, 0, 1, 1, 3, 2, 1]);
    assert.deepStrictEqual([...merged.depth], [0, 1, 2, 3, 2, 2, 1]);
    assert.deepStrictEqual(us(merged.inclusive[0]), [940, 890, 100, 50, 20, 400, 50]);
    assert.deepStrictEqual(us(merged.self[1]), [0, 170, 50, 50, 20, 10, 50]);
    assert.deepStrictEqual([...merged.calls], [0, 1, 1, 1, 3, 1, 1]);
    assert.deepStrictEqual([...merged.unwinds], [[2, 1]]);
    assert.strictEqual(merged.start, undefined);
});

test('merged calls of a part count the time inside it', () => {
    const merged = AF.mergeCalls(tree, 70000, 500000);
    assert.deepStrictEqual([...merged.label], [-1, 0, 1, 1, 3, 2]);
    assert.deepStrictEqual(us(merged.inclusive[0]), [430, 430, 50, 10, 20, 100]);
    assert.deepStrictEqual(us(merged.self[0]), [0, 260, 40, 10, 20, 100]);
    const halves = [AF.mergeCalls(tree, 0, 333000), AF.mergeCalls(tree, 333000, 1000000)];
    assert.strictEqual(halves[0].inclusive[0][0] + halves[1].inclusive[0][0], 940000);
    assert.strictEqual(AF.mergeCalls(tree, 901000, 949000).n, 1);
});

test('siblings with one name are merged in order of the first', () => {
    const twice = spec();
    twice.threads[0].calls.entries = [
        {label: 1, start: 0, extent: 10}, {label: 0, start: 20, extent: 10, below: [
            {label: 2, start: 21, extent: 5}]},
        {label: 1, start: 40, extent: 20, below: [{label: 2, start: 41, extent: 2}]},
        {label: 0, start: 70, extent: 1},
    ];
    const calls = AF.unpack(pack(twice)).threads[0].calls;
    const merged = AF.mergeCalls(calls, 0, 1000000);
    assert.deepStrictEqual([...merged.label], [-1, 1, 2, 0, 2]);
    assert.deepStrictEqual([...merged.calls], [0, 2, 1, 2, 1]);
    assert.deepStrictEqual(us(merged.inclusive[0]), [41, 30, 2, 11, 5]);
});

test('totals by method count a method once per path', () => {
    const totals = AF.totalsOf([AF.mergeCalls(tree, 0, 1000000)], AF.WALL);
    assert.deepStrictEqual(totals.map(({label, self, total, calls}) =>
        [label, self / 1000, total / 1000, calls]),
    [[2, 400, 400, 1], [0, 370, 890, 1], [1, 150, 150, 3], [3, 20, 20, 3]]);
});

test('ticks do not overlap', () => {
    assert.strictEqual(AF.tickStep(1000e6, 1168, 84), 100e6);
    assert.strictEqual(AF.tickStep(1000e6, 300, 84), 500e6);
    assert.strictEqual(AF.tickStep(7, 1168, 84), 1);
    for (let length = 3; length < 1e12; length *= 1.7) {
        const step = AF.tickStep(length, 1168, 84);
        assert.ok(step * 1168 / length >= 84 && (step === 1 || step * 1168 / length <= 84 * 2.5));
        assert.match(String(step), /^[125]0*$/);
    }
});

test('times are exact', () => {
    for (const [ns, words] of [[0, '0 s'], [1, '1 ns'], [1500, '1.5 \u00b5s'], [200e6, '200 ms'],
        [1234567000, '1.234567 s'], [1000000001, '1.000000001 s'], [61e9, '61 s']]) {
        assert.strictEqual(AF.exact(ns), words);
    }
});

test('calls of a thread without CPU times have none', () => {
    const mixed = spec();
    mixed.threads.push({id: 3, name: 'track', lacks: 2, nodes: [{label: 0, self: [7]}], calls: {
        first: 0, last: 7, entries: [{label: 0, start: 0, extent: 7}, {label: 1, start: 8, extent: 9}],
    }});
    const {threads: [main, , {calls: track}]} = AF.unpack(pack(mixed));
    assert.deepStrictEqual(us(track.extent), [1000, 7, 9]);
    assert.strictEqual(track.inclusive[AF.CPU], null);
    assert.strictEqual(AF.callWaitSpan(track, 1), null);
    assert.ok(AF.callWaitSpan(main.calls, 1) !== null);
    const view = {block: {chart: {from: 0}}};
    assert.ok(!AF.callFacts(view, track, 1).some((fact) => /CPU|wait/.test(fact)));
    assert.ok(AF.callFacts(view, main.calls, 1).some((fact) => /^CPU/.test(fact)));
    const part = AF.mergeCalls(track, 0, 1e6);
    assert.deepStrictEqual([part.clocks, part.inclusive[AF.CPU]], [1, null]);
});
