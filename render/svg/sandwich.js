// The sandwich of a method: one tree with all paths that lead to it and, merged, all that it calls.
//
// Node 1 is the method. Nodes 2 ... turn - 1 are its callers, outermost last; its callees follow
// from `turn`. A call inside another call of the same method is part of that call, so its time is
// not counted again.
import {more} from './more.js';
import * as SAY from './say.js';
import {addUp, categoryOf, CPU, hasTimes, newTree, reasonsOf, termOf, waits, WALL} from './tree.js';

// Limit for steps from callee to caller: in a recursion of a hundred thousand calls that all
// call the method, there are as many paths of that length.
const IDLE = 7; // AF_CATEGORY_IDLE
const STEPS_MAX = 4e6;
const LISTED_MAX = 8; // with so many next groups, a group has a map of them

// The nodes of a label that have no caller with the same label.
function findOutermost({n, size, label: labels}, label, like) {
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
}

// Merges paths that start at the method. A group contains the paths whose steps have been equal
// so far; groups are numbered in order of their first path, and group 0 is the method. There
// may be many groups, so they are columns.
class Paths {
    constructor(steps) {
        const column = (n) => new Int32Array(n).fill(-1, 0, 1);
        this.n = 1;
        this.label = column(steps + 1);
        this.parent = column(steps + 1);
        this.first = column(steps + 1); // the first group one step further
        this.last = column(steps + 1);
        this.next = column(steps + 1); // the next group after the same group
        this.count = new Uint32Array(steps + 1); // the number of groups one step further
        this.maps = new Map(); // if there are many: the next group by label
        this.steps = 0;
        this.group = column(steps); // of each step of a path: the group that it reaches
        this.node = column(steps); // and the node that it adds to that group
    }

    find(group, label) {
        if (this.count[group] >= LISTED_MAX) {
            return this.maps.get(group).get(label) ?? -1;
        }
        let at = this.first[group];
        while (at >= 0 && this.label[at] !== label) {
            at = this.next[at];
        }
        return at;
    }

    add(group, label) {
        const added = this.n++;
        this.label[added] = label;
        this.parent[added] = group;
        this.first[added] = this.next[added] = -1;
        if (this.count[group]++ === 0) {
            this.first[group] = added;
        } else {
            this.next[this.last[group]] = added;
        }
        this.last[group] = added;
        if (this.count[group] === LISTED_MAX) {
            this.maps.set(group, new Map());
            for (let at = this.first[group]; at >= 0; at = this.next[at]) {
                this.maps.get(group).set(this.label[at], at);
            }
        }
        if (this.count[group] > LISTED_MAX) {
            this.maps.get(group).set(label, added);
        }
        return added;
    }

    step(group, label, node) {
        const found = this.find(group, label);
        const next = found >= 0 ? found : this.add(group, label);
        this.group[this.steps] = next;
        this.node[this.steps++] = node;
        return next;
    }

    // Numbers the groups as nodes of `tree` from `first`, each before its next groups.
    numberGroups(tree, first) {
        this.number = new Uint32Array(this.n).fill(1, 0, 1);
        let node = first;
        for (let at = this.first[0]; at >= 0;) {
            this.number[at] = node;
            tree.label[node] = this.label[at];
            tree.parent[node] = this.number[this.parent[at]];
            tree.depth[node] = tree.depth[tree.parent[node]] + 1;
            node++;
            let next = this.first[at];
            while (next < 0 && at > 0) {
                next = this.next[at];
                at = this.parent[at];
            }
            at = next;
        }
    }

    // Adds a column over all steps.
    sum(sums, column) {
        const {group, node, number, steps} = this;
        for (let i = 0; i < steps; i++) {
            sums[number[group[i]]] += column[node[i]];
        }
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
    const paths = new Paths(stepsTo(levels));
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
    const paths = new Paths(from.reduce((sum, start) => sum + size[start] - 1, 0));
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
    const result = newTree(callers.n + callees.n, tree.clocks);
    result.leftOutLabel = tree.leftOutLabel;
    result.turn = callers.n + 1;
    result.label[1] = like(label);
    result.depth[1] = 1;
    callers.numberGroups(result, 2);
    callees.numberGroups(result, result.turn);
    sumNodes(result, tree, from, callers, callees);
    if (labels && !tree.sides) {
        mergeReasons(result, tree, reasonsOf(tree, labels),
            listNodes(result.n, from, callers, callees));
    }
    addUp(result, result.size.fill(1));
    if (tree.sides) {
        result.sides = new more.SandwichSides(result);
        listNodes(result.n, from, callers, callees).forEach((nodes, i) =>
            nodes && result.sides.add(i, tree.sides, nodes));
    }
    const ofSides = result.sides?.sums ?? [];
    for (const times of [...result.inclusive, result.waits?.whole, ...ofSides]) {
        if (times) {
            times[0] = times[1];
        }
    }
    result.extremesOf = tree;
    result.nodesOf = (node) => (node === 1 ? from : node < result.turn ? []
        : [...callees.node.filter((_, i) => callees.number[callees.group[i]] === node)]);
    return result;
};

export const isAmongCallers = (tree, node) => node > 1 && node < tree.turn;

// For each node of a sandwich, the nodes that it merges.
function listNodes(n, from, ...halves) {
    const lists = Array.from({length: n}, (_, i) => (i === 0 ? null : []));
    lists[1] = from;
    for (const {group, node, number} of halves) {
        group.forEach((at, i) => lists[number[at]].push(node[i]));
    }
    return lists;
}

// A node is idle if it waits for work most of the time; callers have the reasons of the method.
function mergeReasons(to, tree, reasons, lists) {
    const times = tree.inclusive[WALL] ?? tree.inclusive[CPU];
    to.reasons = new Uint8Array(to.n).fill(SAY.REASONS.length - 1, 0, 1);
    lists.forEach((nodes, i) => {
        const sum = (some) => some.reduce((all, node) => all + times[node], 0);
        const other = nodes?.filter((node) => reasons[node] !== 0) ?? [];
        if (other.length > 0 && sum(other) * 2 >= sum(nodes)) {
            to.reasons[i] = reasons[other[0]];
        }
    });
}

// A path of callers has the time of the method at its end, and no self time.
function sumNodes(to, tree, from, callers, callees) {
    const sum = (sums, column, halves) => {
        from.forEach((node) => {
            sums[1] += column[node];
        });
        halves.forEach((half) => half.sum(sums, column));
    };
    const both = [callers, callees];
    sum(to.calls, tree.calls, both);
    for (const clock of [WALL, CPU]) {
        if (tree.inclusive[clock]) {
            sum(to.inclusive[clock], tree.inclusive[clock], both);
            sum(to.self[clock], tree.self[clock], [callees]);
        }
    }
    if (tree.clocks === 3) {
        to.waits = {own: new Float64Array(to.n), whole: new Float64Array(to.n)};
        sum(to.waits.own, waits(tree).own, [callees]);
        sum(to.waits.whole, waits(tree).whole, both);
    }
    const each = (halves, action) => {
        from.forEach((node) => action(1, node));
        halves.forEach(({group, node, number}) =>
            group.forEach((at, i) => action(number[at], node[i])));
    };
    const addTo = (sums, node, amount) => {
        if (amount > 0) {
            sums.set(node, (sums.get(node) ?? 0) + amount);
        }
    };
    if (tree.unwinds.size > 0) {
        each([callees], (node, i) => addTo(to.unwinds, node, tree.unwinds.get(i) ?? 0));
    }
    if (tree.runnable) { // with callees
        const column = new Float64Array(tree.n);
        for (const [node, time] of tree.runnable) {
            column[node] = time;
        }
        addUp(tree, column);
        to.runnable = new Map();
        each(both, (node, i) => addTo(to.runnable, node, column[i]));
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
