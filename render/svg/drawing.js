// Draws the state of a view: arranges panels, keeps a frame at its position on the screen.
// view.js has the state and the actions.
import {sortedBy} from './order.js';
import {isAmongCallers} from './sandwich.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {categoryOf, reasonsOf, termOf, timeOf, WAIT, WALL} from './tree.js';
import {DIM, FOLDED, IDLE, TRACER} from './words.js';

const WAIT_HUES = [S.WAIT_HUE_IDLE, S.WAIT_HUE_MONITOR, S.WAIT_HUE_LOCK, S.WAIT_HUE_SLEEP,
    S.WAIT_HUE_BINDER, S.WAIT_HUE_NETWORK, S.WAIT_HUE_FILE, S.WAIT_HUE_DRAWING, S.WAIT_HUE_GC,
    S.WAIT_HUE_OTHER];
const MOVE_MS = 220; // as in view.css
// with more frames in total, only rows near the window get elements, and narrow frames share paths
const FRAMES_MAX = 1500;
const REST_MS = 150; // without changes, before the remaining frames are drawn

export class Drawing {
    // ---- queries of panels ----

    treeOf(panel) {
        return this.state.view === 'chart' ? panel.thread.calls
            : this.order < 0 ? panel.base : sortedBy(panel.base, this.order);
    }

    // The clock by whose times siblings are sorted; -1 = they are in the order of the file.
    get order() {
        return this.state.byTime && this.state.view !== 'chart' ? this.state.clock : -1;
    }

    paintOf(tree, node) {
        if (this.isGrey(tree, node)) {
            return 'R';
        }
        const label = tree.label[node];
        return label === this.labels.n ? 'N'
            : String.fromCharCode(97 + this.hueOf(tree, node)) + this.labels.shade[label];
    }

    // The category whose colours a frame has: that of its label, or in a graph of waiting time
    // that of the reason for which it waits.
    hueOf(tree, node) {
        return this.hasReason(tree, node) ? WAIT_HUES[reasonsOf(tree, this.labels)[node]]
            : categoryOf(tree, node, this.labels);
    }

    hasReason(tree, node) {
        const category = this.labels.category[tree.label[node]];
        return this.showsReasons && category !== TRACER && category !== FOLDED;
    }

    // Whether less than a hundredth of the waiting is the method's own.
    isGrey(tree, node) {
        return this.showsGreys && this.hasReason(tree, node) && (isAmongCallers(tree, node) ||
            (this.hueOf(tree, node) === S.WAIT_HUE_OTHER &&
            termOf(tree.self, node, WAIT) < Math.floor(timeOf(tree, node, WAIT) / 100)));
    }

    get showsGreys() {
        return this.showsReasons && !this.page.callersAbove;
    }

    get showsReasons() {
        return this.state.clock === WAIT && this.state.view !== 'chart' && !this.compare;
    }

    // Whether the node is idle or dim, so that its label is less important.
    isMuted(tree, node) {
        const label = tree.label[node];
        return !this.compare && (this.hueOf(tree, node) === IDLE ||
            this.labels.shade[label] === DIM || this.isGrey(tree, node));
    }

    titleOfHue(hue) {
        const reason = this.showsReasons ? WAIT_HUES.indexOf(hue) : -1;
        return reason >= 0 ? SAY.REASONS[reason]
            : this.page.hueTitles.get(hue) ?? SAY.CATEGORIES[hue];
    }

    get showsWaiting() {
        return this.state.clock === WALL && this.block.clocks === 3;
    }

    get isInverted() {
        return this.state.view !== 'flame';
    }

    get methodName() {
        return this.labels.text[this.state.method] ?? '';
    }

    get width() {
        return Math.max(1, this.page.width - 2 * S.MARGIN);
    }

    get open() {
        return this.panels.filter((panel) => panel.open);
    }

    // Whether there are neither calls nor markers; the head reports the reason.
    get isEmpty() {
        return this.panels.length === 0 && !this.block.chart?.markers;
    }

    // The panel that was used last, unless it is closed now.
    get active() {
        return this.lastUsed?.open ? this.lastUsed : null;
    }

    set active(panel) {
        this.lastUsed = panel;
    }

    // The selected frame {panel, node}, null if there is none.
    get chosen() {
        const {active} = this;
        return active?.focused > 0 ? {panel: active, node: active.focused} : null;
    }

    get chosenLabel() {
        return this.chosen?.panel.tree.label[this.chosen.node];
    }

    panelAt(y) {
        return this.open.find((panel) => y >= panel.top && y < panel.top + panel.height);
    }

    // The panel that keys act on.
    get current() {
        return this.active ?? this.open[0];
    }

    // ---- drawing ----

    // Draws the current state.
    draw() {
        this.page.hold(0);
        this.arrange();
        this.finish(false);
    }

    // Positions everything except the frames.
    arrange() {
        const {page} = this;
        if (page.available !== page.width) {
            page.width = page.available;
            this.dropLayouts();
        }
        for (const panel of this.open) {
            panel.lay();
        }
        let y = page.drawHeader(this);
        y = this.chart?.drawTop(y) ?? y;
        let before = null;
        for (const panel of this.panels) {
            if (panel.isShown) {
                page.redraw(panel.head, (group) => page.drawPanelHead(this, panel, group));
                page.redraw(panel.buttons, (group) => page.drawButtons(this, panel, group));
                panel.top = y;
                y += panel.height;
                this.positionPanel(panel, before);
                before = panel.element;
            } else {
                panel.element.remove();
            }
        }
        if (this.chart?.isOn && this.chart.markers) {
            y = this.chart.markers.drawCounters(y);
        }
        this.bottom = y;
        y = page.redraw(page.footer, (group) => page.drawFooter(this, y, group));
        page.resize(page.width, Math.ceil(y));
        this.chart?.drawRange();
    }

    // If `isMoved`, frames that are drawn again move from their previous positions.
    finish(isMoved) {
        const {page} = this;
        const moved = isMoved ? this.open.filter(({drawn}) => !drawn) : [];
        page.svg.classList.toggle('moving', isMoved);
        clearTimeout(this.moving); // later the ring jumps to the frame that keys select
        this.moving = setTimeout(() => page.svg.classList.remove('moving'), 2 * MOVE_MS);
        this.drawFrames();
        moved.forEach(({shapes}) => shapes.appear(MOVE_MS));
        this.chart?.cursor?.draw();
        page.bars.update(this);
        page.bars.showActive(this);
    }

    // `before` is the element of the panel above, null if there is none.
    positionPanel(panel, before) {
        const {page} = this;
        panel.element.setAttribute('transform', `translate(0 ${panel.top})`);
        panel.graph.setAttribute('transform', `translate(${S.MARGIN} ${panel.graphTop})`);
        this.chart?.drawTrack(panel);
        if (panel.open) {
            panel.shapes.setPhase(S.MARGIN, panel.top + panel.graphTop);
            if (!panel.graph.parentNode) {
                panel.buttons.before(panel.graph);
            }
        } else {
            panel.graph.remove();
        }
        const sibling = before ? before.nextSibling : page.panels.firstChild;
        if (sibling !== panel.element) {
            page.panels.insertBefore(panel.element, sibling);
        }
    }

    // Draws the frames on the screen and later, unless there are many, the others.
    drawFrames() {
        const {open, page: {scrollTop}} = this;
        this.framesAreMany = open.reduce((sum, panel) => sum + panel.last, 0) > FRAMES_MAX;
        const widthMin = this.framesAreMany && !this.compare ? S.LABEL_MIN : 0;
        const draw = (top, bottom) =>
            open.forEach((panel) => panel.drawNear(top, bottom, widthMin));
        draw(scrollTop, scrollTop + window.innerHeight);
        clearTimeout(this.later);
        this.later = this.framesAreMany ? 0 : setTimeout(() => {
            this.later = 0;
            draw(-Infinity, Infinity);
        }, REST_MS);
    }

    dropLayouts() {
        for (const panel of this.panels) {
            panel.layout = null;
        }
    }

    // Draws the state after `action`. `anchor` is a frame {panel, node} that keeps its position on
    // the screen; with `animate` frames move from their previous positions. The
    // focus leaves the list of methods if that closes.
    change(action, {anchor = null, animate = false} = {}) {
        const y = anchor ? this.yOf(anchor) : null;
        const list = this.methods.element;
        const hadFocus = list.contains(document.activeElement);
        action();
        this.page.hold(0);
        this.arrange();
        this.keepAnchor(anchor, y);
        this.finish(animate && !matchMedia('(prefers-reduced-motion: reduce)').matches);
        this.link.write();
        if (hadFocus && list.hidden) {
            this.current?.showFocus(true);
        }
    }

    yOf({panel, node}) {
        if (!panel.open || !panel.layout) {
            return null;
        }
        const i = panel.frameOf(node);
        const top = panel.top - this.page.scrollTop;
        return i < 0 ? top : top + panel.graphTop + panel.rowTop(panel.layout.frames.row[i]);
    }

    // Scrolls so that the anchor keeps its position; adds space above or below if scrolling is
    // not possible.
    keepAnchor(anchor, before) {
        if (!anchor || before === null) {
            return;
        }
        const {page} = this;
        const {panel} = anchor;
        const target = page.scrollTop + this.yOf(anchor) - before;
        if (target < 0 && !this.isInverted && panel.open) {
            panel.floor = panel.slots + Math.ceil(-target / S.ROW);
            this.arrange();
        }
        page.hold(target);
        page.scrollTo(Math.max(0, page.scrollTop + this.yOf(anchor) - before));
    }

    // Scrolls as little as possible to show a frame.
    reveal(frame) {
        const y = this.yOf(frame);
        if (y !== null) {
            this.bringIntoView(y, S.ROW, 4, 8);
        }
    }

    // Scrolls as little as possible to show `height` pixels from `y` of the window, or as many
    // as fit, with space above and below.
    bringIntoView(y, height, above, below) {
        const {page} = this;
        const over = y - above - page.topCovered;
        const under = y + height + below - (window.innerHeight - page.bars.detailsHeight);
        if (over < 0 || under > 0) {
            page.scrollTo(Math.max(0, page.scrollTop + (over < 0 ? over : Math.min(under, over))));
            this.drawFrames();
        }
    }
}
