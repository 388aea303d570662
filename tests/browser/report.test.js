// The page of `aflame report --format html`.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {folder, open, read, test} = require('./browser.js');

const at = (name, ...rest) => {
    const look = rest.pop();
    return open(null, {file: `${name}.html`, ...rest[0]}, (_, page) => look(page));
};
const testAt = (name, title, ...rest) => test(title, () => at(name, ...rest));
const names = (page, table) => page.locator(`#${table} tbody tr:not([hidden]) td:first-child`)
    .allTextContents();
const sample = JSON.parse(read('report.json'));
const STEP = 200; // rows that the page shows before the reader scrolls

// Scrolls to the end of each list until it has no more to show.
const scrollThrough = (page) => page.evaluate(async () => {
    for (const end of document.querySelectorAll('.end')) {
        for (let i = 0; i < 100 && end.textContent; i++) {
            end.scrollIntoView();
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
        }
    }
});
const headings = (page) => page.locator('#methods thead tr:last-child th').allTextContents();

testAt('report', 'the page has the numbers of the JSON', async (page) => {
    assert.ok(sample.methods.length > STEP);
    assert.strictEqual((await names(page, 'methods')).length, STEP);
    await scrollThrough(page);
    assert.deepStrictEqual(await names(page, 'methods'), sample.methods.map((row) => row.name));
    for (const table of ['threads', 'classes', 'packages', 'categories', 'sources']) {
        assert.deepStrictEqual((await names(page, table)).sort(),
            sample[table].map((row) => row.name).sort(), table);
    }
    const column = (await headings(page)).indexOf('inclusive CPU ms');
    const cells = await page.locator(`#methods tbody td:nth-child(${column + 1})`).evaluateAll(
        (all) => all.map((cell) => [cell.textContent, cell.title || cell.textContent]));
    assert.deepStrictEqual(cells.map(([, exact]) => Math.round(parseFloat(exact.replace(/,/g, '')) * 1e6)),
        sample.methods.map((row) => row.inclusive_cpu_ns));
    for (const [text, exact] of cells) {
        const digits = text.replace(/^<|[,.]/g, '').replace(/^0+/, '');
        assert.ok(digits.length <= 3 || !text.includes('.'), `${text} of ${exact}`);
    }
    assert.strictEqual(await page.locator('.block').count(), sample.methods.length);
});

testAt('report', 'heads of tables stay below the bar, however many lines it has',
    {size: [1600, 700]}, async (page) => {
        for (const width of [1600, 1280, 800, 400]) {
            await page.setViewportSize({width, height: 700});
            await page.evaluate(() => {
                const row = document.querySelectorAll('#methods tbody tr')[40];
                row.scrollIntoView({block: 'center'});
            });
            await page.waitForFunction(() => {
                const nav = document.querySelector('nav');
                const bar = getComputedStyle(nav).position === 'sticky'
                    ? nav.getBoundingClientRect().bottom : 0;
                const {top} = document.querySelector('#methods thead').getBoundingClientRect();
                return Math.abs(top - bar) <= 1.5;
            }, null, {timeout: 20000});
        }
    });

test('every method links to its callers and callees, and they to each other', async () => {
    await at('report', async (page) => {
        await scrollThrough(page);
        const lost = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')].filter((a) =>
            !document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1)))).length);
        assert.strictEqual(lost, 0);
        await page.locator('#methods a', {hasText: /^android\.view\.View\.layout$/}).click();
        assert.strictEqual(await page.evaluate(() => location.hash), '#method-android.view.View.layout');
        const block = page.locator('.block.target');
        assert.strictEqual(await block.locator('h3').textContent(), 'android.view.View.layout');
        assert.ok(await block.isVisible());
        assert.deepStrictEqual(await block.locator('th.g').allTextContents(),
            ['callers', 'callers while recursive', 'method', 'callees', 'callees while recursive']);
        await page.goBack();
        await page.goForward();
        await block.getByRole('link', {name: 'android.view.ViewRootImpl.performLayout'}).click();
        assert.strictEqual(await page.locator('.block.target h3').textContent(),
            'android.view.ViewRootImpl.performLayout');
    });
    // these methods are not on the page before a link leads to them, and it grows then
    for (const {name} of [sample.methods[STEP], sample.methods[100], sample.methods.at(-1)]) {
        await at('report', {hash: `#method-${name}`}, async (page) => {
            assert.strictEqual(await page.locator('.block.target h3').textContent(), name);
            const box = await page.locator('.block.target').boundingBox();
            assert.ok(box.y >= 0 && box.y < 900, `${name} at ${box.y}`);
        });
    }
});

testAt('report', 'headings sort, and sort again', async (page) => {
    const heading = (name) => page.locator('#methods th', {hasText: name});
    const by = (key) => [...sample.methods].sort((a, b) => b[key] - a[key]).map((row) => row[key]);
    const shown = async () => {
        const rows = new Map(sample.methods.map((row) => [row.name, row]));
        return (await names(page, 'methods')).map((name) => rows.get(name));
    };
    const first = (rows) => rows.slice(0, STEP);
    assert.strictEqual(await heading('self wall').getAttribute('aria-sort'), 'descending');
    await heading('calls').locator('button').click();
    assert.deepStrictEqual((await shown()).map((row) => row.calls), first(by('calls')));
    assert.strictEqual(await heading('calls').getAttribute('aria-sort'), 'descending');
    assert.strictEqual(await heading('self wall').getAttribute('aria-sort'), null);
    await heading('calls').locator('button').press('Enter');
    assert.deepStrictEqual((await shown()).map((row) => row.calls), first(by('calls').reverse()));
    await heading('inclusive wall').locator('button').click();
    assert.deepStrictEqual((await shown()).map((row) => row.inclusive_wall_ns), first(by('inclusive_wall_ns')));
    await heading('method').locator('button').click();
    assert.deepStrictEqual(await names(page, 'methods'),
        first(sample.methods.map((row) => row.name).sort((a, b) => a < b ? -1 : 1)));
    // shares shown as "<0.1" sort between 0.1 and 0
    await page.evaluate(() => document.getElementById('clock-cpu').click());
    const column = (await headings(page)).indexOf('self CPU ms') + 1;
    await page.locator('#methods thead tr:last-child th').nth(column).locator('button').click();
    await scrollThrough(page);
    const shares = await page.locator(`#methods tbody td:nth-child(${column + 1})`).allTextContents();
    const from = shares.indexOf('<0.1'), to = shares.lastIndexOf('<0.1');
    assert.ok(from > 0 && shares[from - 1] === '0.1' && shares[to + 1] === '0', `${from}-${to}`);
});

testAt('report', 'search shows matching rows only', async (page) => {
    await page.keyboard.press('/');
    const box = page.getByRole('searchbox', {name: 'Find a name'});
    assert.ok(await box.evaluate((element) => element === document.activeElement));
    await page.keyboard.type('oncreate');
    const wanted = sample.methods.map((row) => row.name).filter((name) => /oncreate/i.test(name));
    assert.ok(wanted.length > 3);
    assert.deepStrictEqual(await names(page, 'methods'), wanted);
    assert.strictEqual(await page.locator('#methods .count').textContent(),
        `${wanted.length} of ${sample.methods.length}`);
    assert.strictEqual(await page.locator('.block:not([hidden])').count(), wanted.length);
    await box.fill('oncreatE');
    assert.deepStrictEqual(await names(page, 'methods'), []);
    await page.evaluate(() => { location.hash = '#method-android.view.View.layout'; });
    await page.waitForFunction(() => document.querySelector('.block.target'));
    await box.press('Escape');
    assert.strictEqual((await names(page, 'methods')).length, STEP);
});

testAt('report', 'the clock of the columns can be chosen, or all clocks under their headings',
    async (page) => {
        const headings = () => page.evaluate(() => [...document.querySelectorAll('#methods thead th')]
            .filter((head) => head.getClientRects().length > 0)
            .map((head) => head.innerText.replace(/\s+/g, ' ').trim()));
        const choose = (clock) => page.evaluate((id) => document.getElementById(id).click(), clock);
        assert.deepStrictEqual((await headings()).slice(0, 5),
            ['method', 'self wall ms', '%', 'inclusive wall ms', '%']);
        await choose('clock-wait');
        assert.deepStrictEqual((await headings()).slice(1, 4), ['self waiting ms', '%', 'inclusive waiting ms']);
        await choose('clock-all');
        assert.deepStrictEqual((await headings()).slice(0, 6),
            ['wall', 'CPU', 'waiting', 'method', 'self ms', '%']);
        const edge = (text) => page.locator('#methods thead tr:first-child th', {hasText: text})
            .evaluate((cell) => cell.getBoundingClientRect().left);
        const cell = (text) => page.locator('#methods thead tr:last-child th', {hasText: text}).first()
            .evaluate((head) => head.getBoundingClientRect().left);
        assert.ok(Math.abs(await edge('CPU') - await cell('self CPU')) < 2);
        // a narrow page has room for the rare columns only if all clocks are asked for
        await page.setViewportSize({width: 800, height: 700});
        const rare = async () => (await headings()).includes('unwinds');
        assert.ok(await rare());
        await choose('clock-wall');
        assert.ok(!await rare());
    });

testAt('report', 'a selected frame leads to its method, and a method to its frames',
    async (page) => {
        const graph = page.frameLocator('.graph iframe');
        await graph.locator('.f').nth(5).waitFor();
        const frame = page.frames().find((one) => one !== page.mainFrame());
        assert.ok(await frame.evaluate(() => {
            const {top, bottom} = document.querySelector('#head text').getBoundingClientRect();
            return window.scrollY === 0 && top >= 0 && bottom <= window.innerHeight;
        }), 'the graph opens with its title and legend');
        await frame.evaluate(() => {
            globalThis.AF.view.search.run('android.view.View.layout');
            globalThis.AF.view.search.walk(1);
        });
        const link = page.locator('.pick a');
        await link.waitFor();
        assert.strictEqual(await link.textContent(), 'android.view.View.layout');
        await link.click();
        assert.strictEqual(await page.locator('.block.target h3').textContent(),
            'android.view.View.layout');
        await page.locator('.block.target h3').hover();
        await page.locator('.block.target').getByRole('button', {name: 'show in the graph'}).click();
        await frame.waitForFunction(() => globalThis.AF.view.search.matchCount > 0);
        assert.strictEqual(await frame.evaluate(() => globalThis.AF.view.state.query),
            'android.view.View.layout');
        assert.ok(await frame.evaluate(() => globalThis.AF.view.search.matchNumber) > 0);
    });

testAt('report', 'copied cells have all their digits',
    {permissions: ['clipboard-read', 'clipboard-write']}, async (page) => {
        const row = sample.methods[0];
        await page.evaluate(() => {
            const cells = document.querySelector('#methods tbody tr').cells, range = document.createRange();
            range.setStartBefore(cells[0]);
            range.setEndAfter(cells[1]);
            getSelection().addRange(range);
        });
        const copied = await page.evaluate(() => new Promise((done) => {
            document.addEventListener('copy', (event) =>
                done(event.clipboardData.getData('text/plain')), {once: true});
            document.execCommand('copy');
        }));
        const [name, time] = copied.split('\t');
        assert.strictEqual(name, row.name);
        assert.strictEqual(Math.round(parseFloat(time.replace(/,/g, '')) * 1e6), row.self_wall_ns);
    });

testAt('report', 'without a script the first rows of each table are there',
    {javaScript: false}, async (page) => {
        assert.deepStrictEqual(await names(page, 'methods'),
            sample.methods.slice(0, await page.locator('#methods tbody tr').count()).map((row) => row.name));
        assert.ok(await page.locator('#methods tbody tr').count() >= 30);
        assert.match(await page.locator('#methods noscript').textContent(), /^\d+ more rows need the script/);
        assert.strictEqual(await page.locator('button, input:not([name=clock])').count(), 0);
        const cpu = page.locator('#methods th', {hasText: 'self CPU'});
        assert.ok(!await cpu.isVisible());
        await page.evaluate(() => document.getElementById('clock-cpu').click());
        assert.ok(await cpu.isVisible());
        await page.locator('#methods a').first().click();
        assert.ok(await page.locator('.block:target').isVisible());
    });

testAt('report-hostile', 'names are inert text', async (page) => {
    assert.strictEqual(await page.evaluate(() => document.querySelectorAll(
        'script:not([data-rest]), img, object, embed, svg, [onload], [onerror], body [style]').length), 1);
    assert.strictEqual(await page.locator('iframe').count(), 1);
    const text = read('report-hostile.html');
    assert.strictEqual(text.match(/<script/g).length, text.match(/<\/script>/g).length);
    assert.ok(await page.locator('.block').count() > 3);
    for (const block of await page.locator('.block').all()) {
        const id = await block.getAttribute('id');
        assert.ok(!/\s/.test(id), id);
    }
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id));
    assert.strictEqual(new Set(ids).size, ids.length);
});

test('the page works under a policy of the server, and its own policy blocks everything else', async () => {
    const policy = /content="(default-src [^"]+)"/.exec(read('report.html'))[1];
    assert.match(policy, /default-src 'none'.*style-src 'sha256-.*script-src 'sha256-/);
    assert.ok(!/unsafe|\*|http/.test(policy));
    await at('report', {policy}, async (page) => {
        assert.strictEqual(await page.locator('#methods th button').first().isVisible(), true);
        assert.notStrictEqual(await page.locator('nav').evaluate((nav) =>
            getComputedStyle(nav).display), 'block');
    });
});

for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 800, 400]) {
        testAt('report', `the page fits ${width} px and is readable, ${scheme}`,
            {scheme, size: [width, 900]}, async (page) => {
                assert.ok(await page.evaluate(() =>
                    document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
                const contrast = await page.evaluate(() => {
                    const light = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number).map((v) => {
                        const c = v / 255;
                        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                    }).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
                    const page = light(getComputedStyle(document.body).backgroundColor);
                    return ['body', 'p', 'a', '.g', 'thead tr:last-child th'].map((selector) => {
                        const ink = light(getComputedStyle(document.querySelector(selector)).color);
                        return (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
                    });
                });
                assert.ok(Math.min(...contrast) >= 4.5, `contrasts ${contrast}`);
                await page.screenshot({path: path.join(folder, 'shots', `report-${scheme}-${width}.png`)});
            });
    }
}

testAt('report-trees', 'trees have lines', async (page) => {
    const lines = await names(page, 'tree_down');
    assert.strictEqual(lines[0], 'main');
    assert.ok(lines.some((line) => /^ *(│ | )*├─\S/.test(line)));
    assert.ok((await page.locator('#tree_down .n').nth(1).evaluate((cell) =>
        getComputedStyle(cell).whiteSpace)).startsWith('pre'));
    assert.strictEqual(await page.locator('#tree_down th button').count(), 0);
});

test('the page is a single file', () => {
    const text = read('report.html');
    assert.ok(!/(src|href)="(?!#)/.test(text));
    assert.ok(fs.statSync(path.join(folder, 'report.html')).size < 1e6);
});

test('pages of comparisons and calls fit a window of 390 pixels; a comparison begins with its picture', async () => {
    for (const name of ['compare', 'compare-real', 'calls', 'calls-real']) {
        await at(name, {size: [390, 844]}, async (page) => {
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, name);
            if (name === 'compare') {
                await page.frameLocator('.graph iframe').locator('.f').nth(2).waitFor();
                // the picture has the facts
                assert.strictEqual(await page.locator('header').innerText(),
                    'compare_before.trace → compare_after.trace');
            }
        });
    }
});
