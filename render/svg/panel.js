// One thread's graph: what is zoomed to, its layout, and the elements that show it.
//
// Rows near the screen are drawn at once, the others when the browser has time; of very many frames
// only those near the screen have elements.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const FIRST_LOOK_ROWS = 160;
    const ROWS_MAX = 400000; // what browsers can scroll
    const ROWS_TO_SPARE = 2; // left-out rows that take no more room than their mark
    const LABEL_MIN = 12;
    const FRAMES_MAX = 6000; // drawn though they are off the screen
    const ROWS_AROUND = 6; // drawn beyond the screen at once
    const FILLED_ROWS = 40; // of single calls, without room for labels
    const SHORT_LANE = 4;

    AF.HEAD = 33; // from the top of a panel to its graph
    AF.MARK = 20;
    AF.BOTTOM = 14;

    class Panel {
        constructor(view, thread, number) {
            this.view = view;
            this.number = number; // in the order of all panels
            this.thread = thread;
            this.open = thread.drawn;
            this.shownAtFirst = thread.drawn;
            this.near = new AF.Shapes(this); // rows on the screen
            this.rest = new AF.Shapes(this); // the others
            this.shapes = [this.near, this.rest];
            this.focused = 0; // the node that keys act on, 0 = none yet
            this.matches = null;
            this.hasCallers = false;
            this.sums = new Map();
            this.headExtra = 0;
            this.ownMarks = null; // of a chart, in the place of those of the sheet
            this.firstRows = 0; // of a chart: those of the whole time; lanes become no lower
            this.firstMark = 0; // and the height of the mark below them
            this.setTree(view.treeOf(this));
            this.build();
        }

        build() {
            this.element = AF.svgNode('g', {
                class: 'panel', id: this.thread.elementId,
                'data-thread': this.thread.id, 'aria-label': this.thread.title, role: 'group',
            });
            this.head = AF.svgNode('g', {class: 'head'});
            this.mark = AF.svgNode('g', {class: 'mark'});
            this.graph = AF.svgNode('g', {
                class: 'graph', role: 'tree', 'aria-label': `calls of ${this.thread.title}`,
            });
            // pales what lies around the zoomed frame, but not the words on it
            this.veil = AF.svgNode('rect', {class: 'P veil', 'aria-hidden': 'true'});
            const groups = (shapes) => shapes.layers.map((layer) => layer.group);
            const [bars, waits, labels] = groups(this.near);
            const [restBars, restWaits, restLabels] = groups(this.rest);
            this.ring = AF.svgNode('rect', {class: 'ring', 'aria-hidden': 'true'});
            this.ground = AF.svgNode('g', {'aria-hidden': 'true', class: 'over'});
            this.over = AF.svgNode('g', {'aria-hidden': 'true', class: 'over'});
            this.graph.append(this.ground, bars, waits, restBars, restWaits, this.veil, labels,
                restLabels, this.over, this.ring);
            this.element.append(this.head, this.graph, this.mark);
        }

        // ---- what is shown ----

        setTree(tree) {
            this.tree = tree;
            this.focused = 0;
            this.matches = null;
            this.allRows = this.view.page.fullDepth;
            this.zoomTo(0);
        }

        // Of single calls all lanes show the same time, and callers lie where they were.
        zoomTo(node) {
            if (this.tree.start) {
                const {start, extent} = this.tree;
                this.zoom = 0;
                this.part = null;
                this.layout = null;
                if (node > 0) {
                    this.view.chart.setSpan(start[node], start[node] + extent[node]);
                }
                return;
            }
            this.zoom = node;
            this.part = null; // of the zoomed node's width: [from, to]
            this.unfolded = false;
            this.layout = null;
        }

        setZoom(node, part) {
            if (this.zoom !== node || this.part !== part) {
                this.zoomTo(node);
                this.part = part;
            }
        }

        // Shows [from, to] ns; the zoomed node becomes the one that fills the window.
        setWindow(from, to) {
            if (this.tree.start) {
                this.view.chart.setSpan(from, to);
                return;
            }
            const {left, weight} = this.measure;
            let node = this.zoom;
            while (node > 0 && (left[node] > from || left[node] + weight[node] < to)) {
                node = this.tree.parent[node];
            }
            const whole = weight[node];
            const part = [(from - left[node]) / whole, (to - left[node]) / whole];
            this.zoom = node;
            this.part = part[0] <= 1e-9 && part[1] >= 1 - 1e-9 ? null : part;
            this.layout = null;
        }

        get measure() {
            return AF.measure(this.tree, this.view.state.clock);
        }

        get window() {
            if (this.tree.start) {
                return this.view.chart.window;
            }
            const {left, weight} = this.measure;
            const [from, to] = this.part ?? [0, 1];
            return {
                from: left[this.zoom] + from * weight[this.zoom],
                to: left[this.zoom] + to * weight[this.zoom],
            };
        }

        get options() {
            const {zoom, unfolded} = this;
            return {...this.window, zoom, unfolded, width: this.view.width};
        }

        // Threads of the sheet keep their head line when they are closed.
        get isShown() {
            return this.open || this.shownAtFirst;
        }

        get isZoomed() {
            return this.zoom > 0 || this.part !== null ||
                (this.tree.start !== undefined && this.view.chart.span !== null);
        }

        // The calls that the graph is made of: all, or those of a range of time.
        get base() {
            const {range} = this.view.state;
            if (!range) {
                return this.thread.tree;
            }
            if (this.rangeOfBase !== range) {
                this.rangeOfBase = range;
                this.baseOfRange = AF.mergeCalls(this.thread.calls, range.from, range.to);
            }
            return this.baseOfRange;
        }

        get showsCallers() {
            return this.view.state.view === 'callers';
        }

        get marks() {
            return this.tree.start ? this.ownMarks ?? this.tree.marks : [];
        }

        // ---- layout ----

        lay() {
            if (this.layout) {
                return;
            }
            this.layout = AF.layOut(this.tree, this.measure, this.options);
            this.labels = [];
            this.rows = this.countRows();
            this.rowsLeftOut = this.rows < this.layout.rows ? this.countLeftOut() : 0;
            if (this.tree.start && !this.view.chart.span) {
                this.firstRows = this.rows;
                this.firstMark = this.rowsLeftOut > 0 ? AF.MARK : 0;
            }
            this.floor = 0;
            this.drawn = null;
        }

        room(i) {
            const {frames} = this.layout;
            const {gap, inset} = this.view.page.geometry;
            return frames.x1[i] - frames.x0[i] - gap - 2 * inset;
        }

        fit(i) {
            if (this.labels[i] === undefined) {
                const {frames} = this.layout;
                const room = this.room(i);
                this.labels[i] = frames.nodes[i] > 0 || room < LABEL_MIN ? null
                    : this.view.fitter(AF.labelOf(this.view, this.tree, frames.node[i]),
                        Math.floor(room * 100 + 1e-6));
            }
            return this.labels[i];
        }

        // Rows up to the last in which something has room for a label.
        countRows() {
            const {layout} = this;
            const {frames} = layout;
            if (this.allRows) {
                return Math.min(layout.rows, ROWS_MAX);
            }
            let rows = Math.min(layout.rows, this.tree.start ? Math.max(1, this.countFilled())
                : layout.crumbs + 1);
            for (let i = frames.n - 1; i >= 0 && frames.row[i] >= rows; i--) {
                if (this.fit(i) !== null) {
                    rows = frames.row[i] + 1;
                }
            }
            rows = Math.min(rows, Math.max(FIRST_LOOK_ROWS, layout.crumbs + 1));
            if (this.isShort) {
                return Math.min(layout.rows, rows, SHORT_LANE);
            }
            return layout.rows - rows <= ROWS_TO_SPARE ? layout.rows : rows;
        }

        // Of a chart colours tell much without words: rows up to the last of which calls fill a
        // fiftieth.
        countFilled() {
            const {frames} = this.layout;
            let rows = 0;
            let filled = 0;
            for (let i = 0; i < frames.n && frames.row[i] < FILLED_ROWS; i++) {
                filled = i > 0 && frames.row[i - 1] === frames.row[i] ? filled : 0;
                filled += frames.nodes[i] === 0 ? frames.x1[i] - frames.x0[i] : 0;
                rows = filled >= this.view.width / 50 ? frames.row[i] + 1 : rows;
            }
            return rows;
        }

        // A lane that nobody asked for and that is not among the busiest.
        get isShort() {
            const {tall} = this.view.page;
            return this.tree.start !== undefined && this.shownAtFirst && tall > 0 &&
                this.number >= tall;
        }

        countLeftOut() {
            const {tree, layout} = this;
            const end = this.zoom + tree.size[this.zoom];
            let deepest = 0;
            for (let i = this.zoom; i < end; i++) {
                deepest = Math.max(deepest, tree.depth[i]);
            }
            return deepest - (layout.fold ? layout.fold.nodes - 1 : 0) - this.rows;
        }

        // Own time of each category in one clock; behind these, of its dim frames.
        selfByCategory(clock) {
            if (this.sumsOf !== this.base) {
                this.sumsOf = this.base;
                this.sums.clear();
            }
            if (!this.sums.has(clock)) {
                const sums = new Float64Array(AF.CATEGORIES.length * 2);
                const {n, label, self, inclusive, depth} = this.base;
                const {category, shade} = this.view.labels;
                // where callers stand above, a root's time is its method's own
                const {callersAbove} = this.view.page;
                const own = callersAbove ? inclusive : self;
                for (let i = 1; i < n && AF.hasTimes(this.base, clock); i++) {
                    if (!callersAbove || depth[i] === 1) {
                        const time = clock === AF.WAIT
                            ? Math.max(0, own[AF.WALL][i] - own[AF.CPU][i]) : own[clock][i];
                        sums[category[label[i]]] += time;
                        if (shade[label[i]] === AF.DIM) {
                            sums[AF.CATEGORIES.length + category[label[i]]] += time;
                        }
                    }
                }
                this.sums.set(clock, sums);
            }
            return this.sums.get(clock);
        }

        get calls() {
            return this.base.calls.reduce((sum, calls) => sum + calls, 0);
        }

        get markHeight() {
            return this.rowsLeftOut > 0 ? AF.MARK : this.tree.start ? this.firstMark : 0;
        }

        // Rows that there is room for: more than are drawn where a frame is to keep its place.
        get slots() {
            return this.tree.start ? Math.max(this.rows, this.firstRows, 1)
                : this.view.isInverted ? this.rows : Math.max(this.rows, this.floor);
        }

        // From the top of the graph, below a mark that stands above it.
        rowTop(row) {
            const {row: step} = this.view.page.geometry;
            return (this.view.isInverted ? row : this.slots - 1 - row) * step;
        }

        rowAt(y) {
            const row = Math.floor(y / this.view.page.geometry.row);
            return this.view.isInverted ? row : this.slots - 1 - row;
        }

        get graphTop() {
            return AF.HEAD + this.headExtra + (this.view.isInverted ? 0 : this.markHeight) +
                this.dotsHeight + this.bracketsHeight;
        }

        // Calls there are, but none in the time that is shown.
        get isQuiet() {
            return this.tree.start !== undefined && this.tree.n > 1 && this.layout.rows === 0;
        }

        get bracketsHeight() {
            return this.open && this.marks.length > 0 ? AF.BRACKETS : 0;
        }

        get dotsHeight() {
            return this.open && this.tree.start && this.thread.instants?.length > 0 ? AF.DOTS : 0;
        }

        // Of callers a thread may have none; its head says so.
        get isEmpty() {
            return this.view.state.view === 'callers' && !this.hasCallers;
        }

        get height() {
            if (!this.open || this.isEmpty) {
                return AF.HEAD + this.headExtra;
            }
            const graph = this.layout.rows > 0 || this.isQuiet
                ? this.slots * this.view.page.geometry.row + this.markHeight : 16;
            return AF.HEAD + this.headExtra + this.dotsHeight + this.bracketsHeight +
                graph + AF.BOTTOM;
        }

        // ---- elements ----

        // Makes the elements near the screen show rows [first, end); there are no others then.
        draw(first, end) {
            const {starts, frames} = this.layout;
            const from = starts[first] ?? frames.n;
            const to = end < starts.length ? starts[end] : frames.n;
            const hasFocus = this.graph.contains(document.activeElement);
            this.drawn = {first, end, from, to};
            this.near.show(to - from, (k) => from + k);
            if (this.rest.used > 0) {
                this.rest.show(0, null);
            }
            this.isSpoken = false;
            this.drawVeil();
            this.markFocus(hasFocus);
        }

        drawVeil() {
            const {crumbs} = this.layout;
            const {row: step} = this.view.page.geometry;
            const top = this.rowTop(this.view.isInverted ? 0 : crumbs - 1);
            this.veil.setAttribute('y', top);
            this.veil.setAttribute('width', this.view.width);
            this.veil.setAttribute('height', crumbs * step);
        }

        // The number of the first frame in a row that is left out.
        get last() {
            const {starts, frames} = this.layout;
            return this.rows < starts.length ? starts[this.rows] : frames.n;
        }

        // What can wait: names for those who cannot see, and all other rows that are shown.
        drawRest() {
            if (!this.isSpoken) {
                this.isSpoken = true;
                this.near.speak();
                return;
            }
            const {from, to} = this.drawn;
            this.rest.show(Math.max(0, this.last - (to - from)),
                (k) => (k < from ? k : k + to - from));
            this.rest.speak();
            this.drawn = {first: 0, end: this.rows, from, to};
        }

        paint() {
            this.shapes.forEach((shapes) => shapes.paint());
        }

        // Whether a frame matches what is searched, or a block holds what does.
        isHit(i) {
            const {matches, tree} = this;
            if (!matches) {
                return false;
            }
            const {frames} = this.layout;
            const node = frames.node[i];
            return frames.nodes[i] > 0
                ? AF.countWithin(matches, tree, node, frames.last[i]) > 0
                : matches.labels[tree.label[node]] === 1;
        }

        // What a block stands for.
        countOf(i) {
            const n = this.layout.frames.nodes[i];
            return this.tree.start ? AF.countedEntries(this.tree, n)
                : AF.counted(n, 'frame', 'frames');
        }

        spoken(i) {
            const {frames} = this.layout;
            if (frames.nodes[i] > 0) {
                return this.countOf(i) + (this.tree.start ? ' too short to draw'
                    : ' too narrow to draw');
            }
            return AF.spoken(this.view, this, frames.node[i]);
        }

        // ---- which rows have elements ----

        // Rows [first, end) that lie between y0 and y1 of the sheet.
        rowsBetween(y0, y1) {
            const {row: step} = this.view.page.geometry;
            const top = this.top + this.graphTop;
            const a = Math.floor((y0 - top) / step);
            const b = Math.ceil((y1 - top) / step);
            const clamp = (row) => Math.min(this.rows, Math.max(0, row));
            return this.view.isInverted ? [clamp(a), clamp(b)]
                : [clamp(this.slots - b), clamp(this.slots - a)];
        }

        // Draws what is on the screen; returns whether there is more that may be drawn later.
        drawNear(y0, y1) {
            if (!this.open) {
                return false;
            }
            const [first, end] = this.rowsBetween(y0, y1);
            const {drawn} = this;
            if (first >= end) {
                if (!drawn) {
                    this.draw(first, first);
                }
            } else if (!drawn || first < drawn.first || end > drawn.end) {
                this.draw(Math.max(0, first - ROWS_AROUND), Math.min(this.rows, end + ROWS_AROUND));
            }
            return this.hasMore;
        }

        get hasMore() {
            return this.open && this.drawn !== null && (!this.isSpoken ||
                (this.last <= FRAMES_MAX && (this.drawn.first > 0 || this.drawn.end < this.rows)));
        }

        // ---- the focused frame ----

        itemOf(node) {
            if (!this.layout || node <= 0) {
                return null;
            }
            const i = AF.frameOf(this.layout, this.tree, this.measure, node, this.options);
            if (i < 0 || !this.drawn) {
                return null;
            }
            const {from, to} = this.drawn;
            if (i >= from && i < to) {
                return this.near.bars.items[i - from];
            }
            const k = i < from ? i : i - (to - from);
            return k < this.rest.used ? this.rest.bars.items[k] : null;
        }

        // Lets Tab reach the graph, and shows where the focus is.
        markFocus(take) {
            const item = this.itemOf(this.focused) ?? this.near.bars.items[0] ?? null;
            if (this.tabbable && this.tabbable !== item) {
                this.tabbable.element.setAttribute('tabindex', '-1');
            }
            this.tabbable = item;
            if (item) {
                this.near.name(item);
            }
            this.placeRing();
            item?.element.setAttribute('tabindex', '0');
            if (take && item && document.activeElement !== item.element) {
                item.element.focus({preventScroll: true});
            }
        }

        // Shows where the focus is; shapes.js may draw over an outline.
        placeRing() {
            const item = this.tabbable;
            this.ring.setAttribute('visibility', item ? 'inherit' : 'hidden');
            if (item) {
                this.ring.setAttribute('x', item.x);
                this.ring.setAttribute('y', item.y);
                this.ring.setAttribute('width', item.width);
                this.ring.setAttribute('height', this.view.page.geometry.frame);
            }
        }

        // ---- moving from one look to the next ----

        // What is needed to know later where a node stood.
        look() {
            return {measure: this.measure, window: this.window, tree: this.tree, open: this.open};
        }

        // Shows the drawn frames on their way from `before`, `part` of 1.
        tween(before, part) {
            const {frames} = this.layout;
            const {left, weight} = before.measure;
            const {from, to} = before.window;
            const {width} = this.view;
            const scale = width / (to - from);
            const clamp = (time) => Math.min(width, Math.max(0, (time - from) * scale));
            this.ring.setAttribute('visibility', 'hidden');
            this.near.move((i) => {
                const last = frames.last[i];
                const a = clamp(left[frames.node[i]]);
                const b = clamp(left[last] + weight[last]);
                return [a + (frames.x0[i] - a) * part, b + (frames.x1[i] - b) * part];
            });
        }
    }

    AF.Panel = Panel;
})();
