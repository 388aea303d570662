// Exports for other tools, opened by speedscope, which must not print any message.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {exported, open, received, test} = require('./browser.js');

const inputs = exported();

test('there are files to open', () => assert.ok(inputs.length > 3 && inputs.includes('sample')));

const scope = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html');
const kinds = {
    'speedscope.json': 'speedscope json file',
    'json': 'Trace Event Format profile',
    'folded': 'collapsed stack format',
    'pb.gz': 'protobuf encoded pprof file',
    'callgrind': 'Callgrind profile',
};

for (const [extension, kind] of Object.entries(kinds)) {
    test(`speedscope opens .${extension}`, async () => {
        for (const input of inputs.filter((one) => fs.existsSync(received(`${one}.${extension}`)))) {
            const name = `${input}.${extension}`;
            const script = received(`${name}.js`);
            fs.writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ` +
                `"${fs.readFileSync(received(name)).toString('base64')}")`);
            const expected = new RegExp(`^(log: speedscope v|log: Importing as ${kind}$|timeEnd: import: |.*WebGL|.*GL Driver)`);
            await open(null, {url: `file://${scope}`, hash: `#localProfilePath=${script}`, script: false,
                ignoreConsole: expected}, async ({page}) => {
                await page.waitForFunction(() => / - speedscope$/.test(document.title));
            });
        }
    });
}
