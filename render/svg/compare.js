// A comparison: the block holds the union of two sides. A frame is divided into time that both
// sides took (common), that only after took (grown) and that only before took (shrunk).
//
// The widths show one of four amounts, which take the place of the clocks: the union, either side,
// or the changes alone. Everything else works as in other graphs.
import {bar, button, floorHundredths, html} from './elements.js';
import {advanceOf, isCut} from './label.js';
import {zoomFor} from './match.js';
import {isAmongCallers} from './sandwich.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {addUp, DAMAGED, measureOf, timeOf, WALL} from './tree.js';
import {countedText, countText, DIM, fill, IDLE, labelOf, nameOf, sharesOf, timeText,
    unitName, wording} from './words.js';

const [UNION, BEFORE, AFTER, CHANGES] = [0, 1, 2, 3];
// af_diff_status
const [SAME, NOISE, UNSURE, CHANGED, MOVED, NEW, GONE] = [0, 1, 2, 3, 4, 5, 6];
const HIDDEN_PARTS = {[BEFORE]: 'grown', [AFTER]: 'shrunk', [CHANGES]: 'common'};
const FACT = 1002; // instead of a p
const LABEL = S.LABEL * 100;
const VISIBLE = 12; // minimum width of a frame that keys select, pixels
const PART_MIN = 0.1; // pixels; narrower parts are not drawn

// ---- the block ----

const isPale = (status) => status <= NOISE;

// Whether a thread has differences within noise, which are drawn pale.
function hasPale({thread, base: {sides}}) {
    const {grown, shrunk, status} = sides;
    return (sides.pale ??= grown.some((amount, n) => (amount > 0 || shrunk[n] > 0) &&
        isPale(n === 0 ? thread.status : status[n])));
}

function readTwins(reader, tree) {
    return new Map(reader.list(() => {
        const twins = [reader.number(), reader.number()];
        if (Math.max(...twins) >= tree.n) {
            throw new Error(DAMAGED);
        }
        return twins;
    }));
}

function readSide(reader, thread, block) {
    const {tree} = thread;
    const column = (factor) => {
        const values = new Float64Array(tree.n);
        reader.column(tree.n - 1, values.subarray(1), factor);
        return values;
    };
    const flags = reader.number();
    const [grown, shrunk] = [column(block.unitNs), column(block.unitNs)];
    const calls = [column(), column()];
    const verdict = column();
    const p = flags & 32 ? column() : null;
    const [union] = tree.self;
    const each = (amount) => union.map((width, i) => amount(width, grown[i], shrunk[i]));
    const self = [union, each((width, plus) => width - plus),
        each((width, plus, minus) => width - minus),
        each((width, plus, minus) => plus + minus)];
    tree.sides = {
        self,
        inclusive: [tree.inclusive[WALL], ...self.slice(1).map((own) => addUp(tree, own.slice()))],
        grown: addUp(tree, grown.slice()), shrunk: addUp(tree, shrunk.slice()), calls, p,
        status: verdict.map((value) => value & 7),
        present: verdict.map((value) => value >> 3),
        twins: readTwins(reader, tree),
    };
    thread.status = flags & 7;
    thread.sides = flags >> 3 & 3; // 1 = before has it, 2 = after has it
}

export const readSides = (reader, block) => {
    block.comparedClock = reader.number();
    for (const thread of block.threads) {
        readSide(reader, thread, block);
    }
    wording.sides = SAY.DIFF_SIDES;
};

// ---- the sandwich ----

// The status of a path of a sandwich, from those of the nodes that it merges.
function mergeStatuses(statuses, present) {
    if (statuses.some((status) => status > UNSURE && status !== MOVED)) {
        return present === 1 ? GONE : present === 2 ? NEW : CHANGED;
    }
    return [MOVED, UNSURE, NOISE].find((status) => statuses.includes(status)) ?? SAME;
}

// The sides of a sandwich: the amounts of each node are the sums over the nodes that it merges.
// A path of callers has the amounts of the method at its end.
export const mergeSides = (tree, sides, nodes) => {
    const sum = (column, isSelf = false) => Float64Array.from(nodes, (merged, node) =>
        (isSelf && isAmongCallers(tree, node) ? 0
            : merged.reduce((all, i) => all + column[i], 0)));
    const present = nodes.map((merged) => merged.reduce((all, i) => all | sides.present[i], 0));
    const result = {
        inclusive: sides.inclusive.map((column) => sum(column)),
        self: sides.self.map((column) => sum(column, true)),
        grown: sum(sides.grown), shrunk: sum(sides.shrunk),
        calls: sides.calls.map((column) => sum(column)), p: null, present, twins: new Map(),
        status: nodes.map((merged, node) =>
            mergeStatuses(merged.map((i) => sides.status[i]), present[node])),
    };
    // the thread has the amounts of the method
    for (const column of [...result.inclusive, result.grown, result.shrunk]) {
        column[0] = column[1];
    }
    return result;
};

// ---- numbers ----

export const changeText = (before, after) =>
    (after < before ? '-' : after > before ? '+' : '') + timeText(Math.abs(after - before));

// "3.1x" or "+4.2 %"; "" if a side has no time.
export const ratio = (before, after) => {
    if (before <= 0 || after <= 0) {
        return '';
    }
    if (after >= 2 * before) {
        const tenths = Math.floor((after * 10 + Math.floor(before / 2)) / before);
        return `${Math.floor(tenths / 10)}.${tenths % 10}x`;
    }
    const tenths = Math.floor((Math.abs(after - before) * 1000 + Math.floor(before / 2)) / before);
    const sign = tenths === 0 ? '' : after < before ? '-' : '+';
    return `${sign}${Math.floor(tenths / 10)}.${tenths % 10} %`;
};

const inParentheses = (text) => (text === '' ? '' : ` (${text})`);

export class Compare {
    constructor(view) {
        this.view = view;
        this.onlyChanged = false; // the search finds changed frames only
        this.at = -1; // index of the change that keys selected; -1 = none
        this.sides = ['union', 'before', 'after', 'changes only']; // buttons
    }

    // Buttons: search changed frames only; previous and next change.
    makeTools() {
        return [button('changed frames', () => this.toggleOnlyChanged(), {
            'aria-pressed': 'false', class: 'af-changed', title: 'search changed frames only'}),
        html('span', {class: 'af-steps', role: 'group', 'aria-label': 'Changes'},
            button('\u2039', () => this.step(-1), {'aria-label': 'previous change'}), 'change',
            button('\u203a', () => this.step(1), {'aria-label': 'next change'}))];
    }

    get widths() {
        return SAY.DIFF_WIDTHS[this.view.state.clock];
    }

    // The sentences: first about the whole, then the largest causes.
    drawSentences(group, y) {
        const {page} = this.view;
        for (const [paint, sentences] of [['M', page.facts], ['I', page.causes]]) {
            for (const sentence of sentences) {
                y = page.flow(group, S.MARGIN, y, sentence.split(' '),
                    {paint, dot: ' ', linesMax: S.DIFF_SENTENCE_LINES}) + S.FACTS_LINE;
            }
        }
        return y - S.FACTS_LINE;
    }

    // Threads without a panel, in groups: [the sentence that counts them, their panels].
    sortClosed(closed) {
        const ranks = {[SAME]: 2, [NOISE]: 1};
        return SAY.DIFF_LEFT_OUT.map((words, i) =>
            [words, closed.filter(({thread}) => (ranks[thread.status] ?? 0) === i)]);
    }

    // ---- labels and facts ----

    amounts(tree, node) {
        const {inclusive, grown, shrunk, status} = tree.sides;
        return {before: inclusive[BEFORE][node], after: inclusive[AFTER][node],
            grown: grown[node], shrunk: shrunk[node], status: status[node]};
    }

    // " +12.3 ms (3.1x)", " -4.0 ms (gone)", " +2.0 ms (+5.0 %)?", " ~"
    suffix(tree, node, isBrief) {
        const {before, after, status} = this.amounts(tree, node);
        if (isPale(status)) {
            return status === NOISE && !isBrief ? ' ~' : '';
        }
        const reason = status > CHANGED ? SAY.DIFF_STATUSES[status] : ratio(before, after);
        return ` ${changeText(before, after)}${isBrief ? '' : inParentheses(reason)}${
            status === UNSURE ? '?' : ''}`;
    }

    // The label with its change: with a reason if that fits, otherwise without one. If neither
    // fits, the label alone, shortened if necessary.
    fit(panel, node, widthMax) {
        const {view} = this;
        const {tree} = panel;
        const label = labelOf(view, tree, node);
        for (const isBrief of node > 0 && tree.label[node] !== tree.leftOutLabel
            ? [false, true] : []) {
            const suffix = this.suffix(tree, node, isBrief);
            const fitted = view.fitter(label,
                widthMax - advanceOf(view.page.ruler, suffix, LABEL));
            if (fitted !== null && !isCut(fitted, label)) {
                return fitted + suffix;
            }
        }
        return view.fitter(label, widthMax);
    }

    side(panel, node, side) {
        const {tree, thread} = panel;
        const {inclusive, self, calls, present} = tree.sides;
        const words = SAY.DIFF_SIDES[side];
        if (!(present[node] >> side - 1 & 1)) {
            return `${words} none`;
        }
        const counted = thread.countsCalls
            ? `, ${countedText(calls[side - 1][node], SAY.CALLS)}` : '';
        const own = isAmongCallers(tree, node) ? '' : ` (self ${timeText(self[side][node])})`;
        return `${words} ${timeText(inclusive[side][node])}${own}${counted}`;
    }

    facts(panel, node) {
        const {tree} = panel;
        const {before, after, grown, shrunk, status} = this.amounts(tree, node);
        const p = tree.sides.p?.[node] ?? 0;
        const callers = isAmongCallers(tree, node)
            ? [`calls ${this.view.methodName} from here`] : [];
        const facts = tree.label[node] === tree.leftOutLabel ? callers
            : [...callers, this.side(panel, node, BEFORE), this.side(panel, node, AFTER)];
        facts.push(before === after ? SAY.DIFF_STATUSES[SAME] : [
            changeText(before, after) + inParentheses(ratio(before, after)),
            SAY.DIFF_STATUSES[status],
            ...(p === FACT ? [SAY.DIFF_FACT]
                : p > 0 ? [`p = ${((p - 1) / 1000).toFixed(3)}`] : []),
        ].join(', '));
        facts.push(...this.twinFacts(panel, node));
        if (grown > 0 || shrunk > 0) {
            facts.push(fill(SAY.DIFF_PARTS, timeText(grown), timeText(shrunk)));
        }
        facts.push(sharesOf(this.view, panel, node));
        return facts;
    }

    twinFacts(panel, node) {
        const {tree} = panel;
        const twin = tree.sides.twins.get(node);
        if (twin === undefined) {
            return [];
        }
        const caller = tree.parent[twin];
        const {inclusive, present} = tree.sides;
        const side = present[twin] & 2 ? AFTER : BEFORE;
        const [before, after] = side === AFTER ? [node, twin] : [twin, node];
        const times = [inclusive[BEFORE][before], inclusive[AFTER][after]];
        const change = times[0] === times[1] ? SAY.DIFF_STATUSES[SAME]
            : changeText(...times) + inParentheses(ratio(...times));
        return [`moved, ${this.side(panel, twin, side)}, called by ${caller === 0 ? 'nothing'
            : nameOf(this.view, tree, caller)}: ${change}; o shows it there`];
    }

    factsOfThread({base, thread}) {
        const {before, after, grown, shrunk} = this.amounts(base, 0);
        return [
            ...(thread.status === NOISE ? [SAY.DIFF_STATUSES[NOISE]] : []),
            ...(thread.sides & 1 ? [] : [SAY.DIFF_ONLY[1]]),
            ...(thread.sides & 2 ? [] : [SAY.DIFF_ONLY[0]]),
            changeText(before, after) + inParentheses(ratio(before, after)),
            `${timeText(before)} \u2192 ${timeText(after)}`,
            fill(SAY.DIFF_PARTS, timeText(grown), timeText(shrunk)),
        ];
    }

    // The change of a thread, for the footer.
    changeOf({base, thread}) {
        const {before, after} = this.amounts(base, 0);
        return thread.status === SAME ? timeText(after) : changeText(before, after);
    }

    // ---- bars ----

    // Common, grown and shrunk time of a frame, or of all siblings in a block, ns.
    sum(panel, i) {
        const {tree, layout: {frames}} = panel;
        const {inclusive, grown, shrunk} = tree.sides;
        const sum = {common: 0, grown: 0, shrunk: 0, isPale: true};
        for (let node = frames.node[i]; node <= frames.last[i]; node += tree.size[node]) {
            sum.common += inclusive[BEFORE][node] - shrunk[node];
            sum.grown += grown[node];
            sum.shrunk += shrunk[node];
            sum.isPale &&= isPale(tree.sides.status[node]);
        }
        return sum;
    }

    // The same, but 0 for parts that the widths do not show.
    partsOf(panel, i) {
        const sum = this.sum(panel, i);
        const {clock} = this.view.state;
        return clock === UNION ? sum : {...sum, [HIDDEN_PARTS[clock]]: 0};
    }

    // The grown and shrunk parts of a frame, for Shapes.partsIn().
    barsOf(panel, i) {
        const parts = this.partsOf(panel, i);
        const {layout: {crumbs, frames: {x0, x1, row, node}}, measure: {left}} = panel;
        const {from, to} = panel.window;
        const whole = parts.common + parts.grown + parts.shrunk;
        const isWhole = row[i] < crumbs; // fills the width
        const [start, scale] = isWhole ? [0, (x1[i] - x0[i]) / whole]
            : [left[node[i]] - from, this.view.width / (to - from)];
        const xOf = (amount) => Math.min(x1[i], Math.max(x0[i],
            (isWhole ? x0[i] : 0) + floorHundredths((start + amount) * scale)));
        const [a, b, c] = [xOf(parts.common), xOf(parts.common + parts.grown), xOf(whole)];
        const paints = parts.isPale ? ['W', 'hK'] : ['G', 'hS'];
        const bars = [[a, b, paints[0], parts.isPale ? 'tG' : ''], [b, c, paints[1], 'tS']];
        return bars.filter(([begin, end]) => end - begin >= PART_MIN)
            .map(([begin, end, paint, edge]) => {
                const hasEdge = edge !== '' && end - begin >= S.DIFF_EDGED_MIN;
                return {part: [begin, end], paint: hasEdge ? `${paint} ${edge}` : paint,
                    edge: hasEdge ? S.DIFF_EDGE / 2 : 0};
            });
    }

    // "7 more rows above: grown 1.20 ms, shrunk 0.31 ms"
    describeRows(panel) {
        const {layout: {frames, starts}} = panel;
        let [grown, shrunk] = [0, 0];
        for (let i = starts[panel.rows]; i < frames.n && frames.row[i] === panel.rows; i++) {
            const parts = this.sum(panel, i);
            grown += parts.grown;
            shrunk += parts.shrunk;
        }
        return fill(this.view.isInverted ? SAY.DIFF_ROWS_BELOW : SAY.DIFF_ROWS_ABOVE,
            countedText(panel.rowsLeftOut, SAY.ROWS), timeText(grown), timeText(shrunk));
    }

    isMoved(tree, node) {
        return tree.sides.status[node] === MOVED;
    }

    // Draws common, grown and shrunk time of the whole thread below the head of its panel.
    // Returns the height in pixels.
    drawWhole(panel, group, y) {
        const {grown, shrunk, before} = this.amounts(panel.base, 0);
        const common = before - shrunk;
        const whole = common + grown + shrunk;
        if (!panel.open || panel.layout.rows === 0 || whole === 0) {
            return 0;
        }
        const xOf = (amount) => Math.floor(this.view.width * amount / whole * 100) / 100;
        const pale = isPale(panel.thread.status);
        const ends = [0, xOf(common), xOf(common + grown), this.view.width];
        ['N', pale ? 'W' : 'G', pale ? 'hK' : 'hS'].forEach((paint, k) => {
            if (ends[k + 1] > ends[k]) {
                bar(group, S.MARGIN + ends[k], y, ends[k + 1] - ends[k], S.DIFF_WHOLE,
                    `${paint} whole`);
            }
        });
        return S.DIFF_WHOLE + S.DIFF_WHOLE_TO_GRAPH;
    }

    // ---- legend ----

    // The entries for Sheet.drawLegend(). `half` covers the right half of the swatch.
    legend() {
        const {view} = this;
        const {clock} = view.state;
        const all = view.panels.map(({base}) => this.amounts(base, 0));
        const entries = [{text: `${this.widths}:`}];
        const add = (isShown, entry) => isShown && entries.push(entry);
        const differs = all.some(({grown, shrunk}) => grown > 0 || shrunk > 0);
        add(clock !== CHANGES, {paint: 'N', text: SAY.DIFF_COMMON});
        add(differs && clock !== BEFORE, {paint: 'G', text: SAY.DIFF_GROWN});
        add(differs && clock !== AFTER, {paint: 'hS tS', text: SAY.DIFF_SHRUNK});
        add(view.panels.some(hasPale), {paint: 'W', half: 'hK', text: SAY.DIFF_PALE});
        add(view.panels.some(({base}) => base.sides.status.includes(MOVED)),
            {paint: 'N moved', text: SAY.DIFF_MOVED});
        return [...entries, ...this.legendOfCategories()];
    }

    legendOfCategories() {
        const {view} = this;
        const sums = SAY.CATEGORIES.map(() => [0, 0, 0]); // self before, after; inclusive
        for (const {base} of view.open) {
            const {self, inclusive} = base.sides;
            for (let i = 1; i < base.n; i++) {
                const sum = sums[view.labels.category[base.label[i]]];
                if (base.label[i] !== base.leftOutLabel) {
                    sum[0] += self[BEFORE][i];
                    sum[1] += self[AFTER][i];
                    sum[2] += inclusive[BEFORE][i] + inclusive[AFTER][i];
                }
            }
        }
        const entries = sums.flatMap(([before, after, all], category) => (all > 0
            ? [{paint: String.fromCharCode(97 + category) + DIM,
                texture: category === IDLE && 'dots',
                text: `${SAY.CATEGORIES[category]} ${changeText(before, after)}`}] : []));
        return [{text: fill(SAY.DIFF_CATEGORIES, unitName()), begins: true}, ...entries];
    }

    // ---- steps from change to change ----

    // The changes, the largest first, each counted once: paths that are new, gone, moved or
    // called more or less often, without their callees; and methods whose self time makes up at
    // least half of their change.
    get changes() {
        this.found ??= this.view.panels.flatMap((panel) => this.changesOf(panel))
            .sort((a, b) => b.size - a.size);
        return this.found;
    }

    changesOf(panel) {
        const {n, size, label, leftOutLabel, sides} = panel.base;
        const {status, calls, inclusive, self} = sides;
        const changes = [];
        const add = (node, [, before, after]) => changes.push({panel, node,
            size: Math.abs(after[node] - before[node])});
        for (let node = 1; node < n; node++) {
            const own = Math.abs(self[AFTER][node] - self[BEFORE][node]);
            const all = sides.grown[node] + sides.shrunk[node];
            if (isPale(status[node]) || label[node] === leftOutLabel) {
                continue;
            }
            if (status[node] > CHANGED || sides.present[node] !== 3 ||
                calls[0][node] !== calls[1][node]) {
                add(node, inclusive);
                node += size[node] - 1;
            } else if (own > 0 && own >= all / 2) {
                add(node, self);
            }
        }
        return changes;
    }

    // Selects the next smaller (1) or the next larger (-1) change.
    step(step) {
        const {changes, view} = this;
        const n = changes.length;
        if (n === 0) {
            view.page.bars.announce('Nothing changed beyond noise.');
            return;
        }
        this.at = this.at < 0 ? (step > 0 ? 0 : n - 1) : (this.at + step + n) % n;
        const {panel, node} = changes[this.at];
        this.show(panel, node);
        const {before, after} = this.amounts(panel.base, node);
        view.page.bars.announce(`Change ${countText(this.at + 1)} of ${countText(n)}: ` +
            changeText(before, after));
    }

    // Zooms as far as necessary to make the frame visible.
    show(panel, node) {
        const {view} = this;
        const {state} = view;
        if (state.view === 'sandwich') {
            view.change(() => view.setTrees(view.graphView, -1));
        }
        const {tree} = panel;
        const clock = timeOf(tree, node, state.clock) > 0 ? state.clock : UNION;
        const zoom = zoomFor(tree, measureOf(tree, clock), panel.zoom, node, view.width, VISIBLE);
        const isElsewhere = zoom !== panel.zoom || panel.part !== null || clock !== state.clock;
        view.goTo(panel, node, isElsewhere, () => {
            if (clock !== state.clock) {
                state.clock = clock;
                view.dropLayouts();
            }
            panel.zoomTo(zoom);
        });
    }

    showTwin(frame) {
        const twin = frame?.panel.tree.sides.twins.get(frame.node);
        if (twin !== undefined) {
            this.show(frame.panel, twin);
        } else if (frame) {
            this.view.page.bars.announce('This frame did not move.');
        }
    }

    actionsOf(panel, node) {
        return panel.tree.sides.twins.has(node)
            ? [['Show the other position', 'o', () => this.showTwin({panel, node})]] : [];
    }

    // ---- the search ----

    // By node: 1 = the search may find it, 0 = not; null = the search may find any node.
    filterOf(tree) {
        return this.onlyChanged && tree.sides
            ? tree.sides.status.map((status) => (isPale(status) ? 0 : 1)) : null;
    }

    toggleOnlyChanged() {
        const {view} = this;
        this.onlyChanged = !this.onlyChanged;
        view.search.run(view.state.query);
    }
}
