// The sandwich of a method: one tree with all paths that lead to it and, merged, all that it calls.
//
// Node 1 is the method. Nodes 2 ... turn - 1 are its callers, outermost last; its callees follow
// from `turn`. A call inside another call of the same method is part of that call, so its time is
// not counted again.
import {more} from './more.js';
import * as SAY from './say.js';
import {addUp, categoryOf, CPU, hasTimes, newTree, reasonsOf, termOf, waits, WALL} from './tree.js';
import {IDLE} from './words.js';

// Limit for steps from callee to caller: in a recursion of a hundred thousand calls that all
// call the method, there are as many paths of that length.
const STEPS_MAX = 4e6;

// The nodes of a label that have no caller with the same label.
export const findOutermost = ({n, size, label: labels}, label, like = (one) => one) => {
    const found = [];
    for (let i = 1; i < n;) {
        if (like(labels[i]) === like(label)) {
            found.push(i);
            i += size[i];
        } else {
            i++;
        }
    }
    return found;
};

// Merges paths from a root. A group contains the paths whose steps have been equal so far; groups
// are numbered in order of their first path, and group 0 is the root. There may be many groups, and
// most are followed by one other group.
export class Paths {
    constructor() {
        this.label = [-1];
        this.parent = [-1];
        this.first = [0]; // the first group one step further; 0 = none
        this.others = [null]; // a Map of the others by label, if there are several
        this.group = []; // of each step of a path: the group that it reaches
        this.node = []; // and the node that it adds to that group
    }

    step(group, label, node) {
        const first = this.first[group];
        const next = this.label[first] === label ? first
            : this.others[group]?.get(label) ?? this.add(group, label);
        this.group.push(next);
        this.node.push(node);
        return next;
    }

    add(group, label) {
        const added = this.label.push(label) - 1;
        this.parent.push(group);
        this.first.push(0);
        this.others.push(null);
        if (this.first[group] === 0) {
            this.first[group] = added;
        } else {
            (this.others[group] ??= new Map()).set(label, added);
        }
        return added;
    }

    // Numbers the groups as nodes of `tree` from `first`, each before its next groups.
    numberGroups(tree, root, first) {
        const {label, parent} = this;
        const n = label.length;
        const size = addUp({n, parent}, new Uint32Array(n).fill(1));
        const next = new Uint32Array(n).fill(first, 0, 1); // by group: of its next child
        this.number = new Uint32Array(n).fill(root, 0, 1);
        for (let group = 1; group < n; group++) {
            const above = parent[group];
            const node = this.number[group] = next[above];
            next[group] = node + 1;
            next[above] += size[group];
            tree.label[node] = label[group];
            tree.parent[node] = this.number[above];
            tree.depth[node] = tree.depth[tree.parent[node]] + 1;
        }
    }

    // Calls action(number, node) for each step: the number of its group and the node that it adds.
    each(action) {
        this.group.forEach((group, i) => action(this.number[group], this.node[i]));
    }
}

// The paths of callers of the nodes `from`, as far as the limit allows.
function mergeCallers(tree, from, like) {
    const stepsTo = (levels) => from.reduce((sum, node) =>
        sum + Math.min(levels, tree.depth[node] - 1), 0);
    let levels = Infinity;
    while (stepsTo(levels) > STEPS_MAX) {
        levels = levels === Infinity ? STEPS_MAX : levels / 2;
    }
    const paths = new Paths();
    for (const start of from) {
        let group = 0;
        let above = tree.parent[start];
        for (let level = 0; above > 0 && level < levels; level++) {
            group = paths.step(group, like(tree.label[above]), start);
            above = tree.parent[above];
        }
    }
    return paths;
}

function mergeCallees(tree, from, like) {
    const {label, depth, size} = tree;
    const paths = new Paths();
    const at = [0]; // by depth below the method
    for (const start of from) {
        for (let i = start + 1; i < start + size[start]; i++) {
            const below = depth[i] - depth[start];
            at[below] = paths.step(at[below - 1], like(label[i]), i);
        }
    }
    return paths;
}

// null if the method has no calls in the tree.
export const sandwichOf = (tree, label, labels = null) => {
    const like = (one) => labels?.like?.[one] ?? one;
    const from = findOutermost(tree, label, like);
    if (from.length === 0) {
        return null;
    }
    const callers = mergeCallers(tree, from, like);
    const callees = mergeCallees(tree, from, like);
    const turn = callers.label.length + 1;
    const result = Object.assign(newTree(turn + callees.label.length - 1, tree.clocks),
        {leftOutLabel: tree.leftOutLabel, turn});
    result.label[1] = like(label);
    result.depth[1] = 1;
    callers.numberGroups(result, 1, 2);
    callees.numberGroups(result, 1, turn);
    addUp(result, result.size.fill(1));
    // calls action(node, i) for each node i that becomes a part of a node of the sandwich
    const eachCallee = (action) => {
        from.forEach((i) => action(1, i));
        callees.each(action);
    };
    const each = (action) => {
        eachCallee(action);
        callers.each(action);
    };
    sumNodes(result, tree, each, eachCallee);
    const nodes = Array.from({length: result.n}, () => []); // that each node merges
    each((node, i) => nodes[node].push(i));
    if (labels && !tree.sides) {
        mergeReasons(result, tree, reasonsOf(tree, labels), nodes);
    }
    if (tree.sides) {
        result.sides = more.mergeSides(result, tree.sides, nodes);
    }
    for (const times of [...result.inclusive, result.waits?.whole].filter(Boolean)) {
        times[0] = times[1];
    }
    result.extremes = tree.extremes;
    result.nodesOf = (node) => (isAmongCallers(result, node) ? [] : nodes[node]);
    return result;
};

export const isAmongCallers = (tree, node) => node > 1 && node < tree.turn;

// A node is idle if it waits for work most of the time; callers have the reasons of the method.
function mergeReasons(to, tree, reasons, lists) {
    const times = tree.inclusive[WALL] ?? tree.inclusive[CPU];
    to.reasons = new Uint8Array(to.n).fill(SAY.REASONS.length - 1, 0, 1);
    lists.forEach((nodes, i) => {
        const sum = (some) => some.reduce((all, node) => all + times[node], 0);
        const other = nodes.filter((node) => reasons[node] !== 0);
        if (other.length > 0 && sum(other) * 2 >= sum(nodes)) {
            to.reasons[i] = reasons[other[0]];
        }
    });
}

// A path of callers has the time of the method at its end, and no self time.
function sumNodes(to, tree, each, eachCallee) {
    const sum = (over, sums, column) => over((node, i) => {
        sums[node] += column[i];
    });
    sum(each, to.calls, tree.calls);
    for (const clock of [WALL, CPU].filter((one) => tree.inclusive[one])) {
        sum(each, to.inclusive[clock], tree.inclusive[clock]);
        sum(eachCallee, to.self[clock], tree.self[clock]);
    }
    if (tree.clocks === 3) {
        to.waits = {own: new Float64Array(to.n), whole: new Float64Array(to.n)};
        sum(eachCallee, to.waits.own, waits(tree).own);
        sum(each, to.waits.whole, waits(tree).whole);
    }
    const addTo = (sums, node, amount) => {
        if (amount > 0) {
            sums.set(node, (sums.get(node) ?? 0) + amount);
        }
    };
    if (tree.unwinds.size > 0) {
        eachCallee((node, i) => addTo(to.unwinds, node, tree.unwinds.get(i) ?? 0));
    }
    if (tree.runnable) { // with callees
        const column = new Float64Array(tree.n);
        for (const [node, time] of tree.runnable) {
            column[node] = time;
        }
        addUp(tree, column);
        to.runnable = new Map();
        each((node, i) => addTo(to.runnable, node, column[i]));
    }
}

// ---- totals ----

// The calls of a node; in a comparison those of the side that is shown, 0 for both sides.
const callsOf = ({calls, sides, isSampled, isUncounted}, node, clock, isOuter) => {
    if (sides) {
        return isOuter ? sides.calls[clock - 1]?.[node] ?? 0 : 0;
    }
    return (isSampled && !isOuter) || isUncounted ? 0 : calls[node];
};

export const isIdle = ({self, idle}) => (idle > self / 2 ? 1 : 0);

// Returns the totals of methods in merged trees, [{label, self, total, calls, idle}, ...], most
// self time first; with `labels` those that mostly idle come last. A method that calls itself is
// counted once along a path.
export const totalsOf = (trees, clock, labels = null) => {
    const totals = []; // by label
    for (const tree of trees.filter((one) => hasTimes(one, clock))) {
        const {n, label, size} = tree;
        const ends = []; // by label: the end of its outermost open call
        const {self, inclusive} = tree.sides ?? tree;
        const read = tree.sides ? (columns, i) => columns[clock][i] : termOf;
        for (let i = 1; i < n; i++) {
            const of = labels?.like?.[label[i]] ?? label[i];
            const sum = totals[of] ??= {label: of, self: 0, total: 0, calls: 0, idle: 0};
            const own = read(self, i, clock);
            sum.self += own;
            sum.idle += labels && categoryOf(tree, i, labels) === IDLE ? own : 0;
            const isOuter = i >= (ends[of] ?? 0);
            sum.calls += callsOf(tree, i, clock, isOuter);
            if (isOuter) {
                sum.total += read(inclusive, i, clock);
                ends[of] = i + size[i];
            }
        }
    }
    for (const sum of totals.filter(Boolean)) {
        sum.self = Math.max(0, sum.self);
        sum.total = Math.max(0, sum.total);
    }
    return totals.filter(Boolean).sort((a, b) => isIdle(a) - isIdle(b) || b.self - a.self ||
        b.total - a.total || a.label - b.label);
};
