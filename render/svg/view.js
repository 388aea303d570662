// The state of the picture and every action on it. pointer.js and keys.js turn mouse, touch and
// keys into these actions; drawing.js draws the result.
import {Drawing} from './drawing.js';
import {newFitter} from './label.js';
import {CLOCK_WORDS, Link} from './link.js';
import {Methods} from './methods.js';
import {more} from './more.js';
import {Panel} from './panel.js';
import {sandwichOf} from './sandwich.js';
import {Search} from './search.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {CPU, WAIT, WALL} from './tree.js';
import {SIDE_WORDS} from './words.js';

// The number of a node in the tree of the file, and in a sorted one.
const sourceOf = (tree, node) => tree.sourceOf?.[node] ?? node;
const numberOf = (tree, node) => tree.numberOf?.[node] ?? node;

export class View extends Drawing {
    constructor(page, block) {
        super();
        this.page = page;
        this.block = block;
        this.labels = block.labels;
        this.compare = block.isCompared ? new more.Compare(this) : null;
        this.state = {
            clock: this.compare ? 0 : page.clock,
            view: page.isChart && block.chart ? 'chart'
                : page.isInverted ? 'icicle' : 'flame',
            method: -1, // label of the method of a sandwich; -1 = none
            range: null, // of a graph: {from, to} in ns of the chart's axis; null = everything
            byTime: false, // siblings are sorted by time
            query: '',
        };
        this.graphView = this.state.view; // the view to return to from a sandwich
        this.graphStyle = 'flame'; // the view to return to from a chart
        this.fitter = newFitter(page.ruler, S.LABEL * 100);
        this.back = [];
        this.active = null;
        this.chart = block.chart ? new more.Chart(this) : null;
        this.panels = block.threads.map((thread, number) => new Panel(this, thread, number));
        this.shown = [-1, null, this.state.view === 'chart', -1]; // what the trees depend on
        const method = page.method === null ? -1 : this.labels.text.indexOf(page.method);
        this.first = {...this.state, method, view: method < 0 ? this.state.view : 'sandwich'};
        this.methods = new Methods(this);
        this.search = new Search(this);
        page.onStop = () => this.drawFrames();
        this.link = new Link(this);
    }

    // ---- zoom ----

    remember() {
        this.link.isStep = true;
        this.back.push(this.save());
    }

    // The current zoom, view and scroll position, for restore().
    save() {
        return {
            scrollTop: this.page.scrollTop,
            focus: this.chosen,
            view: this.state.view,
            method: this.state.method,
            range: this.state.range,
            byTime: this.state.byTime,
            span: this.chart?.span ?? null,
            zooms: this.marks,
        };
    }

    // The zoom and the selected frame of each panel, by the numbers of the file.
    get marks() {
        return this.panels.filter((panel) => panel.isZoomed || panel.focused > 0)
            .map((panel) => ({panel, zoom: sourceOf(panel.tree, panel.zoom), part: panel.part,
                focused: sourceOf(panel.tree, panel.focused)}));
    }

    // A frame under the pointer keeps its position, even if that leaves space empty. Without a
    // pointer, scrolls to show the whole graph if it fits.
    zoomTo(panel, node, {isPointed = false} = {}) {
        if (!panel.tree.start && panel.zoom === node && panel.part === null) {
            return;
        }
        this.remember();
        this.change(() => panel.zoomTo(node),
            {anchor: isPointed ? {panel, node} : null, animate: true});
        if (!isPointed && !panel.tree.start) {
            this.bringIntoView(panel.top - this.page.scrollTop, panel.height, 0, 0);
        }
        this.focusFrame(panel, node);
    }

    goBack() {
        const last = this.back.pop();
        if (!last && !this.isChanged) {
            return false;
        }
        this.restore(last);
        return true;
    }

    // The first view without zoom, for restore().
    get home() {
        const {view, method} = this.first;
        return {view: method >= 0 ? view : this.graphView, method, range: null,
            byTime: this.state.byTime, span: null, zooms: []};
    }

    // `last` comes from save().
    restore(last = this.home) {
        const anchor = this.active && this.active.zoom > 0
            ? {panel: this.active, node: this.active.zoom} : null;
        const {view: name, method, range, byTime} = last;
        const sameTree = byTime === this.state.byTime && method === this.state.method &&
            range === this.state.range && (name === 'chart') === (this.state.view === 'chart');
        this.change(() => {
            if (!sameTree) {
                this.state.range = range;
                this.state.byTime = byTime;
                this.setTrees(name, method);
            }
            if (this.chart) {
                this.chart.span = last.span;
                this.dropLayouts();
            }
            for (const panel of this.panels) {
                const zoom = last.zooms.find((one) => one.panel === panel);
                panel.setZoom(numberOf(panel.tree, zoom?.zoom ?? 0), zoom?.part ?? null);
            }
        }, {anchor: sameTree ? anchor : null, animate: true});
        if (last.scrollTop !== undefined && !sameTree) {
            this.page.scrollTo(last.scrollTop);
            this.drawFrames();
            if (last.focus?.panel.open) {
                this.focusFrame(last.focus.panel, last.focus.node);
            }
        }
    }

    get isChanged() {
        return this.state.method !== this.first.method || this.state.range !== null ||
            this.panels.some((panel) => panel.isZoomed);
    }

    reset() {
        if (this.isChanged) {
            this.remember();
            this.restore();
        }
    }

    // {from, to, all}: what a panel shows and the length of everything, in ns. The tracks of a
    // chart share it, and it is there without a track, too.
    spanOf(panel) {
        const {chart} = this;
        return chart?.isOn ? {...chart.window, all: chart.data.length}
            : {...panel.window, all: panel.measure.weight[0]};
    }

    // Zooms a panel's time by `factor` around the pixel `x` of its graph.
    zoomTime(panel, x, factor, node = 0) {
        const {from, to, all} = this.spanOf(panel);
        if (to <= from) {
            return; // an empty graph has no times
        }
        const at = from + (to - from) * x / this.width;
        const length = Math.min(all, Math.max(Math.min(all, 100), (to - from) * factor));
        this.setWindow(panel, at - length * (at - from) / (to - from), length, node);
    }

    pan(panel, dx, node = 0) {
        const {from, to} = this.spanOf(panel);
        if (to > from) {
            this.setWindow(panel, from - dx * (to - from) / this.width, to - from, node);
        }
    }

    // The point around which keys zoom: the cursor of a chart, the pointer, the selected frame or
    // the middle of a graph.
    get zoomPoint() {
        const {chart, pointer: {at, x: pointed}} = this;
        const panel = (at?.panel.open ? at.panel : this.current) ?? null;
        if (!panel?.layout && !chart?.isOn) {
            return null;
        }
        const x = (chart?.isOn ? chart.cursor?.x ?? pointed : at?.panel === panel ? at.x : null) ??
            this.middleOf(panel);
        return {panel, x: Math.min(this.width, Math.max(0, x))};
    }

    // The middle of the visible part of the selected frame, otherwise of the graph, pixels.
    middleOf(panel) {
        const focused = panel?.focused ?? 0;
        if (focused === 0) {
            return this.width / 2;
        }
        const {left, weight} = panel.measure;
        const {from, to} = panel.windowOf(focused);
        const start = Math.max(from, left[focused]);
        const end = Math.min(to, left[focused] + weight[focused]);
        return to > from && start <= end
            ? ((start + end) / 2 - from) / (to - from) * this.width : this.width / 2;
    }

    zoomBy(factor) {
        const point = this.zoomPoint;
        if (point) {
            this.zoomTime(point.panel, point.x, factor);
        }
    }

    // Moves the window by `part` of its width.
    panBy(part) {
        const point = this.zoomPoint;
        if (point) {
            this.pan(point.panel, -part * this.width);
        }
    }

    // Shows `length` ns from `from`. The node `pointed` keeps its vertical position on the
    // screen; 0 = the first frame.
    setWindow(panel, from, length, pointed = 0) {
        const {all} = this.spanOf(panel);
        const start = Math.max(0, Math.min(all - length, from));
        const end = Math.min(all, start + length);
        const node = pointed > 0 ? pointed : panel?.layout.frames.node[0] ?? 0;
        if (all > 0) {
            this.change(() => (panel ?? this.chart).setWindow(start, end),
                {anchor: panel && {panel, node}});
        }
    }

    // ---- clock and view ----

    get clocks() {
        if (this.state.view === 'chart') {
            return [this.block.chart.amounts];
        }
        if (this.compare) {
            return SIDE_WORDS.map((word, i) => i);
        }
        return this.block.clocks === 3 ? [WALL, CPU, WAIT]
            : [this.block.clocks & 1 ? WALL : CPU];
    }

    get clockWords() {
        return this.compare ? SIDE_WORDS : CLOCK_WORDS;
    }

    setClock(clock) {
        const hasNewOrder = this.order >= 0 && this.state.method < 0;
        const set = () => {
            this.state.clock = clock;
            this.dropLayouts();
        };
        this.change(() => (hasNewOrder ? this.renumber(set) : set()),
            {anchor: hasNewOrder ? null : this.chosen, animate: !hasNewOrder});
    }

    // Sorts siblings by time, or no longer.
    toggleOrder() {
        this.remember();
        this.change(() => this.renumber(() => {
            this.state.byTime = !this.state.byTime;
        }));
        this.page.bars.announce(this.state.byTime ? SAY.SORTED_BY_TIME : SAY.SORTED_BY_CALL);
    }

    // Makes trees in another order, and keeps the zoom and the selected frame.
    renumber(action) {
        const {marks} = this;
        action();
        this.setTrees(this.state.view, this.state.method);
        for (const {panel, zoom, part, focused} of marks) {
            panel.setZoom(numberOf(panel.tree, zoom), part);
            panel.focused = numberOf(panel.tree, focused);
        }
    }

    nextClock() {
        const {clocks} = this;
        this.setClock(clocks[(clocks.indexOf(this.state.clock) + 1) % clocks.length]);
    }

    setTrees(name, method) {
        this.state.view = name;
        this.state.method = method;
        if (name === 'chart') {
            this.state.clock = this.block.chart.amounts;
            this.state.range = null;
        }
        if (name !== 'sandwich') {
            this.graphView = name;
            this.graphStyle = name === 'chart' ? this.graphStyle : name;
        }
        const before = this.shown;
        this.shown = [method, this.state.range, name === 'chart', this.order];
        this.page.bars.arrange();
        this.dropLayouts();
        if (this.shown.some((value, i) => value !== before[i])) {
            this.panels.forEach((panel) => panel.setTree(() => (method < 0 ? this.treeOf(panel)
                : sandwichOf(panel.base, method, this.labels))));
            this.search.update();
        }
    }

    setView(name) {
        if (name === this.state.view) {
            return;
        }
        if (this.chart?.isOn) {
            this.graphStyle = name;
            this.chart.showGraphOf(this.chart.span);
        } else if (name === 'chart') {
            this.remember();
            this.chart.follow(() => this.setTrees(name, -1));
        } else {
            this.change(() => this.setTrees(name, -1));
        }
    }

    // Without a label, shows the method with the most self time outside idle frames.
    showSandwich(label = this.methods.busiest) {
        if (label >= 0 && label < this.labels.n) {
            this.remember();
            this.change(() => this.setTrees('sandwich', label));
            const panel = this.open.find((one) => one.hasMethod);
            if (panel) {
                this.focusFrame(panel, 1);
            }
        }
    }

    // Returns to the view from which the sandwich was opened.
    hideSandwich() {
        while (this.back.length > 0 && this.back[this.back.length - 1].method >= 0) {
            this.back.pop();
        }
        if (this.back.length === 0 || !this.goBack()) {
            this.change(() => this.setTrees(this.graphView, -1));
        }
    }

    // ---- threads ----

    toggle(panel) {
        this.change(() => (panel.open = !panel.open));
    }

    show(panel) {
        if (!panel.open) {
            this.toggle(panel);
        }
        const ruler = this.chart?.isOn ? this.chart.ruler.height : 0; // which stays visible
        this.page.scrollTo(panel.top - this.page.topCovered - ruler - 4);
        this.drawFrames();
    }

    // Shows only this thread; if it is the only one already, the threads of the static sheet.
    solo(panel) {
        const isAlone = panel.open && this.open.length === 1;
        this.change(() => {
            for (const one of this.panels) {
                one.open = isAlone ? one.shownAtFirst : one === panel;
            }
        });
        this.page.scrollTo(0);
        this.drawFrames();
    }

    // ---- focus ----

    // Draws all rows if the frame is in an omitted one.
    needRow(panel, node) {
        const i = panel.frameOf(node);
        if (i >= 0 && panel.layout.frames.row[i] >= panel.rows) {
            this.change(() => {
                panel.allRows = true;
                panel.layout = null;
            });
        }
    }

    // Selects a frame; if it is elsewhere or its panel is closed, `action` makes it visible.
    goTo(panel, node, isElsewhere, action) {
        if (!panel.open || isElsewhere) {
            this.remember();
            this.change(() => {
                panel.open = true;
                action();
            }, {animate: true});
        }
        this.needRow(panel, node);
        this.focusFrame(panel, node);
        this.page.bars.update(this);
    }

    // Selects a frame. The focus moves to it, but stays in the search field.
    focusFrame(panel, node) {
        this.active = panel;
        panel.focused = node;
        this.reveal({panel, node});
        const {isSeeking} = this.page.bars;
        this.panels.forEach((one) =>
            one.ring.classList.toggle('sought', isSeeking && one === panel));
        panel.showFocus(!isSeeking);
        this.page.bars.showDetails(this, panel, node);
    }
}
