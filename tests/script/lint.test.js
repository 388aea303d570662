// Rules for the script beyond a syntax check.
import test from 'node:test';
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('../../render/svg', import.meta.url));
const files = fs.readdirSync(folder).filter((name) => name.endsWith('.js'));

// The modules that an entry imports.
function closure(name, found = new Set()) {
    const at = path.join(folder, name);
    if (!found.has(name) && fs.existsSync(at)) {
        found.add(name);
        for (const [, next] of fs.readFileSync(at, 'utf8').matchAll(/(?:from|^import) '\.\/(\w+\.js)'/gm)) {
            closure(next, found);
        }
    }
    return found;
}

test('the script of graphs has no module that only charts and comparisons need', () => {
    assert.deepStrictEqual([...closure('whole.js')].sort(), files.sort());
    const graph = closure('graph.js');
    assert.deepStrictEqual(files.filter((name) => !graph.has(name)), ['calls.js', 'chart.js', 'compare.js',
        'cursor.js', 'frame_tracks.js', 'markers.js', 'more_keys.js', 'parts.js', 'range.js', 'ruler.js', 'run_band.js', 'whole.js']);
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
    });
}
