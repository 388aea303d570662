// Threads: collapse, expand, solo, the list of all.
'use strict';
const assert = require('node:assert');
const {open, read, test, testIn} = require('./browser.js');

testIn('heaps', 'heaps are not called threads', async (picture) => {
    assert.match(await picture.text('.af-threads'), /^\d+ heaps$/);
    await picture.press('t');
    assert.strictEqual(await picture.text('.af-rail-head strong'), 'Heaps');
});

testIn('sample', 'a heading collapses and expands its panel', async (picture, page) => {
    const head = page.getByRole('button', {name: 'collapse main'});
    assert.strictEqual(await head.getAttribute('aria-expanded'), 'true');
    await head.click({position: {x: 100, y: 10}});
    assert.ok(!(await picture.bars()).some((bar) => bar.panel === 'main'));
    await picture.shot('collapsed');
    await page.getByRole('button', {name: 'expand main'}).focus();
    await picture.press('Enter');
    assert.ok((await picture.bars()).some((bar) => bar.panel === 'main'));
});

testIn('sample', 'closing the focused panel moves the focus to the next', async (picture, page) => {
    await picture.press('ArrowUp', 'ArrowUp');
    await page.getByRole('button', {name: 'collapse main'}).click({position: {x: 100, y: 10}});
    await page.setViewportSize({width: 1000, height: 900});
    await picture.search('Runnable');
    await picture.press('Escape', 'ArrowUp', 'c', 'Escape', 'k');
    const bars = await picture.bars();
    assert.ok(bars.length > 50 && bars.every((bar) => bar.panel !== 'main'));
    await page.getByRole('button', {name: 'expand main'}).click({position: {x: 100, y: 10}});
    assert.ok((await picture.bars()).some((bar) => bar.panel === 'main'));
});

testIn('sample', 'the rail names all threads with their times', async (picture, page) => {
    const info = JSON.parse(read('sample.json'));
    await picture.press('t');
    const rows = await page.locator('.af-rail li').allTextContents();
    const named = info.threads.filter((thread) => thread.records > 0);
    assert.strictEqual(rows.length, named.length);
    for (const thread of named) {
        assert.ok(rows.some((row) => row.includes(thread.name) && / wall, .+ CPU/.test(row)),
            thread.name);
    }
});

testIn('sample', 'an omitted thread opens from the rail and from the footer',
    async (picture, page) => {
        const closed = () => page.evaluate(() => AF.view.panels
            .filter((panel) => !panel.open).map((panel) => panel.thread.title));
        const [first] = await closed();
        await page.locator('#foot .thread').first().click();
        assert.ok(!(await closed()).includes(first));
        await picture.rest();
        assert.ok((await picture.bars()).some((bar) => bar.panel === first));
        const [second] = await closed();
        await picture.press('t');
        await page.locator('.af-rail .af-thread', {hasText: second}).first().click();
        assert.ok(!(await closed()).includes(second));
    });

testIn('sample', 'showing one thread only, and all again', async (picture, page) => {
    const before = await page.evaluate(() => AF.view.open.length);
    assert.ok(before > 1);
    await picture.press('t');
    const only = page.getByRole('button', {name: 'only main'});
    await only.click();
    assert.strictEqual(await page.evaluate(() => AF.view.open.length), 1);
    await picture.shot('alone');
    await only.click();
    assert.strictEqual(await page.evaluate(() => AF.view.open.length), before);
});

test('the strip above compares all threads; a click leads to one', async () => {
    await open('sample', {size: [1280, 6000]}, async (picture, page) => {
        const rows = () => page.evaluate(() => [...document.querySelectorAll('#head .thread, #head .more')]
            .map((row) => {
                const [name, time] = [...row.querySelectorAll('text')].map((one) => one.textContent);
                const width = [...row.querySelectorAll('rect:not(.catch):not(.P)')]
                    .reduce((sum, bar) => sum + Number(bar.getAttribute('width')), 0);
                const isCut = row.querySelector('rect.P') !== null; // a break mark
                return {name, time: parseFloat(time) * (time.endsWith(' s') ? 1000 : 1), width, isCut};
            }));
        const check = async () => {
            const all = await rows();
            const most = Math.max(...all.slice(0, -1).map(({time}) => time));
            for (const {time, width, isCut} of all) { // one scale
                assert.strictEqual(isCut, time > most);
                assert.ok(Math.abs(width / all[0].width - Math.min(time, most) / all[0].time) < 0.01 ||
                    width === 1, `${time} ${width}`);
            }
            return all;
        };
        const wall = await check();
        assert.deepStrictEqual(wall.map(({name}) => name).slice(0, 2), ['main', 'OkHttp Dispatcher']);
        assert.match(wall[wall.length - 1].name, /^\d+ other threads$/);
        const heads = () => page.evaluate(() => AF.view.open.map((panel) =>
            /^([\d.]+) % of all threads/.exec(panel.head.querySelectorAll('text')[1].textContent)[1]));
        const shares = (await heads()).map(Number);
        assert.ok(shares.every((share) => share > 0) && shares.reduce((a, b) => a + b) < 100.5, `${shares}`);
        await picture.press('k'); // the CPU clock has other times and shares
        const cpu = await check();
        assert.notStrictEqual(cpu[0].time, wall[0].time);
        assert.notDeepStrictEqual((await heads()).map(Number), shares);
        await page.setViewportSize({width: 1280, height: 700}); // heads below it have no texts yet
        await picture.settle();
        await page.getByRole('button', {name: /^go to OkHttp Dispatcher/}).click();
        await picture.settle();
        const top = await page.evaluate(() => AF.view.panels.find((panel) =>
            panel.thread.title === 'OkHttp Dispatcher').head.getBoundingClientRect().top);
        assert.ok(top > 40 && top < 120, `${top}`);
    });
    await open('chart', async (picture, page) => {
        const button = page.getByRole('button', {name: /^go to OkHttp Dispatcher/});
        await button.click();
        await picture.settle();
        await page.waitForFunction(() => { // the ruler follows the scrolling
            const {head} = AF.view.panels.find((panel) => panel.thread.title === 'OkHttp Dispatcher');
            const gap = head.getBoundingClientRect().top -
                document.querySelector('#ruler').getBoundingClientRect().bottom;
            return gap >= 0 && gap < 60;
        });
    });
});

testIn('one-thread-full', 'the footer does not list threads that the user did not choose',
    async (picture, page) => {
        for (const name of ['one-thread', 'one-thread-full']) {
            await open(name, {script: false}, async (picture) => {
                assert.doesNotMatch(await picture.text('#foot'), /not drawn/);
            });
        }
        assert.doesNotMatch(await picture.text('#foot'), /not drawn/);
        await picture.press('t'); // but the list has them
        assert.ok(await page.locator('.af-rail li').count() > 5);
    });

testIn('one-thread', 'a picture of one thread carries that thread only', async (picture, page) => {
    const read = () => page.evaluate(() =>
        [...document.querySelectorAll('svg.aflame text')].map((text) => text.textContent).join('\n'));
    assert.match(await read(), /1 of 11 threads drawn/);
    assert.match(await read(), /10 other threads/);
    assert.match(await read(), /43.9 % of all threads/);
    assert.strictEqual(await page.locator('.af-threads').count(), 0);
    await picture.press('t'); // no list of threads
    assert.strictEqual(await page.locator('.af-rail:visible').count(), 0);
    await picture.press('k'); // the times of the other threads on this clock are unknown
    await picture.settle();
    assert.doesNotMatch(await read(), /other threads|of all threads/);
    await picture.search('onCreate');
    assert.match(await picture.found(), /matches/);
});

testIn('threads', 'ten thousand threads', async (picture, page) => {
    await picture.press('t');
    assert.strictEqual(await page.locator('.af-rail li').count(), 10000);
    await picture.search('run');
    assert.match(await picture.found(), /10,000 matches/);
});
