// Trees with their siblings by time instead of by first call, as --sort time makes them.
import {newTree, timesOf} from './tree.js';

// For each node its number once siblings are sorted, largest first; of equal ones the first remain.
function numberByTime({n, depth, parent, size}, weight) {
    const order = Array.from({length: n}, (_, node) => node)
        .sort((a, b) => depth[a] - depth[b] || weight[b] - weight[a] || a - b);
    const number = new Uint32Array(n);
    const next = new Uint32Array(n).fill(1, 0, 1); // by old number of the parent
    for (const node of order.slice(1)) {
        number[node] = next[parent[node]];
        next[node] = number[node] + 1;
        next[parent[node]] += size[node];
    }
    return number;
}

const movedMap = (map, number) => map &&
    new Map([...map].map(([node, value]) => /** @type {[number, any]} */ ([number[node], value]))
        .sort(([one], [other]) => one - other));

// `numberOf` gives the number of each node of `tree` in the sorted tree, `sourceOf` the reverse.
const sort = (tree, clock) => {
    const numberOf = numberByTime(tree, timesOf(tree, clock) ?? new Float64Array(tree.n));
    const sourceOf = new Uint32Array(tree.n);
    numberOf.forEach((number, node) => {
        sourceOf[number] = node;
    });
    const moved = (column) => column && column.map((_, node) => column[sourceOf[node]]);
    return Object.assign(newTree(0, 0), {
        n: tree.n, clocks: tree.clocks, leftOutLabel: tree.leftOutLabel, isLoop: tree.isLoop,
        depth: moved(tree.depth), size: moved(tree.size), label: moved(tree.label),
        parent: moved(tree.parent).map((node) => numberOf[node]), calls: moved(tree.calls),
        self: tree.self.map(moved), inclusive: tree.inclusive.map(moved),
        unwinds: movedMap(tree.unwinds, numberOf),
        runnable: movedMap(tree.runnable, numberOf),
        numberOf, sourceOf, extremes: tree.extremes,
        nodesOf: (node) => [sourceOf[node]],
    });
};

// The tree sorted by the times of a clock; it stays with the tree.
export const sortedBy = (tree, clock) => (tree.sorted ??= [])[clock] ??= sort(tree, clock);
