// The geometry of one thread's panel: its tree and zoom, the layout, rows and heights.
import {advanceOf, isCut} from './label.js';
import {frameOf, layOutTree, windowOf} from './layout.js';
import {more} from './more.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {categoryOf, climbFrom, hasTimes, measureOf, newTree, timeOf, timesOf, WAIT, waits, WALL}
    from './tree.js';
import {BLOCKED, DIM, fill, IDLE, labelOf, shareText, timeText} from './words.js';

const ROWS_MAX = 400000; // about the height that browsers can scroll

export const LEFT_OUT = SAY.CATEGORIES.length * 2; // of omitted call paths in selfByCategory()
export const HEAD = S.HEAD_BASELINE + S.HEAD_TO_GRAPH; // from the top of a panel to its graph

export class PanelLayout {
    // ---- what is shown ----

    // `make` makes the tree when it is first needed. It returns null if the thread lacks the
    // method of a sandwich.
    setTree(make) {
        this.make = make;
        this.made = null;
        this.focused = 0;
        this.matches = null;
        this.allRows = this.view.page.fullDepth;
        this.zoom = 0;
        this.part = null; // [from, to] of the width of the zoomed node
        this.unfolded = false;
        this.layout = null;
    }

    get tree() {
        this.made ??= this.make() ?? newTree(1, this.base.clocks);
        return this.made;
    }

    // Whether the view is a sandwich, and the thread has its method.
    get hasMethod() {
        return this.view.state.view === 'sandwich' && this.tree.n > 1;
    }

    // A chart zooms by the time window that all of its tracks share, not by a zoomed node.
    zoomTo(node) {
        const {start, extent} = this.tree;
        this.zoom = start ? 0 : node;
        this.part = null;
        this.unfolded = false;
        this.layout = null;
        if (start && node > 0) {
            this.view.chart.setWindow(start[node], start[node] + extent[node]);
        }
    }

    setZoom(node, part) {
        if (this.zoom !== node || this.part !== part) {
            this.zoomTo(node);
            this.part = part;
        }
    }

    // Shows [from, to] ns, and zooms to the innermost ancestor of the zoomed node that fills
    // the window.
    setWindow(from, to) {
        if (this.tree.start) {
            this.view.chart.setWindow(from, to);
            return;
        }
        const {left, weight} = this.measure;
        const node = climbFrom(this.tree, this.zoom)
            .find((at) => left[at] <= from && left[at] + weight[at] >= to) ?? 0;
        const whole = weight[node];
        const part = [(from - left[node]) / whole, (to - left[node]) / whole];
        this.zoom = node;
        this.part = part[0] <= 1e-9 && part[1] >= 1 - 1e-9 ? null : part;
        this.layout = null;
    }

    get measure() {
        return measureOf(this.tree, this.view.state.clock);
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
        const {zoom, unfolded, allRows} = this;
        const {width, page: {minWidth}} = this.view;
        return {...this.window, zoom, unfolded, width,
            narrow: minWidth ?? (this.tree.start ? S.SLICE_MIN : S.FRAME_MIN),
            callerRows: allRows ? Infinity : S.CALLER_ROWS,
            labelled: allRows ? 0 : S.LABEL_MIN + S.GAP + 2 * S.INSET};
    }

    // Closed panels of the static sheet keep their head line.
    get isShown() {
        return this.open || this.shownAtFirst;
    }

    get isZoomed() {
        return this.zoom > 0 || this.part !== null ||
            (this.view.chart?.isOn === true && this.view.chart.span !== null);
    }

    // The call tree of the graph: of the whole trace, or of the time range.
    get base() {
        const {range} = this.view.state;
        if (!range) {
            return this.thread.tree;
        }
        if (this.rangeOfBase !== range) {
            this.rangeOfBase = range;
            this.baseOfRange = more.mergeCalls(this.thread.calls, range.from, range.to);
        }
        return this.baseOfRange;
    }

    windowOf(node) {
        return windowOf(this.tree, this.measure, this.options, node);
    }

    // The index of a node's frame, -1 if it has none.
    frameOf(node) {
        return frameOf(this.layout, this.tree, this.measure, node, this.options);
    }

    get highlights() {
        return this.tree.start ? this.ownHighlights ?? this.tree.highlights : [];
    }

    // ---- layout ----

    lay() {
        if (this.layout) {
            return;
        }
        this.layout = layOutTree(this.tree, this.measure, this.options);
        this.labels = new Array(this.layout.frames.n); // the results of fit()
        this.rows = this.allRows ? Math.min(this.layout.rows, ROWS_MAX) : this.countFirstRows();
        const {rows, above} = this.layout;
        this.rowsLeftOut = this.rows < rows ? this.countLeftOut() : 0;
        this.rowsToFold = this.allRows && !this.view.page.fullDepth
            ? this.rows - this.countFirstRows() + Math.max(0, above - S.CALLER_ROWS) : 0;
        if (this.tree.start && !this.view.chart.span) {
            this.firstRows = this.rows;
            this.firstMoreRows = this.rowsLeftOut > 0 ? S.MORE_ROWS : 0;
        }
        this.floor = 0;
        this.drawn = null;
    }

    fit(i) {
        if (this.labels[i] === undefined) {
            const {frames} = this.layout;
            const widthMax = frames.x1[i] - frames.x0[i] - S.GAP - 2 * S.INSET;
            this.labels[i] = frames.nodes[i] > 0 || widthMax < S.LABEL_MIN ? null
                : this.fitLabel(frames.node[i], Math.floor(widthMax * 100 + 1e-6));
        }
        return this.labels[i];
    }

    fitLabel(node, widthMax) {
        const {view} = this;
        if (view.compare) {
            return view.compare.fit(this, node, widthMax);
        }
        const label = labelOf(view, this.tree, node);
        const name = view.fitter(label, widthMax);
        return name === null || isCut(name, label) ? name : this.addNumbers(name, node, widthMax);
    }

    // Appends the time of the frame and its share of the thread, or only the time, if there is
    // room after the name.
    addNumbers(name, node, widthMax) {
        const {view, tree} = this;
        const {clock} = view.state;
        const fits = (text) => advanceOf(view.page.ruler, text, S.LABEL * 100) <= widthMax;
        if (tree.start) {
            const text = fill(SAY.FRAME_TIME, name, timeText(tree.extent[node]));
            return fits(text) ? text : name;
        }
        const time = timeOf(tree, node, clock);
        const share = shareText(time, timeOf(this.base, 0, clock));
        return [fill(SAY.FRAME_NUMBERS, name, timeText(time), share),
            fill(SAY.FRAME_TIME, name, timeText(time)), name].find(fits) ?? name;
    }

    // Counts the rows up to the last one with a label that fits.
    countFirstRows() {
        const {layout} = this;
        const {frames} = layout;
        const base = this.layout.above + layout.crumbs + 1;
        let rows = Math.min(layout.rows, Math.max(base, this.countFilled(this.tree.start
            ? S.FIRST_FILLED_ROWS : base - 1 + S.FIRST_GRAPH_ROWS)));
        for (let i = frames.n - 1; i >= 0 && frames.row[i] >= rows; i--) {
            if (this.fit(i) !== null) {
                rows = frames.row[i] + 1;
            }
        }
        rows = Math.min(rows, Math.max(this.firstRowsMax, base));
        if (this.isShort) {
            return Math.min(layout.rows, rows, S.SHORT_TRACK_ROWS);
        }
        return layout.rows - rows <= S.ROWS_TO_SPARE ? layout.rows : rows;
    }

    // Panels that are not zoomed share the height of the sheet.
    get firstRowsMax() {
        return this.isZoomed || this.tree.start ? S.FIRST_ROWS : this.view.page.firstRows;
    }

    // Counts the rows up to the last one that frames fill to at least a fiftieth of the width,
    // among the first `most`: such rows are useful for their colours even without labels.
    countFilled(most) {
        const {frames} = this.layout;
        let rows = 0;
        let filled = 0;
        for (let i = 0; i < frames.n && frames.row[i] < most; i++) {
            filled = i > 0 && frames.row[i - 1] === frames.row[i] ? filled : 0;
            filled += frames.nodes[i] === 0 ? frames.x1[i] - frames.x0[i] : 0;
            rows = filled >= this.view.width / 50 ? frames.row[i] + 1 : rows;
        }
        return rows;
    }

    // Whether this is a track with few rows, because it was not requested and is not among the
    // busiest.
    get isShort() {
        const {tall} = this.view.page;
        return this.tree.start !== undefined && this.shownAtFirst && tall > 0 &&
            this.number >= tall;
    }

    countLeftOut() {
        const {tree, layout} = this;
        const end = this.zoom + tree.size[this.zoom];
        let deepest = 0;
        for (let i = Math.max(this.zoom, tree.turn ?? 0); i < end; i++) {
            deepest = Math.max(deepest, tree.depth[i]);
        }
        return deepest - (layout.fold ? layout.fold.nodes - 1 : 0) - this.rows + this.layout.above;
    }

    // {sums, hues}. `sums` are self times on one clock, ns: by category, or by colour with `byHue`;
    // then those of dim frames, likewise; then that of call paths omitted from the file. `hues`
    // are the colours of frames with inclusive time, even without self time.
    selfByCategory(clock, byHue = false) {
        const sums = this.base.sumsBy ??= {};
        return sums[`${clock} ${byHue}`] ??= this.sumByCategory(this.base, clock, byHue);
    }

    sumByCategory(tree, clock, byHue) {
        const hues = new Set();
        const sums = new Float64Array(LEFT_OUT + 1);
        const {n, label, self, depth, leftOutLabel} = tree;
        const {labels, showsGreys} = this.view;
        // if callers are above, the inclusive time of a root is its method's self time
        const {callersAbove} = this.view.page;
        const widths = timesOf(tree, clock);
        const own = callersAbove || !widths ? widths
            : clock === WAIT ? waits(tree).own : self[clock];
        for (let i = 1; widths && i < n; i++) {
            const time = Math.max(0, own[i]);
            if (callersAbove && depth[i] > 1) {
                continue;
            }
            if (label[i] === leftOutLabel) {
                sums[LEFT_OUT] += time;
                continue;
            }
            const hue = byHue ? this.view.hueOf(tree, i) : categoryOf(tree, i, labels);
            sums[hue] += time;
            sums[SAY.CATEGORIES.length + hue] += labels.shade[label[i]] === DIM ? time : 0;
            if (time > 0 || (widths[i] > 0 && !(showsGreys && hue === S.WAIT_HUE_OTHER))) {
                hues.add(hue);
            }
        }
        return {sums, hues};
    }

    // {time, wait, idle} in ns: self time outside idle frames, the waiting part of wall time, and
    // self time of idle frames. Without CPU times, blocked frames wait.
    findBusy(clock) {
        const sum = (of) => this.selfByCategory(of).sums.reduce((all, time, category) =>
            (category === LEFT_OUT || (category < SAY.CATEGORIES.length &&
                category !== IDLE) ? all + time : all), 0);
        const time = sum(clock);
        const {sums: selfs} = this.selfByCategory(clock);
        return {time, idle: selfs[IDLE], wait: clock !== WALL ? 0
            : hasTimes(this.base, WAIT) ? Math.min(time, sum(WAIT)) : selfs[BLOCKED]};
    }

    get moreRowsHeight() {
        return this.rowsLeftOut > 0 || this.rowsToFold > 0 ? S.MORE_ROWS
            : this.tree.start ? this.firstMoreRows : 0;
    }

    get moreCallersHeight() {
        return this.open && this.layout?.rowsAbove > 0 ? S.MORE_ROWS : 0;
    }

    // Pixels from the top of a frame to the baseline of its label.
    get baseline() {
        return this.view.showsWaiting && !this.tree.start ? S.FOOTED_BASELINE : S.BASELINE;
    }

    // The number of rows that the panel has space for: more than are drawn if a frame must keep
    // its position.
    get slots() {
        return this.tree.start ? Math.max(this.rows, this.firstRows, 1)
            : this.view.isInverted ? this.rows : Math.max(this.rows, this.floor);
    }

    // Pixels from the top of the graph to the top of a row.
    rowTop(row) {
        return (this.view.isInverted ? row : this.slots - 1 - row) * S.ROW;
    }

    rowAt(y) {
        const row = Math.floor(y / S.ROW);
        return this.view.isInverted ? row : this.slots - 1 - row;
    }

    // The height of the ruler above the frames of a graph.
    get scaleHeight() {
        const isDrawn = this.open && this.layout?.rows > 0;
        return isDrawn && !this.tree.start ? S.SCALE : 0;
    }

    get graphTop() {
        return HEAD + this.headExtra + this.scaleHeight +
            (this.view.isInverted ? 0 : this.moreRowsHeight) + this.moreCallersHeight +
            this.dotsHeight + this.runsHeight + this.bracketsHeight;
    }

    // Whether there are calls or instants, but no calls in the visible time.
    get isQuiet() {
        return this.tree.start !== undefined && this.layout.rows === 0 &&
            (this.tree.n > 1 || (this.view.block.chart.calls === 0 && this.dotsHeight > 0));
    }

    get bracketsHeight() {
        return this.open && this.highlights.length > 0 ? S.BRACKETS : 0;
    }

    get dotsHeight() {
        return this.open && this.tree.start && this.thread.instants?.length > 0 ? S.DOTS : 0;
    }

    get runsHeight() {
        return this.open && this.tree.start && this.thread.states?.length > 0 ? S.RUNS : 0;
    }

    // Whether the thread lacks the method of a sandwich, which the head of the panel reports.
    get isEmpty() {
        return this.view.state.view === 'sandwich' && !this.hasMethod;
    }

    get height() {
        if (!this.open || this.isEmpty) {
            return HEAD + this.headExtra;
        }
        const graph = this.layout.rows > 0 || this.isQuiet
            ? this.scaleHeight + this.slots * S.ROW + this.moreRowsHeight
            : S.NOTHING + S.NOTHING_BOTTOM;
        return HEAD + this.headExtra + this.moreCallersHeight + this.dotsHeight +
            this.runsHeight + this.bracketsHeight + graph + S.BOTTOM;
    }
}
