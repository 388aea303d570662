// Large pictures: what an action keeps, how many elements a page has, and limits that a busy machine
// keeps too.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const {measureActions} = require('./actions.js');
const {fileOf, open, test, testIn} = require('./browser.js');

const LIMIT_MS = 1000; // CPU time per action in a million nodes
const ELEMENTS_MAX = 5000;
const BYTES_MAX = 2e6;

const list = (times) => times.map((ms) => ms.toFixed(0)).join(' ');

testIn('sample', 'an action keeps the elements of frames and texts as far as it can',
    async (picture, page) => {
        await picture.rest();
        await page.evaluate(() => {
            const [panel] = AF.view.open;
            const {node, nodes} = panel.layout.frames;
            globalThis.before = {
                elements: new Map(panel.shapes.bars.items.filter(({frame}) => nodes[frame] === 0)
                    .map(({frame, element}) => [node[frame], element])),
            };
        });
        await picture.press('w');
        const {stay, same} = await page.evaluate(() => {
            const [{shapes, layout: {frames: {node, nodes}}}] = AF.view.open;
            const {elements} = globalThis.before;
            const items = shapes.bars.items.filter(({frame}) =>
                nodes[frame] === 0 && elements.has(node[frame]));
            return {
                stay: items.length,
                same: items.filter(({frame, element}) =>
                    elements.get(node[frame]) === element).length,
            };
        });
        assert.ok(stay > 20 && same === stay, `${same} of ${stay}`);
        await picture.press('0');
        assert.ok(await page.evaluate(() => {
            const texts = [...document.querySelectorAll('#head text, .head text')];
            AF.view.draw();
            return texts.length > 20 && texts.every((text) => text.isConnected);
        }));
    });

const showAll = () => AF.view.change(() => AF.view.open.forEach((panel) => {
    panel.allRows = true;
    panel.layout = null;
}));

test('towers on many threads: only frames near the window have elements', async (t) => {
    for (const name of ['towers', 'large']) {
        const {size} = fs.statSync(fileOf(name));
        assert.ok(size <= BYTES_MAX, `${name}: ${size} bytes`);
    }
    await open('towers', async (picture, page) => {
        const inWindow = () => page.evaluate(() => ({
            elements: document.querySelectorAll('*').length,
            frames: [...document.querySelectorAll('.graph rect.f')].filter((rect) => {
                const {top, bottom} = rect.getBoundingClientRect();
                return bottom > 0 && top < window.innerHeight;
            }).length,
            expected: AF.view.open.reduce((sum, panel) => {
                const top = AF.view.page.scrollTop;
                const [first, end] = panel.rowsBetween(top + 2, top + window.innerHeight - 2);
                const {starts, frames} = panel.layout;
                const [from, to] = [starts[first] ?? frames.n, starts[end] ?? frames.n];
                return sum + to - from - panel.shapes.slight.filter((i) => i >= from && i < to).length;
            }, 0),
        }));
        await page.evaluate(showAll);
        const all = await page.evaluate(() => AF.view.open.reduce((sum, panel) => sum + panel.last, 0));
        assert.ok(all > 20000, `${all} frames`);
        await picture.rest();
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        for (let y = 0; y < height; y += Math.ceil(height / 12)) {
            await page.evaluate((to) => window.scrollTo(0, to), y);
            await picture.rest();
            const {elements, frames, expected} = await inWindow();
            assert.ok(elements <= ELEMENTS_MAX, `${elements} elements at ${y}`);
            assert.ok(frames >= expected, `${frames} of ${expected} frames at ${y}`);
            if (y === 0) {
                t.diagnostic(`${elements} elements for ${all} frames`);
                assert.ok(frames > 300);
            }
        }
        await picture.search('m77');
        await picture.press('Enter', 'Escape');
        await picture.rest();
        assert.match(await picture.focused(), /m77/);
    });
});

test('narrow frames share paths, and can be pointed at and selected', async () => {
    await open('large', {size: [1920, 1080]}, async (picture, page) => {
        await page.evaluate(showAll);
        await picture.rest();
        const shown = await page.evaluate(() => {
            const [panel] = AF.view.open;
            const {shapes} = panel;
            const {x0, x1, node, nodes} = panel.layout.frames;
            const i = shapes.slight.find((k) => nodes[k] === 0);
            return {
                drawn: shapes.to - shapes.from, slight: shapes.slight.length,
                rects: document.querySelectorAll('rect.f').length,
                node: node[i], widest: Math.max(...shapes.slight.map((k) => x1[k] - x0[k])),
                x: (AF.view.page.width - AF.view.width + x0[i] + x1[i]) / 2,
                y: panel.top + panel.graphTop + shapes.rowTop(i) + 9 - AF.view.page.scrollTop,
            };
        });
        assert.ok(shown.slight > 100 && shown.slight + shown.rects >= shown.drawn, JSON.stringify(shown));
        assert.ok(shown.widest < 12);
        await page.mouse.move(shown.x, shown.y);
        const name = await page.evaluate((node) =>
            AF.nameOf(AF.view, AF.view.open[0].tree, node), shown.node);
        assert.ok((await page.locator('.af-name').textContent()).startsWith(name));
        assert.strictEqual(await page.locator('.edge:not([visibility=hidden])').count(), 1);
        await page.evaluate((node) => AF.view.focusFrame(AF.view.open[0], node), shown.node);
        await picture.rest();
        assert.ok((await picture.focused()).startsWith(name.replace(/\(.*/, '')));
    });
});

test('a million nodes: opening, zooming, searching', async (t) => {
    await open('large', async (picture, page) => {
        const nodes = await page.evaluate(() =>
            AF.view.panels.reduce((sum, panel) => sum + panel.tree.n - 1, 0));
        assert.ok(nodes > 1e6);
        const bars = await picture.bars();
        assert.ok(bars.every((bar) => bar.width > 0.35));
        const actions = await measureActions(picture, 3, ['w', 'reset', 'CPU clock', 'wait clock', 'wall clock',
            'first letter', 'second letter', 'first hit', 'zoom to hit', 'back to search', 'no search']);
        for (const [action, {cpu, wall}] of Object.entries(actions)) {
            const least = Math.min(...cpu);
            t.diagnostic(`one ${action}: ${list(wall)} ms; CPU ${list(cpu)} ms`);
            assert.ok(least > 0 && least < LIMIT_MS, `${action}: ${least} ms`);
        }
        await picture.search('render77');
        await picture.press('Enter', 'Escape');
        await picture.press('z'); // too narrow before
        await picture.rest();
        assert.match(await picture.focused(), /render77/);
        await picture.shot('large');
    });
});
