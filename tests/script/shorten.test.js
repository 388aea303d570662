// The program that shortens the script: what it removes, renames and leaves alone.
'use strict';
const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {spawnSync} = require('node:child_process');

const run = (text, list = []) =>
    spawnSync(process.env.AFLAME_SHORTEN, list, {input: text, encoding: 'utf8'});

const shorten = (text) => {
    const {stdout, status, stderr} = run(text);
    assert.strictEqual(status, 0, stderr);
    return stdout.trim();
};

const cases = [
    ['comments and spaces', "f( 1 , 'a  // b' ); // c\n", "f(1,'a  // b');"],
    ['properties keep their names', 'const long = {width: 1}; f(long.width, long?.width);',
        'let a={width:1};f(a.width,a?.width);'],
    ['a name in braces is a property and a variable', 'const {width, left = 2} = f({width});',
        'let{width:a,left:b=2}=f({width:a});'],
    ['globals keep their names', 'const map = new Map([[1, Infinity]]); f(({to = Map}) => to);',
        'let b=new Map([[1,1/0]]);f(({to:a=Map})=>a);'],
    ['globals that are also variables', 'const g = (name) => name; f(name, g);',
        'let a=name=>name;f(name,a);'],
    ['declared globals', 'const {Math: GLOBAL_Math} = globalThis; const f = () => Math.max(g.Math, Math.PI);',
        'let{Math:a}=globalThis;let b=()=>a.max(g.Math,a.PI);'],
    ['constants', 'const a = {true: true}; f(a.true, -Infinity, a === undefined ? false : 1 < undefined);',
        'let a={true:!0};f(a.true,-1/0,a===void 0?!1:1<void 0);'],
    ['methods, getters and keys', 'class One { get two() { return {class: 1, get: 2}; } three(four) { four++; } }',
        'class b{get two(){return{class:1,get:2}}three(a){a++}}'],
    ['templates', 'const one = 1; f(`one ${one + `${one}`} // ${{one}.one}`);',
        'let a=1;f(`one ${a+`${a}`} // ${{one:a}.one}`);'],
    ['regular expressions and divisions', "const one = 4 / 2 / 1; f(/[/'\"]\\/ x/u, one / 2, `${1}` / 2);",
        "let a=4/2/1;f(/[/'\"]\\/ x/u,a/2,`${1}`/2);"],
    ['choices and keys', 'const one = 1; f({one: one ? one : 2, two: one?.5:1});',
        'let a=1;f({one:a?a:2,two:a?.5:1});'],
    ['declarations in a row', 'const one = 1; const two = {}; let three = () => { f(); }; f(one); const four = 2;',
        'let a=1,d={},c=()=>{f()};f(a);let b=2;'],
    ['braces of one statement', 'if (f()) { f(); } else { f(1); } for (;;) { if (f()) { f(); } } if (f) { const one = 1; }',
        'if(f())f();else f(1);for(;;){if(f())f()}if(f){let a=1}'],
    ['signs that must not join', 'f(1 + +1, 2 - -1, 1 - +1, f[f[0]] > 1, f < !1);',
        'f(1+ +1,2- -1,1-+1,f[f[0]] >1,f< !1);'],
    ['modules share short names', '{ const one = 1; f(one, two); } { const two = 2; f((one) => one + two); } const all = 1; f(all);',
        '{let b=1;f(b,two)}{let c=2;f(b=>b+c)}let a=1;f(a);'],
    ['tables', "AF.SIZES = {ROW: 1800/100, GAP: 60/100, N: 3,}; AF.SAY = {ONE: 'a', TWO: ['b', 'c'],}; " +
        'AF.KEPT = 1; { const S = AF.SIZES; const {SAY} = AF; f(S.ROW, S.GAP * S.N, SAY.TWO[1]); } ' +
        'f(AF.SIZES.ROW, AF.SAY.ONE);',
        "AF.KEPT=1;{f(18,0.6*3,['b','c'][1])}f(18,'a');"],
];

for (const [what, long, short] of cases) {
    test(what, () => {
        const found = shorten(long).replaceAll('\n', '');
        assert.strictEqual(found, short);
        new (require('node:vm').Script)(found);
    });
}

// With a list of properties.
const list = (names, look) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shorten-'));
    try {
        const file = path.join(folder, 'properties.list');
        fs.writeFileSync(file, `${names.join('\n')}\n`);
        look((text) => run(text, [file]));
    } finally {
        fs.rmSync(folder, {recursive: true});
    }
};

test('properties of the list get short names that no other property has', () => {
    list(['first', 'second', 'third'], (short) => {
        const {stdout, stderr, status} = short(`const first = {first: 1, second() { return this.first; }, a: 2};
            const {second, first: other} = first; first.first ??= first?.second; first.third = first.a;
            f(second, other, {third: first.first, width: 3, second});`);
        assert.strictEqual(status, 0, stderr);
        assert.strictEqual(stdout.replaceAll('\n', ''), 'let a={b:1,c(){return this.b},a:2},{c:b,b:c}=a;' +
            'a.b??=a?.c;a.d=a.a;f(b,c,{d:a.b,width:3,c:b});');
    });
});

test('thousands of properties differ', () => {
    const names = Array.from({length: 2000}, (_, i) => `property${i}`);
    list(names, (short) => {
        const text = short(`f = {${names.map((name, i) => `${name}: ${i}`).join()}};`).stdout;
        const sandbox = {f: null};
        require('node:vm').runInNewContext(text, sandbox);
        assert.deepStrictEqual(Object.values(sandbox.f), names.map((_, i) => i));
    });
});

test('a property of the list that is also a text is refused', () => {
    list(['first'], (short) => {
        const {status, stderr} = short("f({first: 1}['first']);");
        assert.strictEqual(status, 1);
        assert.match(stderr, /^shorten: a property of the list is also a text: 'first'/);
    });
});

test('many names: none is a keyword, none is used twice', () => {
    const names = Array.from({length: 4000}, (_, i) => `variable${i}`);
    const text = shorten(names.map((name, i) => `const ${name} = ${i};`).join('\n') +
        `f = [${names.join()}];`);
    const sandbox = {f: null};
    require('node:vm').runInNewContext(text, sandbox);
    assert.deepStrictEqual([...sandbox.f], names.map((_, i) => i));
});

for (const [what, text] of [['a bracket', 'f(1;'], ['a string', "f('a\n');"], ['a template', 'f(`a'],
    ['another bracket', 'f)'], ['a character', 'f(#);'],
    ['a table', 'AF.SIZES = {ROW: 1}; f(AF.SIZES[2]);']]) {
    test(`refused: ${what}`, () => {
        const {status, stderr} = run(text);
        assert.strictEqual(status, 1);
        assert.match(stderr, /^shorten: /);
    });
}
