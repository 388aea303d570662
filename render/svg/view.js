// The state of the picture and everything that can be done to it. pointer.js and keys.js turn
// mouse, touch and keys into these actions; the drawing is in panel.js and sheet.js.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const MOVE_MS = 220;
    const MOVED_MAX = 3000; // more elements than this jump
    const REST_MS = 150; // after which what can wait is done

    class View {
        constructor(page, block) {
            this.page = page;
            this.block = block;
            this.labels = block.labels;
            this.state = {
                clock: page.clock,
                view: page.isChart && block.chart ? 'chart'
                    : page.isInverted ? 'icicle' : 'flame',
                method: -1, // label whose callers are shown
                range: null, // of time that the graph is of: {from, to}; null = all
                query: '',
            };
            this.isInverted = this.state.view !== 'flame';
            this.graphView = this.state.view; // what callers go back to
            this.graphStyle = 'flame'; // what a chart goes to
            this.fitter = AF.newFitter(page.ruler, page.geometry.size * 100);
            this.back = [];
            this.moving = 0; // the request of the next step of a movement
            this.active = null; // the panel that keys act on
            this.hovered = null;
            this.paints = Array.from({length: block.labels.n + 1}, (_, label) =>
                String.fromCharCode(97 + block.labels.category[label]) + block.labels.shade[label]);
            this.paints[block.labels.n] = 'N';
            this.chart = block.chart ? new AF.Chart(this) : null;
            this.panels = block.threads.map((thread, number) => new AF.Panel(this, thread, number));
            this.showing = {method: -1, range: null, isChart: this.state.view === 'chart'};
            this.first = {...this.state};
            this.finding = new AF.Finding(this);
            this.link = new AF.Link(this);
        }

        // ---- what panels ask ----

        treeOf(panel) {
            return this.state.view === 'chart' ? panel.thread.calls : panel.base;
        }

        paintOf(tree, node) {
            return this.paints[tree.label[node]];
        }

        // Whether it is idle, stands for a run of frames or is dim: its label is not so important.
        isMuted(tree, node) {
            const label = tree.label[node];
            const category = this.labels.category[label];
            return category === 7 || category === 8 || this.labels.shade[label] === AF.DIM;
        }

        isFolded(tree, node) {
            return this.labels.category[tree.label[node]] === 8;
        }

        get showsWaiting() {
            return this.state.clock === AF.WALL && this.block.clocks === 3;
        }

        get methodName() {
            return this.labels.text[this.state.method] ?? '';
        }

        get width() {
            return Math.max(1, this.page.width - 2 * this.page.geometry.margin);
        }

        get open() {
            return this.panels.filter((panel) => panel.open);
        }

        // The panel that keys act on.
        get current() {
            return this.active?.open ? this.active : this.open[0];
        }

        // ---- drawing ----

        // Draws everything for the state as it is.
        draw() {
            this.page.hold(0);
            this.arrange();
            this.finish();
        }

        // Gives everything but the frames its place.
        arrange() {
            const {page} = this;
            page.width = page.available;
            for (const panel of this.open) {
                panel.lay();
            }
            let y = page.drawHeader(this);
            let before = null;
            for (const panel of this.panels) {
                if (panel.isShown) {
                    page.drawPanelHead(this, panel);
                    page.drawMarks(this, panel);
                    panel.top = y;
                    y += panel.height;
                    this.placePanel(panel, before);
                    before = panel.element;
                } else {
                    panel.element.remove();
                }
            }
            y = this.chart?.beside?.drawCounters(y) ?? y;
            this.bottom = y;
            y = page.drawFooter(this, y);
            page.resize(page.width, Math.ceil(y));
            this.chart?.drawRange();
        }

        finish() {
            const {page} = this;
            this.drawFrames();
            this.chart?.notes?.draw();
            page.bars.update(this);
            page.bars.showActive(this);
        }

        // `before` is the element of the panel above it, null if there is none.
        placePanel(panel, before) {
            const {page} = this;
            panel.element.setAttribute('transform', `translate(0 ${panel.top})`);
            panel.graph.setAttribute('transform',
                `translate(${page.geometry.margin} ${panel.graphTop})`);
            this.chart?.drawLane(panel);
            if (panel.open) {
                panel.shapes.forEach((shapes) =>
                    shapes.setPhase(page.geometry.margin, panel.top + panel.graphTop));
                if (!panel.graph.parentNode) {
                    panel.mark.before(panel.graph);
                }
            } else {
                panel.graph.remove();
            }
            const sibling = before ? before.nextSibling : page.panels.firstChild;
            if (sibling !== panel.element) {
                page.panels.insertBefore(panel.element, sibling);
            }
        }

        // The frames on the screen at once, the others when there is time.
        drawFrames() {
            const {scrollTop} = this.page;
            let more = false;
            for (const panel of this.open) {
                more = panel.drawNear(scrollTop, scrollTop + window.innerHeight) || more;
            }
            clearTimeout(this.later);
            if (more) {
                this.later = setTimeout(() => this.drawRest(), REST_MS);
            }
        }

        drawRest() {
            const panel = this.open.find((one) => one.hasMore);
            if (panel && !this.moving) {
                panel.drawRest();
            }
            if (panel) {
                this.later = setTimeout(() => this.drawRest(), this.moving ? REST_MS : 30);
            }
        }

        dropLayouts() {
            for (const panel of this.panels) {
                panel.layout = null;
            }
        }

        // Draws the state after `action` and moves the frames there from where they were. `anchor`
        // is a frame {panel, node} that keeps its place on the screen.
        change(action, {anchor = null, animate = false} = {}) {
            this.stop();
            const looks = new Map(this.panels.filter((panel) => panel.open && panel.layout)
                .map((panel) => [panel, panel.look()]));
            const place = anchor ? this.placeOf(anchor) : null;
            action();
            this.page.hold(0);
            this.arrange();
            this.keepPlace(anchor, place);
            this.finish();
            this.link.write();
            if (animate) {
                this.move(looks);
            }
        }

        placeOf({panel, node}) {
            if (!panel.open || !panel.layout) {
                return null;
            }
            const i = AF.frameOf(panel.layout, panel.tree, panel.measure, node, panel.options);
            const top = panel.top - this.page.scrollTop;
            return i < 0 ? top : top + panel.graphTop + panel.rowTop(panel.layout.frames.row[i]);
        }

        // Scrolls so that the anchor stands where it stood; makes room above or below if there is
        // nothing to scroll.
        keepPlace(anchor, before) {
            if (!anchor || before === null) {
                return;
            }
            const {page} = this;
            const {panel} = anchor;
            const step = page.geometry.row;
            const target = page.scrollTop + this.placeOf(anchor) - before;
            if (target < 0 && !this.isInverted && panel.open) {
                panel.floor = panel.slots + Math.ceil(-target / step);
                this.arrange();
            }
            page.hold(target);
            page.scrollTo(Math.max(0, page.scrollTop + this.placeOf(anchor) - before));
        }

        // Scrolls so that a frame is on the screen.
        reveal(frame) {
            const y = this.placeOf(frame);
            const room = this.page.bars.detailsHeight ?? 0;
            const bottom = window.innerHeight - room - this.page.geometry.row - 8;
            if (y !== null && (y < 48 || y > bottom)) {
                this.page.scrollTo(this.page.scrollTop + (y < 48 ? y - 48 : y - bottom));
                this.drawFrames();
            }
        }

        // Scrolls as little as shows a whole panel, if that has room.
        revealPanel(panel) {
            const {page} = this;
            const top = panel.top - page.scrollTop - page.barRoom;
            const below = top + panel.height - (window.innerHeight - page.bars.detailsHeight);
            if (top < 0 || below > 0) {
                page.scrollTo(page.scrollTop + (top < 0 ? top : Math.min(below, top)));
                this.drawFrames();
            }
        }

        stop() {
            cancelAnimationFrame(this.moving);
            this.moving = 0;
        }

        move(looks) {
            const panels = this.open.filter((panel) => looks.get(panel)?.tree === panel.tree);
            const n = panels.reduce((sum, panel) => sum + panel.near.used, 0);
            if (n > MOVED_MAX || matchMedia('(prefers-reduced-motion: reduce)').matches) {
                return;
            }
            const start = performance.now();
            const step = (now) => {
                const t = Math.min(1, Math.max(0, (now - start) / MOVE_MS));
                const part = 1 - (1 - t) ** 3;
                for (const panel of panels) {
                    panel.tween(looks.get(panel), part);
                }
                this.moving = t < 1 ? requestAnimationFrame(step) : 0;
                if (t >= 1) {
                    panels.forEach((panel) => panel.placeRing());
                }
            };
            step(start);
        }

        // ---- zoom ----

        remember() {
            this.back.push({
                scrollTop: this.page.scrollTop,
                focus: this.active && {panel: this.active, node: this.active.focused},
                view: this.state.view,
                method: this.state.method,
                range: this.state.range,
                span: this.chart?.span ?? null,
                zooms: this.panels.filter((panel) => panel.isZoomed)
                    .map((panel) => ({panel, zoom: panel.zoom, part: panel.part})),
            });
        }

        // What is pointed at keeps its place under the pointer, whatever room that leaves empty;
        // without a pointer the whole graph is shown if it has room.
        zoomTo(panel, node, {isPointed = false} = {}) {
            if (!panel.tree.start && panel.zoom === node && panel.part === null) {
                return;
            }
            this.remember();
            this.change(() => panel.zoomTo(node),
                {anchor: isPointed ? {panel, node} : null, animate: true});
            if (!isPointed && !panel.tree.start) {
                this.revealPanel(panel);
            }
            this.focusFrame(panel, node);
        }

        goBack() {
            const last = this.back.pop();
            if (!last && !this.isChanged) {
                return false;
            }
            const anchor = this.active && this.active.zoom > 0
                ? {panel: this.active, node: this.active.zoom} : null;
            const method = last?.method ?? -1;
            const name = last?.view ?? this.graphView;
            const range = last ? last.range : null;
            const isChart = (view) => view === 'chart';
            const sameTree = method === this.state.method && range === this.state.range &&
                isChart(name) === isChart(this.state.view);
            this.change(() => {
                if (!sameTree) {
                    this.state.range = range;
                    this.setTrees(name, method);
                }
                if (this.chart) {
                    this.chart.span = last?.span ?? null;
                    this.dropLayouts();
                }
                for (const panel of this.panels) {
                    const zoom = last?.zooms.find((one) => one.panel === panel);
                    panel.setZoom(zoom?.zoom ?? 0, zoom?.part ?? null);
                }
            }, {anchor: sameTree ? anchor : null, animate: true});
            if (last && !sameTree) {
                this.page.scrollTo(last.scrollTop);
                this.drawFrames();
                if (last.focus?.node > 0) {
                    this.focusFrame(last.focus.panel, last.focus.node);
                }
            }
            return true;
        }

        get isChanged() {
            return this.state.view === 'callers' || this.state.range !== null ||
                this.panels.some((panel) => panel.isZoomed);
        }

        reset() {
            if (this.isChanged) {
                this.remember();
                this.change(() => {
                    if (this.state.method >= 0 || this.state.range) {
                        this.state.range = null;
                        this.setTrees(this.graphView, -1);
                    }
                    this.panels.forEach((panel) => panel.setZoom(0, null));
                    this.chart?.setSpan(0, Infinity);
                }, {animate: true});
            }
        }

        // Zooms a panel's time by `factor` around the pixel `x` of its graph.
        zoomTime(panel, x, factor, node = 0) {
            const {from, to} = panel.window;
            const all = panel.measure.weight[0];
            const at = from + (to - from) * x / this.width;
            const length = Math.min(all, Math.max(Math.min(all, 100), (to - from) * factor));
            this.setWindow(panel, at - length * (at - from) / (to - from), length, node);
        }

        pan(panel, dx, node = 0) {
            const {from, to} = panel.window;
            this.setWindow(panel, from - dx * (to - from) / this.width, to - from, node);
        }

        // `node` keeps its height on the screen; 0 = the outermost one there.
        setWindow(panel, from, length, pointed) {
            const node = pointed > 0 ? pointed : panel.layout.frames.node[0] ?? 0;
            const all = panel.measure.weight[0];
            const start = Math.max(0, Math.min(all - length, from));
            if (all > 0) {
                this.change(() => panel.setWindow(start, Math.min(all, start + length)),
                    {anchor: {panel, node}});
            }
        }

        // ---- clock and view ----

        get clocks() {
            if (this.state.view === 'chart') {
                return [this.block.chart.amounts];
            }
            return this.block.clocks === 3 ? [AF.WALL, AF.CPU, AF.WAIT]
                : [this.block.clocks & 1 ? AF.WALL : AF.CPU];
        }

        setClock(clock) {
            const anchor = this.active && this.active.focused > 0
                ? {panel: this.active, node: this.active.focused} : null;
            this.change(() => {
                this.state.clock = clock;
                this.dropLayouts();
            }, {anchor, animate: true});
        }

        nextClock() {
            const {clocks} = this;
            this.setClock(clocks[(clocks.indexOf(this.state.clock) + 1) % clocks.length]);
        }

        setTrees(name, method) {
            const wasInverted = this.isInverted;
            this.state.view = name;
            this.state.method = method;
            if (name === 'chart') {
                this.state.clock = this.block.chart.amounts;
                this.state.range = null;
            }
            if (name !== 'callers') {
                this.isInverted = name !== 'flame';
                this.graphView = name;
                this.graphStyle = name === 'chart' ? this.graphStyle : name;
            }
            const {range} = this.state;
            const isNew = method !== this.showing.method || range !== this.showing.range ||
                (name === 'chart') !== this.showing.isChart;
            this.showing = {method, range, isChart: name === 'chart'};
            if (this.isInverted !== wasInverted) {
                this.dropLayouts();
            }
            for (const panel of this.panels) {
                if (isNew) {
                    const callers = method >= 0 ? AF.callersOf(panel.base, method) : null;
                    panel.hasCallers = callers !== null;
                    panel.setTree(method < 0 ? this.treeOf(panel)
                        : callers ?? AF.newTree(1, panel.base.clocks));
                }
            }
            if (isNew) {
                this.finding.update();
            }
        }

        setView(name) {
            if (name === this.state.view) {
                return;
            }
            if (this.chart?.isOn) {
                this.graphStyle = name;
                this.chart.showGraphOf(this.chart.span);
                return;
            }
            if (name === 'chart') {
                this.remember();
                this.chart.follow(() => this.setTrees(name, -1));
                return;
            }
            this.change(() => this.setTrees(name, -1));
        }

        showCallers(label) {
            if (label >= 0 && label < this.labels.n) {
                this.remember();
                this.change(() => this.setTrees('callers', label));
                const panel = this.open.find((one) => one.hasCallers);
                if (panel) {
                    this.focusFrame(panel, 1);
                    this.reveal({panel, node: 1});
                }
            }
        }

        // Back to where the callers were asked for.
        hideCallers() {
            while (this.back.length > 0 && this.back[this.back.length - 1].method >= 0) {
                this.back.pop();
            }
            if (!this.goBack()) {
                this.change(() => this.setTrees(this.graphView, -1));
            }
        }

        // ---- threads ----

        toggle(panel) {
            this.change(() => {
                panel.open = !panel.open;
            }, {anchor: null});
        }

        show(panel) {
            if (!panel.open) {
                this.toggle(panel);
            }
            this.page.scrollTo(panel.top - 48);
            this.drawFrames();
        }

        // Only this thread; again: those of the sheet.
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

        // A frame in a row that is left out: then all rows are drawn.
        needRow(panel, node) {
            const i = AF.frameOf(panel.layout, panel.tree, panel.measure, node, panel.options);
            if (i >= 0 && panel.layout.frames.row[i] >= panel.rows) {
                this.change(() => {
                    panel.allRows = true;
                    panel.layout = null;
                });
            }
        }

        focusFrame(panel, node) {
            this.active = panel;
            panel.focused = node;
            this.reveal({panel, node});
            panel.markFocus(true);
            this.page.bars.showDetails(this, panel, node);
        }
    }

    AF.View = View;
})();
