// saved.js [--each-carrier] AFLAME INPUT...
// Outputs of a saved profile are byte for byte those of its recording, in every style of names and under steps, except
// that it holds no single calls for the chart in an SVG; saving it again gives the same bytes. Pictures and pages carry
// these bytes too. With --each-carrier the outputs of each picture and page are compared as well. AFLAME_PART=N/K takes
// every Nth input.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {spawnSync} = require('node:child_process');

const STEPS = ['--fold', 'framework', '--collapse-recursion'];
const OUTPUTS = [
    ['info', '--json'],
    ['report', '--format', 'json'],
    ['report', '--names', 'full'],
    ['report', '--names', 'short', '--tree', 'down'],
    ['report', '--format', 'csv', ...STEPS],
    ['convert'],
    ['render', '--no-script', '-o', '-.svg'],
    ['render', ...STEPS, '-o', '-.svg'],
];
// each with the names of its files
const CARRIERS = [
    [['render', '--scale', '0.1'], ['x.svg', 'x.png', 'x.pdf']],
    [['report'], ['x.html']],
    [['render', '--static'], ['static.svg']],
    [['render', '--no-script'], ['plain.svg']],
];

const words = process.argv.slice(2), isEach = words[0] === '--each-carrier';
const [program, ...inputs] = words.slice(isEach ? 1 : 0), aflame = path.resolve(program);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saved-'));
process.on('exit', () => fs.rmSync(scratch, {recursive: true}));

const inScratch = (name) => path.join(scratch, name);
// a saved profile knows its recording by name, without folders
function run([verb, ...options], input) {
    const done = spawnSync(aflame, [verb, '-q', '--jobs', '1', path.basename(input), ...options],
        {cwd: path.dirname(input), maxBuffer: 2 ** 30, encoding: 'latin1'});
    if (done.status === null) { // both sides must fail alike, but not crash
        throw new Error(`${verb} ${input}: ${done.signal ?? done.error}`);
    }
    return done;
}

// What only a recording has, and only a picture or page; advice by the format of the input.
const OTHERS = [/ *"carrier":.*\n/, / *"frames": \{[^}]*\}.*\n/,
    /(?:<text class="I"[^>]*>|data-facts="#z=\w* )[^<"]* had no processor [^<"]*/g, /(?<=nothing to draw):.*/s];

// What the command prints or writes, or its error: both sides must fail alike.
function output(command, input) {
    const toFile = command.at(-1) === '-.svg', file = inScratch('out.svg');
    const {status, stdout, stderr} = run(toFile ? [...command.slice(0, -1), file] : command, input);
    const text = status !== 0 ? stderr.replaceAll(path.basename(input), 'INPUT')
        : toFile ? fs.readFileSync(file, 'latin1') : stdout;
    return OTHERS.reduce((rest, other) => rest.replace(other, ''), text);
}

function save(input, name) {
    const {status, stderr} = run(['convert', '-o', inScratch(name)], input);
    return status === 0 ? fs.readFileSync(inScratch(name)) : Buffer.from(stderr);
}

// Returns a list of errors and differences.
function check(input) {
    const wrong = [], expected = OUTPUTS.map((command) => output(command, input));
    const compare = (title, file) => OUTPUTS.forEach((command, i) =>
        output(command, file) === expected[i] || wrong.push(`${title}: ${command.join(' ')}`));
    const saved = save(input, 'x.aflp');
    const checkBytes = (title, file) => save(file, 'again.aflp').equals(saved) ||
        wrong.push(`${title}: saving it again gives other bytes`);
    checkBytes('saved profile', inScratch('x.aflp'));
    compare('saved profile', inScratch('x.aflp'));
    for (const [command, names] of CARRIERS) {
        const files = names.map(inScratch), {status, stderr} = run(
            [...command, '--data', 'full', ...files.flatMap((file) => ['-o', file])], input);
        if (status !== 0 && !stderr.includes('nothing to draw')) {
            wrong.push(stderr);
        }
        for (const file of status === 0 ? files : []) {
            checkBytes(path.basename(file), file);
            isEach && compare(path.basename(file), file);
        }
    }
    return wrong;
}

const [every, first] = (process.env.AFLAME_PART ?? '1/0').split('/').map(Number);
const taken = inputs.filter((_, i) => i % every === first % every);
for (const input of taken) {
    for (const line of check(input)) {
        console.error(`${input}: ${line}`);
        process.exitCode = 1;
    }
}
console.log(`${taken.length} profiles`);
if (taken.length === 0) {
    process.exitCode = 1;
}
