// Rules for the script beyond a syntax check.
'use strict';
const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {execFileSync} = require('node:child_process');

const folder = path.join(__dirname, '../../render/svg');
const listed = fs.readFileSync(path.join(folder, 'script.list'), 'utf8').trim().split('\n')
    .map((line) => line.split(' ')[0]);
const files = fs.readdirSync(folder).filter((name) => name.endsWith('.js'));

test('every file is in the list', () => {
    assert.deepStrictEqual([...listed].sort(), files.sort());
    assert.ok(files.length > 0);
});

test('the script has every property of the list that is shortened, and no test in the browser reads one', () => {
    const lines = fs.readFileSync(path.join(folder, 'properties.list'), 'utf8').trim().split('\n');
    assert.deepStrictEqual(lines, [...new Set(lines)].sort());
    const text = files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
    const used = new Set([...text.matchAll(/[.{,]\s*([A-Za-z_]+)\b/g)].map(([, name]) => name));
    assert.deepStrictEqual(lines.filter((name) => !used.has(name)), []);
    // tests in the browser read the shortened script
    const tests = ['browser', 'serve'].flatMap((name) => {
        const at = path.join(__dirname, '..', name);
        return fs.readdirSync(at).filter((file) => file.endsWith('.js'))
            .map((file) => fs.readFileSync(path.join(at, file), 'utf8'));
    }).join('\n');
    const read = new Set([...tests.matchAll(/[.{,]\s*([A-Za-z_]+)\b/g)].map(([, name]) => name));
    assert.deepStrictEqual(lines.filter((name) => read.has(name)), []);
});

// Used only if the data has a chart or a comparison.
const ON_DEMAND = ['Chart', 'Compare', 'SandwichSides', 'callFacts', 'callWaitSpan', 'mergeCalls', 'moreKeys',
    'readCalls', 'readSides'];

test('the script of graphs needs nothing from files that it omits', () => {
    const lines = fs.readFileSync(path.join(folder, 'script.list'), 'utf8').trim().split('\n');
    const read = (wanted) => lines.map((line) => line.split(' '))
        .filter(([, kind]) => (kind === 'more') === wanted)
        .map(([name]) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
    const [graph, more] = [read(false), read(true)];
    const names = (text, pattern) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    const own = names(graph, /AF\.([A-Za-z_]+) =[^=]/g);
    const missing = [...names(more, /AF\.([A-Za-z_]+) =[^=]/g)].filter((name) =>
        !own.has(name) && names(graph, /AF\.([A-Za-z_]+)/g).has(name));
    assert.deepStrictEqual(missing.sort(), ON_DEMAND);
});

const forbidden = [
    [/\]\]>/, 'would end the CDATA section'],
    [/\r/, 'carriage returns change in XML, and with them the hash'],
    [/\beval\b|new Function|setTimeout\(\s*['"`]/, 'no code from text'],
    [/innerHTML|outerHTML|insertAdjacentHTML|document\.write/, 'text goes in as text'],
    [/\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|import\(|importScripts|EventSource/, 'no network'],
    [/\bon(click|load|error|key\w+|mouse\w+)\s*=/, 'no handlers in attributes'],
    [/setAttribute\(\s*['"]style/, 'a policy may forbid style attributes'],
    [/\bconsole\.|\bdebugger\b|\balert\(|\bprompt\(/, 'nothing is said on the console'],
    [/https?:\/\/(?!www\.w3\.org\/)/, 'no addresses'],
    [/\bvar\b/, 'const or let'],
    [/[^=!]==[^=]|!=[^=]/, 'strict comparison'],
    [/\t| +$/m, 'no tabs, no trailing blanks'],
    [/^.{101,}$/m, 'at most 100 columns'],
];

for (const name of files) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    test(`${name} follows the rules`, () => {
        for (const [pattern, why] of forbidden) {
            const found = pattern.exec(text);
            assert.strictEqual(found?.[0] ?? null, null, why);
        }
        assert.ok(text.split('\n').length <= 700, 'a file has at most 700 lines');
        assert.match(text, /^\/\//, 'a file starts with a comment on its purpose');
        assert.match(text, /\(\(\) => \{\n {4}'use strict';\n/, 'a strict function scope');
        execFileSync(process.execPath, ['--check', path.join(folder, name)]);
    });
}
