import test from 'node:test';
import assert from 'node:assert';
import {load} from './block.js';

const AF = await load();

test('times have three or four significant digits', () => {
    const times = [[0, '0'], [999, '999 ns'], [1000, '1 \u00b5s'], [1500, '1.5 \u00b5s'],
        [99900, '99.9 \u00b5s'], [123456, '123 \u00b5s'], [999499, '999 \u00b5s'],
        [999500, '1.00 ms'], [1505000, '1.51 ms'], [9994999, '9.99 ms'], [320900000, '320.9 ms'],
        [999950000, '1.00 s'], [15310000000, '15.31 s'], [123456000000, '123.5 s'],
        [4295000000000, '71 min 35 s']];
    for (const [ns, words] of times) {
        assert.strictEqual(AF.timeText(ns), words);
    }
});

test('counts have commas, shares one decimal', () => {
    assert.strictEqual(AF.countText(0), '0');
    assert.strictEqual(AF.countText(31031), '31,031');
    assert.strictEqual(AF.countText(1234567), '1,234,567');
    assert.strictEqual(AF.shareText(292, 1000), '29.2 %');
    assert.strictEqual(AF.shareText(1, 1e6), '<0.1 %');
    assert.strictEqual(AF.shareText(5, 0), '0 %');
});

test('counts are never shown as times', () => {
    AF.wording.unit = {name: 'cycles', singular: 'cycle', digits: 0};
    const amounts = [[0, '0 cycles'], [1, '1 cycle'], [999499, '999,499 cycles'],
        [999500, '1.00 M cycles'], [12345678, '12.3 M cycles'], [123456789012, '123 G cycles']];
    for (const [n, words] of amounts) {
        assert.strictEqual(AF.timeText(n), words);
    }
    assert.strictEqual(AF.clockSuffix(AF.WALL), '');
    AF.wording.unit = {name: 'samples', singular: 'sample', digits: 3};
    assert.strictEqual(AF.timeText(2750), '2.75 samples');
    assert.strictEqual(AF.timeText(1000), '1 sample');
    AF.wording.unit = {name: '', singular: '', digits: 0}; // ns of an unknown clock
    assert.strictEqual(AF.timeText(1500), '1.5 \u00b5s');
    assert.strictEqual(AF.clockSuffix(AF.WALL), '');
    AF.wording.unit = null;
    assert.strictEqual(AF.clockSuffix(AF.CPU), ' CPU');
});
