// Words that no name may contain, because another word has their meaning: in identifiers of C, JavaScript and the
// shell, and in file names. Each word of a name counts: `tap_target` contains `tap`.
'use strict';
const path = require('node:path');

// A name with more words is a sentence, as those of tests are: it may contain a participle.
const SENTENCE = 4;

// The words, also with an s; what to write instead; whether that applies to sentences too.
const RETIRED = [
    ['util misc manager helper harvest', 'the name of what it does', true],
    ['lane', 'track (chart) or chunk (file)', true],
    ['stretch', 'slice', true],
    ['moment', 'slice or sample', true],
    ['note', 'warning (input), message (stderr) or annotation (picture)', true],
    ['place', 'offset (file), owner (track) or index (array)', true],
    ['room', 'capacity (bytes) or width (pixels)', true],
    ['guide', 'the name of what it computes', true],
    ['book regrow replay', 'call list, call walk or call store', true],
    ['tap', 'call walk', true],
    ['beside', 'next or sibling', false],
    ['charged', 'moved', true],
    ['charted', 'a noun for what is computed', false],
    ['told', 'reported, or a noun', false],
    ['lend lent lender', 'borrowed: used but not owned', true],
    ['kept seen usual', 'a noun for what is computed', false],
].map(([words, instead, inSentences]) => ({words: words.split(' '), instead, inSentences}));

// Paths, as prefixes, and words.
const EXCEPTIONS = [
    ['src/read/perf/', 'misc'], // a field of perf.data
    ['tests/support/make_perf.js', 'misc'],
    ['src/read/library.c', 'note'], // a kind of section in ELF files
    ['src/serve/', 'note'], // what the uploader of a trace writes about it
    ['src/cli/options_serve.c', 'note'],
    ['tests/serve/', 'note'],
    ['tests/browser/', 'tap'], // a gesture, in playwright's API
];

// `tapTarget2` becomes tap, target.
const splitWords = (name) =>
    name.replace(/(?<=[^A-Z])(?=[A-Z])/g, ' ').replace(/[^A-Za-z]+/g, ' ').toLowerCase().trim().split(' ');

// In the shell only variables and functions are names; commands are not.
const NAMES = {
    C: /[A-Za-z0-9_]+/g,
    JS: /[A-Za-z0-9_]+/g,
    shell: /(?<=^|[ \t\n;])[A-Za-z0-9_]+(?==|\(\))|(?<=\$\{?)[A-Za-z0-9_]+/g,
    other: /(?!)/g,
};

module.exports = (sources, complain) => {
    let checked = 0;
    const checkName = (source, offset, name) => {
        const words = splitWords(name);
        checked++;
        for (const word of words) {
            const forms = [word, word.replace(/s$/, '')];
            const row = RETIRED.find((retired) => forms.some((form) => retired.words.includes(form)));
            if (row && (row.inSentences || words.length <= SENTENCE) &&
                !EXCEPTIONS.some(([where, what]) => source.path.startsWith(where) && forms.includes(what))) {
                complain(source, offset, `${name}: instead of "${word}" write ${row.instead}`);
            }
        }
    };
    for (const source of sources) {
        const known = new Set();
        checkName(source, 0, path.basename(source.path));
        for (const {0: name, index} of source.code.matchAll(NAMES[source.language])) {
            if (!known.has(name)) {
                known.add(name);
                checkName(source, index, name);
            }
        }
    }
    return checked;
};
