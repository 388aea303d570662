// Names with markup and control characters, trees deeper than any screen.
'use strict';
const assert = require('node:assert');
const {open, test, testIn} = require('./browser.js');

testIn('hostile', 'names are plain text everywhere', async (picture, page) => {
    page.on('dialog', () => assert.fail('a dialog'));
    const script = '<script>alert(1)<';
    const nodes = await page.evaluate(() => AF.view.panels[0].tree.n);
    assert.ok(nodes > 5);
    for (let i = 0; i < 6; i++) {
        await picture.press('ArrowUp');
    }
    await picture.click('com.a.<');
    assert.ok((await picture.details()).name.includes(script));
    await picture.click('com.a.<', {button: 'right'});
    await page.getByRole('menuitem', {name: 'Find all'}).click();
    assert.match(await picture.found(), /4 matches|1 of 4/);
    await picture.press('c', 'c', 't');
    assert.ok((await page.locator('.af-rail[aria-label=threads]').textContent()).includes('<img src=x'));
    assert.strictEqual(await page.locator('.af-app img, .af-app script:not(svg script)').count(), 0);
    await picture.shot('hostile');
    for (const name of await page.evaluate(() => AF.view.labels.text)) {
        const {count, error} = await page.evaluate((text) => {
            AF.view.search.run(text);
            return {count: AF.view.search.matchCount, error: AF.view.search.error};
        }, name);
        assert.ok(count >= 4, `${name}: ${count}`);
        assert.strictEqual(error, null);
    }
});

test('a link restores threads with unusual names', async () => {
    let hash = '';
    const title = 'a,b&q=c#d%41 \'e\' "f"';
    await open('hostile', async (picture, page) => {
        await page.evaluate((name) => AF.view.solo(AF.view.panels.find((panel) =>
            panel.thread.title === name)), title);
        hash = await picture.hash();
    });
    await open('hostile', {hash}, async (picture, page) => {
        assert.deepStrictEqual(await page.evaluate(() =>
            AF.view.open.map((panel) => panel.thread.title)), [title]);
    });
});

testIn('recursion', 'a method that calls itself two hundred thousand times is one slim frame',
    async (picture, page) => {
        const [frame, ...others] = await picture.bars();
        assert.deepStrictEqual(others, []);
        assert.match(frame.spoken, /^a\.A\.down \u00d7 200,000, /);
        assert.strictEqual(await page.locator('rect.f').getAttribute('height'), '13');
        await picture.search('down');
        assert.match(await picture.found(), / 1 match$/);
        await picture.press('Escape', 'c');
        assert.match(await picture.hash(), /v=sandwich/);
    });

testIn('deep', 'two hundred thousand nested calls', async (picture, page) => {
    assert.ok(await page.locator('.f').count() < 3000);
    await page.evaluate(() => AF.view.zoomTo(AF.view.panels[0], 150000));
    await picture.rest();
    assert.match(await page.locator('.fold').textContent(), /149,9\d\d more callers/);
    assert.match((await picture.details()).facts, /% of thread/);
    assert.ok(await page.evaluate(() => document.querySelector('.veil').compareDocumentPosition(
        document.querySelector('.fold')) & Node.DOCUMENT_POSITION_FOLLOWING), 'not paled');
    await picture.shot('deep');
    await page.locator('.fold').dispatchEvent('click');
    await picture.settle();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height > 150000 * 18);
    assert.ok(await page.locator('.f').count() < 3000, 'only the frames on the screen');
    await page.evaluate(() => scrollTo(0, 1e6));
    await picture.settle();
    assert.ok(await page.evaluate(() =>
        document.elementFromPoint(600, 400).classList.contains('f')));
    await picture.press('0', 'c');
});
