// The elements of frames: bars, hatched bars over them where time was waiting, labels.
//
// Elements are pooled and flat: one rectangle a frame, others only where there is something to see.
// Attributes are set only when they change; what browsers need longest for is what was touched.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const SVG = 'http://www.w3.org/2000/svg';
    const {BASELINE, FRAME, GAP, INSET, LABEL, SLIM, WAIT_MIN} = AF.SIZES;
    const HATCH_STEP = 6; // AF_HATCH_STEP_C of render/palette.h
    const SPARE_MAX = 4000;

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

    // An element that remembers its attributes.
    class Item {
        constructor(name, attributes) {
            this.element = AF.svgNode(name, attributes);
            this.frame = -1; // its number in the layout
            this.class = '';
            this.x = NaN;
            this.y = NaN;
            this.width = NaN;
            this.words = '';
            this.level = 0;
            this.visibility = 'inherit';
        }

        set(key, value) {
            if (this[key] !== value) {
                this[key] = value;
                this.element.setAttribute(key, value);
            }
        }
    }

    // As many items as are needed. Those that are not needed any more leave the document, because
    // they would cost time whenever something moves, but are kept for the next time.
    class Layer {
        constructor(attributes, make) {
            this.group = AF.svgNode('g', attributes);
            this.make = make;
            this.items = [];
            this.spare = [];
            this.used = 0;
            this.added = null;
        }

        begin() {
            this.used = 0;
            this.added = document.createDocumentFragment();
        }

        next(frame) {
            if (this.used === this.items.length) {
                const item = this.spare.pop() ?? this.make();
                this.items.push(item);
                this.added.append(item.element);
            }
            const item = this.items[this.used++];
            item.frame = frame;
            return item;
        }

        end() {
            if (this.added.firstChild) {
                this.group.append(this.added);
            }
            this.added = null;
            for (const item of this.items.splice(this.used)) {
                item.element.remove();
                if (this.spare.length < SPARE_MAX) {
                    this.spare.push(item);
                }
            }
        }
    }

    class Shapes {
        constructor(panel) {
            const height = FRAME;
            this.panel = panel;
            this.phase = [0, 0]; // from where the hatching of the sheet begins to the graph
            this.bars = new Layer({role: 'presentation'}, () => {
                const item = new Item('rect', {height, role: 'treeitem', tabindex: '-1'});
                item.element.afItem = item;
                item.element.afPanel = panel;
                return item;
            });
            this.waits = new Layer({'aria-hidden': 'true', class: 'over'},
                () => new Item('rect', {height}));
            this.labels = new Layer({'aria-hidden': 'true', class: 'over'},
                () => new Item('text', {lengthAdjust: 'spacingAndGlyphs'}));
        }

        get layers() {
            return [this.bars, this.waits, this.labels];
        }

        get used() {
            return this.bars.used;
        }

        // Item k shows frame frameAt(k).
        show(n, frameAt) {
            this.layers.forEach((layer) => layer.begin());
            const {frames} = this.panel.layout;
            for (let k = 0; k < n; k++) {
                const i = frameAt(k);
                const x0 = frames.x0[i];
                const width = this.widthOf(frames.x1[i] - x0);
                this.showBar(i, x0, width);
                const [at, waiting] = this.waitingIn(i, x0, width);
                if (waiting > 0) {
                    this.placeWait(this.waits.next(i), at, waiting);
                }
                const text = this.panel.fit(i);
                if (text !== null) {
                    this.showLabel(i, text, x0);
                }
            }
            this.layers.forEach((layer) => layer.end());
            this.paint();
        }

        widthOf(full) {
            return full - Math.min(GAP, full / 6);
        }

        rowTop(i) {
            return this.panel.rowTop(this.panel.layout.frames.row[i]);
        }

        // What the frame of a run lacks on either side: it is slim.
        slimness(i) {
            const {view, tree, layout: {frames}} = this.panel;
            return frames.nodes[i] === 0 && view.isFolded(tree, frames.node[i]) ? SLIM : 0;
        }

        placeAcross(item, shift) {
            const slim = this.slimness(item.frame);
            item.set('y', this.rowTop(item.frame) + slim + shift);
            item.set('height', FRAME - 2 * slim);
        }

        showBar(i, x, width) {
            const item = this.bars.next(i);
            this.placeBar(item, x, width);
            this.placeAcross(item, 0);
        }

        // Names for screen readers, set when the browser is idle.
        setAriaLabels() {
            for (let k = 0; k < this.bars.used; k++) {
                this.name(this.bars.items[k]);
            }
        }

        name(item) {
            const {panel} = this;
            const words = panel.ariaText(item.frame);
            if (item.words !== words) {
                item.words = words;
                item.element.setAttribute('aria-label', words);
            }
            const level = panel.layout.frames.row[item.frame] + 1;
            if (item.level !== level) {
                item.level = level;
                item.element.setAttribute('aria-level', level);
            }
        }

        placeBar(item, x, width) {
            item.set('x', hundredths(x));
            item.set('width', Math.max(0, hundredths(width)));
        }

        waitingOf(i, width) {
            const {panel} = this;
            const {frames} = panel.layout;
            if (!panel.view.showsWaiting || frames.nodes[i] > 0 || width < WAIT_MIN) {
                return 0;
            }
            const part = AF.waitingPart(panel.tree, frames.node[i]);
            const waiting = Math.floor(width * 100 * part) / 100;
            return waiting < WAIT_MIN ? 0 : waiting;
        }

        // Where waiting lies in a frame at x0: at its end, or where a single call waited.
        waitingIn(i, x0, width) {
            const {panel} = this;
            const {frames} = panel.layout;
            if (!panel.tree.start) {
                const waiting = this.waitingOf(i, width);
                return [x0 + width - waiting, waiting];
            }
            const span = panel.view.showsWaiting && frames.nodes[i] === 0 && width >= WAIT_MIN
                ? AF.waitSpan(panel.tree, frames.node[i]) : null;
            if (!span) {
                return [x0, 0];
            }
            const {from, to} = panel.window;
            const scale = panel.view.width / (to - from);
            const a = Math.max(x0, (span[0] - from) * scale);
            const b = Math.min(x0 + width, (span[1] - from) * scale);
            return b - a < WAIT_MIN ? [x0, 0] : [a, b - a];
        }

        placeWait(item, x, width) {
            item.set('x', hundredths(x + this.phase[0]));
            item.set('width', hundredths(width));
            this.placeAcross(item, this.phase[1]);
        }

        // The hatching goes through the whole sheet, wherever the graph stands on it: a gradient
        // begins where the coordinates do.
        setPhase(left, top) {
            const [x, y] = [left % HATCH_STEP, top % HATCH_STEP];
            if (x === this.phase[0] && y === this.phase[1]) {
                return;
            }
            const [before] = this.phase;
            this.phase = [x, y];
            this.waits.group.setAttribute('transform', `translate(${-x} ${-y})`);
            if (this.panel.drawn) {
                this.waits.items.forEach((item) =>
                    this.placeWait(item, item.x - before, item.width));
            }
        }

        showLabel(i, text, x) {
            const {ruler} = this.panel.view.page;
            const item = this.labels.next(i);
            if (item.words !== text) {
                item.words = text;
                item.advance = AF.advance(ruler, text, LABEL * 100) / 100;
                item.element.textContent = text;
                item.element.setAttribute('textLength', item.advance);
            }
            item.set('y', hundredths(this.rowTop(i) + BASELINE));
            item.set('x', hundredths(x + INSET));
            item.set('visibility', 'inherit');
        }

        // Colours, by what a frame is and whether it is a match.
        paint() {
            const {panel} = this;
            const {frames} = panel.layout;
            const {view, tree} = panel;
            const paintOf = (i) => (frames.nodes[i] > 0 ? 'N' : view.paintOf(tree, frames.node[i]));
            const each = (layer, classOf) => {
                for (let k = 0; k < layer.used; k++) {
                    const item = layer.items[k];
                    item.set('class', classOf(item.frame, panel.isHit(item.frame)));
                }
            };
            each(this.bars, (i, hit) => `f ${paintOf(i)}${hit ? ' hit' : ''}`);
            each(this.waits, (i, hit) => (hit ? 'P hit-wait' : 'h' + paintOf(i)));
            each(this.labels, (i, hit) => (hit ? 'hit-label'
                : view.isMuted(tree, frames.node[i]) ? 'Q' : 'L'));
        }

        // Everything elsewhere: place(i) says from where to where frame i goes.
        move(endsOf) {
            const each = (layer, action) => {
                for (let k = 0; k < layer.used; k++) {
                    const item = layer.items[k];
                    const [x0, x1] = endsOf(item.frame);
                    action(item, x0, this.widthOf(x1 - x0));
                }
            };
            each(this.bars, (item, x, width) => this.placeBar(item, x, width));
            each(this.waits, (item, x, width) => {
                this.placeWait(item, ...this.waitingIn(item.frame, x, width));
            });
            each(this.labels, (item, x, width) => {
                const fits = item.advance <= width - 2 * INSET + 0.6;
                item.set('visibility', fits ? 'inherit' : 'hidden');
                item.set('x', hundredths(x + INSET));
            });
        }
    }

    AF.Shapes = Shapes;
})();
