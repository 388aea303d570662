// Search.
'use strict';
const assert = require('node:assert');
const {readFolded, testIn} = require('./browser.js');

// The share of the stacks of some threads, as far as one is below `caller`, with a matching frame.
function shareOf(pattern, threads, caller = null) {
    let all = 0;
    let found = 0;
    for (const [stack, us] of readFolded('sample.wall')) {
        const [thread, ...frames] = stack.split(';');
        if (threads.includes(thread) && (!caller || frames.includes(caller))) {
            all += us;
            found += frames.some((name) => pattern.test(name)) ? us : 0;
        }
    }
    return 100 * found / all;
}

const drawn = (picture) => picture.page.evaluate(() =>
    AF.view.open.map((panel) => panel.thread.title));

testIn('sample', 'matches are highlighted while typing; a path counts once for their share',
    async (picture, page) => {
        await picture.search('infl');
        const some = (await picture.bars()).filter((bar) => bar.hit).length;
        await page.keyboard.type('ate');
        const hits = (await picture.bars()).filter((bar) => bar.hit);
        assert.ok(some > 0 && hits.length > 0 && hits.length <= some);
        assert.ok(hits.every((bar) => /inflate|too narrow/i.test(bar.spoken)));
        const percent = Number(/([\d.]+) % of all/.exec(await picture.found())[1]);
        const expected = shareOf(/inflate/i, await drawn(picture));
        assert.ok(Math.abs(percent - expected) < 0.1, `${percent} for ${expected}`);
        await picture.shot('search');
    });

testIn('sample', 'regular expressions, case-sensitive or not; invalid ones are explained',
    async (picture, page) => {
        await picture.search('/\\.INFLATE$/');
        assert.match(await picture.found(), /^0 % of all · 0 matches$/);
        await page.keyboard.type('i');
        assert.doesNotMatch(await picture.found(), /^0 %/);
        await picture.retype('/(/');
        assert.match(await picture.found(), /^not a valid regular expression: /);
        assert.strictEqual(await page.getAttribute('.af-search', 'aria-invalid'), 'true');
        assert.strictEqual((await picture.bars()).filter((bar) => bar.hit).length, 0);
        await picture.retype('/(a+)+$/');
        assert.match(await picture.found(), /^expression not searched: a repeated group must not /);
        await picture.retype('no such method');
        assert.match(await picture.found(), /^0 % of all · 0 matches$/);
    });

testIn('sample', 'a search that takes too long stops and reports it', async (picture, page) => {
    await page.evaluate(() => {
        const now = performance.now.bind(performance);
        let calls = 0; // each one takes 50 ms
        performance.now = () => now() + 50 * calls++;
    });
    await picture.search('/./');
    assert.match(await picture.found(),
        / · stopped after 200 ms: searched [34] of [\d,.\s]+ names$/);
});

testIn('sample', 'the share of the zoomed frame is shown next to the total share',
    async (picture) => {
        const name = 'android.app.ActivityThread.performLaunchActivity';
        await picture.click(name);
        await picture.search('inflate');
        const [, all, zoom] = /([\d.]+) % of all · ([\d.]+) % of zoom/.exec(await picture.found());
        assert.ok(Number(zoom) > Number(all));
        assert.ok(Math.abs(Number(zoom) - shareOf(/inflate/i, ['main'], name)) < 0.2, `${zoom}`);
    });

testIn('sample', 'Enter, n and N visit all matches by their time without zooming in, and wrap around',
    async (picture, page) => {
        await picture.click('android.view.ViewRootImpl.doTraversal');
        await picture.search('setContentView');
        const count = Number(/([\d,]+) match/.exec(await picture.found())[1]);
        assert.ok(count >= 2);
        await picture.press('Enter');
        assert.strictEqual(await picture.focused(), 'Search method names', 'the focus stays');
        assert.strictEqual(await page.evaluate(() =>
            getComputedStyle(AF.view.active.ring).display), 'inline', 'the match is outlined');
        assert.strictEqual(await page.locator('.af-hits').isVisible(), false);
        const nodes = [];
        const times = [];
        for (let i = 0; i < count; i++) {
            assert.ok((await picture.found()).endsWith(` ${i + 1} of ${count}`));
            assert.match((await picture.details()).name, /setContentView/);
            nodes.push(await page.evaluate(() => AF.view.active.focused));
            const isWithinZoom = await page.evaluate(() => {
                const {active: {tree, zoom, focused}} = AF.view;
                return AF.isWithin(tree, focused, zoom) && zoom !== focused;
            });
            assert.ok(isWithinZoom);
            times.push(await page.evaluate(() =>
                AF.view.active.measure.weight[AF.view.active.focused]));
            await picture.press('Enter');
        }
        assert.deepStrictEqual(times, [...times].sort((a, b) => b - a), 'most time first');
        assert.strictEqual(new Set(nodes).size, count);
        assert.strictEqual(await page.evaluate(() => AF.view.active.focused), nodes[0]);
        await picture.press('Shift+Enter');
        assert.strictEqual(await page.evaluate(() => AF.view.active.focused), nodes[count - 1]);
        await picture.press('Tab', 'n');
        assert.strictEqual(await page.evaluate(() => AF.view.active.focused), nodes[0]);
        await picture.press('N');
        assert.strictEqual(await page.evaluate(() => AF.view.active.focused), nodes[count - 1]);
        await picture.press('z');
        assert.strictEqual(await page.evaluate(() => AF.view.active.zoom), nodes[count - 1]);
    });

testIn('sample', 'a match too narrow to draw is shown in its place', async (picture, page) => {
    const name = await page.evaluate(() => { // the narrowest of main
        const {tree, measure} = AF.view.panels[0];
        let least = 1;
        for (let i = 1; i < tree.n; i++) {
            least = measure.weight[i] < measure.weight[least] ? i : least;
        }
        return AF.labelOf(AF.view, tree, least);
    });
    await picture.search(name);
    await picture.press('Enter');
    const state = () => page.evaluate(() => {
        const {active} = AF.view;
        return {zoom: active.zoom, node: active.focused,
            ring: active.ring.getAttribute('visibility'),
            label: AF.labelOf(AF.view, active.tree, active.focused),
            isDrawn: AF.frameOf(active.layout, active.tree, active.measure, active.focused,
                active.options) >= 0};
    });
    const found = await state();
    assert.deepStrictEqual([found.label, found.zoom, found.ring, found.isDrawn],
        [name, 0, 'inherit', false]);
    assert.ok((await picture.details()).name.startsWith(name));
    await picture.press('Control+Enter');
    assert.strictEqual((await state()).zoom, found.node);
});

testIn('sample', 'other frames are dimmed, matching letters are highlighted',
    async (picture, page) => {
        await picture.search('Inflate');
        await picture.rest();
        const {opacities, letters} = await page.evaluate(() => ({
            opacities: [...document.querySelectorAll('.f')].map((bar) =>
                [bar.classList.contains('hit'), Number(getComputedStyle(bar).fillOpacity)]),
            letters: [...document.querySelectorAll('.hit-letters')].map((one) => one.textContent),
        }));
        assert.ok(opacities.every(([hit, opacity]) => (hit ? opacity === 1 : opacity < 0.5)));
        assert.ok(letters.length > 3 && letters.every((text) => /^inflate$/i.test(text)), letters.join());
        await picture.shot('search-dimmed');
        await picture.press('Escape');
        assert.strictEqual(await page.locator('.hit-letters').count(), 0);
        assert.ok(await page.evaluate(() => [...document.querySelectorAll('.f')].every((bar) =>
            !bar.classList.contains('hit') && getComputedStyle(bar).fillOpacity === '1')));
        assert.strictEqual(await picture.hash(), '', 'Escape clears the search');
    });

testIn('sample', 'a list shows the ten largest matches; one key returns to where the search began',
    async (picture, page) => {
        await picture.click('android.view.ViewRootImpl.doTraversal');
        const before = await page.evaluate(() => [AF.view.active.zoom, scrollY]);
        await picture.search('run');
        const rows = await page.evaluate(() => [...document.querySelectorAll('.af-hits button')]
            .map((row) => row.textContent));
        assert.strictEqual(rows.length, 10);
        assert.ok(rows.every((row) => /run/i.test(row) && /\d (ms|s|µs) \u00b7 /.test(row)), rows.join());
        const times = await page.evaluate(() => AF.view.search.largest.map(({time}) => time));
        assert.deepStrictEqual(times, [...times].sort((a, b) => b - a));
        await page.locator('.af-hits button').nth(2).click();
        await picture.rest();
        const name = (await picture.details()).name;
        assert.ok(rows[2].startsWith(name.replace(/\(.*/s, '').slice(0, 20)), `${name} of ${rows[2]}`);
        assert.strictEqual(await page.locator('.af-hits').isVisible(), false);
        await picture.press('n', 'n', 'z', 'b');
        await picture.rest();
        assert.deepStrictEqual(await page.evaluate(() => [AF.view.panels[0].zoom, scrollY]), before);
        assert.strictEqual(await picture.typed(), 'run', 'the search stays');
    });

testIn('sample', 'matches in threads that are not drawn are named in the rail, and n goes there',
    async (picture, page) => {
        const hidden = await page.evaluate(() => {
            const panel = AF.view.panels.find((one) => !one.open && one.tree.n > 1);
            return {title: panel.thread.title, name: AF.labelOf(AF.view, panel.tree, 1)};
        });
        await picture.search(hidden.name);
        await page.locator('.af-threads').click();
        const row = page.locator('.af-rail li', {hasText: hidden.title}).first();
        assert.match(await row.textContent(), /match/);
        await picture.shot('rail');
        await picture.press('Escape', 'n');
        for (let i = 0; i < 30 && !await page.evaluate((title) =>
            AF.view.active.thread.title === title, hidden.title); i++) {
            await picture.press('n');
        }
        assert.ok((await picture.bars()).some((bar) => bar.panel === hidden.title));
    });

testIn('sample', 'aflame handles Ctrl-F until Escape, then the browser does',
    async (picture, page) => {
        const taken = () => page.evaluate(() => {
            const event = new KeyboardEvent('keydown', {key: 'f', ctrlKey: true, bubbles: true,
                cancelable: true});
            document.activeElement.dispatchEvent(event);
            return event.defaultPrevented;
        });
        await picture.press('Control+f');
        assert.strictEqual(await picture.focused(), 'Search method names');
        await picture.press('Escape');
        assert.notStrictEqual(await picture.focused(), 'Search method names');
        assert.strictEqual(await taken(), false);
        assert.strictEqual(await taken(), true, 'and aflame handles it again');
        assert.strictEqual(await taken(), false, 'in the field the browser handles it');
    });
