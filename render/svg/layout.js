// Lays out a tree as rectangles: the part that is wide enough to draw in a time window.
//
// Follows render/graph/layout.c: boundaries come from cumulative times, adjacent siblings that are
// too narrow to draw form one block, and the subtrees of omitted nodes are skipped. Pixels are
// rounded down to hundredths.
import {floorHundredths} from './elements.js';
import {more} from './more.js';
import {isAmongCallers} from './sandwich.js';
import {climbFrom, CPU, findFirst, hasTimes, isJoined, WAIT, WALL} from './tree.js';

const NARROW = 0.5; // pixels; narrower siblings form a block, and narrower blocks are not drawn
const BLOCK_WIDTH_MIN = 1.5; // pixels, in a chart, if the neighbours leave space
const CRUMBS_FIRST = 2; // of many ancestors of the zoomed node, the outermost ones are drawn,
const CRUMBS_LAST = 9; // and the innermost ones

class Frames {
    constructor() {
        this.node = []; // of a block, its first node
        this.row = [];
        this.x0 = [];
        this.x1 = [];
        this.nodes = []; // 0 = a frame; else siblings or calls in the block
        this.last = []; // of a block, its last node
    }

    get n() {
        return this.node.length;
    }

    add(node, row, x0, x1, nodes, last) {
        this.node.push(node);
        this.row.push(row);
        this.x0.push(x0);
        this.x1.push(x1);
        this.nodes.push(nodes);
        this.last.push(last);
    }
}

class Walk {
    constructor(tree, measure, options) {
        // of a sandwich, `half` is [first, end) of its callers or callees
        Object.assign(this, {tree, narrow: NARROW, half: null, ...measure, ...options});
        this.scale = options.width / (options.to - options.from);
        this.isTimed = tree.start !== undefined;
        this.frames = new Frames();
        this.fold = null; // the ancestors left out
        this.hiddenNodes = 0;
        this.hiddenTime = 0;
    }

    xOf(time) {
        return Math.min(this.width, Math.max(0, floorHundredths((time - this.from) * this.scale)));
    }

    // A call is as wide as it is long, wherever its ends are rounded to.
    isWide(at, end, x0, x1) {
        return this.isTimed
            ? (Math.min(end, this.to) - Math.max(at, this.from)) * this.scale >= this.narrow
            : x1 - x0 >= this.narrow;
    }

    countCalls(child) {
        return !this.isTimed ? 1
            : this.tree.isSampled || isJoined(this.tree, child) ? this.tree.calls[child]
                : this.tree.size[child];
    }

    addChildren(node, row) {
        const {size} = this.tree;
        const {left, weight, frames, to} = this;
        const [first, end] = this.half && node === 1 ? this.half : [node + 1, node + size[node]];
        let block = null; // `x0` is its start in pixels, `end` its end in ns
        // adds a block if it is wide enough; in a chart always, because a lone call must be visible
        const closeBlock = () => {
            const x1 = block ? this.xOf(block.end) : 0;
            if (block && (x1 - block.x0 >= NARROW || this.isTimed)) {
                frames.add(block.first, row, block.x0, x1, block.nodes, block.last);
            }
            block = null;
        };
        for (let child = first; child < end; child += size[child]) {
            const at = left[child];
            if (at >= to) {
                break;
            }
            const end1 = at + weight[child];
            if (end1 <= this.from && at < this.from) {
                continue;
            }
            const x0 = this.xOf(at);
            const x1 = this.xOf(end1);
            if (this.isWide(at, end1, x0, x1)) {
                closeBlock();
                frames.add(child, row, x0, x1, 0, child);
            } else if (end1 > this.from || weight[child] === 0) {
                if (block && x0 - this.xOf(block.end) >= this.narrow) { // a gap between calls
                    closeBlock();
                }
                block ??= {first: child, last: child, x0, nodes: 0, end: 0};
                block.nodes += this.countCalls(child);
                block.last = child;
                block.end = Math.min(end1, to);
                this.hiddenNodes += this.isTimed ? this.countCalls(child) : size[child];
                this.hiddenTime += block.end - Math.max(this.from, at);
            }
        }
        closeBlock();
    }

    // Adds the descendants of frame `from` and of all later frames, row by row.
    addRows(from) {
        const {frames, tree: {size}} = this;
        for (let i = from; i < frames.n; i++) {
            if (frames.nodes[i] === 0 && size[frames.node[i]] > 1) {
                this.addChildren(frames.node[i], frames.row[i] + 1);
            }
        }
    }
}

// Adds the ancestors of the zoomed node, each as wide as the graph. If there are many, those in
// the middle become walk.fold, which takes one row. Returns the row of the zoomed node.
function addCrumbs(walk, zoom, unfolded) {
    const {tree, width, frames} = walk;
    const path = climbFrom(tree, tree.parent[zoom]).reverse();
    const folded = path.length - CRUMBS_FIRST - CRUMBS_LAST;
    let row = 0;
    for (let i = 0; i < path.length; i++) {
        if (!unfolded && folded > 1 && i === CRUMBS_FIRST) {
            i += folded - 1;
            walk.fold = {row, nodes: folded, node: path[i]};
            row++;
        } else {
            frames.add(path[i], row++, 0, width, 0, path[i]);
        }
    }
    return row;
}

// Widens blocks of single calls to make them visible, as far as their neighbours allow.
function widenBlocks(frames, width) {
    const {row, x0, x1, nodes, n} = frames;
    for (let i = 0; i < n; i++) {
        if (nodes[i] > 0 && x1[i] - x0[i] < BLOCK_WIDTH_MIN) {
            const left = i > 0 && row[i - 1] === row[i] ? x1[i - 1] : 0;
            const right = i + 1 < n && row[i + 1] === row[i] ? x0[i + 1] : width;
            x1[i] = Math.max(x1[i], Math.min(x0[i] + BLOCK_WIDTH_MIN, right));
            x0[i] = Math.min(x0[i], Math.max(x1[i] - BLOCK_WIDTH_MIN, left));
        }
    }
}

function startRows(frames) {
    const starts = [];
    for (let i = 0; i < frames.n; i++) {
        while (starts.length <= frames.row[i]) {
            starts.push(i);
        }
    }
    return starts;
}

// The time window in which a node is drawn: zooming in one half of a sandwich leaves the other
// half whole.
export const windowOf = (tree, measure, {from, to, zoom}, node) =>
    (tree.turn && zoom > 1 && node > 1 && (node < tree.turn) !== (zoom < tree.turn)
        ? {from: 0, to: measure.weight[1]} : {from, to});

// A sandwich: the callers of node 1 above it, the outermost on top, and its callees below. Rows
// of callers beyond `callerRows` or too narrow for labels are left out. Also returns `above`,
// the row of the method, and `rowsAbove`, the number of rows left out above.
function layOutSandwich(tree, measure, options) {
    const lay = (half, inside) => layOutTree(tree, measure, {...options, half,
        ...(options.zoom > 1 && !inside ? {zoom: 1, from: 0, to: measure.weight[1]}
            : {zoom: Math.max(1, options.zoom)})});
    const callers = lay([2, tree.turn], options.zoom < tree.turn);
    const callees = lay([tree.turn, tree.n], options.zoom >= tree.turn);
    const above = countCallerRows(callers, options);
    const frames = new Frames();
    const add = ({frames: of, starts}, row, to) => {
        for (let i = starts[row]; i < of.n && of.row[i] === row; i++) {
            frames.add(of.node[i], to, of.x0[i], of.x1[i], of.nodes[i], of.last[i]);
        }
    };
    for (let row = above; row > 0; row--) {
        add(callers, row, above - row);
    }
    for (let row = 0; row < callees.rows; row++) {
        add(callees, row, above + row);
    }
    const {fold} = callers;
    const starts = startRows(frames);
    return {
        frames, starts, rows: starts.length, above,
        rowsAbove: Math.max(0, callers.rows - 1 - above),
        fold: fold ? {...fold, row: above - fold.row, isAbove: true}
            : callees.fold && {...callees.fold, row: above + callees.fold.row},
        crumbs: Math.max(callers.crumbs, callees.crumbs),
        crumbsTop: callers.crumbs > 0 ? above - callers.crumbs + 1 : above,
        hiddenNodes: callers.hiddenNodes + callees.hiddenNodes,
        hiddenTime: callees.hiddenTime,
    };
}

// The number of rows of callers to draw: up to the last one with a frame at least `labelled`
// pixels wide, at most `callerRows`, but with all ancestors of the zoomed node.
function countCallerRows({frames, rows, crumbs}, {callerRows = Infinity, labelled = 0}) {
    let n = Math.max(0, Math.min(crumbs, rows - 1)); // a window without time has no rows
    for (let i = 0; i < frames.n; i++) {
        const fits = frames.nodes[i] === 0 && frames.x1[i] - frames.x0[i] >= labelled;
        n = fits ? Math.max(n, frames.row[i]) : n;
    }
    return Math.min(n, Math.max(crumbs, callerRows));
}

// Frames sorted by (row, x0). Options: width in pixels; from, to: the window in ns; zoom: the
// zoomed node, which must fill the window, 0 = none; narrow; unfolded. Returns frames; starts:
// first frame of each row; rows; above: in a sandwich the row of its method, otherwise 0; crumbs:
// the number of rows with ancestors of the zoomed node, from row crumbsTop; fold: null or {row,
// nodes, node}, the ancestors left out and the innermost of them; hiddenNodes, hiddenTime: of nodes
// in blocks, their number and ns.
export const layOutTree = (tree, measure, options) => {
    if (tree.turn && !options.half) {
        return layOutSandwich(tree, measure, options);
    }
    const walk = new Walk(tree, measure, options);
    const {frames} = walk;
    let crumbs = 0;
    if (options.to > options.from && options.width > 0) {
        if (options.zoom > 0) {
            crumbs = addCrumbs(walk, options.zoom, options.unfolded);
            frames.add(options.zoom, crumbs, 0, options.width, 0, options.zoom);
        } else {
            walk.addChildren(0, 0);
        }
        walk.addRows(crumbs > 0 ? frames.n - 1 : 0);
    }
    if (walk.isTimed) {
        widenBlocks(frames, options.width);
    }
    const {fold, hiddenNodes, hiddenTime} = walk;
    const starts = startRows(frames);
    return {frames, starts, rows: starts.length, above: 0, crumbs, crumbsTop: 0, fold,
        hiddenNodes, hiddenTime};
};

// The index of the frame of `row` at pixel `x`, -1 if there is none.
export const frameAt = (layout, row, x) => {
    const {frames, starts} = layout;
    if (row < 0 || row >= starts.length) {
        return -1;
    }
    const found = findFirst(starts[row], starts[row + 1] ?? frames.n,
        (i) => frames.x0[i] <= x) - 1;
    return found >= starts[row] && frames.row[found] === row && x < frames.x1[found] ? found : -1;
};

function rowOf({fold, above}, tree, node) {
    const isAbove = isAmongCallers(tree, node);
    let row = tree.depth[node] - 1;
    if (fold && (fold.isAbove ?? false) === isAbove && row > Math.abs(fold.row - above)) {
        row -= fold.nodes - 1;
    }
    return isAbove ? above - row : above + row;
}

// The index of a node's frame, -1 if it has none. Nodes in blocks have none.
export const frameOf = (layout, tree, measure, node, options) => {
    const mid = measure.left[node] + measure.weight[node] / 2;
    const {from, to} = windowOf(tree, measure, options, node);
    const x = (mid - from) * options.width / (to - from);
    const {frames, starts} = layout;
    const row = rowOf(layout, tree, node);
    // an ancestor of the zoomed node fills its row, even if its middle is outside the window
    for (let i = starts[row] ?? frames.n; i < frames.n && frames.row[i] === row; i++) {
        if (frames.node[i] === node && frames.nodes[i] === 0) {
            return i;
        }
        if (frames.x0[i] > x && frames.node[i] > node) {
            break;
        }
    }
    return -1;
};

// The part [from, to] of a node, in ns, in which its method itself waited; null if it did not.
// In a graph this is the end of its self time, to the right of its children.
// Where callers are above, only a root is that method, and all of its waiting is its own.
export const waitSpan = (tree, node, {left, weight}, callersAbove = false) => {
    if (tree.start) {
        return more.callWaitSpan(tree, node);
    }
    const end = left[node] + weight[node];
    const column = callersAbove ? tree.inclusive : tree.self;
    const isOwn = hasTimes(tree, WAIT) && tree.label[node] !== tree.leftOutLabel &&
        (!callersAbove || tree.depth[node] === 1);
    const wait = isOwn ? column[WALL][node] - column[CPU][node] : 0;
    return wait > 0 ? [end - wait, end] : null;
};
