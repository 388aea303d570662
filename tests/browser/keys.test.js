// Keys: everything that the mouse does.
'use strict';
const assert = require('node:assert');
const {open, test, testIn} = require('./browser.js');

testIn('sample', 'arrows move between caller, callee and neighbours; the focus is visible',
    async (picture, page) => {
        await picture.press('ArrowUp');
        assert.match(await picture.focused(), /^com\.android\.internal\.os\.ZygoteInit\.main/);
        await picture.press('ArrowUp', 'ArrowUp');
        assert.match(await picture.focused(), /^java\.lang\.reflect\.Method\.invoke/);
        await picture.press('ArrowDown');
        assert.match(await picture.focused(), /RuntimeInit/);
        for (let i = 0; i < 5; i++) {
            await picture.press('ArrowUp');
        }
        assert.match(await picture.focused(), /Handler\.dispatchMessage/);
        await picture.press('ArrowRight');
        assert.match(await picture.focused(), /MessageQueue\.next/);
        await picture.press('ArrowLeft');
        assert.match(await picture.focused(), /Handler\.dispatchMessage/);
        const ring = await page.evaluate(() => {
            const bar = document.activeElement.getBoundingClientRect();
            const mark = document.activeElement.closest('.graph').querySelector('.ring');
            const at = mark.getBoundingClientRect();
            return {shown: getComputedStyle(mark).display !== 'none',
                near: Math.abs(at.left - bar.left) < 3 && Math.abs(at.width - bar.width) < 6 &&
                    Math.abs(at.top - bar.top) < 3};
        });
        assert.deepStrictEqual(ring, {shown: true, near: true});
        assert.match((await picture.details()).name, /Handler\.dispatchMessage/);
        await picture.shot('focus');
    });

test('x sorts siblings as --sort time does; zoom, selection, link and clock follow', async () => {
    const listTree = (picture) => picture.page.evaluate(() => globalThis.AF.view.panels.map(
        ({tree}) => [...tree.label].map((label, node) => [globalThis.AF.view.labels.text[label],
            tree.depth[node], tree.parent[node], tree.size[node], tree.calls[node],
            tree.self[0]?.[node], tree.inclusive[0]?.[node]].join(' '))));
    let sorted = null;
    await open('sorted', async (picture) => {
        sorted = await listTree(picture);
    });
    await open('sample', async (picture) => {
        const before = await listTree(picture);
        assert.notDeepStrictEqual(before, sorted);
        for (let i = 0; i < 9; i++) {
            await picture.press('ArrowUp');
        }
        await picture.press('Enter');
        const zoom = await picture.hash();
        const focused = await picture.focused();
        await picture.press('x');
        assert.deepStrictEqual(await listTree(picture), sorted);
        assert.strictEqual(await picture.hash(), zoom + '&s=time');
        assert.strictEqual(await picture.focused(), focused);
        await picture.press('k', 'k', 'k');
        assert.deepStrictEqual(await listTree(picture), sorted);
        assert.strictEqual(await picture.focused(), focused);
        await picture.press('x');
        assert.deepStrictEqual(await listTree(picture), before);
        assert.strictEqual(await picture.hash(), zoom);
        await picture.press('Escape', 'Escape', 'Escape');
        assert.strictEqual(await picture.hash(), '');
    });
    await open('sample', {hash: '#s=time'}, async (picture) => {
        assert.deepStrictEqual(await listTree(picture), sorted);
    });
});

testIn('sample', 'Enter zooms; Escape and Backspace go back; 0 shows everything',
    async (picture) => {
        const whole = await picture.hash();
        for (let i = 0; i < 8; i++) {
            await picture.press('ArrowUp');
        }
        await picture.press('ArrowUp', 'Enter');
        const first = await picture.hash();
        assert.match(first, /^#z=[0-9a-f]{8}$/);
        await picture.press('ArrowUp', 'ArrowUp', 'Enter');
        const second = await picture.hash();
        assert.notStrictEqual(second, first);
        await picture.press('Escape');
        assert.strictEqual(await picture.hash(), first);
        await picture.press('Backspace');
        assert.strictEqual(await picture.hash(), whole);
        await picture.press('Enter');
        await picture.press('0');
        assert.strictEqual(await picture.hash(), whole);
    });

testIn('sample', 'Enter shows all rows of a graph that fits',
    {size: [1200, 700]}, async (picture, page) => {
        await page.locator('.rows').first().click(); // all rows
        for (const name of ['inflate', 'draw', 'sort']) {
            await picture.search(name);
            await picture.press('Enter', 'Enter', 'Enter', 'Control+Enter');
            await picture.rest();
            const box = await page.evaluate(() => {
                const {active, page: {scrollTop, bars}} = AF.view;
                return {top: active.top - scrollTop, spare: active.slots - active.rows,
                    bottom: active.top + active.height - scrollTop - innerHeight + bars.detailsHeight};
            });
            assert.strictEqual(box.spare, 0, 'no space is left empty');
            assert.ok(box.top >= 0 && box.bottom <= 1, JSON.stringify(box));
            await picture.press('0');
        }
    });

testIn('sample', 'k switches between wall, CPU and waiting', async (picture) => {
    const name = 'android.os.MessageQueue.next';
    const wall = await picture.bar(name);
    await picture.press('k');
    assert.strictEqual(await picture.hash(), '#c=cpu');
    const cpu = (await picture.bars()).filter((bar) => bar.spoken.startsWith(name));
    assert.ok(cpu.length === 0 || cpu[0].width < wall.width / 4, 'it has no CPU time');
    await picture.shot('cpu');
    await picture.press('k');
    assert.strictEqual(await picture.hash(), '#c=wait');
    const waiting = await picture.bar(name);
    assert.ok(waiting.width > wall.width, 'it waited');
    assert.match(waiting.spoken, / waiting, /);
    await picture.shot('wait');
    await picture.press('k');
    assert.strictEqual(await picture.hash(), '');
});

testIn('sample', 'the keys zoom around the pointer, otherwise around the selected frame',
    async (picture, page) => {
        const name = 'android.os.MessageQueue.next';
        const bar = await picture.bar(name);
        const middle = () => page.evaluate(() => {
            const {panels: [panel]} = AF.view;
            const {window: {from, to}, measure: {left, weight}, focused} = panel;
            return (left[focused] + weight[focused] / 2 - from) * AF.view.width / (to - from);
        });
        await page.evaluate((text) => {
            const {panels: [panel]} = AF.view;
            const item = panel.shapes.bars.items.find((one) =>
                AF.nameOf(AF.view, panel.tree, panel.layout.frames.node[one.frame]).startsWith(text));
            AF.view.focusFrame(panel, panel.layout.frames.node[item.frame]);
        }, name);
        const before = await middle();
        await picture.press('w');
        assert.ok(Math.abs(await middle() - before) < 2, 'the frame stays');
        assert.ok((await picture.bar(name)).width > bar.width + 1, 'and grows');
    });

for (const name of ['sample', 'chart', 'compare']) {
    testIn(name, `w s a d k 0 c / g mean the same in every view: ${name}`,
        async (picture, page) => {
            const find = () => page.evaluate(() => {
                const {view} = AF;
                const {from, to} = view.open[0].window;
                return {from, length: to - from, view: view.state.view, clock: view.state.clock};
            });
            const all = await find();
            const {x, y, width} = await page.evaluate(() => {
                const [bar] = AF.view.open[0].graph.querySelectorAll('rect.f');
                bar.scrollIntoView({block: 'center'});
                const box = bar.getBoundingClientRect();
                return {x: box.left, y: box.top + 8, width: box.width};
            });
            await page.mouse.move(x + width * 0.4, y);
            await picture.press('w', 'w');
            const near = await find();
            assert.ok(near.length < all.length * 0.8 && near.from > all.from, 'w zooms in');
            await picture.press('d');
            const right = await find();
            assert.ok(right.from > near.from && Math.abs(right.length / near.length - 1) < 1e-6,
                'd moves right');
            await picture.press('a');
            const left = await find();
            assert.ok(Math.abs(left.from - near.from) < near.length / 1e6, 'a moves left');
            await picture.press('s');
            assert.ok((await find()).length > near.length * 1.1, 's zooms out');
            await picture.press('0');
            assert.deepStrictEqual(await find(), all, '0 shows everything');
            await picture.press('k');
            const clocked = await find();
            assert.ok(clocked.clock !== all.clock ||
                /A chart shows/.test(await picture.text('.af-status')), 'k changes the clock');
            await picture.press('0');
            await page.evaluate((clock) => AF.view.setClock(clock), all.clock);
            await picture.press('ArrowUp', 'ArrowUp', 'c');
            assert.strictEqual((await find()).view, 'sandwich');
            await picture.press('c');
            assert.strictEqual((await find()).view, all.view);
            if (name !== 'compare') {
                await picture.press('g');
                assert.notStrictEqual((await find()).view === 'chart', all.view === 'chart');
                await picture.press('g');
                assert.strictEqual((await find()).view, all.view);
            }
            await picture.press('/');
            assert.strictEqual(await page.evaluate(() => document.activeElement.type), 'search');
        });
}

testIn('deep', 'with one clock k prints a message', async (picture) => {
    await picture.press('k');
    assert.match(await picture.text('.af-status'), /only the wall clock/);
    assert.strictEqual(await picture.hash(), '');
});

test('widths animate to the other clock, unless reduced motion is set', async () => {
    for (const motion of [true, false]) {
        await open('sample', {motion}, async (picture, page) => {
            await picture.rest();
            const [before, first, last, running] = await page.evaluate(async () => {
                const [{shapes: {bars}}] = AF.view.panels;
                // by content, not by order
                const widths = () => new Map(bars.items.map((item) =>
                    [AF.ariaText(AF.view, AF.view.panels[0], AF.view.panels[0].layout.frames
                        .node[item.frame]).split(',')[0], parseFloat(getComputedStyle(item.element).width)]));
                const name = 'android.os.MessageQueue.next()';
                const roles = [widths().get(name)];
                AF.view.setClock(AF.WAIT);
                roles.push(widths().get(name));
                const running = document.getAnimations();
                await Promise.all(running.map(({finished}) => finished));
                return [...roles, widths().get(name), running.length];
            });
            assert.ok(last > before * 1.2, `it waited: ${before} to ${last}`);
            if (motion) {
                assert.ok(Math.abs(first - before) < 1, `${first} begins at ${before}`);
            } else {
                assert.strictEqual(first, last);
            }
            assert.strictEqual(running > 0, motion);
        });
    }
});

testIn('sample', 'i inverts the picture and back', async (picture) => {
    const root = 'com.android.internal.os.ZygoteInit.main';
    const low = await picture.bar(root);
    await picture.press('i');
    const high = await picture.bar(root);
    assert.ok(high.y < low.y);
    assert.strictEqual(await picture.hash(), '#v=icicle');
    await picture.press('ArrowDown', 'ArrowDown');
    assert.match(await picture.focused(), /RuntimeInit/, 'down moves to the callees');
    await picture.press('i');
    assert.strictEqual((await picture.bar(root)).y, low.y);
});

test('y and Y copy the name and the stack', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await open('sample', {permissions}, async (picture, page) => {
        await picture.press('ArrowUp', 'ArrowUp', 'ArrowUp', 'y');
        const copied = async (what) => {
            await page.waitForFunction((text) =>
                document.querySelector('.af-status').textContent === text, `Copied the ${what}.`);
            return page.evaluate(() => navigator.clipboard.readText());
        };
        assert.strictEqual(await copied('name'), 'java.lang.reflect.Method.invoke()');
        await picture.press('Y');
        assert.deepStrictEqual((await copied('stack')).split('\n').map((line) => line.split('(')[0]), [
            'java.lang.reflect.Method.invoke',
            'com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run',
            'com.android.internal.os.ZygoteInit.main']);
    });
});

test('y reports a copy that the browser refuses, and the keys go on', async () => {
    const before = () => Object.defineProperty(navigator, 'clipboard', {value: undefined});
    await open('sample', {before}, async (picture) => {
        await picture.press('ArrowUp', 'y');
        assert.match(await picture.text('.af-status'), /does not allow a file to copy text/);
        await picture.press('ArrowUp');
        assert.match(await picture.focused(), /RuntimeInit/);
    });
});

testIn('sample', 'f lists what stands out, and each line leads to its frame',
    async (picture, page) => {
        const links = page.locator('svg a');
        const root = 'com.android.internal.os.ZygoteInit.main';
        const {y} = await picture.bar(root);
        assert.strictEqual(await links.count(), 0);
        await picture.press('f');
        assert.strictEqual(await links.count(), 5);
        assert.match(await links.first().textContent(), /^1\. main spent .* inflating layouts/);
        assert.ok((await picture.bar(root)).y > y, 'the list is above the panels');
        await links.first().click();
        await picture.rest();
        assert.match(await picture.hash(), /^#z=[0-9a-f]{8}$/);
        const zoomed = await picture.bar('android.view.LayoutInflater.inflate');
        assert.ok(zoomed.width > 900, `${zoomed.width}`);
        await links.nth(4).focus();
        await page.keyboard.press('Enter');
        await picture.rest();
        const other = await picture.bar('android.graphics.BitmapFactory.nativeDecodeStream');
        assert.ok(other.width > 900, 'on another thread, by the keyboard');
        await picture.press('f');
        assert.strictEqual(await links.count(), 0);
    });

testIn('sample', '? lists the keys, Escape closes the list', async (picture, page) => {
    await picture.press('?');
    const list = page.getByRole('dialog');
    assert.ok(await list.isVisible());
    for (const key of ['Escape', 'Ctrl + wheel', 'n, N', 'k', 'w, s', 'y, Y']) {
        assert.ok((await list.textContent()).includes(key), key);
    }
    await picture.shot('keys');
    await picture.press('Escape');
    assert.ok(!await list.isVisible());
    assert.strictEqual(await picture.hash(), '');
});

testIn('sample', 'keys in the search field only type text', async (picture) => {
    await picture.search('wic0?nNyY');
    assert.strictEqual(await picture.typed(), 'wic0?nNyY');
    assert.match(await picture.hash(), /^#q=wic0%3FnNyY$/);
});

testIn('sample', 'the list of threads next to a sandwich takes the arrow keys; Escape leaves', async (
    picture, page) => {
    await picture.press('c');
    await page.locator('.af-range select').focus();
    const shown = () => page.evaluate(() => document.querySelector('.af-range select').selectedIndex);
    const before = await shown();
    await picture.press('ArrowDown');
    assert.strictEqual(await shown(), before + 1);
    await picture.press('w');
    assert.strictEqual(await page.evaluate(() => AF.view.panels.some((one) => one.isZoomed)), false);
    await picture.press('Escape');
    assert.strictEqual(await page.evaluate(() => AF.view.state.view), 'flame');
});

testIn('sample', 'arrows move along the largest matches, and Escape returns to the search field',
    async (picture, page) => {
        await picture.search('on');
        const hits = await page.locator('.af-hits button').allTextContents();
        const focused = () => page.evaluate(() => document.activeElement.textContent);
        await picture.press('ArrowDown', 'ArrowDown');
        assert.strictEqual(await focused(), hits[1]);
        await picture.press('ArrowUp');
        assert.strictEqual(await focused(), hits[0]);
        const isInField = () => page.evaluate(() =>
            document.activeElement === document.querySelector('.af-search'));
        await picture.press('ArrowUp');
        assert.ok(await isInField());
        await picture.press('ArrowDown', 'Escape');
        assert.ok(await isInField());
        assert.strictEqual(await picture.typed(), 'on');
        await picture.press('ArrowDown', 'End', ...Array(hits.length + 1).fill('ArrowDown'));
        assert.strictEqual(await focused(), hits.at(-1));
        await picture.press('Enter');
        assert.match(await picture.focused(), /, \d+.* of the thread$/);
    });

test('the focus stays on a control that is drawn again, and leaves a list that closes', async () => {
    const press = async (picture, selector) => {
        await picture.page.locator(selector).first().focus();
        await picture.press('Enter');
        return picture.focused();
    };
    await open('sample', async (picture, page) => {
        assert.match(await press(picture, '.button.rows'), /^Hide \d+ rows/);
        await picture.press('Enter');
        assert.match(await picture.focused(), /more rows above/);
        assert.strictEqual(await press(picture, '[aria-label="show HeapTaskDaemon"]'),
            'collapse HeapTaskDaemon');
        await picture.press('Enter');
        assert.strictEqual(await picture.focused(), 'show HeapTaskDaemon');
        await picture.press('t', 'Escape');
        assert.ok(await page.evaluate(() => document.activeElement.matches('.af-threads')));
        await picture.press('c');
        assert.match(await press(picture, '[aria-label="close the sandwich"]'), / of the thread$/);
    });
    for (const key of ['Escape', 'g']) { // no frame was selected before the sandwich
        await open('chart', async (picture, page) => {
            await picture.press('c');
            await page.locator('.af-range:not([hidden]) button').last().focus();
            await picture.press(key);
            assert.match(await picture.focused(), / of the thread$/);
        });
    }
    await open('chart', async (picture) => {
        await picture.press('r');
        assert.match(await press(picture, '[aria-label="close the range"]'), / of the thread$/);
    });
    await open('deep', async (picture, page) => {
        await page.evaluate(() => {
            const {view} = AF;
            const [panel] = view.panels;
            view.zoomTo(panel, panel.tree.depth.indexOf(40));
        });
        assert.match(await press(picture, '.button.fold'), / of the thread$/);
    });
});

testIn('sample', 'Escape closes the list of what stands out', async (picture, page) => {
    const isShown = () => page.evaluate(() => AF.view.page.isExplaining);
    await picture.press('f');
    assert.strictEqual(await isShown(), true);
    await picture.press('Escape');
    assert.strictEqual(await isShown(), false);
});
