// Charts: single calls in time order.
'use strict';
const assert = require('node:assert');
const {folder, open, read, readFolded, test, testIn} = require('./browser.js');
const fs = require('node:fs');
const path = require('node:path');

const CREATE = 'com.example.recipes.MainActivity.onCreate';
const MS = 1e6;

const window = (picture) => picture.page.evaluate(() => AF.view.chart.window);
const length = ({from, to}) => to - from;

// The labels of the ruler, from left to right.
const ticks = (picture) => picture.page.evaluate(() =>
    [...document.querySelectorAll('#ruler text.M')].map((text) => text.textContent));

// The screen position of a time.
const pixel = (picture, ms) => picture.page.evaluate((ns) => {
    const {ruler} = AF.view.chart;
    const box = ruler.element.getBoundingClientRect();
    return {x: box.left + 16 + ruler.xOf(ns), y: box.top + 12};
}, ms * MS);

async function dragRuler(picture, from, to) {
    const a = await pixel(picture, from);
    const b = await pixel(picture, to);
    const {mouse} = picture.page;
    await mouse.move(a.x, a.y);
    await mouse.down();
    await mouse.move((a.x + b.x) / 2, a.y + 1);
    await mouse.move(b.x, a.y);
    await mouse.up();
    await picture.settle();
}

testIn('chart-empty', 'a chart of nothing has no ruler, and keys do nothing',
    async (picture, page) => {
        for (const key of 'wsadr0tecfzbnmu') {
            await picture.press(key);
        }
        assert.strictEqual(await page.locator('#ruler').count(), 0);
        assert.strictEqual(await page.locator('#head rect').count(), 0);
        await picture.press('g', 'g');
        assert.strictEqual(await page.locator('#ruler').count(), 0);
    });

test('details tell the waiting for a processor, and who ended the longest sleep', async () => {
    for (const [name, own, more] of [
        ['waits', / · waiting 5\.5 µs, 2\.5 µs of it for a processor · 1 call · /, null],
        ['chart-waits', / · waiting 5\.5 µs, 2\.5 µs of it for a processor · /,
            / · longest sleep ended by worker \(101\) · depth 1 · /],
    ]) {
        await open(name, async (picture) => {
            await picture.hover('outer');
            const {facts} = await picture.details();
            assert.match(facts, own);
            assert.match(facts, more ?? own);
            await picture.hover('inner');
            assert.match((await picture.details()).facts, /waiting 5 µs, 2 µs of it for a processor/);
            await picture.hover('last'); // an interrupt ended its sleep
            const last = (await picture.details()).facts;
            assert.match(last, /waiting 5\.1 µs, 100 ns of it for a processor/);
            assert.ok(!last.includes('ended by'));
        });
    }
    await open('waits', async (picture) => {
        await picture.hover('inner');
        await picture.click('inner');
        await picture.press('c');
        assert.match(await picture.hash(), /v=sandwich/);
        await picture.hover('outer'); // its caller
        assert.match((await picture.details()).facts, /waiting 5 µs, 2 µs of it for a processor/);
    });
    await open('chart', async (picture) => { // a method trace does not tell
        await picture.hover(CREATE);
        assert.ok(!(await picture.details()).facts.includes('processor'));
    });
});

// The screen position of a time in the band of the scheduler of the first track.
const bandPixel = (picture, us) => picture.page.evaluate((ns) => {
    const {chart, open: [panel], page} = AF.view;
    const box = page.svg.getBoundingClientRect();
    return {
        x: box.left + 16 + chart.ruler.xOf(ns),
        y: box.top + panel.top + panel.graphTop - panel.bracketsHeight - panel.runsHeight / 2,
    };
}, us * 1000);

testIn('chart-waits', 'a band tells what the scheduler did with a thread',
    async (picture, page) => {
        for (const [us, name, facts] of [
            [1, 'running', /^from 0 s to 1\.9 µs · 1\.9 µs$/],
            [3, 'blocked', /^from 1\.9 µs to 4\.9 µs · 3 µs$/],
            [6, 'runnable, without a processor', /^from 4\.9 µs to 6\.9 µs · 2 µs$/],
        ]) {
            const at = await bandPixel(picture, us);
            await page.mouse.move(at.x, at.y);
            const details = await picture.details();
            assert.strictEqual(details.name, name);
            assert.match(details.facts, facts);
        }
        const bands = await page.evaluate(() =>
            [...document.querySelectorAll('.runs')].map((one) => one.getAttribute('aria-label')));
        assert.deepStrictEqual(bands, ['running 5.3 µs, runnable 2.6 µs, blocked 8 µs']);
        const legend = await page.evaluate(() => AF.view.page.legend(AF.view).keys
            .map(({text}) => text));
        assert.ok(legend.includes('runnable, without a processor'));
        await picture.press('g'); // the graph has none
        assert.strictEqual(await page.evaluate(() => document.querySelectorAll('.runs').length), 0);
    });

testIn('chart-heap', 'a chart of a heap has dots for its dumps', async (picture, page) => {
    const at = await page.evaluate(() => {
        const box = document.querySelector('.panel .dot, .dot').getBoundingClientRect();
        return {x: box.left + 2, y: box.top + 2};
    });
    await page.mouse.move(at.x, at.y);
    assert.deepStrictEqual(await picture.details(), {name: 'dump 1', facts: 'at 900 ns'});
    const drawn = await page.evaluate(() => ({
        dots: document.querySelectorAll('.dot').length,
        areas: AF.view.chart.markers.areas.length,
        text: [...document.querySelectorAll('svg text')].map((one) => one.textContent).join(),
    }));
    assert.strictEqual(drawn.dots, 2);
    assert.strictEqual(drawn.areas, 0);
    assert.ok(drawn.text.includes('1 more counter (1 constant, 0 of other processes)'));
    assert.ok(!drawn.text.includes('Nothing to draw'));
});

testIn('chart-waits', 'the graph of a range tells the waiting for a processor',
    async (picture, page) => {
        const graph = (from, to) => page.evaluate(([a, b]) => {
            AF.view.chart.showGraphOf(a === null ? null : {from: a, to: b});
            const {tree} = AF.view.open[0];
            return Object.fromEntries(Array.from({length: tree.n - 1}, (_, i) =>
                [AF.view.labels.text[tree.label[i + 1]], AF.runnableOf(tree, i + 1)]));
        }, [from, to]);
        const whole = await graph(null, null);
        assert.deepStrictEqual(whole, {outer: 2500, inner: 2000, last: 100});
        const part = await graph(0, 9900); // both calls as a whole, without the last one
        assert.deepStrictEqual(part, {outer: 2500, inner: 2000});
        const half = await graph(0, 5000);
        assert.ok(half.outer >= half.inner && half.inner > 0 && half.outer < 2500);
    });

testIn('chart', 'details have the times and costs of a call; a click pins them, another click zooms',
    async (picture, page) => {
        await picture.hover(CREATE);
        const {name, facts} = await picture.details();
        assert.match(name, /^com\.example\.recipes\.MainActivity\.onCreate\(/);
        assert.match(facts, /^from 285\.137 ms to 446\.064 ms · wall 160\.9 ms \(self .*\) · /);
        assert.match(facts, /CPU 156\.1 ms \(self .*\) · waiting 4\.83 ms · depth 15 · /);
        assert.match(facts, /14\.\d % of thread/);
        await picture.click(CREATE);
        assert.strictEqual(await picture.hash(), '');
        await page.mouse.move(5, 500);
        assert.match((await picture.details()).name, /MainActivity\.onCreate/);
        await picture.click(CREATE);
        assert.strictEqual(await picture.hash(), '#r=285137000-446064000');
        assert.ok((await picture.bar(CREATE)).width > 1160);
        // all tracks show the same time
        const others = await page.evaluate(() => AF.view.panels.map((panel) => panel.window));
        assert.ok(others.every(({from, to}) => from === 285137000 && to === 446064000));
        assert.strictEqual((await ticks(picture))[0], '300 ms');
        await picture.press('Escape');
        assert.strictEqual(await picture.hash(), '');
        await picture.press('f');
        assert.strictEqual(await picture.hash(), '#r=285137000-446064000');
        await picture.press('0');
        assert.strictEqual(await picture.hash(), '');
    });

testIn('chart', 'keys zoom around the pointer, up to the whole trace and down to 100 ns', async (picture, page) => {
    const all = await window(picture);
    const at = await pixel(picture, 400);
    await page.mouse.move(at.x, 300);
    await picture.press('w', 'w', 'w');
    const near = await window(picture);
    assert.ok(length(near) < length(all) / 2.5);
    assert.ok(Math.abs((await pixel(picture, 400)).x - at.x) < 1, 'the position under the pointer stays');
    await picture.press('s', 's', 's', 's', 'a', 'd');
    assert.deepStrictEqual(await window(picture), all);
    for (let i = 0; i < 80; i++) {
        await page.keyboard.press('w');
    }
    await picture.settle();
    assert.ok(length(await window(picture)) >= 99);
    assert.ok((await ticks(picture)).length > 1);
});

testIn('chart', 'the wheel zooms, dragging pans, tracks keep their height',
    async (picture, page) => {
        const tops = () => page.evaluate(() => AF.view.panels.map((panel) => panel.top));
        const before = await tops();
        await page.mouse.move(600, 300);
        await page.keyboard.down('Control');
        for (let i = 0; i < 4; i++) {
            await page.mouse.wheel(0, -120);
            await picture.settle();
        }
        await page.keyboard.up('Control');
        const near = await window(picture);
        assert.ok(length(near) < 700 * MS);
        assert.ok((await tops()).every((top, i) => top >= before[i]));
        await page.mouse.down();
        await page.mouse.move(500, 300);
        await page.mouse.move(400, 300);
        await page.mouse.up();
        await picture.settle();
        const moved = await window(picture);
        assert.ok(moved.from > near.from && Math.abs(length(moved) - length(near)) < 1);
        assert.strictEqual(await page.evaluate(() => AF.view.chart.range.selected), null);
        await page.getByRole('button', {name: 'Reset zoom'}).click();
        assert.strictEqual(await picture.hash(), '');
    });

testIn('chart', 'search goes from the longest call to the shortest', async (picture, page) => {
    await picture.search('Looper.loopOnce');
    const count = Number(/(\d+) matches/.exec(await picture.found())[1]);
    await picture.press('Enter', 'Escape');
    const starts = [];
    const extents = [];
    for (let i = 0; i < count; i++) {
        starts.push(await page.evaluate(() => {
            const {active, chart} = AF.view;
            const {from, to} = chart.window;
            const at = active.tree.start[active.focused];
            if (at < from || at + active.tree.extent[active.focused] > to) {
                throw new Error('not on the screen');
            }
            return at;
        }));
        extents.push(await page.evaluate(() => AF.view.active.tree.extent[AF.view.active.focused]));
        assert.match(await picture.found(), new RegExp(`${i + 1} of ${count}$`));
        await picture.press('n');
    }
    assert.deepStrictEqual(extents, [...extents].sort((a, b) => b - a));
    assert.ok(new Set(starts).size === count && count > 5);
    assert.match(await picture.found(), new RegExp(`1 of ${count}$`));
    await picture.press('N');
    assert.match(await picture.found(), new RegExp(`${count} of ${count}$`));
    assert.ok((await picture.bars()).some((bar) => bar.hit));
});

testIn('chart', 'a range has its totals by method', async (picture, page) => {
    await dragRuler(picture, 200, 300);
    const head = await picture.text('.af-range .af-rail-head strong');
    assert.match(head, /^(99|100|101)\.\d ms: /);
    assert.strictEqual(await picture.hash(), '', 'the chart stays');
    const rows = await page.evaluate(() => [...document.querySelectorAll('.af-range tbody tr')]
        .map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.ok(rows.length > 20);
    assert.ok(rows[0][0].length > 0 && rows[0].length === 5);
    const box = await page.evaluate(() => {
        const at = document.querySelector('.range').getBoundingClientRect();
        return {left: at.left, right: at.right, height: at.height};
    });
    const [a, b] = [await pixel(picture, 200), await pixel(picture, 300)];
    assert.ok(Math.abs(box.left - a.x) < 2 && Math.abs(box.right - b.x) < 2 && box.height > 500);
    await picture.shot('chart-range');
    // Escape only closes it
    await picture.press('Escape');
    assert.strictEqual(await page.evaluate(() => document.querySelector('.af-range').hidden), true);
    // with Shift, dragging works anywhere
    await page.keyboard.down('Shift');
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(350, 302);
    await page.mouse.move(400, 300);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await picture.settle();
    assert.strictEqual(await page.evaluate(() => document.querySelector('.af-range').hidden), false);
    const range = await page.evaluate(() => AF.view.chart.range.selected);
    await page.getByRole('button', {name: 'Zoom in'}).click();
    const visible = await window(picture);
    assert.deepStrictEqual(visible, range);
    // r: the totals of the visible range
    await picture.press('r');
    const all = await page.evaluate(() => AF.view.chart.range.selected);
    assert.ok(Math.abs(all.from - visible.from) < MS / 2 && Math.abs(all.to - visible.to) < MS / 2);
    const name = await page.evaluate(() => {
        const find = document.querySelector('.af-range tbody button');
        find.click();
        return find.textContent;
    });
    assert.strictEqual(await picture.typed(), name);
    assert.ok((await picture.bars()).some((bar) => bar.hit));
});

testIn('chart', 'the graph of a range has the same times as convert', async (picture, page) => {
    const expected = readFolded('sample.part');
    const visible = await page.evaluate(() => {
        const sums = [];
        const {view} = AF;
        for (const {thread} of view.panels) {
            const tree = AF.mergeCalls(thread.calls, 200e6, 300e6);
            const paths = [thread.title];
            for (let i = 1; i < tree.n; i++) {
                paths[i] = `${paths[tree.parent[i]]};${view.labels.text[tree.label[i]]}`;
                const us = Math.floor(tree.self[AF.WALL][i] / 1000);
                if (us > 0) {
                    sums.push([paths[i], us]);
                }
            }
        }
        return sums;
    });
    assert.ok(expected.size > 20);
    assert.deepStrictEqual(visible.sort(), [...expected].sort());
});

testIn('chart', 'g merges the selected range, not the visible time', async (picture, page) => {
    await dragRuler(picture, 200, 300);
    const selected = await page.evaluate(() => AF.view.chart.range.selected);
    await picture.press('g');
    const graph = await page.evaluate(() => {
        const {state, panels, chart} = AF.view;
        const {from, to} = state.range;
        return {view: state.view, range: {from, to}, isOn: chart.isOn,
            hidden: document.querySelector('.af-range').hidden,
            times: panels.map((panel) => [AF.timeOf(panel.base, 0, AF.WALL),
                AF.timeOf(AF.mergeCalls(panel.thread.calls, from, to), 0, AF.WALL)])};
    });
    assert.deepStrictEqual(graph.range, selected);
    assert.ok(graph.view === 'flame' && !graph.isOn && graph.hidden);
    for (const [drawn, merged] of graph.times) {
        assert.ok(drawn === merged && drawn <= selected.to - selected.from, `${drawn} ${merged}`);
    }
    assert.ok(graph.times.some(([drawn]) => drawn > 50 * MS));
    assert.match(await picture.hash(), /^#r=\d+-\d+&v=flame$|^#v=flame&r=\d+-\d+$/);
    assert.match(await picture.text('#head'), /only (199|200|201)[.\d]* ms to (299|300|301)/);
    const link = await picture.hash();
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName('aflame-ready').length > 0);
    assert.strictEqual(await picture.hash(), link);
    await picture.press('g');
    assert.ok(await page.evaluate(() => AF.view.chart.isOn));
});

testIn('chart', 'from the chart to the graph of the visible range, and back',
    async (picture, page) => {
        await picture.press('g');
        assert.strictEqual(await picture.hash(), '#v=flame');
        const whole = await page.evaluate(() => AF.view.panels.every((panel) =>
            panel.tree === panel.thread.tree));
        assert.ok(whole, 'the exact trees of the whole time');
        await picture.press('g');
        assert.strictEqual(await picture.hash(), '');
        await picture.click(CREATE);
        await picture.press('f', 'g');
        assert.strictEqual(await picture.hash(), '#v=flame&r=285137000-446064000');
        assert.match(await picture.text('#head'), /only 285\.1 ms to 446\.1 ms/);
        assert.ok((await picture.bar(CREATE)).width > 1150);
        const thread = await page.evaluate(() => AF.view.panels[0].base.inclusive[0][0]);
        assert.ok(Math.abs(thread - 160.927 * MS) < 1000);
        await picture.press('Escape');
        assert.strictEqual(await picture.hash(), '#r=285137000-446064000');
        await page.getByRole('button', {name: 'icicle'}).click();
        assert.strictEqual(await picture.hash(), '#v=icicle&r=285137000-446064000');
        await page.getByRole('button', {name: 'Reset zoom'}).click();
        assert.strictEqual(await picture.hash(), '#v=icicle');
        await page.getByRole('button', {name: 'chart'}).click();
        assert.strictEqual(await picture.hash(), '');
        assert.ok((await ticks(picture)).length > 5);
        await picture.shot('chart-again');
    });

test('a link restores the time range', async () => {
    for (const hash of ['#r=200000000-300000000', '#v=flame&r=200000000-300000000',
        '#q=onCreate&r=250000000-260000000']) {
        await open('chart', {hash}, async (picture, page) => {
            assert.strictEqual(await picture.hash(), hash);
            const {chart, state} = await page.evaluate(() =>
                ({chart: AF.view.chart.span, state: AF.view.state}));
            const shown = state.view === 'chart' ? chart : state.range;
            assert.ok(hash.includes(`r=${shown.from}-${shown.to}`));
        });
    }
    for (const hash of ['#r=1-2', '#r=999999999999-9999999999999', '#r=x', '#v=chart&r=5-4']) {
        await open('chart', {hash}, async (picture) => {
            assert.ok((await ticks(picture)).length > 0);
        });
    }
    await open('folded', {hash: '#v=chart&r=1-200'}, async (picture, page) => {
        assert.strictEqual(await page.evaluate(() => AF.view.state.view), 'flame');
    });
});

testIn('chart', 'highlighted calls have brackets and are listed in headings; m highlights another method',
    async (picture, page) => {
        const brackets = () => page.evaluate(() =>
            document.querySelectorAll('.panel .over rect.I').length);
        const head = () => page.evaluate(() => AF.view.panels[0].head.textContent);
        assert.ok(await brackets() > 20);
        assert.match(await head(), /13 calls of onCreate highlighted: 443\.5 ms/);
        await picture.click('android.os.Looper.loop(');
        await picture.press('m');
        assert.strictEqual(await brackets(), 3, 'one call');
        assert.match(await picture.text('.af-status'), /^Highlighted 1 call of android\.os\.Looper\.loop/);
        assert.match(await head(), /1 call of .?android\.os\.Looper\.loop.? highlighted: [0-9.]+ m?s/);
        assert.doesNotMatch(await head(), /onCreate/);
        await picture.press('g');
        assert.doesNotMatch(await head(), /highlighted/);
        await picture.press('g', 'm');
        assert.ok(await brackets() > 20, 'and back');
        assert.match(await head(), /13 calls of onCreate highlighted: /);
    });

testIn('chart', 'the ruler stays visible', {size: [1000, 500]}, async (picture, page) => {
    await page.mouse.wheel(0, 700);
    await page.waitForFunction(() => scrollY > 600);
    await picture.settle();
    const position = await page.evaluate(() => {
        const tools = document.querySelector('.af-tools').getBoundingClientRect();
        const text = document.querySelector('#ruler text').getBoundingClientRect();
        const ruler = document.querySelector('#ruler').getBoundingClientRect();
        return {top: ruler.top, text: text.top - tools.bottom};
    });
    assert.ok(Math.abs(position.top) < 2, `${position.top}`);
    assert.ok(position.text >= 0 && position.text < 20, 'below the tools');
    await picture.shot('chart-scrolled');
});

testIn('chart-large', 'calls merged in the file are drawn and reported', async (picture, page) => {
    assert.match(await picture.text('#foot'), /calls shorter than .* are merged in the file/);
    const joined = await page.evaluate(() => {
        const {tree} = AF.view.panels[0];
        const at = tree.label.indexOf(tree.leftOutLabel);
        AF.view.chart.setWindow(tree.start[at], tree.start[at] + tree.extent[at]);
        AF.view.draw();
        return AF.nameOf(AF.view, tree, at);
    });
    assert.match(joined, /^\d[\d,]* calls? shorter than .*, merged$/);
    const {spoken} = await picture.bar(joined);
    await picture.hover(spoken);
    assert.strictEqual((await picture.details()).name, joined);
    const size = fs.statSync(path.join(folder, 'chart-large.svg')).size;
    const block = /<metadata id="af-block"[^>]*>([^<]*)</.exec(read('chart-large.svg'))[1];
    assert.ok(block.length <= 900000 && size > block.length);
});

test('CPU time, a part, many threads, deep stacks, hostile names', async () => {
    await open('chart-cpu', async (picture, page) => {
        assert.match(await picture.text('#head'), /each thread's CPU clock/);
        assert.match(await picture.text('#head'), /100 ms to 900 ms of 1\.10 s/);
        await picture.press('w', 'w', 'g', 'g');
        assert.strictEqual(await page.evaluate(() => AF.view.state.view), 'chart');
    });
    for (const name of ['chart-threads', 'chart-deep', 'chart-hostile']) {
        await open(name, async (picture) => {
            await picture.press('w', 'd', 's', 'ArrowDown', 'f', 'r', 'Escape', 'g', 'g', 't');
            await picture.rest();
            await picture.shot(name);
        });
    }
});

testIn('chart', 'the keys of a chart are listed', async (picture) => {
    await picture.press('?');
    assert.match(await picture.text('.af-help'), /w, szoom in and out/);
    await picture.press('Escape', 'g', '?');
    assert.match(await picture.text('.af-help'), /gshow the chart/);
});

testIn('chart-samples', 'samples in time order show their number and weight',
    async (picture, page) => {
        await picture.hover('main');
        const main = await picture.details();
        assert.match(main.facts, /^from 0 s to 1\.535433 s · 250,100 cycles \(self 0 cycles\) · /);
        assert.match(main.facts, / · 2 samples · depth 1 · 100\.0 % of thread$/);
        await picture.hover('[libbar.so]');
        assert.match((await picture.details()).facts, / · 100 cycles .* · 1 sample · depth 4 · /);
        await picture.press('r');
        const rail = await page.evaluate(() => document.querySelector('.af-range').innerText);
        assert.match(rail, /cycles of 2 threads/);
        assert.match(rail, /samples/);
        assert.doesNotMatch(rail, /calls|wall/);
        await picture.press('Escape', 'g');
        await picture.hover('main');
        const merged = await picture.details();
        assert.match(merged.facts, /^250,100 cycles \(self 0 cycles\) · 100\.0 % of thread$/);
    });

// The screen position of a time on a band or track that is `y` pixels below the top of the sheet.
const pointAt = async (picture, us, y) => {
    const x = await picture.page.evaluate((ns) => 16 + AF.view.chart.ruler.xOf(ns), us * 1000);
    await picture.page.mouse.move(x, y);
    return picture.details();
};

testIn('chart-marks', 'instants and counters have details', async (picture, page) => {
    const positions = () => page.evaluate(() => {
        const {view} = AF;
        const [panel] = view.panels;
        return {
            dots: panel.top + panel.graphTop - 5, ruler: view.chart.ruler.at +
                view.chart.ruler.height - 5,
            areas: view.chart.markers.areas.map(({top}) => top + 10),
        };
    });
    // counters that never change are behind a line
    assert.strictEqual((await positions()).areas.length, 2);
    const line = page.getByRole('button', {name: '4 more counters (4 constant, 0 of other processes)'});
    await line.click();
    assert.strictEqual(await line.getAttribute('aria-expanded'), 'true');
    const {dots, ruler, areas} = await positions();
    assert.deepStrictEqual(await pointAt(picture, 10, dots), {name: 'vsync', facts: 'at 10 µs'});
    assert.deepStrictEqual(await pointAt(picture, 50, ruler), {name: 'crash', facts: 'at 50 µs'});
    assert.strictEqual(areas.length, 6);
    assert.deepStrictEqual(await pointAt(picture, 75, areas[0]), {
        name: 'heap: used: 2,048',
        facts: 'from 50 µs on · maximum 2,048 · minimum 1,024 · 2 values',
    });
    assert.match((await pointAt(picture, 20, areas[1])).name, /^heap: free: 10\.25$/);
    assert.strictEqual((await pointAt(picture, 10, areas[2])).name, 'fps');
    const count = () => page.evaluate(() => document.querySelectorAll('.panel .dot').length);
    assert.strictEqual(await count(), 2);
    // a later range has no instants; the counters continue
    await page.evaluate(() => AF.view.chart.zoomTo(60000, 90000));
    await picture.settle();
    assert.strictEqual(await count(), 0);
    const later = await positions();
    assert.deepStrictEqual(later.areas, areas);
    assert.match((await pointAt(picture, 75, later.areas[0])).name, /2,048$/);
    await picture.press('g');
    assert.strictEqual(await page.evaluate(() =>
        document.querySelectorAll('#counters, .dot').length), 0);
});

testIn('chart-marks', 'keys reach every instant and every value of a counter',
    async (picture, page) => {
        const look = async () => {
            const {name, facts} = await picture.details();
            return [name, facts, await picture.focused()];
        };
        const expect = async (name, facts, where) => {
            const visible = await look();
            assert.deepStrictEqual(visible.slice(0, 2), [name, facts]);
            const expected = [name, ...facts.split(' · '), where].join(', ');
            assert.strictEqual(visible[2], expected, 'the announcement matches the details');
        };
        await page.locator('#counters .button').click();
        const tail = ' · maximum 2,048 · minimum 1,024 · 2 values';
        await picture.press('e');
        await expect('crash', 'at 50 µs', 'all threads, 1 of 1');
        await picture.press('e');
        await expect('vsync', 'at 20 µs', 'main, 2 of 2');
        await picture.press('ArrowLeft');
        await expect('vsync', 'at 10 µs', 'main, 1 of 2');
        await picture.press('ArrowLeft');
        await expect('vsync', 'at 10 µs', 'main, 1 of 2');
        assert.match(await picture.text('.af-status'), /first/);
        // the cursor surrounds the dot
        const boxes = await page.evaluate(() => ['.cursor rect', '.panel .dot'].map((one) => {
            const {left, right, top, bottom} = document.querySelector(one).getBoundingClientRect();
            return {left, right, top, bottom};
        }));
        assert.ok(boxes[0].left < boxes[1].left && boxes[0].right > boxes[1].right &&
            boxes[0].top <= boxes[1].top && boxes[0].bottom >= boxes[1].bottom,
            JSON.stringify(boxes));
        await picture.press('ArrowDown');
        await expect('heap: used: 1,024', `from 0 s to 50 µs${tail}`, 'counter, 1 of 2');
        await picture.press('ArrowRight');
        await expect('heap: used: 2,048', `from 50 µs on${tail}`, 'counter, 2 of 2');
        await picture.shot('cursor');
        await picture.press('ArrowDown', 'ArrowDown');
        assert.strictEqual((await look())[0], 'fps: 59.94');
        // the counters with ids
        await picture.press('ArrowDown', 'ArrowDown', 'ArrowDown');
        assert.strictEqual((await look())[0], 'fps [7]: late: 2');
        await picture.press('e');
        assert.strictEqual((await look())[0], 'crash', 'the first track follows the last');
        await picture.press('E', 'E', 'E', 'E', 'E', 'E', 'ArrowLeft');
        assert.strictEqual((await look())[0], 'heap: used: 1,024');

        // markers outside the window scroll into it, those inside stay in place
        await page.evaluate(() => AF.view.chart.zoomTo(0, 8000));
        await picture.settle();
        await picture.press('ArrowRight');
        assert.deepStrictEqual(await page.evaluate(() => AF.view.chart.window),
            {from: 46000, to: 54000});
        await picture.press('Enter');
        assert.deepStrictEqual(await page.evaluate(() => AF.view.chart.window),
            {from: 49000, to: 51000});
        assert.match((await look())[2], /^heap: used: 2,048/);
        await picture.press('s', 'w', 'w', 'w');
        const {x, width, from, to} = await page.evaluate(() => ({
            x: AF.view.chart.cursor.x, width: AF.view.width, ...AF.view.chart.window,
        }));
        assert.ok(from <= 50000 && to >= 50000 && Math.abs(x - width / 2) < width / 10,
            `w and s keep it where it is: ${x} of ${width}, ${from} to ${to}`);

        // back to the frames
        await picture.press('Escape');
        assert.strictEqual(await page.locator('.cursor').count(), 0);
        assert.match(await picture.focused(), /^work, /);
        await picture.press('e');
        assert.strictEqual(await page.locator('.cursor').count(), 1);
        await picture.press('g');
        assert.strictEqual(await page.locator('.cursor').count(), 0);
        assert.match(await picture.focused(), /^work, /, 'the previously selected frame');
        await picture.press('e', 'g', '?');
        assert.match(await picture.text('.af-help'), /e, Enext or previous track of instants/);
    });

testIn('chart-marks', 'the details never cover the cursor',
    {size: [420, 430]}, async (picture, page) => {
        await picture.press('E');
        await page.waitForFunction(() => {
            const [ring, bar] = ['.cursor rect', '.af-details'].map((one) =>
                document.querySelector(one).getBoundingClientRect());
            return ring.bottom <= bar.top && ring.top >= 0;
        });
        for (let i = 0; i < 7; i++) {
            await picture.press('E');
            const [ring, bar] = await page.evaluate(() => ['.cursor rect', '.af-details'].map(
                (one) => document.querySelector(one).getBoundingClientRect().toJSON()));
            assert.ok(ring.bottom <= bar.top && ring.top >= 0, `${ring.top} ${bar.top}`);
        }
    });

test('keys continue at the selected frame; a click on a frame leaves the instants', async () => {
    await open('chart-marks', async (picture, page) => {
        await picture.press('ArrowDown');
        assert.match(await picture.focused(), /^work, /);
        await picture.press('e');
        assert.deepStrictEqual((await picture.details()),
            {name: 'vsync', facts: 'at 10 µs'}, 'in its thread');
        await picture.click('work');
        assert.strictEqual(await page.locator('.cursor').count(), 0);
        assert.strictEqual((await picture.details()).name, 'work');
        await picture.press('ArrowUp');
        assert.match(await picture.focused(), /^work, /);
    });
    await open('chart', async (picture) => { // no instants
        await picture.press('e');
        assert.strictEqual(await picture.page.locator('.cursor').count(), 0);
        await picture.press('?');
        assert.ok(!/instants/.test(await picture.text('.af-help')));
    });
});

testIn('chart', 'a selected frame stays selected between chart and graph',
    async (picture, page) => {
        await picture.click('android.os.MessageQueue.next');
        const chosen = async () => (await picture.details()).name;
        const path = () => page.evaluate(() => {
            const {active: {tree, focused}, labels} = AF.view;
            const names = [];
            for (let i = focused; i > 0; i = tree.parent[i]) {
                names.unshift(labels.text[tree.label[i]]);
            }
            return names;
        });
        const name = await chosen();
        assert.match(name, /MessageQueue\.next/);
        const before = await path();
        await picture.press('g');
        assert.deepStrictEqual([await chosen(), await path()], [name, before]);
        assert.match((await picture.details()).facts, / calls? /);
        assert.match(await picture.focused(), /MessageQueue\.next/, 'keys continue there');
        await picture.press('i');
        assert.strictEqual(await chosen(), name);
        await picture.press('g');
        assert.deepStrictEqual([await chosen(), await path()], [name, before]);
        assert.match((await picture.details()).facts, /^from /);
    });

testIn('chart', 'without a pointer w zooms around the frame selected by keys',
    async (picture, page) => {
        for (let i = 0; i < 6; i++) {
            await picture.press('ArrowDown');
        }
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press('ArrowLeft'); // far from the middle
        }
        const name = (await picture.details()).name;
        await picture.press('w', 'w', 'w', 'w', 'w', 'w');
        const {start, end, from, to} = await page.evaluate(() => {
            const {active, chart: {window}} = AF.view;
            const start = active.tree.start[active.focused];
            return {start, end: start + active.tree.extent[active.focused], ...window};
        });
        assert.ok(start < to && end > from, `${start} to ${end} in ${from} to ${to}`);
        assert.strictEqual((await picture.details()).name, name);
    });

test('the totals of a range are next to the chart, in a narrow window below it', async () => {
    await open('chart', async (picture, page) => {
        for (const [from, to] of [[0.1, 0.3], [0.7, 0.9], [0, 1]]) {
            await page.evaluate(([a, b]) => {
                const {range, data} = AF.view.chart;
                range.select(data.length * a, data.length * b);
                range.finish();
            }, [from, to]);
            const gap = await page.evaluate(() => {
                const [totals, sheet] = ['.af-range', 'svg.aflame'].map((one) =>
                    document.querySelector(one).getBoundingClientRect());
                return totals.left - sheet.right;
            });
            assert.ok(gap >= 0 && gap < 2, `${gap}`);
        }
        await picture.press('Escape');
        assert.ok(await page.evaluate(() =>
            document.querySelector('svg.aflame').getBoundingClientRect().right > innerWidth - 20));
    });
    await open('chart', {size: [420, 800]}, async (picture, page) => {
        await picture.press('r');
        const gap = await page.evaluate(() => {
            const top = document.querySelector('.af-range').getBoundingClientRect().top;
            scrollTo(0, 1e6);
            return top - document.querySelector('svg.aflame').getBoundingClientRect().bottom;
        });
        assert.ok(gap >= 0, `${gap}`);
    });
});

test('the graph of the visible range names it with as few digits as are visible', async () => {
    await open('chart', async (picture) => {
        await picture.press('w', 'w', 'w', 'g');
        const range = /only ([0-9.]+) m?s to ([0-9.]+) m?s/.exec(await picture.text('#head'));
        assert.ok(range[1].length <= 6 && range[2].length <= 6, range[0]);
    });
    await open('chart-samples', async (picture) => {
        assert.match(await picture.text('#head'), /on the wall clock.*each sample is drawn until/);
        await picture.press('g');
        assert.match(await picture.text('#head'), /widths show cycles/);
        assert.doesNotMatch(await picture.text('#head'), /wall time|each sample/);
    });
});

testIn('chart-no-length', 'an axis of zero length', async (picture, page) => {
    await picture.press('w', 's', 'a', 'd', 'r', 'Escape', 'g', 'g');
    assert.strictEqual(await page.evaluate(() =>
        document.querySelectorAll('.panel .dot').length), 1);
});

testIn('chart-ended', 'in a recording that ended early shares refer to the time of the thread',
    async ({page}) => {
        const facts = 'thread 1 · 99.0 ms wall · 47.5 ms CPU · 51.5 ms waiting · 80 calls';
        const rows = '11 more rows below: 30.0 ms (30.3 %)';
        const file = fs.readFileSync(path.join(folder, 'chart-ended.svg'), 'utf8');
        assert.ok(file.includes(`>${facts}<`) && file.includes(`>${rows}<`), 'in the file');
        assert.strictEqual(await page.locator('.button.rows').textContent(), rows);
        assert.strictEqual(await page.locator('.panel .head').textContent(), `main${facts}`);
        assert.strictEqual(await page.locator('.panel').getByText('not recorded').count(), 1);
    });

testIn('chart-frames', 'a chart with frame timelines has a track of expected frames and one of actual ones',
    async (picture, page) => {
        const bars = (paint) => page.evaluate((name) =>
            [...document.querySelectorAll(`#frames g rect.${name}`)].map((bar) => {
                const {x, y, width, height} = bar.getBoundingClientRect();
                return {x: x + width / 2, y: y + height / 2, width};
            }), paint);
        const words = () => page.evaluate(() =>
            [...document.querySelectorAll('#frames > text')].map((text) => text.textContent));
        assert.deepStrictEqual(await words(), ['Frames', '5 expected (above)', '3 without fault',
            '3 late by the app', '1 late by the system', '1 by stuffing', '1 dropped']);
        const late = await bars('a1');
        assert.strictEqual(late.length, 3);
        const [{x, y, width}] = late;
        await page.mouse.move(x, y);
        const {name, facts} = await picture.details();
        assert.strictEqual(name, 'Frame 8');
        assert.match(facts, /^late by the app · (27\.4 ms · 10\.8|32\.6 ms · 16\.0) ms late · from /);
        await picture.press('w');
        const [zoomed] = await bars('a1');
        assert.ok(zoomed.width > width * 1.2, `${zoomed.width} is not wider than ${width}`);
        await page.evaluate(() => AF.view.setView('flame'));
        assert.strictEqual(await page.evaluate(() =>
            document.querySelectorAll('#frames').length), 0);
    });
