// Numbers and sentences, in the format of src/base/number.c: a point for decimals, a comma for
// thousands, whatever the locale.
import {more} from './more.js';
import {isAmongCallers} from './sandwich.js';
import * as SAY from './say.js';
import {climbFrom, CPU, extremesAt, isJoined, isWithin, runnableOf, timeOf, WAIT, WALL}
    from './tree.js';

const RUNS_FROM_RIGHT = new RegExp('[\\u0590-\\u08ff\\u200f\\ufb1d-\\ufdff\\ufe70-\\ufefe' +
    '\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]', 'u');
const US = 1e3;
const MS = 1e6;
const SECOND = 1e9;

const SCALES = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']];

// What the words of a picture depend on.
export const wording = {
    // The unit of the amounts, from the block: null = ns of clocks; name '' = ns of an unknown
    // clock; otherwise a name such as 'cycles', with its singular.
    unit: null,
    sides: null, // their words in a comparison, which has no clocks
    threadWord: SAY.THREAD_WORD,
};

export const hasClocks = () => wording.unit === null;

// The name of the amounts in a sentence: 'cycles'.
export const unitName = () => isolate(wording.unit?.name || 'time');

// "self wall time"
export const selfWords = (clock) => (hasClocks() ? SAY.SELF[clock] : fill(SAY.SELF_OF, unitName()));

export const SIDE_WORDS = ['union', 'before', 'after', 'changes'];

// ' wall', after a time on that clock.
export const clockSuffix = (clock) => (wording.sides ? ` ${wording.sides[clock]}`
    : hasClocks() ? ` ${SAY.CLOCKS[clock]}` : '');

// "12 threads", "3 other heaps".
export const threadsText = (n, before = '') =>
    countedText(n, [before + wording.threadWord, `${before}${wording.threadWord}s`]);

export const UNKNOWN = 6; // AF_CATEGORY_UNKNOWN
export const IDLE = 7;
export const FOLDED = 8;
export const KERNEL = 9;
export const TRACER = 13;
export const BLOCKED = 14;
export const DIM = 5; // the shade of frames that only keep others running

// toFixed() rounds the binary value; this function rounds halves up, as the canvases do.
function scale(ns, unit, digits, name) {
    const power = 10 ** digits;
    let whole = Math.floor(ns / unit);
    let fraction = Math.floor(((ns - whole * unit) * power + unit / 2) / unit);
    if (fraction === power) {
        whole++;
        fraction = 0;
    }
    return digits === 0 ? `${whole} ${name}`
        : `${whole}.${String(fraction).padStart(digits, '0')} ${name}`;
}

// "12,345 cycles", "1.50 M samples"
function amount(n, {name, singular, digits}) {
    const one = 10 ** digits;
    const whole = Math.floor(n / one);
    const [size, sign] = SCALES.find(([least]) => whole >= least - least / 2000) ?? [];
    if (size) {
        const decimals = whole < 10 * size - size / 200 ? 2
            : whole < 100 * size - size / 20 ? 1 : 0;
        return `${scale(whole, size, decimals, sign)} ${name}`;
    }
    return `${decimal(countText(whole), n % one, digits)} ${n === one ? singular : name}`;
}

// "12.5": `rest` has `digits` digits, and zeros at its end are left out.
export const decimal = (whole, rest, digits) => {
    const shown = String(rest).padStart(digits, '0').replace(/0+$/, '');
    return shown === '' ? whole : `${whole}.${shown}`;
};

// An amount of the block: a time or a count.
export const timeText = (n) => (wording.unit?.name
    ? amount(Math.max(Math.round(n), 0), wording.unit) : span(n));

// A time with three or four significant digits: "12 µs", "1.50 ms", "15.31 s".
export const span = (ns) => {
    ns = Math.round(ns);
    if (ns <= 0) {
        return '0';
    }
    if (ns < US) {
        return scale(ns, 1, 0, 'ns');
    }
    if (ns < MS - US / 2) {
        return scale(ns, US, ns % US === 0 || ns >= 100 * US ? 0 : 1, 'µs');
    }
    if (ns < SECOND - 50 * US) {
        return scale(ns, MS, ns < 10 * MS ? 2 : 1, 'ms');
    }
    if (ns < 600 * SECOND) {
        return scale(ns, SECOND, ns < 100 * SECOND - 5 * MS ? 2 : 1, 's');
    }
    const seconds = Math.floor(ns / SECOND) + (ns % SECOND >= SECOND / 2 ? 1 : 0);
    return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
};

// A time with all its digits: "0 s", "200 ms", "1.234567 s".
export const exact = (ns) => {
    const [unit, name] = ns === 0 || ns >= SECOND ? [SECOND, 's'] : ns >= MS ? [MS, 'ms']
        : ns >= US ? [US, '\u00b5s'] : [1, 'ns'];
    const whole = Math.floor(ns / unit);
    return `${decimal(whole, Math.round(ns - whole * unit), Math.log10(unit))} ${name}`;
};

export const countText = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

export const countedText = (n, [one, many]) => `${countText(n)} ${n === 1 ? one : many}`;

// Replaces each %s in a sentence of SAY.
export const fill = (sentence, ...values) => sentence.replace(/%s/g, () => values.shift());

// Percent with one decimal; amounts above 0 are never shown as 0.
export const shareText = (part, whole) => {
    if (!(part > 0) || !(whole > 0)) {
        return '0 %';
    }
    const tenths = Math.floor(part / whole * 1000 + 0.5);
    return tenths === 0 ? '<0.1 %' : `${Math.floor(tenths / 10)}.${tenths % 10} %`;
};

// Isolates a name from the file: its right-to-left letters and bidi controls do not affect the
// sentence around it.
export const isolate = (name) => {
    const text = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
    return RUNS_FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
};

// ---- facts of a frame ----

export const nameOf = (view, tree, node) => {
    const {labels, chart} = view.block;
    if (isJoined(tree, node)) {
        const count = tree.isSampled
            ? countedText(tree.calls[node], SAY.SAMPLES) + ' in slices'
            : countedEntries(tree, tree.calls[node]);
        return `${count} shorter than ${span(chart.shortest)}, merged`;
    }
    if (isLeftOut(tree, node)) {
        return countedText(tree.calls[node], SAY.FRAMES) + ` ${SAY.OMITTED}`;
    }
    return labels.full(tree.label[node]);
};

export const labelOf = (view, tree, node) => view.block.labels.text[tree.label[node]] ??
    (isJoined(tree, node) && !tree.isSampled && !tree.hasSlices
        ? countedText(tree.calls[node], ['merged call', 'merged calls'])
        : nameOf(view, tree, node));

// The nouns for the entries in a chart of threads: calls, or slices between samples, which are
// not calls.
export const entryWords = (threads) => (threads.every(({countsCalls}) => countsCalls) ? SAY.CALLS
    : threads.some(({countsCalls}) => countsCalls) ? SAY.CALLS_SLICES : SAY.SLICES);

export const countedEntries = (tree, n) => countedText(n, tree.isSampled ? SAY.SAMPLES
    : tree.hasSlices ? SAY.SLICES : SAY.CALLS);

const isLeftOut = (tree, node) => tree.label[node] === tree.leftOutLabel;

function addCalls(view, tree, node, clock, facts) {
    const calls = tree.calls[node];
    if (isLeftOut(tree, node)) {
        return;
    }
    facts.push(countedText(calls, SAY.CALLS));
    const by = clock === WAIT ? WALL : clock;
    const extremes = calls > 1 ? extremesAt(tree, node, by) : null;
    if (calls > 1 && tree.inclusive[by]) {
        facts.push(`average ${timeText(tree.inclusive[by][node] / calls)}`);
    }
    if (extremes) {
        facts.push(`shortest ${timeText(extremes[0])}`, `longest ${timeText(extremes[1])}`);
    }
    const unwinds = tree.unwinds.get(node);
    if (unwinds) {
        facts.push(`${countText(unwinds)} ended by an exception`);
    }
}

// Adds the times of all clocks: "wall 320.9 ms (self 0.018 ms)". Callers of a method have no
// self time in that view.
export const addTimes = (tree, node, facts, hasSelf) => {
    for (const clock of [WALL, CPU].filter((one) => tree.inclusive[one])) {
        facts.push((hasClocks() ? `${SAY.CLOCKS[clock]} ` : '') +
            timeText(tree.inclusive[clock][node]) +
            (hasSelf ? ` (self ${timeText(tree.self[clock][node])})` : ''));
    }
    if (tree.clocks === 3) { // "waiting 5.5 ms, 2.5 ms of it for a processor"
        const runnable = runnableOf(tree, node);
        facts.push(`waiting ${timeText(timeOf(tree, node, WAIT))}` +
            (runnable === null ? '' : `, ${timeText(runnable)} ${SAY.FOR_PROCESSOR}`));
    }
};

// The shares that make sense for a frame: of the thread, of the zoomed frame, of its parent.
export const sharesOf = (view, {tree, base, zoom}, node) => {
    const {clock} = view.state;
    const parent = tree.parent[node];
    const wholes = [[wording.threadWord, timeOf(base, 0, clock)]];
    if (tree.turn) {
        wholes.push([`all calls of ${isolate(view.methodName)}`, timeOf(tree, 1, clock)]);
    } else if (zoom > 0 && isWithin(tree, node, zoom)) {
        wholes.push(['zoom', timeOf(tree, zoom, clock)]);
    }
    if (!tree.turn && parent > 0) {
        wholes.push(['parent', timeOf(tree, parent, clock)]);
    }
    const time = timeOf(tree, node, clock);
    return wholes.map(([of, whole]) => `${shareText(time, whole)} of ${of}`).join(', ');
};

// All facts of a frame, each a piece of text.
export const factsOf = (view, panel, node) => {
    const facts = [];
    const {tree} = panel;
    const isCaller = isAmongCallers(tree, node);
    if (view.compare) {
        return view.compare.facts(panel, node);
    }
    if (tree.start) {
        facts.push(...more.callFacts(view, tree, node));
    } else {
        if (isCaller) {
            facts.push(`calls ${view.methodName} from here`);
        }
        addTimes(tree, node, facts, !isCaller && !isLeftOut(tree, node));
        if (panel.thread.countsCalls) {
            addCalls(view, tree, node, view.state.clock, facts);
        }
    }
    facts.push(sharesOf(view, panel, node));
    return facts;
};

// The text for screen readers.
export const ariaText = (view, panel, node) => {
    const {tree} = panel;
    const clock = view.state.clock;
    const time = timeOf(tree, node, clock);
    return `${nameOf(view, tree, node)}, ${timeText(time)}${clockSuffix(clock)}, ` +
        `${shareText(time, timeOf(panel.base, 0, clock))} of the ${wording.threadWord}`;
};

// The stack of a node: one name per line, the innermost first.
export const stackOf = (view, panel, node) => {
    const {tree} = panel;
    const lines = climbFrom(tree, node).map((at) => nameOf(view, tree, at));
    // in a tree of callers, the root is the innermost
    return (isAmongCallers(tree, node) ? lines.reverse() : lines).join('\n');
};
