import test from 'node:test';
import assert from 'node:assert';
import {load} from './block.js';

const AF = await load();
// ASCII letters are half an em wide, all others one em
const ruler = AF.newRuler(1000, new Array(95).fill(500).concat(1000), (text) => [...text].length);
const fit = AF.newFitter(ruler, 1000);
const wide = (letters) => letters * 500;

test('labels shrink from the whole name to the method', () => {
    const name = 'com.app.Main.onCreate';
    assert.strictEqual(fit(name, wide(21)), name);
    assert.strictEqual(fit(name, wide(20)), 'Main.onCreate');
    assert.strictEqual(fit(name, wide(12)), 'onCreate');
    assert.strictEqual(fit(name, wide(7)), null);
});

test('arguments are dropped before the class', () => {
    assert.deepStrictEqual(AF.listForms('a.b.C.m(int, x.Y)'),
        ['a.b.C.m(int, x.Y)', 'C.m(int, x.Y)', 'C.m', 'm']);
});

test('a constructor shrinks to its class', () => {
    assert.deepStrictEqual(AF.listForms('a.b.C.<init>'), ['a.b.C.<init>', 'C.<init>', 'C']);
    assert.deepStrictEqual(AF.listForms('a.b.C.<clinit>'), ['a.b.C.<clinit>', 'C.<clinit>', 'C']);
});

test('names that are not methods have one form', () => {
    for (const name of ['0x1f2 [unknown]', 'run', '.', 'a.', '', 'SyS_write.cfi', 'libc.so[+1a2]',
        'std::map<int, a.b>::at(int)', 'clone.part.0', 'a b.c.d', 'GET https://a.b.c/d.png',
        '/lib/x86/Libc.so']) {
        assert.deepStrictEqual(AF.listForms(name), [name]);
    }
});

test('long methods keep both ends if seven letters fit', () => {
    const name = 'C.abcdefghijklmnopqrstuvwxyz';
    // each piece may be rounded up by one: 1000 + n * 501
    assert.strictEqual(fit(name, 1000 + 8 * 501), 'abcde\u2026xyz');
    assert.strictEqual(fit(name, 1000 + 7 * 501), 'abcd\u2026xyz');
    assert.strictEqual(fit(name, 1000 + 7 * 501 - 1), null);
});

test('a label is never wider than its box', () => {
    const names = ['com.app.Main$1.onCreateViewHolder', 'a.B.\u00e9\u00e8\u4f60\u597d\u4e16\u754c',
        'x.\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00.y',
        'averyveryveryverylongnamewithoutanydot'];
    for (const name of names) {
        for (let width = 0; width < 20000; width += 37) {
            const text = fit(name, width);
            assert.ok(text === null || AF.advanceOf(ruler, text, 1000) <= width, `${name} ${width}`);
        }
    }
});

test('grapheme clusters are not split', () => {
    assert.deepStrictEqual(AF.splitClusters('e\u0301x'), ['e\u0301', 'x']);
    const family = '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67';
    assert.deepStrictEqual(AF.splitClusters(family + 'a'), [family, 'a']);
});

test('other texts lose their end', () => {
    assert.strictEqual(AF.fitText(ruler, 'Binder thread', 1000, wide(13)), 'Binder thread');
    assert.strictEqual(AF.fitText(ruler, 'Binder thread', 1000, 1000 + 7 * 501), 'Binder\u2026');
    assert.strictEqual(AF.fitText(ruler, 'Binder thread', 1000, 1000 + 2 * 501), null);
});

test('numbers follow a name only if none of its letters are cut for them', () => {
    const tree = {n: 2, clocks: 1, depth: [0, 1], label: [0, 0],
        inclusive: [[4e6, 1e6], null], self: [[3e6, 1e6], null]};
    const view = {state: {clock: AF.WALL}, page: {ruler}, fitter: AF.newFitter(ruler, 1150),
        block: {labels: {text: ['a.B.populate']}}};
    const fitOne = (letters) => AF.PanelLayout.prototype.fitLabel.call({view, tree, base: tree,
        addNumbers: AF.PanelLayout.prototype.addNumbers}, 1, letters * 575 + 1);
    assert.strictEqual(fitOne(33), 'a.B.populate\u20021.00 ms \u00b7 25.0 %');
    assert.strictEqual(fitOne(24), 'a.B.populate\u20021.00 ms');
    assert.strictEqual(fitOne(12), 'a.B.populate');
    assert.strictEqual(fitOne(11), 'B.populate');
    assert.strictEqual(fitOne(8), 'populate');
    assert.strictEqual(fitOne(7), null);
});
