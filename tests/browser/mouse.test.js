// Mouse and touch.
'use strict';
const assert = require('node:assert');
const {open, test, testIn} = require('./browser.js');

const LOOP = 'android.os.Looper.loop(';
const LAUNCH = 'android.app.ActivityThread.performLaunchActivity';

testIn('sample', 'clicking zooms and draws narrower frames, ancestors stay, Reset shows everything',
    async (picture, page) => {
        const before = await picture.bars();
        await picture.click(LAUNCH);
        const zoomed = await picture.bar(LAUNCH);
        assert.ok(zoomed.width > 1160, `${zoomed.width}`);
        const root = await picture.bar('com.android.internal.os.ZygoteInit.main');
        assert.ok(root.width > 1160 && root.y > zoomed.y);
        const inPanel = (await picture.bars()).filter((bar) => bar.panel === 'main');
        assert.ok(inPanel.every((bar) => bar.width >= 0.4 && bar.x >= 15.9 &&
            bar.x + bar.width <= 1184.1));
        const names = (bars) => new Set(bars.map((bar) => bar.spoken.split(',')[0]));
        assert.ok([...names(inPanel)].some((name) => !names(before).has(name)), 'were too narrow');
        await picture.shot('zoomed');
        await page.getByRole('button', {name: 'Reset zoom'}).click();
        const after = await picture.bars();
        assert.deepStrictEqual(after.map((bar) => bar.x), before.map((bar) => bar.x));
    });

for (const height of [500, 1400]) { // the page may be too short for that, and grows
    testIn('sample', `a clicked frame keeps its screen position in a window ${height} px high`,
        {size: [1200, height]}, async (picture, page) => {
            for (const name of [LAUNCH, 'android.app.Instrumentation.callActivityOnCreate', LOOP]) {
                const at = await picture.boxOf(name);
                await page.mouse.click(at.x, at.y);
                await picture.settle();
                const hit = await page.evaluate(({x, y}) =>
                    document.elementFromPoint(x, y)?.getAttribute('aria-label'), at);
                assert.ok(hit?.startsWith(name), `${name}: ${hit}`);
            }
            await picture.press('0');
            assert.ok((await picture.bar(LAUNCH)).width < 1000);
        });
}

testIn('sample', 'zooming to a block makes its frames visible', async (picture, page) => {
    const blocks = (await picture.bars()).filter((bar) => /^\d+ frames? too narrow/.test(bar.spoken));
    assert.ok(blocks.length > 0);
    const {spoken} = blocks.reduce((a, b) => (b.width > a.width ? b : a));
    const {x, y} = await picture.boxOf(spoken);
    await page.mouse.move(x, y);
    assert.match((await picture.details()).name, /too narrow to draw separately/);
    await page.mouse.click(x, y);
    assert.match(await picture.hash(), /@/);
    assert.ok(await page.getByRole('button', {name: 'Reset zoom'}).isVisible());
});

testIn('sample', 'the wheel with Ctrl zooms in time around the pointer', async (picture, page) => {
    const {x, y} = await picture.boxOf('android.view.ViewRootImpl.doTraversal');
    await page.mouse.move(x, y);
    const under = () => page.evaluate(([a, b]) =>
        document.elementFromPoint(a, b).getAttribute('aria-label').split(',')[0], [x, y]);
    const name = await under();
    const before = await picture.bar(name);
    await page.keyboard.down('Control');
    for (let i = 0; i < 4; i++) {
        await page.mouse.wheel(0, -120);
        await picture.settle();
    }
    await page.keyboard.up('Control');
    const after = await picture.bar(name);
    assert.ok(after.width > before.width * 1.5, `${before.width} to ${after.width}`);
    assert.strictEqual(await under(), name);
    assert.match(await picture.hash(), /z=[0-9a-f]{8}@/);
    await picture.shot('wheel');
});

testIn('sample', 'dragging pans in time and does not click', async (picture, page) => {
    await picture.click(LAUNCH);
    await page.mouse.move(600, 400);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -600);
    await page.keyboard.up('Control');
    await picture.settle();
    const before = await picture.bars();
    const {x, y} = await picture.boxOf(LAUNCH);
    await page.mouse.move(x + 200, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y, {steps: 4});
    await page.mouse.up();
    const after = await picture.bars();
    const moved = (bars, name) => bars.find((bar) => bar.spoken === name);
    const same = before.find((bar) => bar.x > 300 && bar.x < 900 && bar.width > 5 &&
        moved(after, bar.spoken));
    assert.ok(same);
    assert.ok(Math.abs(same.x - moved(after, same.spoken).x - 80) < 3);
});

testIn('sample', 'a plain wheel scrolls', {size: [1200, 400]}, async (picture, page) => {
    await page.mouse.move(600, 200);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction(() => scrollY > 200);
    assert.strictEqual(await picture.hash(), '');
});

testIn('deep', 'rows that scroll into view have frames immediately',
    {size: [1000, 600]}, async (picture, page) => {
        for (const y of [300, 1500, 2400]) {
            await page.evaluate((top) => scrollTo(0, top), y);
            await picture.settle();
            const there = await page.evaluate(() =>
                document.elementFromPoint(300, 300)?.classList.contains('f'));
            assert.ok(there, `at ${y}`);
        }
    });

testIn('sample', 'hovering shows all details of a frame', async (picture, page) => {
    await picture.hover(LAUNCH);
    const {name, facts} = await picture.details();
    assert.match(name, /^android\.app\.ActivityThread\.performLaunchActivity\(.*\)ActivityThread\.java/);
    for (const part of ['wall ', '(self ', 'CPU ', 'waiting ', '1 call', '% of thread',
        '% of parent']) {
        assert.ok(facts.includes(part), `${part} in ${facts}`);
    }
    assert.ok(!facts.includes('of zoom'));
    await picture.click(LOOP);
    await picture.hover(LAUNCH);
    assert.match((await picture.details()).facts, /% of zoom/);
    await page.mouse.move(600, 5);
    assert.match((await picture.details()).name, /Looper/, 'the focused one again');
});

test('the menu of a frame copies, zooms and searches', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await open('sample', {permissions}, async (picture, page) => {
        const menu = page.getByRole('menu');
        await picture.click(LAUNCH, {button: 'right'});
        assert.ok(await menu.isVisible());
        await picture.shot('menu');
        await menu.getByRole('menuitem', {name: 'Copy name'}).click();
        await page.waitForFunction(() => document.querySelector('.af-status').textContent !== '');
        assert.match(await page.evaluate(() => navigator.clipboard.readText()),
            /^android\.app\.ActivityThread\.performLaunchActivity\(/);
        await picture.click(LAUNCH, {button: 'right'});
        await menu.getByRole('menuitem', {name: 'Find all'}).click();
        assert.match(await picture.found(), /1 match|1 of 1/);
        await picture.click(LAUNCH, {button: 'right'});
        await picture.press('ArrowDown', 'ArrowUp', 'Escape');
        assert.ok(!await menu.isVisible());
        await picture.click(LAUNCH, {button: 'right'});
        await picture.press('Enter');
        assert.match(await picture.hash(), /z=/);
    });
});

testIn('sample', 'touch: a tap zooms, two fingers zoom in time, one finger pans',
    {touch: true, size: [800, 700]}, async (picture, page) => {
        const {x, y} = await picture.boxOf(LAUNCH);
        await page.touchscreen.tap(x, y);
        await picture.settle();
        assert.ok((await picture.bar(LAUNCH)).width > 760);
        const client = await page.context().newCDPSession(page);
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent',
            {type, touchPoints: points.map(([px, id]) => ({x: px, y, id}))});
        const activity = 'android.app.Instrumentation.callActivityOnCreate';
        const before = await picture.bar(activity);
        await touch('touchStart', [350, 0], [450, 1]);
        for (let i = 1; i <= 8; i++) {
            await touch('touchMove', [350 - i * 15, 0], [450 + i * 15, 1]);
            await picture.settle();
        }
        await touch('touchEnd');
        assert.match(await picture.hash(), /@/);
        const wide = await page.evaluate(() => {
            const {from, to} = AF.view.panels[0].window;
            return to - from;
        });
        assert.ok((await picture.bar(activity)).width > before.width);
        const start = await page.evaluate(() => AF.view.panels[0].window.from);
        await touch('touchStart', [500, 0]);
        for (let i = 1; i <= 8; i++) {
            await touch('touchMove', [500 - i * 20, 0]);
            await picture.settle();
        }
        await touch('touchEnd');
        const now = await page.evaluate(() => AF.view.panels[0].window);
        assert.ok(now.from > start, 'moved');
        assert.ok(Math.abs(now.to - now.from - wide) < 2, 'and only panned');
        await picture.shot('touch');
    });

testIn('sample', 'a button of the mouse that is released outside of the sheet ends a drag',
    async (picture, page) => {
        await page.evaluate(() => window.scrollTo(0, 300));
        await picture.rest();
        const edge = await page.evaluate(() =>
            document.querySelector('.af-details').getBoundingClientRect().top);
        await page.mouse.move(400, edge - 1);
        await page.mouse.down();
        await page.mouse.move(400, edge + 1);
        await page.mouse.up();
        await page.mouse.move(400, edge - 40);
        await page.mouse.move(400, edge - 140);
        await picture.rest();
        assert.strictEqual(await page.evaluate(() => window.scrollY), 300);
    });

testIn('chart-frames', 'the wheel zooms a chart on its ruler and on the tracks of frames, too',
    async (picture, page) => {
        const spanOf = () => page.evaluate(() => AF.view.chart.window);
        const wheelOn = async (selector, key, by) => {
            const box = await page.locator(selector).boundingBox();
            await page.mouse.move(300, box.y + box.height / 2);
            await page.keyboard.down(key);
            await page.mouse.wheel(0, by);
            await page.keyboard.up(key);
            await picture.rest();
            return spanOf();
        };
        let before = await spanOf();
        for (const selector of ['#ruler', '#frames']) {
            const zoomed = await wheelOn(selector, 'Control', -300);
            assert.ok(zoomed.to - zoomed.from < (before.to - before.from) * 0.8, selector);
            before = await wheelOn(selector, 'Shift', 100);
            assert.ok(before.from > zoomed.from, selector);
        }
        assert.deepStrictEqual(await wheelOn('#head', 'Shift', 100), before, 'not above it');
    });

testIn('sample', 'a zoom moves the frames of its thread, and nothing of other threads',
    {motion: true}, async (picture, page) => {
        const zoomTo = (wanted) => page.evaluate(async (name) => {
            const {view} = AF;
            const [panel] = view.panels;
            view.zoomTo(panel, panel.layout.frames.node.find((one) =>
                AF.nameOf(view, panel.tree, one).startsWith(name)));
            await new Promise(requestAnimationFrame);
            const moving = document.getAnimations().map(({effect: {target}}) => target);
            return {frames: moving.filter((one) => one.matches('.f')).length,
                others: moving.filter((one) => one.matches('.graph *') &&
                    one.closest('.panel') !== panel.element).length};
        }, wanted);
        for (const name of ['android.app.ActivityThread.handleBindApplication',
            'com.example.recipes.RecipesApp.onCreate']) {
            const {frames, others} = await zoomTo(name);
            assert.ok(frames > 10, `${frames} frames move`);
            assert.strictEqual(others, 0);
            await picture.rest();
        }
        await page.waitForFunction(() => !document.querySelector('.moving')); // after the zooms
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
        await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.strictEqual(await page.evaluate(() => document.getAnimations().length), 0,
            'the ring does not glide');
    });
