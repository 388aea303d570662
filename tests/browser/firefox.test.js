// Exports for the Firefox Profiler, opened by its command line, which contains its own importer. It
// must not print any message.
'use strict';
const assert = require('node:assert');
const {execFileSync, spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {exported, read, received, test} = require('./browser.js');

const inputs = exported();

test('there are files to open', () => assert.ok(inputs.length > 3 && inputs.includes('sample')));

const profiler = require.resolve('@firefox-devtools/profiler-cli');

// Opens a profile in the Firefox Profiler and calls `look(ask)`; ask(words...) returns the answer of
// its command line. The importer's messages go to a log.
const inFirefox = async (name, look) => {
    const sessions = fs.mkdtempSync(path.join(os.tmpdir(), 'aflame-firefox-'));
    const env = {...process.env, PROFILER_CLI_SESSION_DIR: sessions};
    const log = path.join(sessions, 'one.log');
    const daemon = spawn(process.execPath, [profiler, '--daemon', received(name), '--session', 'one'],
        {env, stdio: 'ignore'});
    const gone = new Promise((resolve) => daemon.on('exit', resolve));
    try {
        const loaded = () => fs.existsSync(log) && /loaded successfully|\[ERROR\]/.test(fs.readFileSync(log, 'utf8'));
        for (let left = 600; left > 0 && !loaded() && daemon.exitCode === null; left--) {
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        await look((...words) => JSON.parse(execFileSync(process.execPath,
            [profiler, ...words, '--json', '--session', 'one'], {env, maxBuffer: 1 << 28})));
        const complaints = fs.readFileSync(log, 'utf8').split('\n').filter((line) => /^\[(WARN|ERROR)\]/.test(line));
        assert.deepStrictEqual(complaints, [], name);
    } finally {
        daemon.kill();
        await gone;
        fs.rmSync(sessions, {recursive: true});
    }
};

// name -> [self, total] of all threads
const addUp = (ask) => {
    const sums = new Map();
    const kinds = new Set();
    for (const {threadHandle} of ask('thread', 'list').threads) {
        const answer = ask('thread', 'functions', '--include-idle', '--thread', threadHandle);
        kinds.add(answer.weightType);
        for (const row of answer.functions) {
            const [self, total] = sums.get(row.name) ?? [0, 0];
            sums.set(row.name, [self + row.selfSamples, total + row.totalSamples]);
        }
    }
    return {sums, kinds: [...kinds]};
};

for (const input of inputs) {
    const report = JSON.parse(read(`received/${input}.report.json`));
    // the first clock present, or the count
    const key = ['wall_ns', 'cpu_ns', 'samples', 'weight'].find((one) => `self_${one}` in report.methods[0]) ??
        Object.keys(report.methods[0]).find((one) => one.startsWith('self_')).slice('self_'.length);
    const unit = key.endsWith('_ns') ? 1e6 : 1;

    test(`Firefox has the times of ${input}`, async () => {
        await inFirefox(`${input}.firefox.json`, (ask) => {
            const {sums, kinds} = addUp(ask);
            assert.deepStrictEqual(kinds, [unit > 1 ? 'tracing-ms' : 'samples']);
            const wanted = report.methods.filter((row) => row[`inclusive_${key}`] > 0);
            assert.ok(wanted.length > 1);
            for (const row of wanted) {
                const [self, total] = sums.get(row.name) ?? assert.fail(`no ${row.name}`);
                const near = (is, should) => Math.abs(is - should) < 1e-9 * should + 2e-7;
                assert.ok(near(self, row[`self_${key}`] / unit), `self of ${row.name}: ${self}`);
                assert.ok(near(total, row[`inclusive_${key}`] / unit), `total of ${row.name}: ${total}`);
            }
        });
    });

    test(`Firefox has the samples of ${input} as Android's script writes them`, async () => {
        const {threads} = JSON.parse(read(`received/${input}.gecko.json`));
        await inFirefox(`${input}.gecko.json`, (ask) => {
            const {sums, kinds} = addUp(ask);
            assert.deepStrictEqual(kinds, ['samples']);
            const total = [...sums.values()].reduce((sum, [self]) => sum + self, 0);
            assert.strictEqual(total, threads.reduce((sum, {samples}) => sum + samples.data.length, 0));
            assert.ok(total > 1);
        });
    });
}
