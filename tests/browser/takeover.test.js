// The script draws the same as the static sheet, which is complete where the script may not run.
'use strict';
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {compareShots, fileOf, folder, open, openBoth, read, test, testIn} = require('./browser.js');

// The drawn frames in the window at least two pixels wide, which both must have at the same position.
// Frames below the window of a large sheet have no elements.
function listFrames() {
    const svg = document.querySelector('svg.aflame');
    const box = svg.getBoundingClientRect();
    const at = (element) => element.getBoundingClientRect();
    const isShown = (element) => at(element).top < window.innerHeight;
    const locate = (rect) => [at(rect).left - box.left, at(rect).top - box.top]
        .map((n) => Math.round(n * 10) / 10);
    const isLive = svg.querySelector('.f') !== null;
    const rects = isLive ? [...svg.querySelectorAll('.f')]
        : [...svg.querySelectorAll('.panel > g:not([id]) > rect:first-of-type')];
    const waits = isLive ? [...svg.querySelectorAll('.over rect[class^=h]')]
        : [...svg.querySelectorAll('.panel > g:not([id]) > rect')].filter((rect) =>
            /^h[a-i]/.test(rect.getAttribute('class')));
    const texts = [...svg.querySelectorAll(isLive ? '.over text' : '.panel > g:not([id]) > text')];
    // narrow frames share paths if there are many frames
    const slight = (isLive ? AF.view.open : []).flatMap((panel) => panel.shapes.slight.map((i) => [
        panel.layout.frames.x0[i] + (AF.view.page.width - AF.view.width) / 2,
        panel.top + panel.graphTop + panel.shapes.rowTop(i) + panel.shapes.slimness(i),
    ].map((n) => Math.round(n * 10) / 10)));
    return {
        rects: [...rects.filter((rect) => isShown(rect) && at(rect).width >= 2).map(locate), ...slight],
        waits: waits.filter((rect) => isShown(rect) && at(rect).width >= 2).map(locate),
        texts: texts.filter(isShown).map((text) => `${locate(text)} ${text.textContent}`).sort(),
        words: [...svg.querySelectorAll('#head text, #findings text, #overview text, #ruler text, .panel > text, .panel .head text')]
            .map((text) => `${locate(text)} ${text.textContent}`).sort(),
        height: Math.round(box.height),
    };
}

// A font that is loaded again hides its text until it is available.
test('no font is loaded after the script has drawn', async () => {
    const before = () => {
        const mark = performance.mark.bind(performance);
        performance.mark = (name) => {
            globalThis.faces = [...document.fonts].map(({status}) => status);
            document.fonts.addEventListener('loading', () => globalThis.faces.push('loading'));
            return mark(name);
        };
    };
    await open('sample', {before}, async (picture, page) => {
        await picture.rest();
        assert.deepStrictEqual(await page.evaluate(() => globalThis.faces), ['loaded', 'loaded']);
    });
});

// Whether a position of `some` is missing in `all`. The canvas omits solid parts below a tenth of a pixel.
const listMissing = (all, some) => some.filter(([x, y]) =>
    !all.some((rect) => rect[1] === y && Math.abs(rect[0] - x) < 0.15));

// At least so many frames, labels and hatched parts; at most so many of 1000 pixels differ.
for (const [name, schemes, rects, texts, waits, pixels] of [
    ['sample', ['light', 'dark'], 100, 50, 15, 1], ['folded', ['light'], 20, 5, 10, 1],
    ['one-thread', ['light'], 100, 50, 3, 1], ['clean', ['light', 'dark'], 100, 50, 10, 1],
    ['chart', ['light', 'dark'], 100, 50, 10, 1], ['compare', ['light', 'dark'], 15, 15, 0, 10],
]) {
    for (const scheme of schemes) {
        test(`taking over ${name} is invisible, ${scheme}`, async () => {
            const [still, live] = await openBoth(name, {scheme, size: [1200, 2000]},
                async (picture, page, isLive) => {
                    if (isLive) { // where no script runs, the list of findings is always shown
                        await picture.press('f');
                        await picture.rest();
                    }
                    await picture.shot(`${name}-${scheme}-${isLive ? 'live' : 'static'}`);
                    return {...await page.evaluate(listFrames), shot: await picture.sheet()};
                });
            assert.ok(still.rects.length > rects && still.texts.length > texts &&
                still.waits.length >= waits, `${still.rects.length} ${still.texts.length} ${still.waits.length}`);
            assert.deepStrictEqual(live.texts, still.texts);
            assert.deepStrictEqual(live.words, still.words);
            assert.deepStrictEqual(listMissing(live.waits, still.waits), []);
            assert.deepStrictEqual(listMissing(live.rects, still.rects), []);
            assert.strictEqual(live.height, still.height);
            // edges between pixels, individually placed letters
            const different = await compareShots(still.shot, live.shot, 48);
            assert.ok(different < pixels, `${different} of 1000 pixels`);
        });
    }
}

// The list of methods is folded in such a window, and the tools are above the title.
test('the script draws a sandwich like the static sheet, below its tools', async () => {
    const [still, live] = await openBoth('sandwich', {size: [890, 2000]}, async (picture, page) => {
        const {rects, texts} = await page.evaluate(listFrames);
        const top = Math.min(...rects.map(([, y]) => y));
        const round = (y) => Math.round((y - top) * 10) / 10;
        const labels = texts.map((text) => /^([\d.]+),([\d.]+) (.*)$/.exec(text))
            .map(([, x, y, label]) => `${x} ${round(Number(y))} ${label}`).sort();
        return {rects: rects.map(([x, y]) => [x, round(y)]), labels};
    });
    assert.ok(still.rects.length > 30 && still.labels.length > 20);
    assert.deepStrictEqual(live.labels, still.labels);
    assert.deepStrictEqual(listMissing(live.rects, still.rects), []);
});

test('a picture of waiting has the same texts before and after, and can switch the clock', async () => {
    const say = () => [...document.querySelectorAll('#head text, #overview text, .panel > text, .panel .head text')]
        .map((text) => text.textContent);
    const colour = (isLive) => {
        const frames = [...document.querySelectorAll(isLive ? '.f' : '.panel g')];
        const nameOf = (frame) => (isLive ? frame.getAttribute('aria-label')
            : frame.querySelector('title')?.textContent) ?? '';
        return ['sun.misc.Unsafe.park', 'java.lang.Object.wait', 'android.os.Looper.loop(']
            .map((name) => frames.find((frame) => nameOf(frame).startsWith(name)))
            .map((frame) => getComputedStyle(isLive ? frame : frame.querySelector('rect')).fill);
    };
    const size = [1200, 4000]; // heads below the window get their texts later
    const [still, live] = await openBoth('waiting', {size}, async (picture, page, isLive) => {
        const found = {texts: await page.evaluate(say), colours: await page.evaluate(colour, isLive)};
        if (isLive) {
            await picture.press('k');
            const words = (await page.evaluate(say)).join(' ');
            assert.match(words, /widths show wall time/);
            assert.match(words, /hatched: the method itself waits/);
        }
        return found;
    });
    assert.deepStrictEqual(live, still);
    assert.ok(still.texts.some((text) => /^idle \d/.test(text)), 'reasons in the legend');
    assert.ok(!still.texts.some((text) => /^(your app|Kotlin) \d/.test(text)), 'no categories');
    assert.strictEqual(new Set(still.colours).size, 3, 'each reason has its colour');
    assert.ok(still.texts.some((text) => text.includes('widths show waiting (wall minus CPU)')));
    assert.ok(still.texts.some((text) => text.includes('430.2 ms waiting: idle 61.7 %')));
});

testIn('no-script', 'without a script the sheet is complete, and links lead to its panels',
    {script: false}, async (picture, page) => {
        assert.strictEqual(await page.locator('script').count(), 0);
        assert.ok(await page.locator('#thread-9214 title').count() > 100);
        assert.ok(await page.locator('#thread-9214 text').count() > 50);
        assert.ok(await page.locator('#findings').isVisible());
        const targets = await page.evaluate(() => [...document.querySelectorAll('#overview a')]
            .map((link) => link.getAttribute('href').slice(1)));
        assert.ok(targets.length > 3);
        assert.ok(await page.evaluate((ids) => ids.every((id) => document.getElementById(id)), targets));
        await picture.shot('no-script');
    });

test('without a script the sheet shrinks in a narrow window, to a limit', async () => {
    for (const [name, window, expected] of [['no-script', 1000, 1000], ['no-script', 1800, 1200],
        ['no-script', 320, 800], ['no-tree', 1000, 1000], ['fixed', 700, 900]]) {
        const size = [window, 600];
        await open(name, {javaScript: false, size}, async (picture, page) => {
            const {width, height, left} = await page.evaluate(() => {
                const box = document.documentElement.getBoundingClientRect();
                return {width: box.width, height: box.height, left: box.left};
            });
            assert.strictEqual(width, expected, `${name} in ${window}`);
            assert.strictEqual(left, Math.max(0, (window - width) / 2));
            const natural = name === 'fixed' ? 900 : 1200;
            const full = await page.getAttribute('svg', 'height');
            assert.ok(Math.abs(height - full * width / natural) < 1);
        });
    }
});

test('dark without a script: no white around the sheet', async () => {
    const size = [1600, 2100];
    await open('no-script', {javaScript: false, scheme: 'dark', size}, async (picture, page) => {
        const ground = await page.evaluate(() => [document.querySelector('svg'),
            document.querySelector('rect.P')].map((element) => getComputedStyle(element))
            .map((style, i) => (i === 0 ? style.backgroundColor : style.fill)));
        assert.strictEqual(ground[0], ground[1]);
        await picture.shot('no-script-dark');
    });
});

testIn('no-tree', 'without call trees the sheet stays static', {script: false},
    (picture) => picture.stays());

test('a damaged block leaves the static sheet', async () => {
    const text = fs.readFileSync(path.join(folder, 'sample.svg'), 'utf8');
    const at = text.indexOf('>', text.indexOf('id="af-block"')) + 200;
    fs.writeFileSync(path.join(folder, 'damaged.svg'), text.slice(0, at) + 'AAAA' + text.slice(at + 4));
    await open('damaged', {script: false}, async (picture, page) => {
        await picture.stays();
        assert.ok(await page.getAttribute('svg', 'data-script'));
    });
});

test('the static sheet survives a script that fails', async () => {
    const before = () => {
        globalThis.ResizeObserver = class {
            constructor() {
                throw new Error('no observers here');
            }
        };
    };
    await open('sample', {before, script: false}, async (picture, page) => {
        await picture.stays();
        assert.strictEqual(await page.getAttribute('svg', 'data-script'), 'no observers here');
        assert.ok(await page.locator('.panel text').count() > 50);
        assert.strictEqual(await page.locator('svg > title').textContent(), 'sample.trace');
        await page.keyboard.press('c'); // nobody listens
        await page.mouse.move(300, 400);
    });
});

const STYLES = "default-src 'none'; style-src 'unsafe-inline'; font-src data:";
const SCRIPT = `script-src '${process.env.AFLAME_CSP_HASH}'`;
const ignoreConsole = /font|Content Security Policy|Executing inline script/;

testIn('sample', 'a strict policy with the hash lets the script run',
    {policy: `${STYLES}; ${SCRIPT}`}, async (picture) => {
        await picture.click('com.android.internal.os.RuntimeInit');
        assert.match(await picture.hash(), /z=[0-9a-f]{8}/);
        await picture.shot('policy');
    });

testIn('sample', 'a strict policy without the hash leaves a complete sheet',
    {policy: `${STYLES}; script-src 'none'`, script: false, ignoreConsole}, async (picture, page) => {
        assert.strictEqual(await page.locator('.f').count(), 0);
        assert.ok(await page.locator('.panel text').count() > 50);
        await picture.shot('policy-without-hash');
    });

test('panels below the window are empty before the script makes the browser lay out the page', async () => {
    const before = () => {
        const {get} = Object.getOwnPropertyDescriptor(window, 'innerHeight');
        const {getComputedStyle} = window;
        const look = () => {
            const panel = [...document.querySelectorAll('.panel')].at(-1);
            window.firstLook ??= panel?.childElementCount;
        };
        Object.defineProperty(window, 'innerHeight', {get() {
            look();
            return get.call(window);
        }});
        window.getComputedStyle = (...values) => {
            look();
            return getComputedStyle.apply(window, values);
        };
    };
    await open('towers', {before}, async (picture, page) => {
        assert.strictEqual(await page.evaluate(() => window.firstLook), 0);
    });
});

testIn('exception', 'the picture of a tiny trace stays below 200 kB', async (picture) => {
    assert.ok(fs.statSync(fileOf('tiny')).size < 200000);
    await picture.click('com.example.Main.parse');
    assert.match(await picture.hash(), /z=[0-9a-f]{8}/);
});

// What a shape or text looks like, in the order of the file.
const readLooks = () => [...document.querySelectorAll('rect, text, path, stop')].map((element) => {
    const style = getComputedStyle(element);
    return [element.localName, style.fill, style.stroke, style.strokeWidth, style.stopColor,
        style.fillOpacity, style.fontFamily, style.fontSize, style.fontWeight, style.textAnchor,
        style.direction].join(' ');
});

for (const name of ['sample', 'icicle', 'chart', 'compare', 'samples-beside']) {
    test(`${name}: a policy that forbids styles leaves the drawing as it is`, async () => {
        const [allowed, forbidden] = [`${STYLES}; script-src 'none'`, "default-src 'none'; style-src 'none'"];
        const looks = new Map();
        for (const policy of [allowed, forbidden]) {
            await open(name, {policy, script: false, ignoreConsole}, async (picture, page) => {
                looks.set(policy, await page.evaluate(readLooks));
                await picture.shot(`${name}-policy`);
            });
        }
        assert.ok(new Set(looks.get(allowed)).size > 12, 'different shapes and texts');
        assert.deepStrictEqual(looks.get(forbidden), looks.get(allowed));
    });
}

testIn('sample', 'the script leaves a drawing alone whose styles a policy forbids',
    {policy: `default-src 'none'; ${SCRIPT}`, script: false, ignoreConsole}, (picture) => picture.stays());

testIn('sample', 'a policy that forbids the font: labels stay inside their frames',
    {policy: `default-src 'none'; style-src 'unsafe-inline'; ${SCRIPT}`, ignoreConsole},
    async (picture, page) => {
        await picture.rest();
        assert.deepStrictEqual(await page.evaluate(findOverflows), []);
        await picture.shot('policy-without-face');
    });

// Labels that extend beyond their frame.
function findOverflows() {
    return AF.view.open.flatMap((panel) => panel.shapes.labels.items.filter((item) => {
        const {x1} = panel.layout.frames;
        const box = item.element.getBBox();
        return box.x + box.width > x1[item.frame] + 0.5;
    }).map((item) => item.words));
}

for (const name of ['sample', 'hostile', 'names']) {
    testIn(name, `no label extends beyond its frame: ${name}`, async (picture, page) => {
        for (const width of [1200, 700, 400]) {
            await page.setViewportSize({width, height: 900});
            await picture.rest();
            assert.deepStrictEqual(await page.evaluate(findOverflows), [], `${width} px`);
        }
    });
}

test('as an image, an object, in a frame and inside a page', async () => {
    const svg = fs.readFileSync(path.join(folder, 'sample.svg'), 'utf8');
    const page = (body) => `<!doctype html><meta charset="utf-8"><body style="margin:0">${body}`;
    fs.writeFileSync(path.join(folder, 'image.html'), page('<img src="sample.svg" width="1200">'));
    fs.writeFileSync(path.join(folder, 'object.html'),
        page('<object data="sample.svg" type="image/svg+xml" width="1000" height="500"></object>'));
    fs.writeFileSync(path.join(folder, 'frame.html'),
        page('<iframe src="sample.svg" width="1000" height="500"></iframe>'));
    fs.writeFileSync(path.join(folder, 'inside.html'), page(`<h1>A page</h1><input>${svg}<p>below</p>`));
    for (const name of ['image', 'object', 'frame', 'inside']) {
        await open(name, {policy: '', file: `${name}.html`, script: name === 'inside'},
            async (picture, page) => {
                const [frame] = page.frames().slice(-1);
                if (name === 'image') {
                    await frame.evaluate(() => document.querySelector('img').decode());
                } else {
                    await frame.waitForFunction(() =>
                        performance.getEntriesByName('aflame-ready').length > 0);
                }
                await picture.shot(name);
                const live = await frame.evaluate(() => document.querySelectorAll('.f').length);
                assert.ok(name === 'image' ? live === 0 : live > 50, `${name}: ${live} frames`);
                if (name === 'inside') { // the keys of a field of the page are its own
                    await page.locator('body > input').focus();
                    await page.keyboard.type('was?');
                    assert.strictEqual(await page.locator('body > input').inputValue(), 'was?');
                    assert.strictEqual(await picture.hash(), '');
                }
            });
    }
});

test('--width keeps its width, other pictures fill the window', async () => {
    const widthOf = (picture) => picture.page.evaluate(() =>
        document.querySelector('svg.aflame').getBoundingClientRect().width);
    await open('fixed', {size: [1500, 800]}, async (picture) => {
        assert.strictEqual(await widthOf(picture), 900);
    });
    await open('sample', {size: [1500, 800]}, async (picture, page) => {
        assert.strictEqual(await widthOf(picture), 1500);
        const before = await picture.bars();
        await page.setViewportSize({width: 700, height: 800});
        await page.evaluate(() => window.scrollTo(0, 0)); // it opened at its roots
        await picture.settle();
        assert.strictEqual(await widthOf(picture), 700);
        assert.ok((await picture.bars()).length < before.length);
        const [tools, title] = await page.evaluate(() => [...document.querySelectorAll(
            '.af-tools, #head text')].slice(0, 2).map((element) => element.getBoundingClientRect()));
        assert.ok(title.top >= tools.bottom - 6, 'the tools are above the title');
        assert.strictEqual(await picture.text('#head text'), 'sample.trace');
        await picture.shot('narrow');
    });
});

testIn('sample', 'a scroll bar that appears makes all threads narrower',
    async (picture, page) => {
        const widths = () => page.evaluate(() => [AF.view.page.width, ...AF.view.open.map(
            ({layout}) => Math.max(...layout.frames.x1))].map(Math.round));
        const widthsWith = async (bar, ...keys) => {
            await page.evaluate((width) => {
                document.body.style.paddingRight = `${width}px`;
            }, bar);
            await picture.settle();
            await picture.press(...keys);
            await picture.rest();
            return widths();
        };
        const all = (width) => [width, ...Array(5).fill(width - 32)];
        assert.deepStrictEqual(await widths(), all(1200));
        assert.deepStrictEqual(await widthsWith(15), all(1185));
        assert.deepStrictEqual(await widthsWith(0, 'ArrowUp', 'Enter'), all(1200));
    });

testIn('icicle', 'takeover keeps an inverted, dark picture by CPU time', async (picture) => {
    const root = await picture.bar('com.android.internal.os.ZygoteInit.main');
    const next = await picture.bar('com.android.internal.os.RuntimeInit');
    assert.ok(next.y > root.y);
    assert.match(root.spoken, / CPU, /);
    assert.strictEqual(await picture.hash(), '');
    await picture.shot('icicle-dark');
});

function pagesBeginWithPanels(file, titles) {
    const pages = execFileSync('pdftotext', ['-layout', file, '-'], {encoding: 'utf8'}).split('\f')
        .filter((text) => text.trim() !== '');
    assert.ok(pages.length > 1);
    assert.match(pages[0], /sample\.trace/);
    for (const text of pages.slice(1)) {
        assert.ok(titles.some((title) => text.trim().startsWith(`${title} `)), text.slice(0, 200));
    }
}

test('printing shows all rows and no toolbars, and breaks pages between panels', async () => {
    await open('all-threads', async (picture, page) => {
        await page.emulateMedia({media: 'print'});
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        const shown = await page.evaluate(() =>
            ['.af-bar', '.af-details', '.af-rail'].filter((name) =>
                getComputedStyle(document.querySelector(name)).display !== 'none'));
        assert.deepStrictEqual(shown, []);
        const file = path.join(folder, 'shots', 'printed.pdf');
        const titles = await page.evaluate(() => AF.view.panels.map(({thread}) => thread.title));
        await page.pdf({path: file, format: 'A4', landscape: true, scale: 0.6});
        pagesBeginWithPanels(file, titles);
        assert.strictEqual(await page.locator('.af-print').count(), 0);
    });
    await open('all-threads', {javaScript: false}, async (picture, page) => {
        const file = path.join(folder, 'shots', 'printed-static.pdf');
        const titles = [...read('all-threads.svg').matchAll(/class="panel"[^>]* aria-label="([^"]*)"/g)]
            .map(([, title]) => title);
        await page.pdf({path: file, format: 'A4'});
        pagesBeginWithPanels(file, titles);
    });
});

test('no picture scrolls when it opens; scrolling keeps a compact header', async () => {
    for (const [name, size] of [['deep', [1280, 600]], ['sample', [640, 300]],
        ['icicle', [1280, 500]]]) {
        await open(name, {size}, async (picture, page) => {
            await picture.rest();
            assert.strictEqual(await page.evaluate(() => scrollY), 0, name);
        });
    }
    await open('deep', {size: [1280, 600]}, async (picture, page) => {
        const title = page.locator('.af-title');
        assert.strictEqual(await title.isVisible(), false);
        await page.evaluate(() => scrollTo(0, 400));
        await title.waitFor();
        assert.match(await title.textContent(), /^deep\.trace \u00b7 /);
        const {top, height} = await page.evaluate(() => {
            const box = document.querySelector('.af-tools').getBoundingClientRect();
            return {top: box.top, height: box.height};
        });
        assert.ok(top === 0 && height < 60, `${height} pixels`);
        await title.click();
        assert.strictEqual(await page.evaluate(() => scrollY), 0, 'back to the title');
    });
});
