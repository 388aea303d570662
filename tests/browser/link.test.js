// The state in the address.
'use strict';
const assert = require('node:assert');
const {fileOf, open, test, testIn} = require('./browser.js');

const LAUNCH = 'android.app.ActivityThread.performLaunchActivity';

async function makeLink() {
    let hash = '';
    await open('sample', async (picture) => {
        await picture.click(LAUNCH);
        await picture.press('k', 'i');
        await picture.search('/inflate$/');
        hash = await picture.hash();
    });
    return hash;
}

test('a link restores zoom, clock, view and search, at any width', async () => {
    const hash = await makeLink();
    assert.match(hash, /^#z=[0-9a-f]{8}&c=cpu&v=icicle&q=/);
    for (const name of ['sample', 'fixed']) {
        await open(name, {hash, size: [1000, 800]}, async (picture) => {
            const {width} = await picture.bar(LAUNCH);
            assert.ok(width > (name === 'fixed' ? 860 : 960));
            assert.ok((await picture.bars()).some((bar) => bar.hit));
            assert.strictEqual(await picture.typed(), '/inflate$/');
            assert.strictEqual(await picture.hash(), hash);
            await picture.shot(`link-${name}`);
        });
    }
});

test('links work from a server, and when only the fragment changes', async () => {
    const hash = await makeLink();
    await open('sample', {policy: '', hash}, async (picture, page) => {
        assert.ok((await picture.bar(LAUNCH)).width > 1160);
        await page.evaluate(() => {
            location.hash = '';
        });
        await picture.settle();
        assert.ok((await picture.bar(LAUNCH)).width < 1000);
    });
});

testIn('sample', 'back, forward and reload restore the state', async (picture, page) => {
    const state = async () => {
        await page.waitForFunction(() => globalThis.AF?.view &&
            performance.getEntriesByName('aflame-ready').length > 0);
        await picture.rest();
        return page.evaluate(() => [location.hash, AF.view.state.clock, AF.view.state.view,
            AF.view.state.query, ...AF.view.panels.map((panel) => panel.zoom)].join());
    };
    await picture.click(LAUNCH);
    await picture.press('k');
    const first = await state();
    assert.match(first, /^#z=[0-9a-f]{8}&c=cpu,1,flame,,/);
    await page.goto('file://' + fileOf('names'));
    assert.match(await state(), /^,0,flame,/);
    await page.goBack();
    assert.strictEqual(await state(), first);
    await page.evaluate(() => {
        location.hash = '#v=icicle&q=inflate';
    });
    await page.waitForFunction(() => AF.view.state.view === 'icicle');
    const second = await state();
    assert.match(second, /,0,icicle,inflate,/);
    await page.goBack();
    await page.waitForFunction(() => AF.view.state.view === 'flame');
    assert.strictEqual(await state(), first);
    await page.goForward();
    await page.waitForFunction(() => AF.view.state.view === 'icicle');
    assert.strictEqual(await state(), second);
    await page.reload();
    assert.strictEqual(await state(), second);
});

test('zooming to a frame without waiting by the waiting clock', async () => {
    await open('sample', {motion: true}, async (picture) => { // with animations
        const {page} = picture;
        const hash = await page.evaluate(() => {
            const {view} = AF;
            const {tree, thread} = view.panels[0];
            let node = tree.n - 1;
            while (AF.timeOf(tree, node, AF.WAIT) > 0 || tree.size[node] > 1) {
                node--;
            }
            return AF.hashPath({tree, title: thread.title}, view.labels, node);
        });
        await page.evaluate((zoom) => {
            location.hash = `#z=${zoom}&c=wait`;
        }, hash);
        await page.waitForFunction(() => AF.view.state.clock === 2);
        await picture.rest();
        const text = () => page.evaluate(() => AF.view.panels[0].buttons.textContent);
        assert.match(await text(), /^Nothing to draw: .+ never waited\. Escape zooms out\.$/);
        await page.mouse.move(600, 140);
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, -200); // no times to zoom in to
        await page.keyboard.up('Control');
        await picture.press('k'); // to the wall clock, animated
        await picture.rest();
        assert.strictEqual(await page.evaluate(() =>
            document.querySelectorAll('[x*=NaN], [width*=NaN], [d*=NaN]').length), 0);
        const zoomed = (await picture.bars()).filter((bar) => bar.panel === 'main');
        assert.ok(zoomed.length > 0 && zoomed.every((bar) => bar.width > 1100));
        await picture.press('Escape');
        await picture.rest();
        assert.ok((await picture.bars()).filter((bar) => bar.panel === 'main').length > 50);
    });
});

testIn('sample', 'the browser\u2019s Back undoes a zoom', async (picture, page) => {
    const zoom = () => page.evaluate(() => AF.view.panels[0].zoom);
    await picture.rest();
    await picture.click(LAUNCH);
    await picture.rest();
    const first = await zoom();
    await picture.press('ArrowUp', 'Enter');
    await picture.rest();
    const second = await zoom();
    assert.ok(first > 0 && second > first);
    await page.goBack();
    await page.waitForFunction((node) => AF.view.panels[0].zoom === node, first);
    await page.goBack();
    await page.waitForFunction(() => AF.view.panels[0].zoom === 0);
    await page.goForward();
    await page.waitForFunction((node) => AF.view.panels[0].zoom === node, first);
});

test('omitted rows are drawn on request, can be hidden again and are in the link', async () => {
    let hash = '';
    await open('sample', async (picture, page) => {
        const rows = () => page.evaluate(() => AF.view.panels[0].rows);
        const few = await rows();
        const mark = page.locator('.rows').first();
        const more = Number(/(\d+) more row/.exec(await mark.textContent())[1]);
        await mark.click();
        await picture.rest();
        assert.ok(await rows() > few && await rows() <= few + more);
        hash = await picture.hash();
        assert.strictEqual(hash, '#d=main');
        await page.evaluate(() => scrollTo(0, 0));
        await page.getByRole('button', {name: /^Hide \d+ rows again/}).first().click();
        await picture.settle();
        assert.strictEqual(await rows(), few);
        assert.strictEqual(await picture.hash(), '');
    });
    await open('sample', {hash}, async (picture, page) => {
        assert.ok(await page.evaluate(() => AF.view.panels[0].rowsToFold > 0));
        assert.strictEqual(await picture.hash(), hash);
    });
});

test('a link from another recording reports what is missing here', async () => {
    const hash = '#t=main,Elsewhere&z=00000001,00000002&m=00000003&v=chart';
    await open('folded', {hash}, async (picture) => {
        assert.strictEqual(await picture.text('.af-status'), 'This recording does not contain these parts ' +
            'of the link: 1 of 2 threads, 2 of 2 zoomed frames, the method and the chart.');
    });
    await open('sample', {hash: '#t=Elsewhere,Nowhere'}, async (picture, page) => {
        assert.strictEqual(await picture.text('.af-status'),
            'This recording does not contain these parts of the link: 2 of 2 threads.');
        assert.strictEqual(await page.evaluate(() => AF.view.open.length), 5);
    });
    await open('sample', async (picture) => {
        assert.strictEqual(await picture.text('.af-status'), '');
    });
});

test('the time range belongs to the zoomed path', async () => {
    let hash = '';
    let shown = null;
    await open('sample', async (picture, page) => {
        await picture.click(LAUNCH);
        await page.mouse.move(500, 400);
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, -400);
        await page.keyboard.up('Control');
        hash = await picture.hash();
        shown = await page.evaluate(() => AF.view.panels[0].window);
    });
    assert.match(hash, /z=[0-9a-f]{8}@0\.\d+-0\.\d+/);
    await open('sample', {hash, size: [777, 600]}, async (picture, page) => {
        const now = await page.evaluate(() => AF.view.panels[0].window);
        const length = shown.to - shown.from;
        assert.ok(Math.abs(now.from - shown.from) < length / 500);
        assert.ok(Math.abs(now.to - shown.to) < length / 500);
    });
});

test('a link contains open threads and a sandwich', async () => {
    let hash = '';
    await open('sample', async (picture, page) => {
        await page.locator('.af-threads').click();
        const rows = page.locator('.af-rail li');
        await rows.last().getByRole('button', {name: /^only/}).click();
        await picture.press('Escape');
        hash = await picture.hash();
    });
    assert.match(hash, /^#t=/);
    await open('sample', {hash}, async (picture, page) => {
        assert.strictEqual(await page.evaluate(() => AF.view.open.length), 1);
        await picture.press('ArrowUp', 'c');
        hash = await picture.hash();
        assert.match(hash, /t=.*&v=sandwich&m=[0-9a-f]{8}$/);
    });
    await open('sample', {hash}, async (picture, page) => {
        assert.match(await picture.text('.panels .head, #panels .panel[aria-label] .head'), /./);
        assert.strictEqual(await page.evaluate(() => AF.view.state.view), 'sandwich');
        assert.strictEqual(await picture.hash(), hash);
    });
});

test('broken links show the whole picture', async () => {
    await open('sample', {hash: '#z=00000000&t=&c=moon&v=sandwich&m=ffffffff&q=%'}, async (picture, page) => {
        assert.strictEqual(await page.evaluate(() => AF.view.state.view), 'flame');
    });
    await open('sample', {hash: '#z=00000000'}, async (picture) => {
        assert.ok((await picture.bars()).length > 300);
    });
});
