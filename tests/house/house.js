// house.js floors|includes|words|texts TOP: checks every source below TOP against one kind of rule. Prints one line per
// violation, and fails if there is one.
//
// A rule is a row of a table at the top of a file: a folder and its permitted includes (floors.js), names and the
// headers that declare them (includes.js), a word that no name may contain (words.js), a forbidden text or function
// (texts.js). A check gets the sources as {path, text, code, language}; `code` is the text with blanks for comments
// and literals. It calls complain() for each line that violates a rule, and returns how many it checked.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

// If a check covers hardly anything, the checker is broken, not the house.
const FEWEST_CHECKED = 100;

const FOLDERS = ['src', 'render', 'include', 'tests'];

// Third-party, generated, or binary files.
const FOREIGN = ['tests/browser/node_modules', 'tests/fuzz/corpus', 'tests/data/real'];

const LANGUAGES = {'.c': 'C', '.h': 'C', '.js': 'JS', '.sh': 'shell'};

const IN_C = String.raw`/\*[^]*?(?:\*/|$)|//[^\n]*|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`;
// A slash starts a regular expression unless a value precedes it. Only templates span lines.
const IN_JS = IN_C + '|`(?:\\\\[^]|[^`\\\\])*`?' +
    String.raw`|(?<=(?:^|[(,=:[!&|?{};+]|return)[ \n]*)/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*/?`;
const LITERALS = {C: new RegExp(IN_C, 'g'), JS: new RegExp(IN_JS, 'g'), shell: /(?<=^|[ \t\n;])#[^\n]*/g, other: /^$/};

function list(folder) {
    return fs.readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
        const inner = `${folder}/${entry.name}`;
        return FOREIGN.includes(inner) ? [] : entry.isDirectory() ? list(inner) : [inner];
    });
}

function read(file) {
    const text = fs.readFileSync(file, 'utf8'), language = LANGUAGES[path.extname(file)] ?? 'other';
    const plain = text.includes('\0') ? '' : text; // not text: an image, a trace
    return {path: file, language, text: plain,
        code: plain.replace(LITERALS[language], (literal) => literal.replace(/[^\n]/g, ' '))};
}

let complaints = 0;

function complain(source, offset, message) {
    console.error(`${source.path}:${source.text.slice(0, offset).split('\n').length}: ${message}`);
    complaints++;
}

const [kind, top] = process.argv.slice(2);
const check = require(`./${kind}.js`);
process.chdir(top);
const sources = FOLDERS.flatMap(list).sort().map(read);
const checked = check(sources, complain);
console.log(`${sources.length} files, ${checked} checked, ${complaints} wrong`);
process.exitCode = complaints > 0 || checked < FEWEST_CHECKED ? 1 : 0;
