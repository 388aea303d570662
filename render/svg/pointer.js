// Turns mouse, touch and window events into actions of the view.
import {copyFrame} from './copy.js';
import {frameAt} from './layout.js';
import {beginPrint, endPrint} from './print.js';
import * as S from './sizes.js';
import {wording} from './words.js';

const DRAG = 4; // pixels; a shorter movement is a click
const TIMES_PER_NOTCH = 1.0015; // factor of the zoom for each pixel that a wheel reports

export class Pointer {
    constructor(view) {
        this.view = view;
        this.page = view.page;
        this.bars = view.page.bars;
        this.pointers = new Map();
        this.at = null; // the result of find() for the pointer
        this.x = null; // its position on the graphs, also outside of panels, pixels
    }

    listen() {
        const {svg} = this.page;
        for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'click',
            'contextmenu', 'pointerleave']) {
            svg.addEventListener(name, this);
        }
        svg.addEventListener('wheel', this, {passive: false});
        window.addEventListener('resize', this);
        new ResizeObserver(() => this.narrow()).observe(this.page.app);
        window.addEventListener('hashchange', this);
        window.addEventListener('beforeprint', () => beginPrint(this.view));
        window.addEventListener('afterprint', () => endPrint(this.view));
        window.addEventListener('scroll', this, {passive: true});
        document.addEventListener('pointerdown', (event) => {
            if (!this.bars.menu.hidden && !this.bars.menu.contains(event.target)) {
                this.bars.hideMenu();
            }
        });
        this.bars.input.addEventListener('input',
            () => this.view.search.run(this.bars.input.value));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
            () => this.page.copyColours());
    }

    handleEvent(event) {
        this[event.type](event);
    }

    // ---- hit testing ----

    // Pixels from the left edge of the graphs and from the top of the sheet.
    positionOf({clientX, clientY}) {
        const box = this.page.svg.getBoundingClientRect();
        return [clientX - box.left - S.MARGIN, clientY - box.top];
    }

    // Returns {panel, x, i, node}: `i` is the frame or block, -1 elsewhere in a panel. Returns null
    // outside of panels.
    find({target, clientX, clientY}) {
        const [x, y] = this.positionOf({clientX, clientY});
        this.x = x;
        const panel = target.afItem ? target.afPanel : this.view.panelAt(y);
        if (!panel) {
            return null;
        }
        const row = panel.rowAt(y - panel.top - panel.graphTop);
        const i = target.afItem ? target.afItem.frame
            : row < panel.rows ? frameAt(panel.layout, row, x) : -1;
        return {panel, x, i, node: i < 0 ? 0 : panel.layout.frames.node[i]};
    }

    // As find(), for everything below the ruler of a chart, whose time it shares.
    findAxis(event) {
        const {chart, bottom} = this.view;
        const [x, y] = this.positionOf(event);
        return chart?.isOn && y >= chart.ruler.at && y < bottom ? {panel: null, x, node: 0} : null;
    }

    // ---- pointing ----

    pointermove(event) {
        if (this.pointers.has(event.pointerId)) {
            if (event.buttons > 0) {
                this.dragTo(event);
                return;
            }
            this.pointerup(event); // the button was released outside of the sheet
        }
        if (event.pointerType !== 'touch') {
            this.at = this.find(event);
            const marker = this.findMarker(event);
            if (marker) {
                this.bars.tell(marker);
            } else {
                this.point(this.at);
            }
        }
    }

    // Finds an instant, a counter value or a state of the scheduler.
    findMarker(event) {
        const {chart} = this.view;
        if (!chart?.isOn) {
            return null;
        }
        const [x, y] = this.positionOf(event);
        return chart.frames?.frameAt(x, y) ?? chart.markers?.markerAt(x, y) ??
            chart.runs.stateAt(x, y);
    }

    point(found) {
        const {view, bars} = this;
        if (this.outlined !== found?.panel) {
            this.outlined?.outline(-1);
        }
        this.outlined = found?.panel;
        this.outlined?.outline(found.i);
        if (!found || found.i < 0) {
            bars.showActive(view);
        } else if (found.panel.layout.frames.nodes[found.i] > 0) {
            bars.showBlock(found.panel, found.i);
        } else {
            bars.showDetails(view, found.panel, found.node);
        }
    }

    pointerleave() {
        this.at = this.x = null;
        this.outlined?.outline(-1);
        this.bars.showActive(this.view);
    }

    // ---- dragging and pinching ----

    pointerdown(event) {
        this.dragged = false;
        if (event.button > 0) {
            return;
        }
        const found = this.find(event);
        this.selecting = this.startsRange(event, found);
        if (found || this.selecting !== null) {
            this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
            const {panel, node} = found ?? {panel: null, node: 0};
            this.wasChosen = this.view.active === panel && panel?.focused === node;
            this.start = {x: event.clientX, y: event.clientY, panel, node};
            this.pinch = null;
        }
    }

    // The time at which the user starts to select a range; null if this starts none.
    startsRange(event, found) {
        const {chart} = this.view;
        if (!chart?.isOn || this.pointers.size > 0) {
            return null;
        }
        const onRuler = event.target.closest?.('.ruler') !== null;
        return onRuler || (event.shiftKey && found)
            ? chart.ruler.timeAt(this.positionOf(event)[0]) : null;
    }

    dragTo(event) {
        const last = this.pointers.get(event.pointerId);
        const now = {x: event.clientX, y: event.clientY};
        const {start} = this;
        if (this.pointers.size === 1 && !this.dragged &&
            Math.hypot(now.x - start.x, now.y - start.y) < DRAG) {
            return;
        }
        if (!this.dragged) {
            this.dragged = true;
            this.page.svg.setPointerCapture(event.pointerId);
        }
        this.pointers.set(event.pointerId, now);
        if (this.selecting !== null) {
            const {chart} = this.view;
            chart.range.select(this.selecting, chart.ruler.timeAt(this.positionOf(event)[0]));
        } else if (this.pointers.size === 2) {
            this.pinchTo();
        } else {
            if (event.pointerType !== 'touch') {
                this.page.scrollTo(this.page.scrollTop + last.y - now.y);
            }
            if (start.panel.isZoomed && now.x !== last.x) {
                this.view.pan(start.panel, now.x - last.x, start.node);
            }
        }
    }

    pinchTo() {
        const [a, b] = [...this.pointers.values()];
        const apart = Math.max(8, Math.abs(a.x - b.x));
        const [x] = this.positionOf({clientX: (a.x + b.x) / 2, clientY: 0});
        if (this.pinch) {
            const {panel, node} = this.start;
            this.view.zoomTime(panel, Math.min(this.view.width, Math.max(0, x)),
                this.pinch.apart / apart, node);
            if (panel.isZoomed && x !== this.pinch.x) {
                this.view.pan(panel, x - this.pinch.x, node);
            }
        }
        this.pinch = {apart, x};
    }

    pointerup(event) {
        if (this.selecting !== null && this.selecting !== undefined && this.dragged) {
            this.view.chart.range.finish();
        }
        this.selecting = null;
        this.pointers.delete(event.pointerId);
        this.pinch = null;
    }

    pointercancel(event) {
        this.pointerup(event);
    }

    wheel(event) {
        const found = this.find(event) ?? this.findAxis(event);
        if (!found) {
            return;
        }
        const {view} = this;
        if (event.ctrlKey || event.metaKey) {
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 16 : 1;
            const x = Math.min(view.width, Math.max(0, found.x));
            view.zoomTime(found.panel, x, TIMES_PER_NOTCH ** (event.deltaY * lines), found.node);
        } else if ((event.shiftKey || event.deltaX !== 0) &&
            (found.panel ? found.panel.isZoomed : view.chart.span)) {
            const dx = event.deltaX !== 0 ? event.deltaX : event.deltaY;
            if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                event.preventDefault();
                view.pan(found.panel, -dx, found.node);
            }
        }
    }

    // ---- clicking ----

    click(event) {
        if (this.dragged) {
            this.dragged = false;
            return;
        }
        const control = event.target.closest('.toggle, .button');
        if (control) {
            this.press(control);
            return;
        }
        const found = this.find(event);
        if (found && found.i >= 0) {
            this.enter(found.panel, found.i, {isPointed: true});
        }
    }

    press(control) {
        const {view} = this;
        const panel = view.panels[control.dataset.panel];
        const kind = control.classList;
        if (kind.contains('toggle')) {
            view.toggle(panel);
            this.focusControl(panel, '.toggle', '.thread');
        } else if (kind.contains('thread')) {
            view.show(panel);
            this.focusControl(panel, '.toggle');
        } else if (kind.contains('counters')) {
            const {markers} = view.chart;
            view.change(() => {
                markers.isOpen = !markers.isOpen;
            });
            markers.element.querySelector('.button').focus();
        } else if (kind.contains('more')) {
            this.bars.toggleRail();
        } else {
            const isFold = kind.contains('fold');
            const node = isFold ? panel.zoom : panel.layout.frames.node[0];
            view.change(() => {
                if (isFold) {
                    panel.unfolded = true;
                } else {
                    panel.allRows = !panel.allRows;
                }
                panel.layout = null;
            }, {anchor: {panel, node}});
            if (isFold || !this.focusControl(panel, '.rows')) {
                panel.showFocus(true);
            }
        }
    }

    // Moves the focus to the first of some controls of a panel: the pressed one was drawn again.
    focusControl(panel, ...selectors) {
        const found = selectors.map((selector) => this.page.svg.querySelector(
            `${selector}[data-panel="${panel.number}"]`)).find((control) => control);
        found?.focus({preventScroll: true});
        return found;
    }

    // Zooms to a frame; into a block far enough to make its frames visible.
    enter(panel, i, how) {
        const {frames} = panel.layout;
        const {view} = this;
        const node = frames.node[i];
        if (frames.nodes[i] > 0) {
            const {left, weight} = panel.measure;
            const last = frames.last[i];
            const end = left[last] + weight[last];
            view.remember();
            view.change(() => panel.setWindow(left[node], end), {animate: true});
            return;
        }
        view.active = panel;
        panel.focused = node;
        if (panel.tree.start ? how?.isPointed && !this.wasChosen
            : panel.zoom === node && panel.part === null) {
            view.focusFrame(panel, node);
        } else {
            view.zoomTo(panel, node, how);
        }
    }

    contextmenu(event) {
        const found = this.find(event);
        if (event.shiftKey || !found || found.i < 0 ||
            found.panel.layout.frames.nodes[found.i] > 0) {
            return;
        }
        event.preventDefault();
        this.pointers.clear();
        const {panel, node} = found;
        this.view.focusFrame(panel, node);
        this.page.settle(); // before the menu takes the focus
        let {clientX: x, clientY: y} = event;
        if (x === 0 && y === 0) {
            ({left: x, bottom: y} = event.target.getBoundingClientRect());
        }
        this.bars.showMenu(panel, node, x, y, this.actionsOf(panel, node));
    }

    actionsOf(panel, node) {
        const {view} = this;
        const label = panel.tree.label[node];
        return [
            ['Zoom in', 'Enter', () => view.zoomTo(panel, node)],
            ['Copy name', 'y', () => copyFrame(view, {panel, node}, 'name')],
            ['Copy stack', 'Y', () => copyFrame(view, {panel, node}, 'stack')],
            ...(view.compare?.actionsOf(panel, node) ?? []),
            ['Callers and callees', 'c', () => view.showSandwich(label)],
            ...(view.chart?.isOn
                ? [['Highlight its calls', 'm', () => view.chart.highlightFocused()]] : []),
            ['Find all', '', () => {
                const name = view.labels.text[label] ?? '';
                this.bars.input.value = name;
                view.search.run(name);
            }],
            [`Only this ${wording.threadWord}`, '', () => view.solo(panel)],
        ];
    }

    // ---- the window ----

    resize() {
        this.page.readWidth();
        this.bars.reserveRail();
        this.bars.measure();
        this.view.draw();
    }

    // A scroll bar that appears makes the picture narrower. After one that disappears, the next
    // change makes it wider: if that happened at once, the bar might come and go forever.
    narrow() {
        const {page, view} = this;
        page.readWidth();
        if (page.available < page.width) {
            requestAnimationFrame(() => view.draw());
        }
    }

    scroll() {
        this.page.scrolled();
        if (this.view.chart?.isOn) {
            this.view.chart.ruler.stay();
            this.view.chart.cursor?.draw();
        }
        this.view.drawFrames();
    }

    hashchange() {
        this.view.link.read(location.hash);
        this.view.link.tell(this.view.link.text);
        this.view.dropLayouts();
        this.view.draw();
    }
}
