// schema.js AFLAME MANUAL FOLDER|TRACE...
// What `aflame explain --json` says of each trace, also those in the folders, follows the schema in its
// manual and has at most 4 kB. findWrong is for other tests, too.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {spawnSync} = require('node:child_process');

// Returns the paths in a value that violate a schema. Knows only the keywords that aflame's schemas use.
const findWrong = (root, schema, value, at) => {
    const inner = (part, of, name) => findWrong(root, part, of, `${at}${name}`);
    const types = schema.type === undefined ? null : [schema.type].flat();
    const type = value === null ? 'null' : Array.isArray(value) ? 'array'
        : Number.isInteger(value) ? 'integer' : typeof value;
    if (types && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
        return [`${at}: ${type}, not ${types}`];
    }
    if (value === null) {
        return [];
    }
    const wrong = [];
    const expect = (holds, what) => holds || wrong.push(`${at}: ${what}`);
    const properties = schema.properties ?? {};
    if (schema.$ref) {
        wrong.push(...inner(root.$defs[schema.$ref.replace('#/$defs/', '')], value, ''));
    }
    expect(schema.enum?.includes(value) ?? true, value);
    expect(!schema.pattern || new RegExp(schema.pattern).test(value), `${value} does not match`);
    expect(!(value < schema.minimum || value > schema.maximum), `${value} is out of range`);
    expect(!(value.length > (schema.maxLength ?? schema.maxItems)), 'too long');
    for (const name of schema.required ?? []) {
        expect(name in value, `${name} is missing`);
    }
    for (const name of schema.additionalProperties === false ? Object.keys(value) : []) {
        expect(name in properties, `${name} is unknown`);
    }
    for (const [name, part] of Object.entries(properties)) {
        if (name in value) {
            wrong.push(...inner(part, value[name], `.${name}`));
        }
    }
    for (const [i, item] of type === 'array' && schema.items ? value.entries() : []) {
        wrong.push(...inner(schema.items, item, `[${i}]`));
    }
    for (const part of schema.allOf ?? []) {
        wrong.push(...inner(part, value, ''));
    }
    return wrong;
};
module.exports = {findWrong};

if (require.main === module) {
    const [aflame, manual, ...inputs] = process.argv.slice(2);
    const schema = JSON.parse(/\n(\{\n[^]*?)\n\.Ed/.exec(fs.readFileSync(manual, 'utf8'))[1]);
    const files = inputs.flatMap((input) => fs.statSync(input).isDirectory()
        ? fs.readdirSync(input).map((name) => path.join(input, name)) : input);
    let findings = 0;
    for (const file of files.filter((name) => /\.trace$/.test(name))) {
        const {stdout} = spawnSync(aflame, ['explain', '-q', '--json', file]);
        if (stdout.length > 0) {
            const said = JSON.parse(stdout);
            assert.ok(stdout.length <= 4096, file);
            assert.deepStrictEqual(findWrong(schema, schema, said, file), []);
            findings += said.findings.length;
        }
    }
    assert.ok(findings > 50, `only ${findings} findings`);
}
