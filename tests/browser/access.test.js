// Accessibility: screen readers, contrast, small windows and large zoom.
'use strict';
const assert = require('node:assert');
const {open, test, testIn} = require('./browser.js');

testIn('sample', 'frames, panels and tools have roles and names', async (picture, page) => {
    const unnamed = () => page.evaluate(() => [...document.querySelectorAll('[role=treeitem]')]
        .filter((item) => !item.getAttribute('aria-label')).length);
    assert.strictEqual(await unnamed(), 0, 'as soon as they can have the focus');
    await picture.rest();
    const bad = await page.evaluate(() => [...document.querySelectorAll('.f, .button, .toggle, ' +
        '.af-app button, .af-app input, .graph, .panel')].filter((element) =>
        !(element.getAttribute('aria-label') || element.textContent)).length);
    assert.strictEqual(bad, 0);
    const tree = page.getByRole('tree', {name: 'calls of main'});
    assert.ok(await tree.isVisible());
    assert.ok(await tree.getByRole('treeitem').count() > 100);
    const item = tree.getByRole('treeitem', {name: /^android\.os\.Looper\.loop\(/});
    assert.match(await item.getAttribute('aria-label'),
        /^android\.os\.Looper\.loop\(\), [\d.]+ s wall, [\d.]+ % of the thread$/);
    assert.strictEqual(await item.getAttribute('aria-level'), '5');
    assert.ok(await page.getByRole('toolbar').isVisible());
    assert.ok(await page.getByRole('searchbox', {name: 'Search method names'}).isVisible());
    const pressed = page.getByRole('button', {name: 'wall', exact: true});
    assert.strictEqual(await pressed.getAttribute('aria-pressed'), 'true');
    assert.strictEqual(await page.locator('svg.aflame').getAttribute('role'), 'group');
    await page.evaluate(() => AF.view.zoomTo(AF.view.panels[0], 5));
    assert.strictEqual(await unnamed(), 0, 'after zooming in');
});

for (const name of ['sample', 'large', 'towers']) {
    testIn(name, `Tab reaches a frame of each panel: ${name}`,
        {size: [1200, 700]}, async (picture, page) => {
            const wanted = await page.evaluate(() => AF.view.open.filter(({layout}) => layout.rows > 0)
                .map(({thread}) => thread.title));
            const reached = new Set();
            const roles = new Set();
            for (let i = 0; i < 120 && reached.size < wanted.length; i++) {
                await picture.press('Tab');
                const [role, panel] = await page.evaluate(() => {
                    const item = document.activeElement;
                    return [item.getAttribute('role') ?? item.localName,
                        item.getAttribute('aria-label') && item.closest('.panel')?.getAttribute('aria-label')];
                });
                roles.add(role);
                if (role === 'treeitem' && panel) {
                    reached.add(panel);
                }
            }
            assert.deepStrictEqual([...reached], wanted);
            assert.ok(roles.has('input') && roles.has('button'), 'and the controls');
        });
}

test('g says why there is no chart', async () => {
    for (const [name, words] of [['large', /no chart: .* render --view chart/],
        ['compare', /no chart\. .* diff --view chart/]]) {
        await open(name, async (picture) => {
            await picture.press('g');
            assert.match(await picture.text('.af-status'), words);
        });
    }
});

testIn('sample', 'changes are announced', async (picture, page) => {
    await picture.press('ArrowUp');
    await page.waitForFunction(() => {
        const details = document.querySelector('.af-details[role=status]');
        return details.textContent.includes('% of thread') &&
            details.getAttribute('aria-busy') === 'false';
    });
    await picture.press('k');
    assert.match(await page.locator('.af-status').textContent(), /CPU/);
    await picture.search('/(/');
    assert.match(await page.getByRole('status').filter({hasText: 'not a valid regular'}).textContent(),
        /not a valid regular expression/);
});

// The lowest contrast between a text and the colours behind it.
function findFaint() {
    const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((n) => n / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const page = parse(getComputedStyle(document.querySelector('svg.aflame > rect.P')).fill);
    const faint = [];
    const check = (what, ink, ground) => {
        if (ratio(ink, ground) < 4.5) {
            faint.push(`${what} ${ink} on ${ground}: ${ratio(ink, ground).toFixed(2)}`);
        }
    };
    for (const text of document.querySelectorAll('#head text, .head text, #foot text, .buttons text')) {
        check(text.textContent, parse(getComputedStyle(text).fill), page);
    }
    for (const panel of AF.view.open) {
        for (const item of panel.shapes.labels.items) {
            const bar = panel.shapes.bars.items.find((one) => one.frame === item.frame);
            check(item.words, parse(getComputedStyle(item.element).fill),
                parse(getComputedStyle(bar.element).fill));
        }
    }
    for (const element of document.querySelectorAll('.af-tools button, .af-name, .af-facts, ' +
        '.af-search, .af-found, .af-times')) {
        let ground = element;
        while (/, 0\)|transparent/.test(getComputedStyle(ground).backgroundColor)) {
            ground = ground.parentElement;
        }
        check(element.className || element.textContent, parse(getComputedStyle(element).color),
            parse(getComputedStyle(ground).backgroundColor));
    }
    return faint;
}

for (const scheme of ['light', 'dark']) {
    testIn('sample', `every text has a contrast of at least 4.5, ${scheme}`,
        {scheme}, async (picture, page) => {
            await picture.press('t', 'ArrowUp');
            assert.deepStrictEqual(await page.evaluate(findFaint), []);
            await picture.search('inflate');
            await picture.press('Enter');
            assert.deepStrictEqual(await page.evaluate(findFaint), []);
        });
}

testIn('sample', 'details with several lines do not hide their frame',
    {size: [340, 560]}, async (picture, page) => {
        const isVisible = () => page.evaluate(() => {
            const at = document.activeElement.getBoundingClientRect();
            const there = document.elementFromPoint(at.left + at.width / 2, at.top + 8);
            return there === document.activeElement;
        });
        await picture.press('ArrowUp');
        for (let i = 0; i < 9; i++) {
            await picture.press('ArrowUp');
            await page.waitForFunction(() =>
                Math.abs(AF.view.page.bars.detailsHeight -
                    document.querySelector('.af-details').getBoundingClientRect().height) < 1);
            assert.ok(await isVisible(), await picture.focused());
        }
        await picture.press('ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown');
        await picture.settle();
        assert.ok(await isVisible(), await picture.focused());
    });

for (const [width, height] of [[320, 200], [640, 360], [844, 390]]) {
    testIn('sample', `a window of ${width} x ${height} shows the details of a frame`,
        {size: [width, height]}, async (picture, page) => {
            await picture.press('ArrowUp', 'ArrowUp');
            const box = await page.evaluate(() => {
                const {top, bottom} = document.querySelector('.af-details').getBoundingClientRect();
                const bar = document.activeElement.getBoundingClientRect();
                return {top, bottom, isClear: bar.top >= 0 && bar.bottom <= top};
            });
            assert.match((await picture.details()).facts, /% of thread/);
            assert.ok(box.bottom === height && box.top >= height * 0.6, `${box.top}`);
            assert.ok(box.isClear, 'the frame is above them');
        });
}

testIn('sample', 'the tools never cover a visible frame while scrolling',
    {size: [1280, 700]}, async (picture, page) => {
        await picture.press('ArrowUp');
        await page.mouse.wheel(0, 700);
        await page.waitForFunction(() => scrollY > 300);
        await picture.settle();
        const strip = await page.evaluate(() => {
            const {left, right, bottom} = document.querySelector('.af-tools').getBoundingClientRect();
            return {left, right, bottom};
        });
        assert.ok(strip.left === 0 && strip.right === 1280, 'a separate strip');
        await picture.shot('scrolled');
        for (const row of [0, 3]) { // to the rail and back up
            await page.evaluate((number) => AF.view.show(AF.view.open[number]), row);
            await picture.settle();
            const top = await page.evaluate((number) =>
                AF.view.open[number].head.getBoundingClientRect().top, row);
            assert.ok(top >= strip.bottom, `${top}`);
        }
    });

testIn('sample', 'hints on a touch screen describe touch gestures',
    {touch: true, mobile: true, size: [400, 800]}, async (picture) => {
        assert.match((await picture.details()).facts, /^Tap a frame/);
        await picture.press('c');
        assert.match(await picture.hash(), /v=sandwich/, 'of the busiest method');
    });

testIn('sample', 'at 400 % zoom everything is reachable',
    {size: [320, 256]}, async (picture, page) => {
        // 1280 x 1024 at 400 % equals 320 x 256
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 320, `${wide} pixels wide`);
        await picture.shot('at-400-percent');
        for (const name of ['CPU', 'icicle', '?']) {
            assert.ok(await page.getByRole('button', {name: name === '?' ? 'keys' : name, exact: true})
                .isVisible());
        }
        await picture.press('ArrowUp', 'ArrowUp', 'Enter');
        assert.match((await picture.details()).name, /RuntimeInit/);
        const isVisible = await page.evaluate(() => {
            const at = document.activeElement.getBoundingClientRect();
            return at.top >= 0 && at.bottom <= innerHeight;
        });
        assert.ok(isVisible, 'the focused frame is on the screen');
    });
