// The numbers shown are those of `aflame info` and `aflame convert`.
'use strict';
const assert = require('node:assert');
const {open, openBoth, read, readFolded, test, testIn} = require('./browser.js');

// Self time of every path in the page, with its labels.
const listSelf = (clock) => {
    const {view} = globalThis.AF;
    const sums = new Map();
    for (const {thread} of view.panels) {
        const {tree} = thread;
        const paths = [thread.title];
        for (let i = 1; i < tree.n; i++) {
            paths[i] = `${paths[tree.parent[i]]};${view.labels.text[tree.label[i]]}`;
            const time = globalThis.AF.timesOf(tree, clock)?.[i] ?? 0; // the widths
            sums.set(paths[i], (sums.get(paths[i]) ?? 0) + time);
            const caller = paths[tree.parent[i]];
            sums.set(caller, (sums.get(caller) ?? 0) - time);
        }
    }
    return [...sums];
};

testIn('sample', 'every stack has the same times as in convert, every thread its calls of info',
    async (picture, page) => {
        for (const [clock, name] of ['wall', 'cpu', 'wait'].entries()) {
            const expected = readFolded(`sample.${name}`);
            const found = (await page.evaluate(listSelf, clock))
                .map(([stack, ns]) => [stack, Math.floor(ns / 1000)]).filter(([, us]) => us > 0);
            assert.ok(expected.size > 200);
            assert.deepStrictEqual(found.sort(), [...expected].sort(), name);
        }
        const found = await page.evaluate(() => AF.view.panels.map((panel) =>
            [panel.thread.id, panel.base.calls.reduce((sum, n) => sum + n, 0), panel.thread.records]));
        const expected = JSON.parse(read('sample.json')).threads
            .map((thread) => [thread.id, thread.calls, thread.records]);
        const listed = (rows) => rows.filter(([, calls]) => calls > 0).sort((a, b) => a[0] - b[0]);
        assert.deepStrictEqual(listed(found), listed(expected));
    });

for (const name of ['sample', 'min-width', 'fixed', 'icicle', 'sandwich', 'chart', 'compare']) {
    test(`the footer of ${name} counts the same frames without the script`, async () => {
        const [still, live] = await openBoth(name, {}, async (picture, page) =>
            /[\d,]+ \w+ too \w+ to draw separately: [^)·]+/.exec(
                (await page.locator('#foot text').allTextContents()).join(' '))?.[0]);
        assert.strictEqual(live, still);
        assert.ok(still || name === 'compare', name);
    });
}

testIn('sample', 'details show the sums of the stacks', async (picture) => {
    const stacks = readFolded('sample.wall');
    const cpu = readFolded('sample.cpu');
    const name = 'androidx.appcompat.app.AppCompatActivity.setContentView';
    const sum = (of) => [...of].filter(([stack]) => stack.startsWith('main;') &&
        stack.split(';').includes(name)).reduce((total, [, us]) => total + us, 0);
    await picture.hover(name);
    const {facts, name: shown} = await picture.details();
    assert.match(shown, /^androidx\.appcompat\.app\.AppCompatActivity\.setContentView\(/);
    const ms = (unit, us) => new RegExp(`${unit} (${(us / 1000).toFixed(1)}|` +
        `${(us / 1000 + 0.1).toFixed(1)}) ms`);
    assert.match(facts, ms('wall', sum(stacks)));
    assert.match(facts, ms('CPU', sum(cpu)));
    const total = [...stacks].filter(([stack]) => stack.startsWith('main;'))
        .reduce((all, [, us]) => all + us, 0);
    const share = Number(/([\d.]+) % of thread/.exec(facts)[1]);
    assert.ok(Math.abs(share - 100 * sum(stacks) / total) < 0.15, facts);
});

test('samples are not calls and have no call counts', async () => {
    await open('sampled', async (picture, page) => {
        await picture.press('t', 'Escape', 'ArrowUp', 'ArrowUp');
        const {facts} = await picture.details();
        assert.match(facts, /wall .*CPU .*% of thread/);
        const texts = await page.evaluate(() => [...document.querySelectorAll('#head, ' +
            '#panels, #foot, .af-details, .af-rail, .af-unseen')].map((part) => part.textContent)
            .join('\n'));
        assert.match(texts, /sampled about every/);
        assert.match(texts, /thread \d+ · /);
        assert.doesNotMatch(texts, /\d calls?\b|average|shortest/);
    });
    assert.doesNotMatch(read('sampled.svg').replace(/<script.*/s, ''), /\d calls?\b/);
});

test('sampled threads next to others have no call counts either', async () => {
    await open('samples-beside', async (picture, page) => {
        const facts = await page.evaluate(() => AF.view.open.map((panel) =>
            [!panel.thread.countsCalls, AF.factsOf(AF.view, panel, 1).join(', ')]));
        assert.deepStrictEqual([...new Set(facts.map(([sampled]) => sampled))].sort(), [false, true]);
        for (const [sampled, text] of facts) {
            assert.strictEqual(/\d calls?\b/.test(text), !sampled, text);
        }
    });
    await open('chart-samples-beside', async (picture, page) => {
        const sums = await page.evaluate(() => AF.view.open.map(({thread}) =>
            [!thread.countsCalls, AF.totalsOf([AF.mergeCalls(thread.calls, 0, 1e9)], 0)]));
        for (const [sampled, totals] of sums) {
            assert.ok(totals.length > 0);
            assert.ok(totals.every(({calls}) => (calls > 0) !== sampled), JSON.stringify(totals));
        }
    });
});

// For each open panel: title, the facts of all frames and of the thread, hatched bars.
const lookAt = (picture) => picture.page.evaluate(() => AF.view.open.map((panel) => ({
    title: panel.thread.title,
    facts: [...Array(panel.tree.n - 1).keys()].map((i) =>
        AF.factsOf(AF.view, panel, i + 1).join(', ')).concat(panel.head.textContent).join('\n'),
    text: panel.graph.parentNode.textContent,
    hatched: panel.graph.querySelectorAll('[class^="h"]:not([width="0"])').length,
})));

const LACKING = ['main (samples)', 'pool', 'request (async)'];

test('a thread without a clock shows neither its times nor waiting', async () => {
    for (const name of ['clocks', 'chart-clocks']) {
        await open(name, {scheme: name === 'clocks' ? 'light' : 'dark'}, async (picture, page) => {
            const panels = await lookAt(picture);
            assert.deepStrictEqual(panels.map(({title}) => title).sort(),
                [...LACKING, 'main', 'worker'].sort());
            for (const {title, facts, hatched} of panels) {
                const lacks = LACKING.includes(title);
                assert.strictEqual(/CPU|wait/.test(facts.replace('Object.wait', '')), !lacks, facts);
                assert.strictEqual(hatched > 0, !lacks, title);
            }
            const head = await page.locator('#head').textContent();
            assert.match(head, /3 of 5 threads have no CPU times/);
            assert.match(head, /hatched: the method itself waits/);
            await picture.shot(`${name}-lacking`);
        });
    }
});

testIn('clocks', 'a thread without the selected clock has no frames', async (picture, page) => {
    for (const clock of ['CPU time', 'waiting']) {
        await picture.press('k');
        await picture.rest();
        assert.match(await page.locator('#head').textContent(), new RegExp(`widths show ${clock}`));
        for (const {title, text} of await lookAt(picture)) {
            assert.strictEqual(text.includes('this thread has no CPU times'),
                LACKING.includes(title), title);
        }
    }
    await picture.shot('clocks-waiting');
    await picture.press('t');
    for (const row of await page.locator('.af-rail li').allTextContents()) {
        assert.strictEqual(/CPU/.test(row), !LACKING.some((title) => row.includes(title)), row);
    }
    await picture.press('k', 'm');
});

testIn('sample', 'several calls show average, shortest and longest', async (picture, page) => {
    const expected = await page.evaluate(() => {
        const [panel] = AF.view.panels;
        const {tree} = panel;
        let best = 0;
        for (let i = 1; i < tree.n; i++) {
            if (tree.calls[i] > 2 && tree.inclusive[0][i] > tree.inclusive[0][best] * (best > 0)) {
                best = i;
            }
        }
        const {min, max} = tree.extremes[0];
        return {name: AF.nameOf(AF.view, tree, best), calls: tree.calls[best],
            mean: AF.timeText(tree.inclusive[0][best] / tree.calls[best]),
            min: AF.timeText(min[best]), max: AF.timeText(max[best]),
            sane: min[best] <= max[best] && max[best] <= tree.inclusive[0][best]};
    });
    assert.ok(expected.sane);
    await picture.hover(expected.name);
    const {facts} = await picture.details();
    for (const part of [`${expected.calls} calls`, `average ${expected.mean}`,
        `shortest ${expected.min}`, `longest ${expected.max}`]) {
        assert.ok(facts.includes(part), `${part} in ${facts}`);
    }
});
