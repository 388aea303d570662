// Random keys, clicks and links in all kinds of pictures: no exception, no impossible number, no page
// that stops answering. AFLAME_SEED, any text, chooses other actions.
'use strict';
const assert = require('node:assert');
const {open, test} = require('./browser.js');

const STEPS = 60;
const PICTURES = ['sample', 'chart', 'compare', 'waits', 'clocks', 'chart-marks', 'sandwich', 'heaps',
    'chart-waits', 'compare-idle', 'samples-beside', 'icicle', 'chart-samples', 'exception', 'folded',
    'waiter', 'chart-clocks', 'recursion'];
const KEYS = [...'wasdkicgmrnNzf0?tuvxepjhob12+-', 'Escape', 'Enter', 'ArrowUp', 'ArrowDown', 'ArrowLeft',
    'ArrowRight', 'Backspace', 'PageDown', 'Tab', 'Shift+Tab', 'Shift+Enter'];
const QUERIES = ['o', 'on', 'run', '/a.*b/', 'a|b', '', '(', 'Binder', '/[/'];
const CLICKABLE = '.f, button, .button, .toggle, .af-tools button, tbody button';
const SIZES = [[1200, 900], [800, 600], [400, 700], [640, 360]];

// Numbers below n, the same ones for the same text.
function newRandom(text) {
    let state = [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.codePointAt(0), 7);
    return (n) => {
        state = Math.imul(state, 1664525) + 1013904223 | 0;
        return (state >>> 8) % n;
    };
}

// Clicks the `k`th element that a user could click, but nothing that downloads or copies.
const clickOne = ([selector, k]) => {
    const all = [...document.querySelectorAll(selector)].filter((one) =>
        one.getClientRects().length > 0 && !/save|cop/i.test(one.textContent));
    all[k % all.length]?.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
};

const type = (query) => {
    const input = document.querySelector('.af-search');
    input.focus();
    input.value = query;
    input.dispatchEvent(new InputEvent('input', {bubbles: true}));
};

// Each returns what it did.
const actions = [
    async ({page}, random) => {
        const key = KEYS[random(KEYS.length)];
        await page.keyboard.press(key);
        return key;
    },
    async ({page}, random) => {
        const {width, height} = page.viewportSize();
        const [x, y] = [random(width), random(height)];
        await page.mouse.click(x, y, {modifiers: random(5) === 0 ? ['Shift'] : []});
        return `click at ${x}, ${y}`;
    },
    async ({page}, random) => {
        const k = random(200);
        await page.evaluate(clickOne, [CLICKABLE, k]);
        return `click ${k}`;
    },
    async ({page}, random) => {
        const query = QUERIES[random(QUERIES.length)];
        await page.evaluate(type, query);
        return `search ${query}`;
    },
    async ({page}, random) => {
        const by = [600, -900, 200][random(3)];
        await page.mouse.wheel(0, by);
        return `wheel ${by}`;
    },
    async ({page}, random) => {
        const [width, height] = SIZES[random(SIZES.length)];
        await page.setViewportSize({width, height});
        return `${width} x ${height}`;
    },
    async ({page}, random) => { // an earlier state, as Back would
        const hash = await page.evaluate(() => location.hash);
        const parts = hash.slice(1).split('&');
        parts.splice(random(parts.length), 1);
        await page.evaluate((to) => {
            location.hash = to;
        }, parts.join('&'));
        return `#${parts.join('&')}`;
    },
];
const OFTEN = 6; // of ten actions so many are keys

for (const name of PICTURES) {
    test(`random actions: ${name}`, async () => {
        const random = newRandom(name + (process.env.AFLAME_SEED ?? ''));
        const [width, height] = SIZES[random(SIZES.length)];
        await open(name, {size: [width, height], motion: random(2) === 0}, async (picture, page) => {
            const done = [];
            for (let i = 0; i < STEPS; i++) {
                const action = actions[random(10) < OFTEN ? 0 : random(actions.length)];
                done.push(await action(picture, random));
                if (random(4) === 0) {
                    await page.waitForTimeout(random(3) * 100);
                }
                const wrong = await page.evaluate(() =>
                    document.querySelectorAll('[x*=NaN], [width*=NaN], [d*=NaN]').length);
                assert.strictEqual(wrong, 0, done.join('; '));
            }
            await picture.rest();
        });
    });
}
