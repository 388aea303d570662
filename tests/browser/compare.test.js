// The picture of a comparison: sides, changes, and the search among them.
'use strict';
const assert = require('node:assert');
const {open, openBoth, test, testIn} = require('./browser.js');

const MS = 1e6;

const side = (picture, word) => picture.page.evaluate((name) =>
    [...document.querySelectorAll('.af-group button')].find((one) => one.textContent === name)
        .click(), word);

// The width of a frame in ms, from its share of its thread.
async function msOf(picture, name) {
    const {bar, width, whole} = await picture.page.evaluate((wanted) => {
        const {view} = globalThis.AF;
        const panel = view.open[0];
        for (let node = 1; node < panel.tree.n; node++) {
            if (view.labels.text[panel.tree.label[node]] === wanted) {
                const {frames} = panel.layout;
                const i = globalThis.AF.frameOf(panel.layout, panel.tree, panel.measure, node,
                    panel.options);
                return {bar: i < 0 ? null : frames.x1[i] - frames.x0[i], width: view.width,
                    whole: panel.measure.weight[0]};
            }
        }
        return {};
    }, `com.example.${name}`);
    return bar === null ? null : Math.round(bar / width * whole / MS * 10) / 10;
}

// The parts drawn over frames: {paint, ms}.
const partsOf = (picture) => picture.page.evaluate(() => {
    const panel = globalThis.AF.view.open[0];
    const {width} = globalThis.AF.view;
    return panel.shapes.waits.items.map((item) => ({
        paint: item.class,
        name: globalThis.AF.view.labels.text[panel.tree.label[panel.layout.frames.node[item.frame]]],
        ms: Math.round((item.width + 2 * item.edge) / width * panel.measure.weight[0] / 1e5) / 10,
    }));
});

testIn('compare', 'widths show the union, a side, or the changes', async (picture) => {

    const expected = {
        union: [['Work.slow', 75], ['Row.measure', 35], ['Old.migrate', 9], ['Flags.load', 7]],
        before: [['Work.slow', 55], ['Row.measure', 7], ['Old.migrate', 9], ['Flags.load', null]],
        after: [['Work.slow', 70], ['Row.measure', 35], ['Old.migrate', null], ['Flags.load', 7]],
        'changes only': [['Work.slow', 25], ['Row.measure', 28], ['Old.migrate', 9],
            ['Flags.load', 7], ['Same.work', null]],
    };
    for (const [word, frames] of Object.entries(expected)) {
        await side(picture, word);
        await picture.rest();
        for (const [name, ms] of frames) {
            const found = await msOf(picture, name);
            assert.ok(found === ms || Math.abs(found - ms) <= 0.3, `${word} ${name}: ${found}`);
        }
        const [union, before, after] = [word === 'union', word === 'before', word === 'after'];
        const parts = (await partsOf(picture)).filter(({name}) => name.endsWith('Work.slow'));
        const wanted = [...(before ? [] : [['G', 20]]), ...(after ? [] : [['hS', 5]])];
        assert.deepStrictEqual(parts.map(({paint, ms}) => [paint.split(' ')[0], Math.round(ms)]),
            wanted, `${word}${union}`);
    }
    assert.strictEqual(await picture.hash(), '#c=changes');
    await picture.shot('compare-changes');
});

testIn('compare', 'the keys lead from change to change by size, and w switches the sides',
    async (picture) => {
        const shown = [];
        for (let i = 0; i < 10; i++) {
            await picture.press(']');
            shown.push(await picture.text('.af-name'));
        }
        const names = ['Row.measure', 'Work.slow', 'Watch.run', 'Traced.decode', 'Image.decode',
            'Old.migrate', 'Watch.run', 'Flags.load', 'Work.read', 'Row.measure'];
        names.forEach((name, i) => assert.ok(shown[i].startsWith(`com.example.${name}`),
            `${shown[i]} instead of ${name}`));
        await picture.press('[');
        assert.match(await picture.text('.af-name'), /Work\.read/);
        assert.match(await picture.text('.af-status'), /^Change 9 of 9: -5\.00 ms$/);
        await picture.press('k');
        assert.strictEqual(await picture.hash(), '#c=before');
        await picture.press('k', 'k', 'k');
        assert.strictEqual(await picture.hash(), '');
    });

testIn('compare', 'a change that the side lacks is shown in the union',
    {hash: '#c=before'}, async (picture) => {
        for (let i = 0; i < 4; i++) {
            await picture.press(']');
        }
        assert.match(await picture.text('.af-name'), /Traced\.decode/);
        assert.strictEqual(await picture.hash(), '');
        assert.match(await picture.focused(), /Traced\.decode, 10\.2 ms in both sides/);
    });

testIn('compare', 'details have the numbers of both sides; o leads to the other position',
    async (picture) => {
        await picture.hover('com.example.Work.slow');
        assert.match((await picture.details()).facts, new RegExp('^before 55\\.0 ms \\(self 40\\.0 ms\\), ' +
            '1 call · after 70\\.0 ms \\(self 60\\.0 ms\\), 1 call · \\+15\\.0 ms \\(\\+27\\.3 %\\), ' +
            'uncertain · grown 20\\.0 ms, shrunk 5\\.00 ms · '));
        await picture.hover('com.example.Flags.load');
        assert.match((await picture.details()).facts, /^before none · after 7\.00 ms .*, uncertain · /);
        await picture.press(']', ']', ']', ']', ']');
        const {facts} = await picture.details();
        assert.match(facts, new RegExp('moved, after 10\\.0 ms \\(self 1\\.00 ms\\), 1 call, called by ' +
            'com\\.example\\.Traced\\.decode: equal; o shows it there'));
        await picture.press('o');
        assert.match((await picture.details()).facts,
            /moved, before 10\.0 ms .* called by com\.example\.App\.onCreate: equal; o shows/);
        assert.match(await picture.text('.af-status'), /Change 5/);
    });

test('several runs tell facts and changed times; one run tells neither', async () => {
    await open('compare-runs', async (picture, page) => {
        await picture.hover('com.example.Flags.load');
        assert.match((await picture.details()).facts, /, new, a fact · /);
        await picture.hover('com.example.Work.slow');
        assert.match((await picture.details()).facts, /\(\+27\.3 %\), changed · /);
        assert.match(await picture.text('#head'), /3 and 3 runs: .* it is gone/s);
        const labels = await page.locator('svg text').allTextContents();
        assert.ok(labels.some((label) => /Work\.slow \+15\.0 ms \(\+27\.3 %\)$/.test(label)));
    });
    await open('compare', async (picture, page) => {
        const labels = await page.locator('svg text').allTextContents();
        assert.ok(labels.some((label) => /Work\.slow \+15\.0 ms \(\+27\.3 %\)\?$/.test(label)));
        assert.match(await picture.text('#head'), /perhaps 28\.0 ms more/);
    });
});

testIn('compare', 'c shows the callers and callees of a method on both sides, and back',
    async (picture, page) => {
        const rows = () => page.evaluate(() => {
            const {view} = globalThis.AF;
            const {tree} = view.open[0];
            const {inclusive, self, grown, shrunk, calls, present} = tree.sides;
            return Array.from({length: tree.n - 1}, (_, i) => i + 1).map((i) =>
                [view.labels.text[tree.label[i]].replace('com.example.', ''),
                    ...[...inclusive, self[1], self[2], grown, shrunk].map((times) => times[i] / 1e6),
                    calls[0][i], calls[1][i], present[i]].join(' '));
        });
        await picture.click('com.example.Image.decode');
        await picture.press('c');
        await picture.rest();
        assert.match(await picture.hash(), /v=sandwich/);
        // widths of union, before, after, changes; self before, after; grown, shrunk; calls; sides
        assert.deepStrictEqual(await rows(), [
            'Image.decode 20 10 10 20 1 1 10 10 1 1 3',
            'Traced.decode 10 0 10 10 0 0 10 0 0 1 2',
            'App.onCreate 10 0 10 10 0 0 10 0 0 1 2',
            'App.onCreate 10 10 0 10 0 0 0 10 1 0 1',
            'Image.block 18 9 9 18 9 9 9 9 1 1 3',
        ]);
        assert.match(await picture.text('#thread-1'), /callers and callees of .*Image\.decode/);
        assert.match(await picture.text('#thread-2'), /never calls .*Image\.decode/);
        await picture.shot('compare-sandwich');
        await side(picture, 'before');
        await picture.rest();
        assert.match(await picture.hash(), /c=before/);
        assert.match(await picture.text('.af-range'), /Row\.measure6\.00 ms[\d.]+ %7\.00 ms2/);
        await picture.hover('com.example.Image.block');
        assert.match((await picture.details()).facts,
            /before 9\.00 ms \(self 9\.00 ms\), 1 call · after 9\.00 ms/);
        await picture.press(']');
        assert.match(await picture.text('.af-name'), /Row\.measure/);
        assert.doesNotMatch(await picture.hash(), /v=sandwich/);
        await picture.press('c');
        assert.match(await picture.hash(), /v=sandwich/);
        await picture.press('c');
        assert.doesNotMatch(await picture.hash(), /v=sandwich/);
    });

testIn('compare', 'the search can be restricted to changed frames', async (picture) => {
    await picture.search('work');
    assert.match(await picture.found(), / · 3 matches$/);
    await picture.press('Escape', 'u');
    await picture.search('work');
    assert.match(await picture.found(), / · 2 matches$/);
    await picture.press('Enter', 'Enter');
    assert.match(await picture.found(), / · 2 of 2$/);
    const hits = (await picture.bars()).filter(({hit}) => hit).map(({spoken}) =>
        spoken.split(',')[0]).sort();
    assert.deepStrictEqual(hits, ['com.example.Work.read', 'com.example.Work.slow']);
});

testIn('compare', 'threads of one side and unchanged ones are listed and open',
    async (picture, page) => {
        const names = (await page.evaluate(() => globalThis.AF.view.panels.map((panel) =>
            [panel.thread.title, panel.open]))).map(([name, isOpen]) => name + (isOpen ? ' open' : ''));
        assert.deepStrictEqual(names, ['main open', 'Watch open', 'Old watch open', 'pool-#-thread-#']);
        assert.match(await picture.text('#foot'), /1 thread unchanged: ?pool-#-thread-# \(30\.0 ms\)/);
        await page.locator('#foot .button.thread').click();
        await picture.rest();
        assert.match(await picture.text('#thread-4'), /30\.0 ms → 30\.0 ms/);
        assert.match(await picture.text('#thread-2'), /only in after/);
    });

test('the footer has the same words without the script, and frames of the idle category dots', async () => {
    const [still, live] = await openBoth('compare-idle', {}, async (picture, page) => {
        assert.match(await picture.text('#head'), /idle \+2\.00 ms/);
        const dots = await page.locator('.tQ').evaluateAll((paths) => paths.map((path) =>
            path.getAttribute('d') ?? '').filter((d) => d !== ''));
        assert.ok(dots.length > 1); // in the legend and on frames
        return (await page.locator('#foot text').allTextContents()).join(' ');
    });
    assert.strictEqual(live, still);
    assert.match(still, /1 thread within noise: Timer \(\+1\.00 ms\)/);
    assert.match(still, /1 thread unchanged: Same \(9\.00 ms\)/);
    assert.match(still, /\d+ frames too narrow to draw separately: [\d.]+ .s \(/);
});

testIn('compare', 'buttons do what keys do, with fingers too',
    {touch: true, mobile: true, size: [420, 800]}, async (picture, page) => {
        const tap = async (label) => {
            await page.locator(`[aria-label="${label}"]`).tap();
            await picture.settle();
        };
        await tap('next change');
        assert.match(await picture.text('.af-name'), /Row\.measure/);
        await tap('next change');
        assert.match(await picture.text('.af-name'), /Work\.slow/);
        await tap('previous change');
        assert.match(await picture.text('.af-name'), /Row\.measure/);
        await side(picture, 'after');
        assert.strictEqual(await picture.hash(), '#c=after');
        await picture.shot('compare-phone');
    });

testIn('compare', 'zoomed frames keep their parts, and a link restores them',
    async (picture) => {
        await picture.click('com.example.Work.slow');
        const hash = await picture.hash();
        assert.match(hash, /^#z=[0-9a-f]{8}$/);
        const parts = await partsOf(picture);
        const [slow] = parts.filter(({name, paint}) => name.endsWith('Work.slow') && paint === 'G');
        assert.ok(Math.abs(slow.ms - 20 * await picture.page.evaluate(() => {
            const panel = globalThis.AF.view.open[0];
            return panel.measure.weight[0] / panel.measure.weight[panel.zoom];
        })) < 1, `${slow.ms}`);
        await open('compare', {hash}, async (other) => {
            assert.deepStrictEqual(await partsOf(other), parts);
        });
    });

testIn('compare-noise', 'what is within noise is pale, and no change', async (picture) => {
    const parts = await partsOf(picture);
    const paints = (name) => parts.filter((part) => part.name === `com.example.${name}`)
        .map(({paint}) => paint);
    assert.deepStrictEqual(paints('Work.slow'), ['W tG', 'hK tS']);
    assert.deepStrictEqual(paints('Row.measure'), ['G']);
    assert.match(await picture.text('#head'), /\? marks differences of at least 16\.0 ms/);
    await picture.press(']', ']');
    assert.match(await picture.text('.af-name'), /Row\.measure/);
    assert.match(await picture.text('.af-status'), /^Change 1 of 1/);
    await picture.press('?');
    const keys = await picture.text('.af-help');
    assert.match(keys, /next and previous change, by size/);
    assert.match(keys, /callers and callees of this method/);
    assert.doesNotMatch(keys, /wall, CPU/);
});
