// The compiler of TypeScript reads the modules: names, imports, exports, numbers of arguments.
import test from 'node:test';
import assert from 'node:assert';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {spawnSync} from 'node:child_process';

// Properties that subclasses and elements add need declarations that the modules lack.
const UNDECLARED = /error TS(2339|2345|2353|2362|2363|2365|2551):/;

test('the modules pass tsc --checkJs', () => {
    const tsc = fileURLToPath(new URL('../browser/node_modules/typescript/bin/tsc', import.meta.url));
    const {stdout, stderr} = spawnSync(process.execPath, [tsc, '--allowJs', '--checkJs', '--noEmit',
        '--target', 'es2022', '--module', 'es2022', '--lib', 'es2023,dom,dom.iterable',
        path.join(process.env.AFLAME_MODULES, 'whole.js')], {encoding: 'utf8'});
    assert.strictEqual(stderr, '');
    assert.deepStrictEqual(stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' ') &&
        !UNDECLARED.test(line)), []);
});
