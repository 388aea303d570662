// What a user does in a picture, one action after another, and how long each takes.
'use strict';

// Runs in the page: [name, aim] for each action. aim() finds what the action is about and
// returns what causes it: an event of a mouse or key.
function listActions() {
    const {view} = globalThis.AF;
    const key = (name) => () => () => document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
    const type = (text) => () => () => {
        const input = document.querySelector('.af-search');
        input.focus();
        input.value = text;
        input.dispatchEvent(new InputEvent('input', {bubbles: true}));
    };
    // the frame on the screen that is nearest to a row of its panel
    const frame = (kind, row) => () => {
        const shown = [...document.querySelectorAll('.graph .f')].filter((rect) => {
            const {top, bottom, width} = rect.getBoundingClientRect();
            return top > 150 && bottom < innerHeight - 80 && width > 2 &&
                rect.afPanel.layout.frames.nodes[rect.afItem.frame] === 0;
        });
        const away = ({afItem, afPanel}) => Math.abs(afPanel.layout.frames.row[afItem.frame] - row);
        const found = shown.reduce((a, b) => (away(b) < away(a) ? b : a));
        const {left, top, width, height} = found.getBoundingClientRect();
        return () => found.dispatchEvent(new PointerEvent(kind, {bubbles: true, pointerId: 1,
            pointerType: 'mouse', clientX: left + width / 2, clientY: top + height / 2}));
    };
    const button = (selector) => () => {
        const found = document.querySelector(selector);
        return () => found.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    };
    const scroll = (sign) => () => () => window.scrollBy(0, sign * (innerHeight - 80));
    const moves = [['w', key('w')], ['d', key('d')], ['a', key('a')], ['s', key('s')],
        ['w again', key('w')], ['reset', key('0')]];
    const search = [['first letter', type('o')], ['second letter', type('on')],
        ['first hit', key('Enter')], ['next hit', key('Enter')], ['zoom to hit', key('Control+Enter')],
        ['back to search', button('[aria-label="back to where the search began"]')],
        ['no search', () => {
            document.querySelector('.af-search').focus();
            return key('Escape')();
        }]];
    const rows = [['all rows', button('.button.rows')], ['scroll', scroll(1)],
        ['scroll up', scroll(-1)], ['fewer rows', button('.button.rows')]];
    const threads = [['list threads', button('.af-threads')], ['no list', button('.af-threads')],
        ['close thread', button('.toggle')], ['open thread', button('.toggle')]];
    if (view.chart?.isOn) {
        return [
            ['hover', frame('pointermove', 3)], ['select', frame('click', 3)],
            ['arrow', key('ArrowRight')], ['zoom', key('f')], ['back', key('Backspace')], ...moves,
            ['highlight', key('m')], ['no highlight', key('m')],
            ['totals', key('r')], ['no totals', key('Escape')], ...rows, ...search,
            ['graph', key('g')], ['chart', key('g')], ...threads,
        ];
    }
    return [
        ['hover', frame('pointermove', 3)], ['zoom', frame('click', 3)],
        ['arrow', key('ArrowRight')], ['back', key('Backspace')], ...moves,
        ['CPU clock', key('k')], ['wait clock', key('k')], ['wall clock', key('k')],
        ['icicle', key('i')], ['flame', key('i')], ...rows, ...search,
        ['sandwich', button('[aria-label=View] button:nth-child(3)')],
        ['another method', button('.af-range tbody tr:nth-child(5) button')],
        ['zoom in it', frame('click', 1)],
        ['no sandwich', button('[aria-label="close the sandwich"]')],
        ...threads,
    ];
}

// Runs in the page.
function install(source) {
    const list = new Function(`return (${source})()`)();
    let cause = null;
    globalThis.afActions = {
        ready: (i) => {
            cause = list[i][1]();
        },
        // Returns the ms up to the end of the frame that shows the result.
        act: async () => {
            const start = performance.now();
            cause();
            await new Promise((resolve) => requestAnimationFrame(() => {
                const {port1, port2} = new MessageChannel();
                port1.onmessage = resolve;
                port2.postMessage(0);
            }));
            return performance.now() - start;
        },
    };
    return list.map(([name]) => name);
}

// Gives the CPU time that the main thread of a page has used, in ms.
const cpuOf = async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable', {timeDomain: 'threadTicks'});
    return async () => 1000 * (await client.send('Performance.getMetrics')).metrics
        .find(({name}) => name === 'TaskDuration').value;
};

// Runs each action, or only those named in `wanted`, `rounds` times. Returns {name: {wall, cpu, elements}}: lists of
// milliseconds and of numbers of elements. The CPU time hardly depends on how busy the machine is.
exports.measureActions = async (picture, rounds, wanted) => {
    const {page} = picture;
    const names = await page.evaluate(([f, source]) => new Function(`return (${f})`)()(source),
        [String(install), String(listActions)]);
    const cpu = await cpuOf(page);
    const countElements = () => page.evaluate(() => document.querySelectorAll('*').length);
    const found = {};
    const measure = async (name, act) => {
        const times = found[name] ??= {wall: [], cpu: [], elements: []};
        await picture.rest();
        times.elements.push(await countElements());
        const before = await cpu();
        const wall = await act();
        times.cpu.push(await cpu() - before);
        times.wall.push(wall);
        times.elements.push(await countElements());
    };
    for (let round = 0; round < rounds; round++) {
        for (const [i, name] of names.entries()) {
            if (wanted && !wanted.includes(name)) {
                continue;
            }
            await picture.rest();
            await page.evaluate((k) => globalThis.afActions.ready(k), i);
            await measure(name, () => page.evaluate(() => globalThis.afActions.act()));
        }
        await measure('theme', async () => {
            const start = performance.now();
            await page.emulateMedia({colorScheme: round % 2 === 0 ? 'dark' : 'light'});
            await picture.settle();
            return performance.now() - start;
        });
    }
    return found;
};

// Opens the page `rounds` times again: {cpu, wall, paint}, lists of ms up to the toolbar and up to
// the first paint.
exports.measureStart = async (page, rounds) => {
    const times = {cpu: [], wall: [], paint: []};
    const cpu = await cpuOf(page);
    for (let round = 0; round < rounds; round++) {
        const before = await cpu();
        await page.reload({waitUntil: 'commit'});
        await page.waitForFunction(() => performance.getEntriesByName('aflame-ready').length > 0);
        times.cpu.push(await cpu() - before);
        await page.waitForFunction(() =>
            performance.getEntriesByName('first-contentful-paint').length > 0);
        const startOf = (name) => page.evaluate((of) =>
            performance.getEntriesByName(of)[0].startTime, name);
        times.wall.push(await startOf('aflame-ready'));
        times.paint.push(await startOf('first-contentful-paint'));
    }
    return times;
};
