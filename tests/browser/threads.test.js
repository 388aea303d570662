// Threads: collapse, expand, solo, the list of all.
'use strict';
const test = require('node:test');
const assert = require('node:assert');
const {open, read} = require('./browser.js');

test('a heading collapses and expands its panel', async () => {
    await open('sample', {}, async (picture) => {
        const {page} = picture;
        const head = page.getByRole('button', {name: 'collapse main'});
        assert.strictEqual(await head.getAttribute('aria-expanded'), 'true');
        await head.click({position: {x: 100, y: 10}});
        assert.ok(!(await picture.bars()).some((bar) => bar.panel === 'main'));
        await picture.shot('collapsed');
        await page.getByRole('button', {name: 'expand main'}).focus();
        await picture.press('Enter');
        assert.ok((await picture.bars()).some((bar) => bar.panel === 'main'));
    });
});

test('closing the focused panel moves the focus to the next', async () => {
    await open('sample', {}, async (picture) => {
        const {page} = picture;
        await picture.press('ArrowUp', 'ArrowUp');
        await page.getByRole('button', {name: 'collapse main'}).click({position: {x: 100, y: 10}});
        await page.setViewportSize({width: 1000, height: 900});
        await picture.search('Runnable');
        await picture.press('Escape', 'ArrowUp', 'c', 'Escape', 'w');
        const bars = await picture.bars();
        assert.ok(bars.length > 50 && bars.every((bar) => bar.panel !== 'main'));
        await page.getByRole('button', {name: 'expand main'}).click({position: {x: 100, y: 10}});
        assert.ok((await picture.bars()).some((bar) => bar.panel === 'main'));
    });
});

test('the rail names all threads with their times', async () => {
    const info = JSON.parse(read('sample.json'));
    await open('sample', {}, async (picture) => {
        await picture.press('t');
        const rows = await picture.page.locator('.af-rail li').allTextContents();
        const named = info.threads.filter((thread) => thread.records > 0);
        assert.strictEqual(rows.length, named.length);
        for (const thread of named) {
            assert.ok(rows.some((row) => row.includes(thread.name) && / wall, .+ CPU/.test(row)),
                thread.name);
        }
    });
});

test('an omitted thread opens from the rail and from the footer', async () => {
    await open('sample', {}, async (picture) => {
        const {page} = picture;
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
});

test('showing one thread only, and all again', async () => {
    await open('sample', {}, async (picture) => {
        const {page} = picture;
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
});

test('ten thousand threads', async () => {
    await open('threads', {}, async (picture) => {
        await picture.press('t');
        assert.strictEqual(await picture.page.locator('.af-rail li').count(), 10000);
        await picture.search('run');
        assert.match(await picture.found(), /10,000 matches/);
    });
});
