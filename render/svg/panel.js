// One thread's graph: what is zoomed to, its layout, and the elements that show it.
//
// Elements are pooled: the k-th frame drawn has the k-th record, whichever node that is. Rows near
// the screen are drawn at once, the others when the browser has time; of very many frames only
// those near the screen have elements.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const SVG = 'http://www.w3.org/2000/svg';
    const FIRST_LOOK_ROWS = 160;
    const ROWS_MAX = 400000; // what browsers can scroll
    const ROWS_TO_SPARE = 2; // left-out rows that take no more room than their mark
    const LABEL_MIN = 12;
    const WAIT_MIN = 1;
    const FRAMES_MAX = 6000; // drawn though they are off the screen
    const ROWS_AROUND = 12; // drawn beyond the screen at once

    AF.HEAD = 33; // from the top of a panel to its graph
    AF.MARK = 20;
    AF.BOTTOM = 14;

    AF.svgNode = (name, attributes, ...children) => {
        const element = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes ?? {})) {
            if (value !== null && value !== undefined) {
                element.setAttribute(key, value);
            }
        }
        element.append(...children);
        return element;
    };

    const hundredths = (x) => Math.round(x * 100) / 100;

    function set(record, element, key, value) {
        const slot = record.set;
        const name = element.localName[0] + (element === record.wait ? 'w' : '') + key;
        if (slot[name] !== value) {
            slot[name] = value;
            element.setAttribute(key, value);
        }
    }

    class Panel {
        constructor(view, thread) {
            this.view = view;
            this.thread = thread;
            this.open = thread.drawn;
            this.shownAtFirst = thread.drawn;
            this.records = [];
            this.used = 0;
            this.focused = 0; // the node that keys act on, 0 = none yet
            this.matches = null;
            this.hasCallers = false;
            this.sums = new Map();
            this.headExtra = 0;
            this.setTree(thread.tree);
            this.build();
        }

        build() {
            this.element = AF.svgNode('g', {
                class: 'panel', id: `thread-${this.thread.id}`,
                'data-thread': this.thread.id, 'aria-label': this.thread.title, role: 'group',
            });
            this.head = AF.svgNode('g', {class: 'head'});
            this.mark = AF.svgNode('g', {class: 'mark'});
            this.graph = AF.svgNode('g', {
                class: 'graph', role: 'tree', 'aria-label': `calls of ${this.thread.title}`,
            });
            this.element.append(this.head, this.mark, this.graph);
        }

        // ---- what is shown ----

        setTree(tree) {
            this.tree = tree;
            this.focused = 0;
            this.matches = null;
            this.allRows = this.view.page.fullDepth;
            this.zoomTo(0);
        }

        zoomTo(node) {
            this.zoom = node;
            this.part = null; // of the zoomed node's width: [from, to]
            this.unfolded = false;
            this.layout = null;
        }

        // Shows [from, to] ns; the zoomed node becomes the one that fills the window.
        setWindow(from, to) {
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
            const {left, weight} = this.measure;
            const [from, to] = this.part ?? [0, 1];
            return {
                from: left[this.zoom] + from * weight[this.zoom],
                to: left[this.zoom] + to * weight[this.zoom],
            };
        }

        get options() {
            return {...this.window, zoom: this.zoom, width: this.view.width, unfolded: this.unfolded};
        }

        // Threads of the sheet keep their head line when they are closed.
        get isShown() {
            return this.open || this.shownAtFirst;
        }

        get isZoomed() {
            return this.zoom > 0 || this.part !== null;
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
            let rows = Math.min(layout.rows, layout.crumbs + 1);
            for (let i = frames.n - 1; i >= 0 && frames.row[i] >= rows; i--) {
                if (this.fit(i) !== null) {
                    rows = frames.row[i] + 1;
                }
            }
            rows = Math.min(rows, Math.max(FIRST_LOOK_ROWS, layout.crumbs + 1));
            return layout.rows - rows <= ROWS_TO_SPARE ? layout.rows : rows;
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

        // Own time of each category in one clock.
        selfByCategory(clock) {
            if (!this.sums.has(clock)) {
                const sums = new Float64Array(8);
                const {n, label, self} = this.thread.tree;
                const {category} = this.view.labels;
                for (let i = 1; i < n; i++) {
                    sums[category[label[i]]] += clock === AF.WAIT
                        ? Math.max(0, self[AF.WALL][i] - self[AF.CPU][i]) : self[clock][i];
                }
                this.sums.set(clock, sums);
            }
            return this.sums.get(clock);
        }

        get calls() {
            return this.thread.tree.calls.reduce((sum, calls) => sum + calls, 0);
        }

        get markHeight() {
            return this.rowsLeftOut > 0 ? AF.MARK : 0;
        }

        // From the top of the graph, below a mark that stands above it.
        rowTop(row) {
            const {row: step} = this.view.page.geometry;
            return (this.view.isInverted ? row : this.rows - 1 - row) * step;
        }

        rowAt(y) {
            const row = Math.floor(y / this.view.page.geometry.row);
            return this.view.isInverted ? row : this.rows - 1 - row;
        }

        get graphTop() {
            return AF.HEAD + this.headExtra + (this.view.isInverted ? 0 : this.markHeight);
        }

        get height() {
            if (!this.open) {
                return AF.HEAD + this.headExtra;
            }
            const graph = this.layout.rows > 0
                ? this.rows * this.view.page.geometry.row + this.markHeight : 16;
            return AF.HEAD + this.headExtra + graph + AF.BOTTOM;
        }

        // ---- elements ----

        newRecord() {
            const bar = AF.svgNode('rect', {});
            const group = AF.svgNode('g', {class: 'f', role: 'treeitem', tabindex: '-1'}, bar);
            const record = {group, bar, wait: null, text: null, frame: -1, set: {}, advance: 0};
            group.afRecord = record;
            group.afPanel = this;
            return record;
        }

        // Makes the elements show rows [first, end).
        draw(first, end) {
            const {starts, frames} = this.layout;
            const from = starts[first] ?? frames.n;
            const to = end < starts.length ? starts[end] : frames.n;
            const n = to - from;
            const hasFocus = this.graph.contains(document.activeElement);
            if (this.records.length < n) {
                const added = document.createDocumentFragment();
                while (this.records.length < n) {
                    const record = this.newRecord();
                    this.records.push(record);
                    added.append(record.group);
                }
                this.graph.append(added);
            }
            for (let k = 0; k < n; k++) {
                this.fill(this.records[k], from + k);
            }
            for (let k = n; k < this.used; k++) {
                this.records[k].group.setAttribute('display', 'none');
                this.records[k].set.display = true;
                this.records[k].frame = -1;
            }
            this.used = n;
            this.drawn = {first, end, from, to};
            this.trim();
            this.markFocus(hasFocus);
        }

        // Elements that have not been needed for a while.
        trim() {
            if (this.records.length > 2 * this.used + 2000) {
                this.records.splice(this.used).forEach((record) => record.group.remove());
            }
        }

        fill(record, i) {
            const {frames} = this.layout;
            record.frame = i;
            if (record.set.display) {
                record.set.display = false;
                record.group.removeAttribute('display');
            }
            set(record, record.group, 'class', this.classesOf(i));
            this.write(record, i);
            this.place(record, frames.x0[i], frames.x1[i]);
            set(record, record.group, 'aria-label', this.spoken(i));
            set(record, record.group, 'aria-level', frames.row[i] + 1);
        }

        classesOf(i) {
            const {frames, crumbs} = this.layout;
            const node = frames.node[i];
            let classes = 'f';
            if (frames.row[i] < crumbs) {
                classes += ' crumb';
            }
            if (this.matches) {
                const {matches, tree} = this;
                const hit = frames.nodes[i] > 0
                    ? AF.countWithin(matches, tree, node, frames.last[i]) > 0
                    : matches.labels[tree.label[node]] === 1;
                classes += hit ? ' hit' : '';
            }
            return classes;
        }

        spoken(i) {
            const {frames} = this.layout;
            if (frames.nodes[i] > 0) {
                return AF.counted(frames.nodes[i], 'frame', 'frames') + ' too narrow to draw';
            }
            return AF.spoken(this.view, this, frames.node[i]);
        }

        // The rectangles of a record between x0 and x1.
        place(record, x0, x1) {
            const {frames} = this.layout;
            const {geometry} = this.view.page;
            const i = record.frame;
            const full = x1 - x0;
            const width = full - Math.min(geometry.gap, full / 6);
            const y = this.rowTop(frames.row[i]);
            const paint = frames.nodes[i] > 0 ? 'N' : this.view.paintOf(this.tree, frames.node[i]);
            const waiting = this.waitingWidth(i, width);
            this.placeBar(record, record.bar, paint, x0, y, width - waiting);
            if (waiting > 0 && !record.wait) {
                record.wait = AF.svgNode('rect', {});
                record.bar.after(record.wait);
            }
            if (record.wait) {
                this.placeBar(record, record.wait, 'h' + paint, x0 + width - waiting, y, waiting);
            }
            if (record.text) {
                const room = width - 2 * geometry.inset;
                set(record, record.text, 'x', hundredths(x0 + geometry.inset));
                set(record, record.text, 'y', hundredths(y + geometry.baseline));
                set(record, record.text, 'visibility',
                    record.advance <= room + 0.6 ? 'inherit' : 'hidden');
            }
        }

        placeBar(record, bar, paint, x, y, width) {
            set(record, bar, 'class', paint);
            set(record, bar, 'x', hundredths(x));
            set(record, bar, 'y', hundredths(y));
            set(record, bar, 'width', Math.max(0, hundredths(width)));
            set(record, bar, 'height', this.view.page.geometry.frame);
        }

        waitingWidth(i, width) {
            const {frames} = this.layout;
            if (!this.view.showsWaiting || frames.nodes[i] > 0) {
                return 0;
            }
            const waiting = Math.floor(width * 100 * AF.waitingPart(this.tree, frames.node[i])) / 100;
            return waiting < WAIT_MIN ? 0 : waiting;
        }

        write(record, i) {
            const {frames} = this.layout;
            const text = this.fit(i);
            if (text === null) {
                if (record.text) {
                    record.text.remove();
                    record.text = null;
                    for (const key of ['tx', 'ty', 'tvisibility', 'tclass', 'ttextLength']) {
                        delete record.set[key];
                    }
                }
                return;
            }
            const {geometry, ruler} = this.view.page;
            if (!record.text) {
                record.text = AF.svgNode('text', {lengthAdjust: 'spacingAndGlyphs'});
                record.group.append(record.text);
            }
            record.advance = AF.advance(ruler, text, geometry.size * 100) / 100;
            if (record.text.textContent !== text) {
                record.text.textContent = text;
            }
            const isMuted = this.view.isIdle(this.tree, frames.node[i]);
            set(record, record.text, 'class', isMuted ? 'Q' : 'L');
            set(record, record.text, 'textLength', record.advance);
        }

        // ---- which rows have elements ----

        // Rows [first, end) that lie between y0 and y1 of the sheet.
        rowsBetween(y0, y1) {
            const {row: step} = this.view.page.geometry;
            const top = this.top + this.graphTop;
            const a = Math.floor((y0 - top) / step) - ROWS_AROUND;
            const b = Math.ceil((y1 - top) / step) + ROWS_AROUND;
            const clamp = (row) => Math.min(this.rows, Math.max(0, row));
            return this.view.isInverted ? [clamp(a), clamp(b)]
                : [clamp(this.rows - b), clamp(this.rows - a)];
        }

        // Draws what is on the screen; returns whether there is more that may be drawn later.
        drawNear(y0, y1) {
            if (!this.open) {
                return false;
            }
            const [first, end] = this.rowsBetween(y0, y1);
            const {drawn, layout} = this;
            if (!drawn || first < drawn.first || end > drawn.end) {
                this.draw(first, end);
            }
            const all = this.rows < layout.rows ? layout.starts[this.rows] : layout.frames.n;
            return all <= FRAMES_MAX && (this.drawn.first > 0 || this.drawn.end < this.rows);
        }

        drawAll() {
            this.draw(0, this.rows);
        }

        // ---- the focused frame ----

        recordOf(node) {
            if (!this.layout || node <= 0) {
                return null;
            }
            const i = AF.frameOf(this.layout, this.tree, this.measure, node, this.options);
            return i >= 0 && this.drawn && i >= this.drawn.from && i < this.drawn.to
                ? this.records[i - this.drawn.from] : null;
        }

        // Lets Tab reach the graph, and shows where the focus is.
        markFocus(take) {
            const record = this.recordOf(this.focused) ?? (this.used > 0 ? this.records[0] : null);
            if (this.tabbable && this.tabbable !== record) {
                this.tabbable.group.setAttribute('tabindex', '-1');
            }
            this.tabbable = record;
            record?.group.setAttribute('tabindex', '0');
            if (take && record && document.activeElement !== record.group) {
                record.group.focus({preventScroll: true});
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
            for (let k = 0; k < this.used; k++) {
                const record = this.records[k];
                const i = record.frame;
                const last = frames.last[i];
                const a = clamp(left[frames.node[i]]);
                const b = clamp(left[last] + weight[last]);
                this.place(record, a + (frames.x0[i] - a) * part, b + (frames.x1[i] - b) * part);
            }
        }
    }

    AF.Panel = Panel;
})();
