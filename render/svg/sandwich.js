// The sandwich of a method: one tree with all paths that lead to it and, merged, all that it calls.
//
// Node 1 is the method. Nodes 2 ... turn - 1 are its callers, outermost last; from `turn` on follow
// its callees. A call inside another call of the same method is part of that call: its time counts
// once.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    // Limit for steps from callee to caller: in a recursion of a hundred thousand calls that all
    // call the method, there are as many paths of that length.
    const STEPS_MAX = 4e6;

    // The nodes of a label without another one of them among their callers.
    function findOutermost(tree, label) {
        const found = [];
        for (let i = 1; i < tree.n;) {
            if (tree.label[i] === label) {
                found.push(i);
                i += tree.size[i];
            } else {
                i++;
            }
        }
        return found;
    }

    // A group of paths that are equal so far. `at` are the nodes that the paths have reached,
    // `from` the nodes of the method in which they start, in the same order.
    class Group {
        constructor(label, parent) {
            this.label = label;
            this.parent = parent;
            this.at = [];
            this.from = [];
            this.callers = [];
        }
    }

    // Splits the paths of a group by caller. Returns the number of steps.
    function splitGroup(tree, group) {
        const byLabel = new Map();
        for (let i = 0; i < group.at.length; i++) {
            const caller = tree.parent[group.at[i]];
            if (caller > 0) {
                let next = byLabel.get(tree.label[caller]);
                if (!next) {
                    next = new Group(tree.label[caller], group);
                    byLabel.set(next.label, next);
                    group.callers.push(next);
                }
                next.at.push(caller);
                next.from.push(group.from[i]);
            }
        }
        return group.at.length;
    }

    function growGroups(tree, root) {
        const queue = [root];
        let steps = 0;
        for (let i = 0; i < queue.length; i++) {
            if (steps < STEPS_MAX) {
                steps += splitGroup(tree, queue[i]);
                queue[i].callers.forEach((group) => queue.push(group));
            }
            queue[i].at = null;
        }
        return queue.length;
    }

    // The groups in preorder, without recursion, because paths may be long.
    function walk(root, visit) {
        const stack = [root];
        while (stack.length > 0) {
            const group = stack.pop();
            visit(group);
            for (let i = group.callers.length - 1; i >= 0; i--) {
                stack.push(group.callers[i]);
            }
        }
    }

    // Merges the paths below the nodes `from`. Returns a list of {label, parent, from}, each after
    // its parent; `from` are the nodes that it stands for.
    function mergeCallees(tree, from) {
        const root = {label: -1, parent: null, from: [], below: new Map()};
        const at = []; // by depth below the method
        for (const start of from) {
            at[0] = root;
            for (let i = start + 1; i < start + tree.size[start]; i++) {
                const depth = tree.depth[i] - tree.depth[start];
                const parent = at[depth - 1];
                let callee = parent.below.get(tree.label[i]);
                if (!callee) {
                    callee = {label: tree.label[i], parent, from: [], below: new Map()};
                    parent.below.set(callee.label, callee);
                }
                callee.from.push(i);
                at[depth] = callee;
            }
        }
        return listPreorder(root, ({below}) => [...below.values()]).slice(1);
    }

    // Without recursion, because paths may be long.
    function listPreorder(root, nextOf) {
        const list = [];
        const stack = [root];
        while (stack.length > 0) {
            const one = stack.pop();
            list.push(one);
            for (const next of nextOf(one).reverse()) {
                stack.push(next);
            }
        }
        return list;
    }

    // null if the method has no calls in the tree.
    AF.sandwichOf = (tree, label) => {
        const root = new Group(label, null);
        root.from = findOutermost(tree, label);
        root.at = root.from;
        if (root.from.length === 0) {
            return null;
        }
        growGroups(tree, root);
        const callers = listPreorder(root, (group) => group.callers);
        const all = [...callers, ...mergeCallees(tree, root.from)];
        const result = AF.newTree(all.length + 1, tree.clocks);
        result.leftOutLabel = tree.leftOutLabel;
        result.turn = callers.length + 1;
        result.waits = tree.clocks === 3 ? new Float64Array(result.n) : null;
        result.runnable = tree.runnable ? new Map() : null; // with callees
        result.sources = all;
        result.sides = tree.sides ? new AF.SandwichSides(result) : null;
        all.forEach((one, i) => {
            one.number = i + 1;
            result.label[i + 1] = one.label;
            result.parent[i + 1] = i === 0 ? 0 : one.parent?.number ?? 1;
            result.depth[i + 1] = result.depth[result.parent[i + 1]] + 1;
            sumNodes(result, i + 1, tree, one.from);
            result.sides?.add(i + 1, tree.sides, one.from);
            one.from = AF.isCaller(result, i + 1) ? [] : one.from;
        });
        result.size.fill(1);
        for (let i = result.n - 1; i > 0; i--) {
            result.size[result.parent[i]] += result.size[i];
        }
        const ofSides = result.sides?.sums ?? [];
        for (const times of [...result.inclusive, result.waits, ...ofSides]) {
            if (times) {
                times[0] = times[1];
            }
        }
        result.extremesOf = tree;
        return result;
    };

    AF.isCaller = (tree, node) => node > 1 && node < tree.turn;

    // A path of callers has the time of the method at its end, and none of its own.
    function sumNodes(to, node, tree, from) {
        const isCaller = AF.isCaller(to, node);
        for (const i of from) {
            to.calls[node] += tree.calls[i];
            const unwinds = isCaller ? 0 : tree.unwinds.get(i) ?? 0;
            if (unwinds > 0) {
                to.unwinds.set(node, (to.unwinds.get(node) ?? 0) + unwinds);
            }
            for (const clock of [AF.WALL, AF.CPU]) {
                if (tree.inclusive[clock]) {
                    to.inclusive[clock][node] += tree.inclusive[clock][i];
                    to.self[clock][node] += isCaller ? 0 : tree.self[clock][i];
                }
            }
            if (to.waits) {
                to.waits[node] += AF.waits(tree)[i];
            }
            if (to.runnable) {
                const time = (to.runnable.get(node) ?? 0) + AF.runnableOf(tree, i);
                to.runnable.set(node, time);
            }
        }
    }

    // Callers have no calls of their own in it: a path has the number of calls at its end.
    AF.mergeExtremes = (to) => {
        const of = AF.extremes(to.extremesOf);
        const extremes = {min: [null, null], max: [null, null]};
        for (const clock of [AF.WALL, AF.CPU]) {
            if (of?.min[clock]) {
                const min = new Float64Array(to.n).fill(NaN);
                const max = new Float64Array(to.n).fill(NaN);
                to.sources.forEach(({from}, i) => {
                    if (!AF.isCaller(to, i + 1)) {
                        min[i + 1] = from.reduce((least, node) =>
                            Math.min(least, of.min[clock][node]), Infinity);
                        max[i + 1] = from.reduce((most, node) =>
                            Math.max(most, of.max[clock][node]), 0);
                    }
                });
                extremes.min[clock] = min;
                extremes.max[clock] = max;
            }
        }
        return extremes;
    };

    // ---- totals ----

    // Self time of a node; waiting never falls below 0.
    const selfOf = ({self, sides}, node, clock) => (sides ? sides.self[clock][node]
        : clock === AF.WAIT
        ? Math.max(0, self[AF.WALL][node] - self[AF.CPU][node]) : self[clock][node]);

    // The calls of a node; of a comparison those of the side that is shown, 0 for both together.
    const callsOf = ({calls, sides, isSampled, isUncounted}, node, clock, isOuter) => {
        if (sides) {
            return isOuter ? sides.calls[clock - 1]?.[node] ?? 0 : 0;
        }
        return (isSampled && !isOuter) || isUncounted ? 0 : calls[node];
    };

    // The totals of methods in merged trees: {label, self, total, calls}, most self time first. A
    // method that calls itself counts once along a path.
    AF.totalsOf = (trees, clock) => {
        const totals = new Map();
        for (const tree of trees.filter((one) => AF.hasTimes(one, clock))) {
            const path = [];
            const open = new Map(); // by label: how often it occurs in the path
            const times = AF.timesOf(tree, clock);
            for (let i = 1; i < tree.n; i++) {
                const label = tree.label[i];
                while (path.length >= tree.depth[i]) {
                    const left = path.pop();
                    open.set(left, open.get(left) - 1);
                }
                let sum = totals.get(label);
                if (!sum) {
                    sum = {label, self: 0, total: 0, calls: 0};
                    totals.set(label, sum);
                }
                sum.self += selfOf(tree, i, clock);
                const outer = open.get(label) ?? 0;
                sum.calls += callsOf(tree, i, clock, outer === 0);
                sum.total += outer > 0 ? 0 : times[i];
                open.set(label, outer + 1);
                path.push(label);
            }
        }
        return [...totals.values()].sort((a, b) => b.self - a.self || b.total - a.total ||
            a.label - b.label);
    };
})();
