// Numbers and sentences, in the format of src/base/number.c: a point for decimals, a comma for
// thousands, whatever the locale.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const RUNS_FROM_RIGHT = new RegExp('[\\u0590-\\u08ff\\u200f\\ufb1d-\\ufdff\\ufe70-\\ufefe' +
        '\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]', 'u');
    const US = 1e3;
    const MS = 1e6;
    const SECOND = 1e9;

    const {SAY} = AF;
    const SCALES = [ [ 1e12, 'T' ], [ 1e9, 'G' ], [ 1e6, 'M' ] ];

    // The unit of the amounts, from the block: null = ns of clocks; name '' = ns of an unknown
    // clock; otherwise a name such as 'cycles', with its singular.
    AF.unit = null;

    AF.hasClocks = () => AF.unit === null;

    AF.areSides = false; // whether amounts are those of a comparison, which has no clocks
    AF.SIDE_WORDS = ['union', 'before', 'after', 'changes'];

    // ' wall', after a time on that clock.
    AF.clockSuffix = (clock) => (AF.areSides ? ` ${SAY.DIFF_SIDES[clock]}`
        : AF.hasClocks() ? ` ${SAY.CLOCKS[clock]}` : '');

    AF.threadWord = SAY.THREAD_WORD;
    // "12 threads", "3 other heaps".
    AF.threads = (n, before = '') =>
        AF.counted(n, [before + AF.threadWord, `${before}${AF.threadWord}s`]);

    AF.UNKNOWN = 6; // AF_CATEGORY_UNKNOWN
    AF.IDLE = 7;
    AF.FOLDED = 8;
    AF.TRACER = 13;
    AF.DIM = 5; // the shade of frames that only keep others running

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
    function amount(n, {name, singular, digits})
    {
        const one = 10 ** digits;
        const whole = Math.floor(n / one);
        const [size, sign] = SCALES.find(([ least ]) => whole >= least - least / 2000) ?? [];
        if (size) {
            const decimals = whole < 10 * size - size / 200   ? 2
                           : whole < 100 * size - size / 20 ? 1
                                                            : 0;
            return `${scale(whole, size, decimals, sign)} ${name}`;
        }
        const rest = String(n % one).padStart(digits, '0').replace(/0+$/, '');
        return `${AF.count(whole)}${rest === '' ? '' : `.${rest}`} ` +
               (n === one ? singular : name);
    }

    // An amount of the block: a time or a count.
    AF.time = (n) => (AF.unit?.name ? amount(Math.max(Math.round(n), 0), AF.unit) : AF.span(n));

    // A time with three or four significant digits: "12 µs", "1.50 ms", "15.31 s".
    AF.span = (ns) => {
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
    AF.exact = (ns) => {
        const [unit, name] = ns === 0 || ns >= SECOND ? [SECOND, 's'] : ns >= MS ? [MS, 'ms']
            : ns >= US ? [US, '\u00b5s'] : [1, 'ns'];
        const whole = Math.floor(ns / unit);
        const rest = String(Math.round(ns - whole * unit)).padStart(Math.log10(unit), '0')
            .replace(/0+$/, '');
        return `${whole}${rest === '' ? '' : '.' + rest} ${name}`;
    };

    AF.count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

    AF.counted = (n, [one, many]) => `${AF.count(n)} ${n === 1 ? one : many}`;

    // Replaces each %s in a sentence of SAY.
    AF.fill = (sentence, ...values) => sentence.replace(/%s/g, () => values.shift());

    // Percent with one decimal; amounts above 0 are never shown as 0.
    AF.share = (part, whole) => {
        if (!(part > 0) || !(whole > 0)) {
            return '0 %';
        }
        const tenths = Math.floor(part / whole * 1000 + 0.5);
        return tenths === 0 ? '<0.1 %' : `${Math.floor(tenths / 10)}.${tenths % 10} %`;
    };

    AF.milliseconds = (ns) => scale(Math.round(ns), MS, 3, 'ms');

    // Isolates a name from the file: its right-to-left letters and bidi controls do not affect the
    // sentence around it.
    AF.isolate = (name) => {
        const text = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
        return RUNS_FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
    };

    // ---- facts of a frame ----

    AF.nameOf = (view, tree, node) => {
        const {labels} = view.block;
        const label = tree.label[node];
        if (AF.isJoined(tree, node)) {
            const {chart} = view.block;
            const count = tree.isSampled
                ? AF.counted(tree.calls[node], SAY.SAMPLES) + ' in slices'
                : AF.countedEntries(tree, tree.calls[node]);
            return `${count} shorter than ${AF.span(chart.shortest)}, merged`;
        }
        if (isLeftOut(tree, node)) {
            return AF.counted(tree.calls[node], SAY.FRAMES) + ` ${SAY.OMITTED}`;
        }
        return labels.full(label);
    };

    AF.labelOf = (view, tree, node) => view.block.labels.text[tree.label[node]] ??
        (AF.isJoined(tree, node) && !tree.isSampled && !tree.hasSlices
            ? AF.counted(tree.calls[node], ['merged call', 'merged calls'])
            : AF.nameOf(view, tree, node));

    // The nouns for the entries in a chart of threads: calls, or slices between samples, which are
    // not calls.
    AF.entryWords = (threads) => (threads.every(({countsCalls}) => countsCalls) ? SAY.CALLS
        : threads.some(({countsCalls}) => countsCalls) ? SAY.CALLS_SLICES : SAY.SLICES);

    AF.countedEntries = (tree, n) => AF.counted(n, tree.isSampled ? SAY.SAMPLES
        : tree.hasSlices ? SAY.SLICES : SAY.CALLS);

    AF.sourceOf = (view, tree, node) => view.block.labels.source(tree.label[node]);

    const isLeftOut = (tree, node) => tree.label[node] === tree.leftOutLabel;

    function addCalls(view, tree, node, clock, facts) {
        const calls = tree.calls[node];
        if (isLeftOut(tree, node)) {
            return;
        }
        facts.push(AF.counted(calls, SAY.CALLS));
        const by = clock === AF.WAIT ? AF.WALL : clock;
        const extremes = calls > 1 ? AF.extremesAt(tree, node, by) : null;
        if (calls > 1 && tree.inclusive[by]) {
            facts.push(`average ${AF.time(tree.inclusive[by][node] / calls)}`);
        }
        if (extremes) {
            facts.push(`shortest ${AF.time(extremes[0])}`, `longest ${AF.time(extremes[1])}`);
        }
        const unwinds = tree.unwinds.get(node);
        if (unwinds) {
            facts.push(`${AF.count(unwinds)} ended by an exception`);
        }
    }

    // Adds the times of all clocks: "wall 320.9 ms (self 0.018 ms)". Callers of a method have no
    // self time in that view.
    function addTimes(tree, node, facts, hasSelf) {
        for (const clock of [AF.WALL, AF.CPU]) {
            if (tree.inclusive[clock]) {
                facts.push((AF.hasClocks() ? `${SAY.CLOCKS[clock]} ` : '') +
                           AF.time(tree.inclusive[clock][node]) +
                           (hasSelf ? ` (self ${AF.time(tree.self[clock][node])})` : ''));
            }
        }
        if (tree.clocks === 3) {
            facts.push(AF.waitFact(tree, node));
        }
    }

    // "waiting 5.5 ms, 2.5 ms of it for a processor"
    AF.waitFact = (tree, node) => {
        const runnable = AF.runnableOf(tree, node);
        return `waiting ${AF.time(AF.timeOf(tree, node, AF.WAIT))}` +
            (runnable === null ? '' : `, ${AF.time(runnable)} ${SAY.FOR_PROCESSOR}`);
    };

    // The shares that make sense for a frame: of the thread, of the zoomed frame, of its parent.
    AF.shares = (view, panel, node) => {
        const {tree} = panel;
        const clock = view.state.clock;
        const time = AF.timeOf(tree, node, clock);
        const shares = [];
        const add = (of, whole) => shares.push({of, text: AF.share(time, whole)});
        add(AF.threadWord, AF.timeOf(panel.base, 0, clock));
        if (tree.turn) {
            add(`all calls of ${AF.isolate(view.methodName)}`, AF.timeOf(tree, 1, clock));
        } else {
            if (panel.zoom > 0 && AF.isWithin(tree, node, panel.zoom)) {
                add('zoom', AF.timeOf(tree, panel.zoom, clock));
            }
            if (tree.parent[node] > 0) {
                add('parent', AF.timeOf(tree, tree.parent[node], clock));
            }
        }
        return shares;
    };

    // All facts of a frame, each a piece of text.
    AF.facts = (view, panel, node) => {
        const facts = [];
        const {tree} = panel;
        const isCaller = AF.isCaller(tree, node);
        if (view.compare) {
            return view.compare.facts(panel, node);
        }
        if (tree.start) {
            facts.push(...AF.callFacts(view, tree, node));
        } else {
            if (isCaller) {
                facts.push(`calls ${view.methodName} from here`);
            }
            addTimes(tree, node, facts, !isCaller && !isLeftOut(tree, node));
            if (panel.thread.countsCalls) {
                addCalls(view, tree, node, view.state.clock, facts);
            }
        }
        facts.push(AF.shares(view, panel, node)
            .map((share) => `${share.text} of ${share.of}`).join(', '));
        return facts;
    };

    // The text for screen readers.
    AF.ariaText = (view, panel, node) => {
        const {tree} = panel;
        const clock = view.state.clock;
        const time = AF.timeOf(tree, node, clock);
        return `${AF.nameOf(view, tree, node)}, ${AF.time(time)}${AF.clockSuffix(clock)}, ` +
            `${AF.share(time, AF.timeOf(panel.base, 0, clock))} of the ` +
            AF.threadWord;
    };

    // The stack of a node: one name per line, the innermost first.
    AF.stackOf = (view, panel, node) => {
        const {tree} = panel;
        const lines = [];
        for (let i = node; i > 0; i = tree.parent[i]) {
            lines.push(AF.nameOf(view, tree, i));
        }
        // in a tree of callers, the root is the innermost
        return (AF.isCaller(tree, node) ? lines.reverse() : lines).join('\n');
    };
})();
