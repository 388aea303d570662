// The elements of frames: bars, hatched bars over them where the method waited, labels, and one
// path each for the bars at the feet of frames, the dots of idle frames and the edges of blocks.
//
// Elements are reused and not nested: one rectangle for each frame, others only if they are
// visible. Attributes are set only when they change, because browsers spend most of their time on
// changed elements.
import {floorHundredths, hundredths, outline, svgNode} from './elements.js';
import {advanceOf} from './label.js';
import {waitSpan} from './layout.js';
import {isAmongCallers} from './sandwich.js';
import * as S from './sizes.js';
import {CPU, hasTimes, WAIT, WALL} from './tree.js';
import {IDLE} from './words.js';

const HATCH_STEP = 6; // AF_HATCH_STEP_C of render/palette.h
const NUMBERS = '\u2002'; // separates them from the name: SAY.FRAME_NUMBERS
const SPARE_MAX = 4000;

// An element and its current attributes.
class Item {
    constructor(name, attributes) {
        this.element = svgNode(name, attributes);
        this.frame = -1; // index in the layout
        this.key = -1; // identifies the frame in all layouts of the tree: see keyOf()
        this.words = '';
        this.part = null; // of a part of a frame: [from, to] as fractions of the frame's width
        this.paint = null; // of a part in a comparison: its class
        this.edge = 0; // half the width of the edge inside the rectangle, pixels
        this.visibility = 'inherit';
    }

    set(key, value) {
        if (this[key] !== value) {
            this[key] = value;
            this.element.setAttribute(key, value);
        }
    }
}

// As many items as needed, in the order of their frames. Spare items are stored for reuse
// outside the document, where they would slow down every animation.
class Layer {
    constructor(attributes, make) {
        this.group = svgNode('g', attributes);
        this.make = make;
        this.items = [];
        this.spare = [];
    }

    // Starts a new list of items. An item whose key is in `keys` is reserved for the frame with
    // that key; the others are reused for any frame.
    begin(keys) {
        this.keys = keys;
        this.before = this.items;
        this.items = [];
        this.at = 0; // in `before`
        this.known = new Map(this.before.map(({key}, i) => [key, i]));
    }

    next(frame, key) {
        const {before} = this;
        const known = this.known.get(key) ?? -1;
        if (known >= this.at) {
            this.drop(before.slice(this.at, known));
            this.at = known + 1;
            return this.use(before[known], frame, key);
        }
        const old = before[this.at];
        if (old && !this.keys.has(old.key)) {
            this.at++;
            return this.use(old, frame, key);
        }
        return this.add(frame, key, old);
    }

    end() {
        this.drop(this.before.splice(this.at));
        this.before = this.known = this.keys = null;
    }

    use(item, frame, key) {
        item.frame = frame;
        item.key = key;
        this.items.push(item);
        return item;
    }

    // Adds an item whose element is before that of `next`. Without `next`, which is for calls
    // outside begin() and end(), the element is the last one.
    add(frame, key, next) {
        const item = this.spare.pop() ?? this.make();
        this.group.insertBefore(item.element, next?.element ?? null);
        return this.use(item, frame, key);
    }

    drop(items) {
        for (const item of items) {
            item.element.remove();
            if (this.spare.length < SPARE_MAX) {
                this.spare.push(item);
            }
        }
    }
}

export class Shapes {
    constructor(panel) {
        const height = S.FRAME;
        this.panel = panel;
        this.tree = null; // of the frames
        this.phase = [0, 0]; // offset from the origin of the hatching to the graph
        this.bars = new Layer({role: 'presentation'}, () => {
            const item = new Item('rect', {height, role: 'treeitem', tabindex: '-1'});
            item.element.afItem = item;
            item.element.afPanel = panel;
            return item;
        });
        this.from = this.to = 0; // the frames that are drawn
        this.slight = []; // indices of narrow frames: they share one path for each colour
        // in hundredths of a pixel: browsers format and parse whole numbers faster
        this.slightPaths = svgNode('g', {role: 'presentation', transform: 'scale(.01)'});
        this.waits = new Layer({'aria-hidden': 'true', class: 'over'},
            () => new Item('rect', {height}));
        const texture = (paint, attributes) => svgNode('path', {
            class: `t${paint} over`, fill: 'none', 'aria-hidden': 'true', ...attributes,
        });
        this.feet = texture('C', {'stroke-width': S.FOOT});
        this.dots = texture('Q', {
            'stroke-width': S.DOT_SIZE, 'stroke-dasharray': `0 ${S.DOT_STEP}`,
            'stroke-linecap': 'round',
        });
        this.edges = texture('M', {
            'stroke-width': S.DASHES, 'stroke-dasharray': `${S.DASH} ${S.DASH_STEP - S.DASH}`,
        });
        this.mark = texture('C', {'stroke-width': S.MARK}); // around the method of a sandwich
        this.paths = [this.feet, this.dots, this.edges, this.mark];
        this.labels = new Layer({'aria-hidden': 'true', class: 'over'},
            () => new Item('text', {lengthAdjust: 'spacingAndGlyphs'}));
    }

    // Shows the frames [from, to). Those narrower than `widthMin` pixels have no element of
    // their own until itemOf(). Frames that are shown already keep their elements.
    show(from, to, widthMin) {
        const layers = [this.bars, this.waits, this.labels];
        Object.assign(this, {from, to});
        const keys = new Set();
        for (let i = from; i < to; i++) {
            keys.add(this.keyOf(i));
        }
        this.slight = [];
        if (this.tree !== this.panel.tree) { // keys differ between trees
            this.tree = this.panel.tree;
            layers.forEach(({items}) => items.forEach((item) => {
                item.key = 0;
            }));
        }
        layers.forEach((layer) => layer.begin(keys));
        this.addFrames(widthMin);
        layers.forEach((layer) => layer.end());
        this.bars.items.forEach((item) => this.name(item));
        this.drawFeet();
        this.drawTextures();
        this.paint();
    }

    keyOf(i) {
        const {node, nodes} = this.panel.layout.frames;
        return nodes[i] > 0 ? -node[i] : node[i];
    }

    addFrames(widthMin) {
        const {endsOf, layout: {frames: {x0, x1}}} = this.panel;
        for (let i = this.from; i < this.to; i++) {
            const key = this.keyOf(i);
            const [from, to] = endsOf(i);
            if (x1[i] - x0[i] < widthMin) {
                this.slight.push(i);
            } else {
                this.drawBar(this.bars.next(i, key), from, to);
            }
            for (const {part, paint, edge} of this.partsIn(i, x0[i], x1[i])) {
                const item = this.waits.next(i, key);
                Object.assign(item, {part, paint, edge});
                this.positionWaiting(item, from, to);
            }
            const text = this.panel.fit(i);
            if (text !== null) {
                this.drawLabel(this.labels.next(i, key), text, from, to);
            }
        }
    }

    widthOf(full) {
        return full - Math.min(S.GAP, full / 6);
    }

    rowTop(i) {
        return this.panel.rowTop(this.panel.layout.frames.row[i]);
    }

    // The pixels by which a slim frame is smaller at the top and at the bottom; 0 for others.
    slimness(i) {
        const {view, tree, layout: {frames}} = this.panel;
        return frames.nodes[i] === 0 && view.isSlim(tree, frames.node[i]) ? S.SLIM : 0;
    }

    positionAcross(item, shift) {
        const slim = this.slimness(item.frame) + item.edge;
        item.set('y', this.rowTop(item.frame) + slim + shift);
        item.set('height', S.FRAME - 2 * slim);
    }

    drawBar(item, x0, x1) {
        this.positionBar(item, x0, x1);
        this.positionAcross(item, 0);
        return item;
    }

    // Names an element for screen readers.
    name(item) {
        item.set('aria-label', this.panel.ariaText(item.frame));
        item.set('aria-level', this.panel.layout.frames.row[item.frame] + 1);
    }

    positionBar(item, x0, x1) {
        item.set('x', hundredths(x0));
        item.set('width', Math.max(0, hundredths(this.widthOf(x1 - x0))));
    }

    // The rectangles over a frame: what grew and shrank, or waiting.
    partsIn(i, x0, x1) {
        const {panel} = this;
        if (panel.view.compare) {
            return panel.view.compare.barsOf(panel, i, x0, x1);
        }
        const part = this.waitingIn(i, x0, x1);
        return part ? [{part, paint: null, edge: 0}] : [];
    }

    // The part of a frame in which the method itself waited, as two fractions of its width;
    // null if it did not.
    waitingIn(i, x0, x1) {
        const {panel} = this;
        const {view, tree, layout: {frames}} = panel;
        if (!view.showsWaiting || frames.nodes[i] > 0 || x1 - x0 < S.WAIT_MIN) {
            return null;
        }
        const span = waitSpan(tree, frames.node[i], panel.measure, view.page.callersAbove);
        if (!span || isAmongCallers(tree, frames.node[i])) {
            return null;
        }
        const {from, to} = panel.windowOf(frames.node[i]);
        const [a, b] = span.map((time) => Math.min(x1, Math.max(x0,
            floorHundredths((time - from) * view.width / (to - from)))));
        return b - a < S.WAIT_MIN ? null : [(a - x0) / (x1 - x0), (b - x0) / (x1 - x0)];
    }

    positionWaiting(item, x0, x1) {
        const [a, b] = item.part;
        const start = x0 + a * (x1 - x0);
        const end = Math.min(x0 + b * (x1 - x0), x0 + this.widthOf(x1 - x0));
        this.positionWait(item, start, Math.max(0, end - start));
    }

    // The element of a frame. A narrow one gets an element, which it needs to get the focus.
    // Returns null for a frame that is not drawn.
    itemOf(i) {
        const found = this.bars.items.find(({frame}) => frame === i);
        if (found || !this.slight.includes(i)) {
            return found ?? null;
        }
        const item = this.drawBar(this.bars.add(i, this.keyOf(i)), ...this.panel.endsOf(i));
        this.paintBar(item);
        this.name(item);
        return item;
    }

    drawSlight() {
        const {endsOf} = this.panel;
        const pieces = new Map(); // by class
        for (const i of this.slight) {
            const [x0, x1] = endsOf(i);
            const paint = this.paintOf(i) + (this.panel.isHit(i) ? ' hit' : '');
            const slim = this.slimness(i);
            const piece = outline(...[x0, this.rowTop(i) + slim, this.widthOf(x1 - x0),
                S.FRAME - 2 * slim].map((pixels) => Math.round(100 * pixels)));
            pieces.set(paint, (pieces.get(paint) ?? '') + piece);
        }
        this.slightPaths.replaceChildren(...[...pieces].map(([paint, d]) =>
            svgNode('path', {class: `s ${paint}`, d})));
    }

    // Draws dots along the top of idle frames, a dashed edge around blocks, and an outline around
    // the method of a sandwich, between its callers and callees. In a comparison
    // a dashed edge means something else.
    drawTextures() {
        const {endsOf, view, tree, layout: {frames}} = this.panel;
        const dots = [];
        const edges = [];
        let mark = '';
        for (let i = this.from; i < this.to; i++) {
            const isBlock = frames.nodes[i] > 0;
            if (tree.turn && !isBlock && frames.node[i] === 1) {
                const [x0, x1] = endsOf(i);
                mark = outline(hundredths(x0 - S.MARK / 2),
                    hundredths(this.rowTop(i) - S.MARK / 2),
                    hundredths(this.widthOf(x1 - x0) + S.MARK), S.FRAME + S.MARK);
            }
            if (isBlock ? view.compare : view.hueOf(tree, frames.node[i]) !== IDLE) {
                continue;
            }
            const [x0, x1] = endsOf(i);
            const width = this.widthOf(x1 - x0);
            const top = this.rowTop(i);
            if (width >= S.TEXTURE_MIN && isBlock) {
                edges.push(outline(hundredths(x0 + S.DASHES / 2), hundredths(top + S.DASHES / 2),
                    hundredths(width - S.DASHES), S.FRAME - S.DASHES));
            } else if (width >= S.TEXTURE_MIN) {
                dots.push(`M${hundredths(x0 + S.DOT_STEP / 2)} ${hundredths(top + S.DOT_TOP)}` +
                    `h${hundredths(width - S.DOT_STEP)}`);
            }
        }
        this.mark.setAttribute('d', mark);
        this.dots.setAttribute('d', dots.join(''));
        this.edges.setAttribute('d', edges.join(''));
    }

    // Draws the CPU share of a frame as a bar at its foot. Not in a chart, where it would seem
    // to have a position in time.
    drawFeet() {
        const {endsOf, view, tree, layout} = this.panel;
        const feet = [];
        const isShown = view.showsWaiting && !tree.start && hasTimes(tree, WAIT);
        for (let i = this.from; isShown && i < this.to; i++) {
            const node = layout.frames.node[i];
            const [x0, x1] = endsOf(i);
            const full = x1 - x0;
            if (layout.frames.nodes[i] > 0 || full < S.FOOT_MIN) {
                continue;
            }
            const part = Math.min(1, tree.inclusive[CPU][node] /
                tree.inclusive[WALL][node]);
            const width = Math.min(this.widthOf(full), Math.floor(full * part * 100) / 100);
            if (width > 0) {
                const y = this.rowTop(i) + S.FRAME - this.slimness(i) - S.FOOT / 2;
                feet.push(`M${hundredths(x0)} ${hundredths(y)}h${hundredths(width)}`);
            }
        }
        this.feet.setAttribute('d', feet.join(''));
    }

    positionWait(item, x, width) {
        item.set('x', hundredths(x + this.phase[0] + item.edge));
        item.set('width', Math.max(0, hundredths(width - 2 * item.edge)));
        this.positionAcross(item, this.phase[1]);
    }

    // The hatching is continuous over the whole sheet, wherever the graph is: a gradient starts
    // at the origin of coordinates.
    setPhase(left, top) {
        const before = this.phase;
        this.phase = [left % HATCH_STEP, top % HATCH_STEP];
        if (this.phase.join() !== before.join()) {
            this.waits.group.setAttribute('transform',
                `translate(${this.phase.map((shift) => -shift)})`);
            const items = this.panel.drawn ? this.waits.items : []; // else they are drawn anew
            items.forEach((item) => this.positionWait(item, item.x - before[0] - item.edge,
                item.width + 2 * item.edge));
        }
    }

    drawLabel(item, text, x0, x1) {
        const {ruler} = this.panel.view.page;
        if (item.words !== text) {
            item.words = text;
            item.marked = '';
            item.advance = advanceOf(ruler, text, S.LABEL * 100) / 100;
            item.element.textContent = text;
            item.element.setAttribute('textLength', item.advance);
        }
        item.set('y', hundredths(this.rowTop(item.frame) + this.panel.baseline));
        this.positionLabel(item, x0, x1);
    }

    positionLabel(item, x0, x1) {
        const fits = item.advance <= this.widthOf(x1 - x0) - 2 * S.INSET + 0.6;
        item.set('visibility', fits ? 'inherit' : 'hidden');
        item.set('x', hundredths(x0 + S.INSET));
    }

    paintOf(i) {
        const {view, tree, layout: {frames}} = this.panel;
        return frames.nodes[i] > 0 ? 'N' : view.paintOf(tree, frames.node[i]);
    }

    paintBar(item) {
        const {panel} = this;
        const {view, tree, layout: {frames}} = panel;
        const i = item.frame;
        const isMoved = frames.nodes[i] === 0 && view.compare?.isMoved(tree, frames.node[i]);
        item.set('class', `f ${this.paintOf(i)}${isMoved ? ' moved' : ''}` +
            `${panel.isHit(i) ? ' hit' : ''}`);
    }

    // Sets the colours, which depend on the kind of frame and on the matches of the search.
    paint() {
        const {panel} = this;
        const {view, tree, layout: {frames}} = panel;
        const each = ({items}, classOf) => items.forEach((item) =>
            item.set('class', classOf(item.frame, panel.isHit(item.frame), item)));
        this.bars.items.forEach((item) => this.paintBar(item));
        each(this.waits, (i, hit, item) =>
            (hit ? 'P hit-wait'
                : item.paint && panel.matches ? `${item.paint} faint`
                    : item.paint ?? 'h' + this.paintOf(i)));
        each(this.labels, (i, hit) => (hit ? 'hit-label'
            : view.isMuted(tree, frames.node[i]) ? 'Q' : 'L'));
        this.drawSlight();
        panel.graph.classList.toggle('seeking', panel.matches !== null);
        this.markLetters();
    }

    // Emphasises the letters that match the search, in the labels of matching frames.
    markLetters() {
        const {panel} = this;
        const {find} = panel.view.search ?? {find: null};
        for (const item of this.labels.items) {
            const {words} = item;
            const at = find && panel.isHit(item.frame) ? find(words.split(NUMBERS)[0]) : null;
            const marked = at ? at.join() : '';
            if (marked !== (item.marked ?? '')) {
                item.marked = marked;
                item.element.replaceChildren(...(at ? [words.slice(0, at[0]),
                    svgNode('tspan', {class: 'hit-letters'}, words.slice(...at)),
                    words.slice(at[1])] : [words]));
            }
        }
    }

    // Moves all elements to the current positions of their frames.
    move() {
        const {endsOf} = this.panel;
        const each = ({items}, action) => items.forEach((item) =>
            action(item, ...endsOf(item.frame)));
        each(this.bars, (item, x0, x1) => this.positionBar(item, x0, x1));
        each(this.waits, (item, x0, x1) => this.positionWaiting(item, x0, x1));
        this.drawFeet();
        this.drawTextures();
        this.drawSlight();
        each(this.labels, (item, x0, x1) => this.positionLabel(item, x0, x1));
    }
}
