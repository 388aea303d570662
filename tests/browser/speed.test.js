// Times of everything that a user does in large pictures. The tests print them, say which are
// slower than the aim of a quiet machine, and fail if the least CPU time of several rounds is
// several times the aim: so much a busy machine does not add.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const {fileOf, open, test} = require('./browser.js');
const {measureActions, measureStart} = require('./actions.js');

const AIM_MS = 50;
const AIM_START_MS = 500;
const TIMES_AIM = 3;
const CHART_TIMES_AIM = 4;
const ROUNDS = 3;

// From an action to the end of the frame that shows it; the minimum of several runs counts.
const list = (times) => times.map((ms) => ms.toFixed(0)).join(' ');

const ELEMENTS_MAX = 5000;
const BYTES_MAX = 2e6;
const CHART_BYTES_MAX = 2.5e6; // it also has single calls

// The trace of the benchmark, one of the same size whose threads call 120 deep, and a chart.
for (const name of ['bench', 'bench-towers', 'chart-bench']) {
    test(`${name}: every action is fast`, async (t) => {
        const [times, rounds, bytes] = name === 'chart-bench'
            ? [CHART_TIMES_AIM, 2, CHART_BYTES_MAX] : [TIMES_AIM, ROUNDS, BYTES_MAX];
        const {size} = fs.statSync(fileOf(name));
        assert.ok(size <= bytes, `${size} bytes`);
        await open(name, {}, async (picture) => {
            const failures = [];
            const check = (what, {cpu, wall}, aim) => {
                const least = Math.min(...cpu);
                t.diagnostic(`${what}: CPU ${list(cpu)} ms, ${list(wall)} ms on the clock` +
                    `${least > aim ? ' (slower than the aim)' : ''}`);
                if (!(least > 0 && least < times * aim)) {
                    failures.push(`${what}: ${least} ms`);
                }
            };
            const start = await measureStart(picture.page, rounds);
            t.diagnostic(`${size} bytes, first paint after ${list(start.paint)} ms`);
            check('toolbar', start, AIM_START_MS);
            const actions = Object.entries(await measureActions(picture, rounds));
            for (const [what, found] of actions) {
                check(what, found, AIM_MS);
            }
            const elements = Math.max(...actions.flatMap(([, found]) => found.elements));
            t.diagnostic(`at most ${elements} elements`);
            assert.ok(elements <= ELEMENTS_MAX, `${elements} elements`);
            assert.deepStrictEqual(failures, []);
        });
    });
}
