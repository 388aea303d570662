// The elements of one thread's panel.
//
// Rows near the screen are drawn immediately, the others later; if the sheet has more than
// FRAMES_MAX frames, only those near the screen have elements.
import {setAll, svgNode} from './elements.js';
import {countWithin, isMatch} from './match.js';
import {PanelLayout} from './panel_layout.js';
import * as SAY from './say.js';
import {Shapes} from './shapes.js';
import * as S from './sizes.js';
import {climbFrom} from './tree.js';
import {ariaText, countedEntries, countedText} from './words.js';

const ROWS_AROUND = 2; // rows above and below the screen that are drawn with it

export class Panel extends PanelLayout {
    constructor(view, thread, number) {
        super();
        this.view = view;
        this.number = number; // index among all panels
        this.thread = thread;
        this.open = thread.drawn;
        this.shownAtFirst = thread.drawn;
        this.shapes = new Shapes(this);
        this.focused = 0; // the focused node, 0 = none yet
        this.matches = null;
        this.headExtra = 0;
        this.ownHighlights = null; // of a chart, instead of those of the sheet
        this.firstRows = 0; // of a chart that shows all its time: the minimum rows of a track
        this.firstMoreRows = 0; // and the height of the line below them that counts the others
        this.setTree(() => view.treeOf(this));
        this.build();
    }

    build() {
        this.element = svgNode('g', {
            class: 'panel', id: this.thread.elementId,
            'data-thread': this.thread.id, 'aria-label': this.thread.title, role: 'group',
        });
        this.head = svgNode('g', {class: 'head'});
        this.buttons = svgNode('g', {class: 'buttons'});
        this.graph = svgNode('g', {
            class: 'graph', role: 'tree', 'aria-label': `calls of ${this.thread.title}`,
        });
        this.graph.afPanel = this;
        // fades everything around the zoomed frame except its label
        this.veil = svgNode('rect', {class: 'P veil', 'aria-hidden': 'true'});
        const {bars, slightPaths, waits, paths, labels} = this.shapes;
        this.ring = svgNode('rect', {class: 'ring', 'aria-hidden': 'true'});
        this.edge = svgNode('rect', {class: 'edge', 'aria-hidden': 'true'});
        this.ground = svgNode('g', {'aria-hidden': 'true', class: 'over'});
        this.over = svgNode('g', {'aria-hidden': 'true', class: 'over'});
        this.graph.append(this.ground, bars.group, slightPaths, waits.group, ...paths, this.veil,
            labels.group, this.over, this.edge, this.ring);
        this.element.append(this.head, this.graph, this.buttons);
    }

    // ---- elements ----

    // Draws rows [first, end) and no others.
    draw(first, end, widthMin = 0) {
        const {starts, frames} = this.layout;
        const hasFocus = this.hasFocus;
        this.drawn = {first, end};
        this.shapes.show(starts[first] ?? frames.n, starts[end] ?? frames.n, widthMin);
        this.outline(-1);
        this.drawVeil();
        this.showFocus(hasFocus);
    }

    drawVeil() {
        const {crumbs, crumbsTop} = this.layout;
        const top = this.rowTop(this.view.isInverted ? crumbsTop : crumbs - 1);
        setAll(this.veil, {y: top, width: this.view.width, height: crumbs * S.ROW});
    }

    // The index of the first frame in an omitted row.
    get last() {
        const {starts, frames} = this.layout;
        return this.rows < starts.length ? starts[this.rows] : frames.n;
    }

    // Whether a frame matches the search, or a block contains a match.
    isHit(i) {
        const {matches, tree} = this;
        if (!matches) {
            return false;
        }
        const {frames} = this.layout;
        const node = frames.node[i];
        return frames.nodes[i] > 0
            ? countWithin(matches, tree, node, frames.last[i]) > 0
            : isMatch(matches, node);
    }

    describeBlock(i) {
        const n = this.layout.frames.nodes[i]; // siblings in the block
        return this.tree.start ? `${countedEntries(this.tree, n)} ${SAY.TOO_SHORT}`
            : `${countedText(n, SAY.FRAMES)} ${SAY.TOO_NARROW}`;
    }

    ariaText(i) {
        const {frames} = this.layout;
        return frames.nodes[i] > 0 ? this.describeBlock(i)
            : ariaText(this.view, this, frames.node[i]);
    }

    // ---- rows with elements ----

    // Rows [first, end) between y0 and y1 of the sheet.
    rowsBetween(y0, y1) {
        const top = this.top + this.graphTop;
        const a = Math.floor((y0 - top) / S.ROW);
        const b = Math.ceil((y1 - top) / S.ROW);
        const clamp = (row) => Math.min(this.rows, Math.max(0, row));
        return this.view.isInverted ? [clamp(a), clamp(b)]
            : [clamp(this.slots - b), clamp(this.slots - a)];
    }

    // Draws the rows between y0 and y1 of the sheet. Frames narrower than `widthMin` have no
    // element.
    drawNear(y0, y1, widthMin) {
        const [first, end] = this.rowsBetween(y0, y1);
        const {drawn} = this;
        if (first >= end) {
            if (!drawn || (drawn.end > drawn.first && this.view.framesAreMany && !this.hasFocus)) {
                this.draw(first, first);
            }
        } else if (!drawn || first < drawn.first || end > drawn.end) {
            this.draw(Math.max(0, first - ROWS_AROUND), Math.min(this.rows, end + ROWS_AROUND),
                widthMin);
        }
    }

    // ---- the focused frame ----

    get hasFocus() {
        return this.graph.contains(this.view.page.focusing ?? document.activeElement);
    }

    // The item of a node's frame, or of its nearest caller that has a frame.
    itemOf(node) {
        const shown = this.layout && this.drawn &&
            climbFrom(this.tree, node).find((at) => this.frameOf(at) >= 0);
        return shown ? this.shapes.itemOf(this.frameOf(shown)) : null;
    }

    // The first frame that has an element, or gets one; null outside the window.
    get firstItem() {
        const {bars, slight} = this.shapes;
        return bars.items[0] ?? this.shapes.itemOf(slight[0]);
    }

    // Makes a frame reachable with Tab, and shows the focus. Outside the window Tab reaches the
    // graph, which passes the focus to its first frame.
    showFocus(take) {
        const item = this.itemOf(this.focused) ?? this.firstItem;
        this.tabbable?.set('tabindex', '-1');
        this.tabbable = item;
        // a separate element shows the focus: other frames could cover an outline
        this.ring.setAttribute('visibility', item ? 'inherit' : 'hidden');
        if (item) {
            this.graph.removeAttribute('tabindex');
            item.set('tabindex', '0');
            setAll(this.ring, {x: item.x, y: item.y, width: item.width, height: S.FRAME});
            if (take) {
                this.view.page.focus(item.element);
            }
        } else {
            this.graph.setAttribute('tabindex', '0');
        }
    }

    // Outlines the frame under the pointer if it has no element whose style does so; -1 = none.
    outline(i) {
        const {edge, shapes} = this;
        const isShown = shapes.slight.includes(i) && matchMedia('(hover: hover)').matches;
        edge.setAttribute('visibility', isShown ? 'inherit' : 'hidden');
        if (isShown) {
            const [x, width] = shapes.spanOf(i);
            setAll(edge, {x, y: shapes.rowTop(i), width, height: S.FRAME});
        }
    }
}
