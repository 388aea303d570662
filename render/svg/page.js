// The page: the attributes of the static sheet, the document around it, lines of text.
import {bar, html, hundredths, put, setAll, svgNode} from './elements.js';
import {advanceOf, fitName, fitText, newRuler} from './label.js';
import {CLOCK_WORDS} from './link.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {isolate, wording} from './words.js';

const DOT = ' \u00b7 ';
const WIDTH_MIN = 320;

// ---- attributes of the root ----

// The widths of ASCII letters come from the font, those of others from the browser.
export function newRulers(svg) {
    const family = getComputedStyle(svg).fontFamily;
    const context = html('canvas').getContext('2d');
    const asDrawn = (weight) => (text) => {
        context.font = `${weight} 100px ${family}`;
        context.fontKerning = 'none';
        return context.measureText(text).width / 100;
    };
    const plain = Array.from({length: 95}, (_, i) => String.fromCharCode(32 + i));
    const drawn = (weight) => newRuler(1000,
        [...plain, '\u2026'].map((c) => asDrawn(weight)(c) * 1000), asDrawn(weight));
    const em = Number(svg.getAttribute('data-em'));
    const advances = (svg.getAttribute('data-advances') ?? '').split(' ').map(Number);
    const regular = drawn(400);
    if (em > 0 && advances.length === 96) {
        // only if the browser draws that face: some viewers reject embedded faces
        const exact = newRuler(em, advances, asDrawn(400));
        const probe = plain.join('');
        const ratio = advanceOf(exact, probe, 1000) / advanceOf(regular, probe, 1000);
        return {ruler: Math.abs(ratio - 1) < 0.002 ? exact : regular, bold: drawn(700)};
    }
    return {ruler: regular, bold: drawn(700)};
}

export class Page {
    constructor(svg) {
        this.svg = svg;
        this.staticWidth = Number(svg.getAttribute('data-width') ?? 1200);
        this.isFixed = svg.getAttribute('data-fixed') === '1';
        this.fullDepth = svg.getAttribute('data-full-depth') === '1';
        this.isInverted = svg.getAttribute('data-inverted') === '1';
        this.isChart = svg.getAttribute('data-view') === 'chart';
        // pixels; null = the default, which is another one for a chart
        const minWidth = Number(svg.getAttribute('data-min-width'));
        this.minWidth = minWidth === (this.isChart ? S.SLICE_MIN : S.FRAME_MIN) ? null : minWidth;
        this.method = svg.getAttribute('data-method'); // of a sandwich
        this.tall = Number(svg.getAttribute('data-tall') ?? 0);
        this.firstRows = Number(svg.getAttribute('data-rows') ?? S.FIRST_ROWS);
        this.program = svg.getAttribute('data-program') ?? '';
        this.clock = Math.max(0, CLOCK_WORDS.indexOf(svg.getAttribute('data-clock')));
        this.clientWidth = 0; // of the page, pixels
        this.isScrolling = false; // the window still has to scroll to `scrollTop`
        this.focusing = null; // the element that settle() will give the focus
        this.isSettling = false;
        this.isPlacing = false; // settle() is moving the focus
        this.onStop = () => {}; // called if the page ends before the wanted scroll position
        this.rail = 0; // its width, pixels
        this.barHeight = 0;
        this.toolsWidth = 0;
        this.topCovered = 0; // pixels that the tools cover at the top of a scrolled window
        this.readHead();
    }

    // Reads facts that are not in the block, but in attributes of the sheet, one per line.
    readHead() {
        const {svg} = this;
        wording.threadWord = svg.getAttribute('data-thread-word') ?? SAY.THREAD_WORD;
        const lines = (element, name) => element?.getAttribute(`data-${name}`)?.split('\n') ?? [];
        const [head, foot] = [svg.querySelector('#head'), svg.querySelector('#foot')];
        this.title = svg.querySelector('title')?.textContent ?? '';
        this.hueTitles = new Map(lines(svg, 'hues').map(
            (line) => [line.charCodeAt(0) - 97, isolate(line.slice(2))]));
        this.facts = lines(head, 'facts'); // the facts about the axis replace an empty line
        this.causes = lines(head, 'graph-facts'); // of a comparison
        this.axisFacts = lines(head, 'chart-facts');
        this.health = lines(head, 'health');
        this.findings = lines(svg.querySelector('#findings'), 'facts');
        this.isExplaining = false; // they are shown
        this.graphOmissions = lines(foot, 'graph-facts');
        this.chartOmissions = lines(foot, 'chart-facts');
        this.isChosen = svg.hasAttribute('data-chosen');
        this.readOverview();
        this.isReshaped = svg.hasAttribute('data-accounts');
        this.accounts = lines(svg, 'accounts').filter((piece) => piece !== '');
        this.callersAbove = svg.getAttribute('data-callers-above') === '1';
        this.panelFacts = new Map([...svg.querySelectorAll('.panel')].map((panel) =>
            [panel.getAttribute('aria-label'), lines(panel, 'facts')]));
    }

    // ---- the document ----

    // Turns a picture that was opened by itself into a page that contains it: only in a page do
    // bars keep their position while the picture scrolls.
    mount() {
        const {svg} = this;
        this.app = html('div', {class: 'aflame af-app'});
        if (document.documentElement === svg) {
            const head = html('head', {},
                html('meta', {name: 'viewport', content: 'width=device-width'}),
                html('title', {}, this.title));
            const body = html('body', {class: 'af-body'}, this.app);
            const root = html('html', {lang: 'en'}, head, body);
            document.replaceChild(root, svg);
        } else {
            svg.replaceWith(this.app);
        }
        this.app.append(svg);
        svg.classList.remove('fluid');
        setAll(svg, {role: 'group', 'aria-label': this.title});
        this.scrolled();
        this.readWidth();
    }

    // Reading the width while drawing would make the browser lay out everything immediately.
    readWidth() {
        this.clientWidth = this.app.clientWidth;
    }

    // Reads the scroll position of the sheet. While drawing, this would make the browser lay
    // out everything immediately.
    scrolled() {
        if (!this.isScrolling) {
            this.scrollTop = -this.svg.getBoundingClientRect().top;
        }
        this.bars?.mark(this.scrollTop > 0);
    }

    // Makes the page long enough to scroll to `top`.
    hold(top) {
        const height = top > 0 ? `${Math.ceil(top + window.innerHeight)}px` : '';
        if (this.held !== height) {
            this.held = height;
            this.app.style.minHeight = height;
        }
    }

    // The window scrolls with the next frame of the screen: scrolling and moving the focus make
    // the browser lay out everything that has changed.
    scrollTo(top) {
        if (Math.abs(top - this.scrollTop) >= 1) {
            this.scrollTop = top;
            this.isScrolling = true;
            this.settleLater();
        }
    }

    focus(element) {
        this.focusing = element;
        this.settleLater();
    }

    settleLater() {
        if (!this.isSettling) {
            this.isSettling = true;
            // the next key that the user types must go to the new focus
            const isTyping = this.bars?.bar.contains(document.activeElement);
            (isTyping ? queueMicrotask : requestAnimationFrame)(() => this.settle());
        }
    }

    settle() {
        const {focusing, isScrolling, scrollTop} = this;
        this.isSettling = this.isScrolling = false;
        this.focusing = null;
        if (focusing?.isConnected && document.activeElement !== focusing) {
            this.isPlacing = true;
            focusing.focus({preventScroll: true});
            this.isPlacing = false;
        }
        if (isScrolling) {
            this.scrolled(); // the page may have become shorter
            window.scrollBy({top: scrollTop - this.scrollTop, behavior: 'instant'});
            this.scrolled();
            if (Math.abs(this.scrollTop - scrollTop) >= 1) {
                this.onStop(); // at the end of the page
            }
        }
    }

    // Takes the static drawing away and adds empty groups for the live one.
    clear() {
        const {svg} = this;
        this.attributes = [...svg.attributes].map(({name, value}) => [name, value]);
        // the title would be a tooltip over everything
        this.drawing = [...svg.children].filter(({localName}) => /^(g|title)$/.test(localName));
        this.drawing.forEach((element) => element.remove());
        this.header = svgNode('g', {id: 'head'});
        this.panels = svgNode('g', {id: 'panels'});
        this.footer = svgNode('g', {id: 'foot'});
        svg.append(this.header, this.panels, this.footer);
    }

    // Undoes clear() and mount().
    restore() {
        const {svg, app} = this;
        svg.querySelectorAll(':scope > g').forEach((element) => element.remove());
        if (this.drawing) {
            svg.prepend(...this.drawing);
            [...svg.attributes].forEach(({name}) => svg.removeAttribute(name));
            this.attributes.forEach(([name, value]) => svg.setAttribute(name, value));
        }
        if (app?.contains(svg)) {
            const {contentType, documentElement} = document;
            (contentType === 'image/svg+xml' ? documentElement : app).replaceWith(svg);
        }
    }

    // Copies the colours of the sheet's theme to the bars.
    copyColours() {
        const probe = svgNode('rect', {});
        this.svg.append(probe);
        // reads all before it sets the first, which changes the style of every element
        const colours = ['P', 'I', 'M', 'R', 'A'].map((role) => {
            probe.setAttribute('class', role);
            return getComputedStyle(probe).fill;
        });
        probe.remove();
        ['page', 'ink', 'muted', 'rule', 'alert'].forEach((name, i) =>
            this.app.style.setProperty('--af-' + name, colours[i]));
    }

    get available() {
        return this.isFixed ? this.staticWidth
            : Math.max(WIDTH_MIN, this.clientWidth - this.rail);
    }

    resize(width, height) {
        const {svg} = this;
        setAll(svg, {width, height, viewBox: `0 0 ${width} ${height}`});
        this.width = width;
    }

    // ---- text ----

    // The width of a text in pixels.
    advance(text, size = S.SMALL, ruler = this.ruler) {
        return advanceOf(ruler, text, size * 100) / 100;
    }

    // Writes one line of text in `group`; returns its width.
    line(group, x, y, text,
        {size = S.SMALL, paint = 'M', bold, widthMax = Infinity, isName} = {}) {
        const ruler = bold ? this.bold : this.ruler;
        const limit = widthMax === Infinity ? 1e7 : Math.floor(widthMax * 100);
        const fitted = (isName ? fitName : fitText)(ruler, text, size * 100, limit);
        if (fitted === null) {
            return 0;
        }
        const advance = this.advance(fitted, size, ruler);
        put(group, 'text', {
            class: bold ? `${paint} B` : paint, x, y,
            'font-size': size === S.SMALL ? null : size,
            textLength: hundredths(advance), lengthAdjust: 'spacingAndGlyphs',
        }, fitted);
        return advance;
    }

    // Writes pieces with dots between them, broken into lines. Returns the last baseline.
    flow(group, x, y, pieces,
        {size = S.FACTS, paint = 'M', step = S.FACTS_LINE, linesMax = Infinity,
            dot = DOT} = {}) {
        const end = this.width - S.MARGIN;
        const widthOf = (text) => this.advance(text, size);
        // a piece that exceeds a line is broken between its words
        const words = pieces.flatMap((piece) => {
            const parts = widthOf(piece) > end - S.MARGIN ? piece.split(' ') : [piece];
            return parts.map((part, i) => [part, i === 0 ? dot : ' ']);
        });
        let line = '';
        let lines = 1;
        for (const [piece, between] of words) {
            const longer = line === '' ? piece : line + between + piece;
            const fits = widthOf(longer) <= end - x;
            if ((line !== '' || x > S.MARGIN) && !fits && lines < linesMax) {
                lines++;
                this.line(group, x, y, line, {size, paint, widthMax: end - x});
                line = piece;
                y += step;
                x = S.MARGIN;
            } else {
                line = longer;
            }
        }
        this.line(group, x, y, line, {size, paint, widthMax: end - x});
        return y;
    }

    // Writes entries from the baseline (x, y), for example those of a legend. Those without `paint`
    // have no swatch; drawSwatch(entry, x, y) draws the others. `begins` starts a new line.
    // groupOf(entry, x, y) may return another group. Returns the last baseline.
    drawEntries(group, x, y, entries,
        {step, gap = S.ENTRY_GAP, drawSwatch, groupOf = (_entry, _x, _y) => group}) {
        const end = this.width - S.MARGIN;
        for (const entry of entries) {
            const {text, paint, begins} = entry;
            const swatch = paint ? S.SWATCH_TO_TEXT : 0;
            const advance = this.advance(text);
            if (x > S.MARGIN && (begins || x + swatch + advance > end)) {
                x = S.MARGIN;
                y += step;
            }
            if (paint) {
                drawSwatch(entry, x, y);
            }
            this.line(groupOf(entry, x, y), hundredths(x + swatch), y, text,
                {paint: paint ? 'I' : 'M', widthMax: end - x - swatch});
            x += swatch + advance + gap;
        }
        return y;
    }

    // draw(draft) draws the new content of a group with put(). Returns the result of draw().
    // Unchanged children stay, because browsers lay out all new text.
    redraw(group, draw) {
        const draft = svgNode('g');
        const result = draw(draft);
        const before = [...group.children];
        const after = [...draft.children];
        after.forEach((child, i) => {
            if (!before[i]) {
                group.append(child);
            } else if (!before[i].isEqualNode(child)) {
                before[i].replaceWith(child);
            }
        });
        before.slice(after.length).forEach((child) => child.remove());
        return result;
    }

    rule(group, y) {
        bar(group, S.MARGIN, y, Math.max(0, this.width - 2 * S.MARGIN), 1, 'R');
    }
}
