import test from 'node:test';
import assert from 'node:assert';
import {pack, sample, load} from './block.js';

const AF = await load();
const block = AF.unpack(pack(sample()));
const {tree} = block.threads[0];

function find(query, of = tree, labels = block.labels) {
    const {test: matches} = AF.newMatcher(query);
    return AF.findMatches(of, AF.matchLabels(labels, matches).matched);
}

test('plain text ignores case and matches literally', () => {
    const {test: matches} = AF.newMatcher('main.LOAD');
    assert.ok(matches('com.a.Main.load'));
    assert.ok(!matches('com.a.MainXload'));
    assert.ok(AF.newMatcher('a.*').test('x.a.*y'));
    assert.ok(!AF.newMatcher('a.*').test('abc'));
});

test('expressions are case-sensitive by default and match the name only', () => {
    assert.ok(AF.newMatcher('/load$/').test('com.a.Main.load'));
    assert.ok(!AF.newMatcher('/LOAD$/').test('com.a.Main.load'));
    assert.ok(AF.newMatcher('/LOAD$/i').test('com.a.Main.load'));
    assert.ok(AF.newMatcher('/load').test('com.a.Main.load'), 'while typing');
    assert.deepStrictEqual([...find('ms').nodes], [], 'no numbers');
    assert.deepStrictEqual([...find('Main.java').nodes], [], 'no sources');
    assert.deepStrictEqual([...find('String[]').nodes], [], 'no arguments');
});

test('an invalid expression has a message, an empty one is no search', () => {
    assert.match(AF.newMatcher('/(/').error, /^not a valid regular expression: /);
    assert.strictEqual(AF.newMatcher('/(/').test, null);
    assert.deepStrictEqual(AF.newMatcher(''), {test: null, find: null, error: null});
    assert.deepStrictEqual(AF.newMatcher('/'), {test: null, find: null, error: null});
});

test('expressions in legacy syntax work', () => {
    assert.ok(AF.newMatcher('/a\\-b/').test('xa-by'));
});

test('expressions that may run for minutes are refused', () => {
    for (const query of ['/(a+)+$/', '/(a*)*b/', '/(a|a)*b/', '/(a|A)*b/i', '/(\\w+\\.)*x/',
        '/((a|b)|c)*d/', '/((a+))*b/', '/(\\u{61}?){40}b/', '/(|a)*b/', '/(a?){40}b/', '/(?:(?:ab)+){2}/',
        '/(get|set)+/']) {
        assert.match(AF.newMatcher(query).error, /: a repeated group must not contain /, query);
        assert.strictEqual(AF.newMatcher(query).test, null);
    }
    assert.match(AF.refuseExpression('(?i:a|A)*x', 10), /^a repeated group/);
    assert.match(AF.newMatcher(`/${'a?'.repeat(40)}/`).error, /too many repetitions/);
    assert.match(AF.newMatcher(`/${'(a|a)'.repeat(40)}/`).error, /too many repetitions/);
    assert.match(AF.newMatcher('/.*.*.*.*x/').error, /too many repetitions/);
    for (const query of ['/.*.*.*x/', '/a*a*a*b/', '/.*?.*?.*?x/', '/(?=.*.*.*x)a/', '/(.*)\\1\\1b/',
        '/a{1,150}a{1,150}a{1,150}b/', '/()\\1{100000000}b/', '/(?<x>)\\k<x>{100000000}b/']) {
        assert.match(AF.newMatcher(query).error, /too many repetitions/, query);
    }
    assert.match(AF.newMatcher('/.*a.*b/', 10000).error, /too many repetitions/);
});

test('harmless expressions are not refused', () => {
    for (const query of ['/^com\\..*View.*draw$/', '/(?:ab){3}/', '/(a+)?/',
        '/[(+*)\\]]+\\(+/', '/\\p{Lu}+\\u{61}\\x41+/', '/(?<name>a)+/', '/(?=.*a)(?<!b+)c/', '/a{2,}/',
        '/on(Create|Destroy)?$/', '/.*a.*b/', '/(a)\\1/', '/(?<x>a)\\k<x>/']) {
        assert.strictEqual(AF.newMatcher(query).error, null, query);
    }
});

// A call counter replaces the millisecond clock.
test('a search stops at its time limit', () => {
    let calls = 0;
    const {matched, n} = AF.matchLabels(block.labels, () => true, () => ++calls > 2);
    assert.strictEqual(n, 2);
    assert.deepStrictEqual([...matched], [1, 1, 0, 0, 0]);
    assert.strictEqual(AF.matchLabels(block.labels, () => true).n, 4);
    assert.strictEqual(AF.longestLabel(block.labels), 22);
});

test('the time of matches counts once per path', () => {
    const measure = AF.measureOf(tree, AF.WALL);
    const share = (query, from = 0, to = 100e3) =>
        AF.sumMatches(tree, find(query), measure, from, to);
    assert.strictEqual(share('Main'), 100e3); // main and load in it
    assert.strictEqual(share('load'), 70e3);
    assert.strictEqual(share('read'), 40e3);
    assert.strictEqual(share('e'), 60e3); // read in load, and View.draw
    assert.strictEqual(share('nothing'), 0);
    assert.strictEqual(share('read', 0, 70e3), 40e3);
    assert.strictEqual(share('read', 20e3, 30e3), 10e3);
    assert.strictEqual(share('main', 70e3, 90e3), 20e3);
});

test('0 % is shown', () => {
    assert.strictEqual(AF.shareText(0, 100), '0 %');
});

test('matches are counted in any subtree', () => {
    const matches = find('a'); // all of them
    assert.strictEqual(AF.countWithin(matches, tree, 1), 4);
    assert.strictEqual(AF.countWithin(matches, tree, 2), 2);
    assert.strictEqual(AF.countWithin(matches, tree, 3, 4), 2);
});

test('zooming out goes only as far as necessary', () => {
    const measure = AF.measureOf(tree, AF.WALL);
    assert.strictEqual(AF.zoomFor(tree, measure, 2, 3, 1000, 4), 2, 'already visible');
    assert.strictEqual(AF.zoomFor(tree, measure, 2, 4, 1000, 4), 1, 'next to the zoomed frame');
    assert.strictEqual(AF.zoomFor(tree, measure, 0, 3, 5, 4), 3, 'too narrow after zooming out further');
});

test('the place of the first match in a text', () => {
    assert.deepStrictEqual(AF.newMatcher('CREATE').find('a.onCreate()'), [4, 10]);
    assert.strictEqual(AF.newMatcher('create').find('on\u2026ate'), null, 'a shortened label');
    assert.deepStrictEqual(AF.newMatcher('/[A-Z]\\w+/').find('a.onCreate()'), [4, 10]);
    assert.strictEqual(AF.newMatcher('/x*/').find('abc'), null, 'an empty match');
    assert.strictEqual(AF.newMatcher('').find, null);
});

test('the largest matches, each recursion once', () => {
    const panelOf = (weight) => ({tree, matches: find('ad'), measure: {weight}});
    const search = new AF.Search({labels: block.labels, panels: [panelOf([0, 9, 4, 7, 1]),
        panelOf([0, 9, 5, 7, 1]), {...panelOf([0]), matches: null}]});
    const apart = tree.label[3] !== tree.label[tree.parent[3]];
    assert.deepStrictEqual(search.largest.map(({node, time}) => [node, time]),
        apart ? [[3, 7], [3, 7], [2, 5], [2, 4]] : [[2, 5], [2, 4]]);
    search.view.panels = Array.from({length: 12}, () => panelOf([0, 9, 4, 7, 1]));
    assert.strictEqual(search.largest.length, 10);
});

test('dropped nodes never match', () => {
    const other = block.threads[1].tree;
    assert.deepStrictEqual([...find('/./', other).nodes], [1]);
});
