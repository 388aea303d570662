// The elements of frames: bars, hatched bars over them where the method waited, labels, and one
// path each for the bars at the feet of frames, the dots of idle frames and the edges of blocks.
//
// Elements are reused and not nested: one rectangle for each frame, others only if they are
// visible. Attributes are set only when they change, because browsers spend most of their time on
// changed elements.
import {DASHES, DOTS, dotsAlong, floorHundredths, hundredths, outline, svgNode}
    from './elements.js';
import {advanceOf} from './label.js';
import {waitSpan} from './layout.js';
import {isAmongCallers} from './sandwich.js';
import * as S from './sizes.js';
import {CPU, hasTimes, WAIT, WALL} from './tree.js';
import {IDLE} from './words.js';

const HATCH_STEP = 6; // AF_HATCH_STEP_C of render/palette.h
const NUMBERS = '\u2002'; // separates them from the name: SAY.FRAME_NUMBERS

// An element and its current attributes.
class Item {
    constructor(name, attributes) {
        this.element = svgNode(name, attributes);
        this.frame = -1; // index in the layout
        this.words = '';
    }

    set(key, value) {
        if (this[key] !== value) {
            this[key] = value;
            this.element.setAttribute(key, value);
        }
    }
}

// Items by keys that identify their frames in all layouts of a tree, in the order of the frames.
class Layer {
    constructor(attributes, make) {
        this.group = svgNode('g', attributes);
        this.make = make;
        this.known = new Map();
    }

    get items() {
        return [...this.known.values()];
    }

    // Shows an item for each entry of `wanted`, [key, its properties], and no others. Items that
    // are shown already keep their elements, whose changes the style sheet animates.
    show(wanted) {
        const before = this.known;
        this.known = new Map();
        const keys = new Set(wanted.map(([key]) => key));
        before.forEach(({element}, key) => keys.has(key) || element.remove());
        let last = null;
        for (const [key, properties] of wanted) {
            const item = this.add(key, properties, before.get(key));
            const next = last ? last.nextSibling : this.group.firstChild;
            if (next !== item.element) {
                this.group.insertBefore(item.element, next);
            }
            last = item.element;
        }
    }

    add(key, properties, item = this.make()) {
        this.known.set(key, item);
        return Object.assign(item, properties);
    }
}

export class Shapes {
    constructor(panel) {
        this.panel = panel;
        this.tree = null; // of the frames
        this.phase = [0, 0]; // offset from the origin of the hatching to the graph
        this.bars = new Layer({role: 'presentation'}, () => {
            const item = new Item('rect', {role: 'treeitem', tabindex: '-1'});
            item.element.afItem = item;
            item.element.afPanel = panel;
            return item;
        });
        this.from = this.to = 0; // the frames that are drawn
        this.slight = []; // indices of narrow frames: they share one path for each colour
        // in hundredths of a pixel: browsers format and parse whole numbers faster
        this.slightPaths = svgNode('g', {role: 'presentation', transform: 'scale(.01)'});
        this.waits = new Layer({'aria-hidden': 'true', class: 'over'}, () => new Item('rect'));
        const texture = (paint, attributes) => svgNode('path', {
            class: `t${paint} over`, fill: 'none', 'aria-hidden': 'true', ...attributes,
        });
        this.feet = texture('C', {'stroke-width': S.FOOT});
        this.dots = texture('Q', DOTS);
        this.edges = texture('M', DASHES);
        this.mark = texture('C', {'stroke-width': S.MARK}); // around the method of a sandwich
        this.paths = [this.feet, this.dots, this.edges, this.mark];
        this.labels = new Layer({'aria-hidden': 'true', class: 'over'},
            () => new Item('text', {lengthAdjust: 'spacingAndGlyphs'}));
    }

    // Shows the frames [from, to). Those narrower than `widthMin` pixels have no element of
    // their own until itemOf(). Frames that are shown already keep their elements.
    show(from, to, widthMin) {
        const {panel, bars, waits, labels} = this;
        const {x0, x1} = panel.layout.frames;
        Object.assign(this, {from, to, slight: []});
        if (this.tree !== panel.tree) { // keys differ between trees
            this.tree = panel.tree;
            [bars, waits, labels].forEach((layer) => layer.show([]));
        }
        const wanted = {bars: [], waits: [], labels: []};
        for (let frame = from; frame < to; frame++) {
            const key = this.keyOf(frame);
            if (x1[frame] - x0[frame] < widthMin) {
                this.slight.push(frame);
            } else {
                wanted.bars.push([key, {frame}]);
            }
            this.partsIn(frame).forEach((part, k) =>
                wanted.waits.push([`${key} ${k}`, {frame, ...part}]));
            if (panel.fit(frame) !== null) {
                wanted.labels.push([key, {frame}]);
            }
        }
        bars.show(wanted.bars);
        waits.show(wanted.waits);
        labels.show(wanted.labels);
        bars.items.forEach((item) => this.drawBar(item));
        waits.items.forEach((item) => this.drawPart(item));
        labels.items.forEach((item) => this.drawLabel(item));
        this.drawPaths();
        this.paint();
    }

    keyOf(i) {
        const {node, nodes} = this.panel.layout.frames;
        return nodes[i] > 0 ? -node[i] : node[i];
    }

    rowTop(i) {
        return this.panel.rowTop(this.panel.layout.frames.row[i]);
    }

    // The pixels by which a slim frame is smaller at the top and at the bottom; 0 for others.
    slimness(i) {
        const {view, tree, layout: {frames}} = this.panel;
        return frames.nodes[i] === 0 && view.labels.slim[tree.label[frames.node[i]]] ? S.SLIM : 0;
    }

    // The left edge of a frame and its width without the gap to the next one.
    spanOf(i) {
        const {x0, x1} = this.panel.layout.frames;
        const full = x1[i] - x0[i];
        return [x0[i], full - Math.min(S.GAP, full / 6)];
    }

    position(item, x, y, width, height) {
        item.set('x', hundredths(x));
        item.set('y', y);
        item.set('width', Math.max(0, hundredths(width)));
        item.set('height', height);
    }

    drawBar(item) {
        const [x, width] = this.spanOf(item.frame);
        const slim = this.slimness(item.frame);
        this.position(item, x, this.rowTop(item.frame) + slim, width, S.FRAME - 2 * slim);
        item.set('aria-label', this.panel.ariaText(item.frame));
        item.set('aria-level', this.panel.layout.frames.row[item.frame] + 1);
    }

    // The rectangles over a frame: what grew and shrank, or waiting. `part` is [from, to] in
    // pixels, `paint` a class, `edge` half the width of the edge inside the rectangle, pixels.
    partsIn(i) {
        const {panel} = this;
        if (panel.view.compare) {
            return panel.view.compare.barsOf(panel, i);
        }
        const {view, tree, layout: {frames}} = panel;
        const [node, x0, x1] = [frames.node[i], frames.x0[i], frames.x1[i]];
        const span = view.showsWaiting && frames.nodes[i] === 0 && x1 - x0 >= S.WAIT_MIN &&
            !isAmongCallers(tree, node) &&
            waitSpan(tree, node, panel.measure, view.page.callersAbove);
        if (!span) {
            return [];
        }
        const {from, to} = panel.windowOf(node);
        const part = span.map((time) => Math.min(x1, Math.max(x0,
            floorHundredths((time - from) * view.width / (to - from)))));
        return part[1] - part[0] < S.WAIT_MIN ? [] : [{part, paint: null, edge: 0}];
    }

    drawPart(item) {
        const {frame, part: [from, to], edge} = item;
        const [x, width] = this.spanOf(frame);
        const slim = this.slimness(frame) + edge;
        this.position(item, from + this.phase[0] + edge, this.rowTop(frame) + slim + this.phase[1],
            Math.min(to, x + width) - from - 2 * edge, S.FRAME - 2 * slim);
    }

    // The element of a frame. A narrow one gets an element, which it needs to get the focus.
    // Returns null for a frame that is not drawn.
    itemOf(i) {
        const key = this.keyOf(i);
        const found = this.bars.known.get(key);
        if (found || !this.slight.includes(i)) {
            return found ?? null;
        }
        const item = this.bars.add(key, {frame: i});
        this.bars.group.append(item.element);
        this.drawBar(item);
        this.paintBar(item);
        return item;
    }

    drawSlight() {
        const pieces = new Map(); // by class
        for (const i of this.slight) {
            const [x, width] = this.spanOf(i);
            const paint = this.paintOf(i) + (this.panel.isHit(i) ? ' hit' : '');
            const slim = this.slimness(i);
            const piece = outline(...[x, this.rowTop(i) + slim, width, S.FRAME - 2 * slim]
                .map((pixels) => Math.round(100 * pixels)));
            pieces.set(paint, (pieces.get(paint) ?? '') + piece);
        }
        this.slightPaths.replaceChildren(...[...pieces].map(([paint, d]) =>
            svgNode('path', {class: `s ${paint}`, d})));
    }

    // Draws the marks on frames: bars at their feet for the CPU share (not in a chart, where they
    // would seem to have a position in time), dots along the top of idle frames, a dashed edge
    // around blocks (in a comparison it means something else), and an outline around the method
    // of a sandwich, between its callers and callees.
    drawPaths() {
        const {view, tree, layout: {frames}} = this.panel;
        const paths = {feet: '', dots: '', edges: '', mark: ''};
        const hasFeet = view.showsWaiting && !tree.start && hasTimes(tree, WAIT);
        for (let i = this.from; i < this.to; i++) {
            const node = frames.node[i];
            const [x, width] = this.spanOf(i);
            const top = this.rowTop(i);
            const isTextured = width >= S.TEXTURE_MIN;
            if (frames.nodes[i] > 0) {
                paths.edges += isTextured && !view.compare ? outline(hundredths(x + S.DASHES / 2),
                    hundredths(top + S.DASHES / 2), hundredths(width - S.DASHES),
                    S.FRAME - S.DASHES) : '';
                continue;
            }
            if (tree.turn && node === 1) {
                paths.mark = outline(hundredths(x - S.MARK / 2), hundredths(top - S.MARK / 2),
                    hundredths(width + S.MARK), S.FRAME + S.MARK);
            }
            paths.dots += isTextured && view.hueOf(tree, node) === IDLE
                ? dotsAlong(x, top, width) : '';
            const full = frames.x1[i] - x;
            const share = tree.inclusive[CPU]?.[node] / tree.inclusive[WALL]?.[node];
            const foot = Math.min(width, Math.floor(full * Math.min(1, share) * 100) / 100);
            if (hasFeet && full >= S.FOOT_MIN && foot > 0) {
                const y = top + S.FRAME - this.slimness(i) - S.FOOT / 2;
                paths.feet += `M${hundredths(x)} ${hundredths(y)}h${hundredths(foot)}`;
            }
        }
        Object.entries(paths).forEach(([name, d]) => this[name].setAttribute('d', d));
    }

    // The hatching is continuous over the whole sheet, wherever the graph is: a gradient starts
    // at the origin of coordinates.
    setPhase(left, top) {
        const phase = [left % HATCH_STEP, top % HATCH_STEP];
        if (this.phase.join() !== phase.join()) {
            this.phase = phase;
            this.waits.group.setAttribute('transform',
                `translate(${phase.map((shift) => -shift)})`);
            if (this.panel.drawn) {
                this.waits.items.forEach((item) => this.drawPart(item));
            }
        }
    }

    drawLabel(item) {
        const {panel} = this;
        const text = panel.fit(item.frame);
        if (item.words !== text) {
            item.words = text;
            item.marked = '';
            item.element.textContent = text;
            item.set('textLength', advanceOf(panel.view.page.ruler, text, S.LABEL * 100) / 100);
        }
        item.set('x', hundredths(panel.layout.frames.x0[item.frame] + S.INSET));
        item.set('y', hundredths(this.rowTop(item.frame) + panel.baseline));
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

    // Everything on the frames appears again, while the style sheet moves the frames themselves.
    appear(duration) {
        [this.slightPaths, this.waits.group, ...this.paths, this.labels.group].forEach((element) =>
            element.animate({opacity: [0, 1]}, duration));
    }
}
