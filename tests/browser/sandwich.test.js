// The sandwich: the list of methods, the callers above and the callees below the chosen one.
'use strict';
const assert = require('node:assert');
const {open, test, testIn} = require('./browser.js');

const list = (picture) => picture.page.evaluate(() =>
    [...document.querySelectorAll('aside[aria-label=methods] tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent)));
const method = (picture) => picture.page.evaluate(() => AF.view.methodName);

testIn('sample', 'c shows callers above and callees below a method, and goes back',
    async (picture, page) => {
        await picture.search('Instrumentation.callApplicationOnCreate');
        await picture.press('Enter', 'Escape', 'c');
        const own = await picture.bar('android.app.Instrumentation.callApplicationOnCreate');
        const caller = await picture.bar('android.app.ActivityThread.handleBindApplication');
        const callee = await picture.bar('com.example.recipes.RecipesApp.onCreate');
        assert.ok(caller.y < own.y && own.y < callee.y);
        assert.strictEqual(caller.width, own.width);
        assert.ok(callee.width < own.width);
        assert.match(await picture.text('.panel .head'),
            /callers and callees of android\.app\.Instr.*, [\d.]+ .?s \([\d.]+ % of the thread\)/);
        assert.strictEqual(await page.locator('.af-chosen').count(), 1);
        assert.match(await picture.text('.af-chosen'), /^android\.app\.Instr/);
        assert.match(await picture.text('.af-facts'), /100\.0 % of all calls of android\.app\.Instr/);
        assert.match(await picture.hash(), /v=sandwich&m=[0-9a-f]{8}/);
        await picture.press('ArrowUp');
        assert.match(await picture.focused(), /handleBindApplication/);
        assert.match(await picture.text('.af-facts'), /^calls android\.app\.Instr.* from here/);
        await picture.press('ArrowDown', 'ArrowDown');
        assert.match(await picture.focused(), /RecipesApp\.onCreate/);
        await picture.shot('sandwich');
        const without = await page.evaluate(() => AF.view.open.filter((panel) =>
            !panel.hasMethod).map((panel) => [panel.height, panel.head.textContent]));
        assert.ok(without.length > 1);
        for (const [height, head] of without) {
            assert.match(head, /never calls android\.app\.Instrumentation/);
            assert.ok(height < 60, 'a head is enough');
        }
        await picture.press('c');
        assert.strictEqual(await method(picture), 'com.example.recipes.RecipesApp.onCreate',
            'the sandwich of the selected callee');
        await picture.press('c');
        assert.ok(!(await picture.hash()).includes('sandwich'));
        assert.ok((await picture.bars()).length > 300);
        assert.match(await picture.focused(), /callApplicationOnCreate/, 'at its old position');
    });

test('the tools stay clear of the title while a sandwich opens and closes', async () => {
    for (const width of [1100, 1400]) { // next to the list the tools are above or beside
        await open('towers', {size: [width, 800]}, async (picture, page) => {
            for (let i = 0; i < 3; i++) {
                await page.getByRole('button', {name: 'sandwich', exact: true}).click();
                await picture.rest();
                await page.evaluate(() => window.scrollTo(0, 0));
                await picture.rest();
                const {tools, title} = await page.evaluate(() => {
                    const box = (selector) => document.querySelector(selector)
                        .getBoundingClientRect().toJSON();
                    return {tools: box('.af-tools'), title: box('#head text')};
                });
                assert.ok(title.right <= tools.left || title.top >= tools.bottom - 12,
                    JSON.stringify({tools, title}));
            }
        });
    }
});

test('a graph has the chart too; the sandwich leads back to the view before it', async () => {
    await open('sample', async (picture) => {
        await picture.press('g');
        assert.match(await picture.hash(), /^#v=chart/);
        await picture.press('ArrowDown', 'ArrowDown', 'c');
        assert.match(await picture.hash(), /v=sandwich/);
        await picture.press('c');
        assert.match(await picture.hash(), /v=chart/);
        await picture.press('g');
        assert.doesNotMatch(await picture.hash(), /v=/);
    });
    await open('deep', async (picture) => { // has too many calls
        assert.strictEqual(await picture.page.getByRole('button', {name: 'chart'}).count(), 0);
    });
});

testIn('sample', 'the time of a sandwich counts recursion once', async (picture, page) => {
    await picture.search('java.lang.Object.wait');
    await picture.press('Enter', 'Escape', 'c');
    const [sum, shown, callees] = await page.evaluate(() => {
        const panel = AF.view.open.find((one) => one.hasMethod);
        const {tree} = panel.thread;
        let all = 0;
        for (let i = 1; i < tree.n;) {
            const match = AF.view.labels.text[tree.label[i]] === AF.view.methodName;
            all += match ? tree.inclusive[0][i] : 0;
            i += match ? tree.size[i] : 1;
        }
        const direct = Array.from({length: panel.tree.n}, (_, i) => i)
            .filter((i) => i >= panel.tree.turn && panel.tree.depth[i] === 2);
        return [all, panel.tree.inclusive[0][1], panel.tree.self[0][1] +
            direct.reduce((time, i) => time + panel.tree.inclusive[0][i], 0)];
    });
    assert.ok(sum > 0);
    assert.strictEqual(sum, shown);
    assert.strictEqual(callees, shown);
});

testIn('sample', 'the list is that of one thread, with bars of self time, idle methods last',
    async (picture, page) => {
        await picture.press('c');
        await page.getByRole('combobox').selectOption('OkHttp Dispatcher');
        const rows = await list(picture);
        assert.deepStrictEqual([rows[0], rows.find(([name]) => /Unsafe\.park/.test(name))], [
            ['java.lang.Object.wait', '164.3 ms', '19.5 %', '164.3 ms', '1'],
            ['sun.misc.Unsafe.park', '351.5 ms', '41.8 %', '351.5 ms', '1']]);
        assert.deepStrictEqual(rows.slice(-2).map(([name]) => name).sort(),
            ['java.util.concurrent.ThreadPoolExecutor.getTask', 'sun.misc.Unsafe.park']);
        const widths = await page.locator('aside[aria-label=methods] .af-load > span')
            .evaluateAll((all) => all.map((bar) => bar.style.width));
        assert.strictEqual(widths[rows.findIndex(([name]) => /Unsafe\.park/.test(name))], '100%');
        assert.match(widths[0], /^46\.\d+%$/);
    });

testIn('sandwich', 'the method has an outline between its callers and callees',
    async (picture, page) => {
        const bar = await picture.bar('android.app.ActivityThread.handleBindApplication');
        const mark = page.locator('path.tC[stroke-width="2"]').first();
        const {y, height} = await mark.boundingBox();
        assert.ok(Math.abs(y + height / 2 - bar.y - 8.5) < 0.6);
        assert.match(await mark.getAttribute('d'), new RegExp(`^M-1 [\\d.]+h${(bar.width + 2).toFixed(1)}v19h-`));
        await picture.press('c'); // back to the graph
        assert.strictEqual(await mark.getAttribute('d'), '');
    });

test('the list counts calls, and nothing where there are only samples', async () => {
    for (const [name, head, numbers] of [['sample', 'calls', /^[\d,]+$/], ['sampled', '', /^$/]]) {
        await open(name, async ({page}) => {
            await page.getByRole('button', {name: 'sandwich'}).click();
            const [heads, cells] = await Promise.all(['thead th', 'tbody tr'].map((rows) =>
                page.locator(`aside[aria-label=methods] ${rows}`).evaluateAll((all) =>
                    all.map((row) => row.lastElementChild.textContent))));
            assert.strictEqual(heads[3], head);
            assert.ok(cells.length > 3 && cells.every((cell) => numbers.test(cell)), cells.join());
        });
    }
});

testIn('sample', 'the list sorts, follows the clock and the search, and chooses the method',
    async (picture, page) => {
        await page.getByRole('button', {name: 'sandwich'}).click();
        assert.match(await method(picture), /ColorCutQuantizer\.quantizePixels/, 'the most self time outside idle and blocked');
        let rows = await list(picture);
        assert.match(rows[0].join(), /^java\.lang\.Object\.wait,80\.6 ms,7\.3 %,80\.6 ms,2$/, 'by self time');
        assert.ok(!rows.some(([name]) => /nativePollOnce/.test(name)), 'idle methods are last');
        assert.match(rows[rows.length - 1][0], /^\d+ more$/);
        await page.getByRole('button', {name: 'inclusive', exact: true}).click();
        rows = await list(picture);
        assert.match(rows[0][0], /ZygoteInit\.main/);
        assert.strictEqual(await page.locator('th[aria-sort=descending]').textContent(), 'inclusive');
        await page.getByRole('button', {name: 'method', exact: true}).click();
        rows = (await list(picture)).slice(0, -1).map(([name]) => name);
        assert.deepStrictEqual(rows, [...rows].sort());
        await page.getByRole('button', {name: 'self', exact: true}).click();
        await picture.press('k');
        assert.match(await picture.text('aside[aria-label=methods] p'), /^self CPU time in 1 thread,/);
        await page.getByRole('combobox').selectOption('all');
        assert.match(await picture.text('aside[aria-label=methods] p'), /^self CPU time in 5 threads/);
        await picture.search('doFrame');
        rows = await list(picture);
        assert.ok(rows.length > 0 && rows.every(([name]) => /doFrame/.test(name)));
        await page.locator('aside[aria-label=methods] tbody button').first().click();
        assert.strictEqual(await method(picture), rows[0][0]);
        assert.strictEqual(await page.locator('[aria-current]').textContent(), rows[0][0]);
    });

testIn('sample', 'zooming into callers leaves the callees whole, and a link restores it',
    async (picture) => {
        let hash = '';
        const look = async (picture) => {
            const bars = await picture.bars();
            return bars.map(({spoken, x, width}) => [spoken, x, width].join());
        };
        await picture.search('java.lang.Object.wait');
        await picture.press('Enter', 'Escape', 'c', 'ArrowUp', 'Enter');
        hash = await picture.hash();
        assert.match(hash, /z=[0-9a-f]{8}&v=sandwich/);
        const before = await look(picture);
        await open('sample', {hash}, async (other) => {
            assert.strictEqual(await other.hash(), hash);
            assert.deepStrictEqual(await look(other), before);
        });
        await picture.press('Escape');
        assert.doesNotMatch(await picture.hash(), /z=/);
        assert.match(await picture.hash(), /v=sandwich/);
    });

testIn('waiter', 'zooming into a caller without CPU time leaves the callees whole on all clocks',
    async (picture) => {
        await picture.search('Lock.pause');
        await picture.press('Enter', 'Escape', 'c', 'ArrowUp', 'Enter');
        assert.match(await picture.focused(), /Waiter\.run/);
        for (const rows of [['Waiter.run', 'Lock.pause', 'Lock.unlock'], ['Lock.pause', 'Lock.unlock'],
            ['Waiter.run', 'Lock.pause']]) {
            await picture.rest(); // the layouts of the other clocks are prepared
            const bars = await picture.bars();
            assert.deepStrictEqual(bars.map(({spoken}) =>
                /example\.([\w.]+)/.exec(spoken)[1]), rows);
            await picture.press('k');
        }
    });

testIn('sample', 'a sandwich leads back although the thread from which it was opened is closed now',
    async (picture, page) => {
        await picture.press('ArrowDown', 'ArrowDown', 'c');
        assert.match(await picture.hash(), /v=sandwich/);
        await page.locator('.toggle').first().click();
        await picture.press('c');
        assert.doesNotMatch(await picture.hash(), /v=sandwich/);
        assert.ok((await picture.bars()).every(({panel}) => panel !== 'main'));
        await picture.press('ArrowDown', 'ArrowDown');
        await picture.search('run');
        await page.evaluate(() => document.querySelectorAll('.toggle')[1]
            .dispatchEvent(new MouseEvent('click', {bubbles: true})));
        await page.getByRole('button', {name: 'back to where the search began'}).click();
        assert.strictEqual(await page.locator('.graph').count(),
            await page.evaluate(() => AF.view.open.length));
    });

testIn('sandwich', 'a picture made as a sandwich opens as one', async (picture, page) => {
    assert.strictEqual(await picture.hash(), '');
    assert.strictEqual(await method(picture), 'android.app.ActivityThread.handleBindApplication');
    assert.strictEqual(await page.getByRole('button', {name: 'Reset zoom'}).isVisible(), false);
    await picture.press('c');
    assert.match(await picture.hash(), /v=flame/);
    await picture.press('0');
    assert.strictEqual(await picture.hash(), '');
    await picture.press('c', 'Escape', 'Escape');
    assert.strictEqual(await picture.hash(), '', 'Escape goes back to it, too');
});

for (const size of [[400, 800], [320, 200]]) {
    testIn('sample', `the list is folded in a window of ${size.join(' x ')}`,
        {size}, async (picture, page) => {
            await picture.press('c');
            const rows = page.locator('aside[aria-label=methods] table');
            assert.strictEqual(await rows.isVisible(), false);
            await page.getByRole('button', {name: 'Methods'}).click();
            assert.ok(await rows.isVisible());
            const [list, details] = await page.evaluate(() =>
                ['aside[aria-label=methods]', '.af-details'].map((name) => {
                    const {top, bottom} = document.querySelector(name).getBoundingClientRect();
                    return {top, bottom};
                }));
            assert.ok(list.bottom <= details.top + 1, 'the details stay visible');
            assert.ok(list.top >= 0);
        });
}
