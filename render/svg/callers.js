// Who calls a method: all paths that lead to it, merged, with the method itself as the root.
//
// A call inside another call of the same method is part of that call: its time counts once.
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

    function fillNode(to, node, tree, group) {
        const parent = group === null ? 0 : group.number ?? 0;
        to.parent[node] = parent;
        to.depth[node] = to.depth[parent] + 1;
        return parent;
    }

    // A tree with the columns of AF.newTree; its node 1 is the method. A path has the time of the
    // method at its end, so `self` is the time without a further caller.
    AF.callersOf = (tree, label) => {
        const root = new Group(label, null);
        root.from = findOutermost(tree, label);
        root.at = root.from;
        if (root.from.length === 0) {
            return null;
        }
        const result = AF.newTree(growGroups(tree, root) + 1, tree.clocks);
        result.leftOutLabel = tree.leftOutLabel;
        result.waits = tree.clocks === 3 ? new Float64Array(result.n) : null;
        let node = 0;
        walk(root, (group) => {
            group.number = ++node;
            fillNode(result, node, tree, group.parent);
            result.label[node] = group.label;
            sumPaths(result, node, tree, group.from);
            group.from = null;
        });
        for (const clock of [AF.WALL, AF.CPU]) {
            takeCallersAway(result, clock);
        }
        AF.sumTree(result);
        if (result.waits) {
            result.waits[0] = result.waits[1];
        }
        result.extremes = mergeExtremes(result, tree, label);
        return result;
    };

    function sumPaths(to, node, tree, from) {
        for (const start of from) {
            to.calls[node] += tree.calls[start];
            for (const clock of [AF.WALL, AF.CPU]) {
                if (tree.inclusive[clock]) {
                    to.self[clock][node] += tree.inclusive[clock][start];
                }
            }
            if (to.waits) {
                to.waits[node] += AF.waits(tree)[start];
            }
        }
    }

    function takeCallersAway(to, clock) {
        const self = to.self[clock];
        const all = self?.slice();
        for (let i = 2; all && i < to.n; i++) {
            self[to.parent[i]] -= all[i];
        }
    }

    // Only the method itself has calls of its own; a path has the number of calls at its end.
    function mergeExtremes(to, tree, label) {
        const of = AF.extremes(tree);
        const extremes = {min: [null, null], max: [null, null]};
        for (const clock of [AF.WALL, AF.CPU]) {
            if (of?.min[clock]) {
                const min = new Float64Array(to.n).fill(NaN);
                const max = new Float64Array(to.n).fill(NaN);
                min[1] = Infinity;
                for (const node of findOutermost(tree, label)) {
                    min[1] = Math.min(min[1], of.min[clock][node]);
                    max[1] = Math.max(max[1] || 0, of.max[clock][node]);
                }
                extremes.min[clock] = min;
                extremes.max[clock] = max;
            }
        }
        return extremes;
    }
})();
