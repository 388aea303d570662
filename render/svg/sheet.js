// The page around the graphs: title, facts, legend, heads of the panels, footer; and the bars that
// the static sheet does not have. Everything is placed as render/ places it, so that nothing jumps
// when the script takes over.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const XHTML = 'http://www.w3.org/1999/xhtml';
    const DOT = ' \u00b7 ';
    const FACTS = 12.5;
    const SMALL = 11.5;
    const HEAD = 13.5;
    const TITLE = 19;
    const WIDTH_MIN = 320;

    const hundredths = (x) => Math.round(x * 100) / 100;

    AF.html = (name, attributes, ...children) => {
        const element = document.createElementNS(XHTML, name);
        for (const [key, value] of Object.entries(attributes ?? {})) {
            if (value !== null && value !== undefined && value !== false) {
                element.setAttribute(key, value === true ? '' : value);
            }
        }
        element.append(...children);
        return element;
    };

    // ---- what the root says ----

    function readGeometry(svg) {
        const number = (name, otherwise) => {
            const value = Number.parseFloat(svg.getAttribute('data-' + name));
            return Number.isFinite(value) ? value : otherwise;
        };
        return {
            margin: number('margin', 16),
            row: number('row', 18),
            frame: number('frame', 17),
            size: number('size', 11.5),
            inset: number('inset', 4),
            baseline: number('baseline', 12.6),
            gap: number('gap', 0.6),
            width: number('width', 1200),
            height: svg.getBoundingClientRect().height,
        };
    }

    // Widths of letters: of the plain ones from the face itself, of others as the browser has them.
    function newRulers(svg) {
        const family = getComputedStyle(svg).fontFamily;
        const context = AF.html('canvas').getContext('2d');
        const asDrawn = (weight) => (text) => {
            context.font = `${weight} 100px ${family}`;
            context.fontKerning = 'none';
            return context.measureText(text).width / 100;
        };
        const plain = Array.from({length: 95}, (_, i) => String.fromCharCode(32 + i));
        const drawn = (weight) => AF.newRuler(1000,
            [...plain, '\u2026'].map((c) => asDrawn(weight)(c) * 1000), asDrawn(weight));
        const em = Number(svg.getAttribute('data-em'));
        const advances = (svg.getAttribute('data-advances') ?? '').split(' ').map(Number);
        const regular = drawn(400);
        if (em > 0 && advances.length === 96) {
            // only if that face is the one that is drawn: some viewers refuse embedded faces
            const exact = AF.newRuler(em, advances, asDrawn(400));
            const probe = plain.join('');
            const ratio = AF.advance(exact, probe, 1000) / AF.advance(regular, probe, 1000);
            return {regular: Math.abs(ratio - 1) < 0.002 ? exact : regular, bold: drawn(700)};
        }
        return {regular, bold: drawn(700)};
    }

    class Page {
        constructor(svg) {
            this.svg = svg;
            this.geometry = readGeometry(svg);
            this.isFixed = svg.getAttribute('data-fixed') === '1';
            this.fullDepth = svg.getAttribute('data-full-depth') === '1';
            this.isInverted = svg.getAttribute('data-inverted') === '1';
            this.program = svg.getAttribute('data-program') ?? '';
            this.clock = Math.max(0, AF.CLOCK_WORDS.indexOf(svg.getAttribute('data-clock')));
            this.readHead();
        }

        // The words of the static head: they say what the block does not.
        readHead() {
            const texts = [...this.svg.querySelectorAll('#head text')];
            const join = (name, separator) => texts.filter((text) => text.classList.contains(name))
                .map((text) => text.textContent).join(separator);
            this.title = this.svg.querySelector('title')?.textContent ?? '';
            this.facts = join('M', DOT).split(DOT).filter((fact) => fact !== '');
            this.troubles = join('A', DOT).split(DOT).filter((fact) => fact !== '');
            this.staticHeads = new Map();
            for (const panel of this.svg.querySelectorAll('.panel')) {
                const facts = panel.querySelectorAll(':scope > text.M');
                const words = [...facts].map((text) => text.textContent).join(DOT);
                this.staticHeads.set(panel.getAttribute('data-thread'), words.split(DOT));
            }
        }

        measure() {
            const {regular, bold} = newRulers(this.svg);
            this.ruler = regular;
            this.bold = bold;
        }

        // ---- the document ----

        // A picture opened by itself becomes a page with the picture in it: only there can bars
        // keep their place while the picture scrolls.
        mount() {
            const {svg} = this;
            this.app = AF.html('div', {class: 'aflame af-app'});
            if (document.documentElement === svg) {
                const head = AF.html('head', {},
                    AF.html('meta', {name: 'viewport', content: 'width=device-width'}),
                    AF.html('title', {}, this.title));
                const body = AF.html('body', {class: 'af-body'}, this.app);
                const html = AF.html('html', {lang: 'en'}, head, body);
                document.replaceChild(html, svg);
            } else {
                svg.replaceWith(this.app);
            }
            this.app.append(svg);
            svg.removeAttribute('role');
            svg.setAttribute('role', 'group');
            svg.setAttribute('aria-label', this.title);
            this.scrolled();
        }

        // Where the sheet is scrolled to. Asking the browser in the middle of drawing would make it
        // lay out everything at once.
        scrolled() {
            this.scrollTop = -this.svg.getBoundingClientRect().top;
        }

        scrollBy(dy) {
            if (Math.abs(dy) >= 1) {
                window.scrollBy({top: dy, behavior: 'instant'});
                this.scrolled();
            }
        }

        // The place of the static drawing becomes that of the live one, in one step.
        clear() {
            const {svg} = this;
            for (const element of [...svg.children]) {
                if (element.localName === 'g') {
                    element.remove();
                }
            }
            svg.querySelector('title')?.remove(); // else it is a tooltip over everything
            this.header = AF.svgNode('g', {id: 'head'});
            this.panels = AF.svgNode('g', {id: 'panels'});
            this.footer = AF.svgNode('g', {id: 'foot'});
            svg.append(this.header, this.panels, this.footer);
        }

        // What the bars need to know of the theme, which is the sheet's.
        copyColours() {
            const probe = AF.svgNode('rect', {});
            this.svg.append(probe);
            for (const [name, role] of [['page', 'P'], ['ink', 'I'], ['muted', 'M'], ['rule', 'R'],
                ['alert', 'A']]) {
                probe.setAttribute('class', role);
                this.app.style.setProperty('--af-' + name, getComputedStyle(probe).fill);
            }
            probe.remove();
        }

        get available() {
            if (this.isFixed) {
                return this.geometry.width;
            }
            return Math.max(WIDTH_MIN, this.svg.parentElement.clientWidth - (this.rail ?? 0));
        }

        resize(width, height) {
            const {svg} = this;
            svg.setAttribute('width', width);
            svg.setAttribute('height', height);
            svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
            this.width = width;
        }

        // ---- text ----

        // One line of text in `group`; returns how wide it is.
        line(group, x, y, text, {size = SMALL, paint = 'M', bold = false, room = Infinity} = {}) {
            const ruler = bold ? this.bold : this.ruler;
            const limit = room === Infinity ? 1e7 : Math.floor(room * 100);
            const fitted = AF.fitText(ruler, text, size * 100, limit);
            if (fitted === null) {
                return 0;
            }
            group.append(AF.svgNode('text', {
                class: bold ? `${paint} B` : paint, x, y, 'font-size': size === SMALL ? null : size,
            }, fitted));
            return AF.advance(ruler, fitted, size * 100) / 100;
        }

        // Pieces with a separator between them, broken into lines between pieces. Returns the last
        // baseline.
        flow(group, x, y, pieces, {size = FACTS, paint = 'M', separator = DOT, step = 17} = {}) {
            const {margin} = this.geometry;
            const end = this.width - margin;
            let line = '';
            for (const piece of pieces) {
                const longer = line === '' ? piece : line + separator + piece;
                const fits = AF.advance(this.ruler, longer, size * 100) / 100 <= end - x;
                if ((line !== '' || x > margin) && !fits) {
                    this.line(group, x, y, line, {size, paint, room: end - x});
                    line = piece;
                    y += step;
                    x = margin;
                } else {
                    line = longer;
                }
            }
            this.line(group, x, y, line, {size, paint, room: end - x});
            return y;
        }

        rule(group, y) {
            const {margin} = this.geometry;
            group.append(AF.svgNode('rect', {
                class: 'R', x: margin, y, width: Math.max(0, this.width - 2 * margin), height: 1,
            }));
        }

        // ---- head ----

        drawHeader(view) {
            const {margin} = this.geometry;
            const group = this.header;
            group.replaceChildren();
            let y = 33 + this.barRoom;
            this.line(group, margin, y, this.title, {
                size: TITLE, paint: 'I', bold: true,
                room: this.width - 2 * margin - this.toolsWidth,
            });
            y = this.flow(group, margin, y + 21, this.factsFor(view));
            if (this.troubles.length > 0) {
                y = this.flow(group, margin, y + 19, this.troubles, {paint: 'A'});
            }
            y = this.drawLegend(view, group, y + 15);
            this.rule(group, y);
            return y + 1;
        }

        factsFor(view) {
            const words = ['wall time', 'CPU time', 'waiting'];
            return this.facts.map((fact) => fact.replace(/widths show (wall|CPU) time/,
                `widths show ${words[view.state.clock]}`));
        }

        drawLegend(view, group, y) {
            const {margin} = this.geometry;
            const end = this.width - margin;
            let x = margin;
            for (const [paint, text] of this.legend(view)) {
                const advance = AF.advance(this.ruler, text, SMALL * 100) / 100;
                if (x > margin && x + 17 + advance > end) {
                    x = margin;
                    y += 19;
                }
                group.append(AF.svgNode('rect',
                    {class: paint, x: hundredths(x), y, width: 12, height: 12, rx: 2}));
                this.line(group, hundredths(x + 17), y + 10, text,
                    {paint: 'I', room: end - x - 17});
                x += 17 + advance + 22;
            }
            return y + 24;
        }

        legend(view) {
            const sums = new Float64Array(8);
            let total = 0;
            let waiting = 0;
            let hidden = 0;
            for (const panel of view.panels.filter((one) => one.open)) {
                const selfs = panel.selfByCategory(view.state.clock);
                selfs.forEach((self, category) => {
                    sums[category] += self;
                    total += self;
                });
                waiting += view.block.clocks === 3 ? AF.timeOf(panel.thread.tree, 0, AF.WAIT) : 0;
                hidden += panel.layout?.hiddenTime ?? 0;
            }
            const entries = [];
            sums.forEach((sum, category) => {
                if (sum > 0) {
                    entries.push([String.fromCharCode(97 + category) + '2',
                        `${AF.CATEGORIES[category]} ${AF.share(sum, total)}`]);
                }
            });
            if (view.showsWaiting && waiting > 0) {
                entries.push(['ha2', `waiting (wall minus CPU) ${AF.share(waiting, total)}`]);
            }
            if (hidden > 0) {
                entries.push(['N', 'too narrow to draw one by one']);
            }
            return entries;
        }

        // ---- panels ----

        drawPanelHead(view, panel) {
            const {margin} = this.geometry;
            const group = panel.head;
            const {thread} = panel;
            group.replaceChildren();
            const y = 23;
            const toggle = AF.svgNode('g', {
                class: 'toggle', role: 'button', tabindex: '0', 'aria-expanded': String(panel.open),
                'aria-label': `${panel.open ? 'collapse' : 'expand'} ${thread.title}`,
            }, AF.svgNode('rect', {
                class: 'catch', x: 0, y: 4, width: this.width, height: 27,
            }), AF.svgNode('path', {
                class: 'M', d: panel.open ? 'M3 15h9l-4.5 6z' : 'M5 13.5v9l6-4.5z',
            }));
            toggle.afPanel = panel;
            group.append(toggle);
            const name = thread.name === '' ? '(no name)' : thread.name;
            const room = (this.width - 2 * margin) / 2;
            const advance = this.line(group, margin, y, name,
                {size: HEAD, paint: 'I', bold: true, room});
            const last = this.flow(group, hundredths(margin + advance + 8), y,
                this.panelFacts(view, panel));
            panel.headExtra = last - y;
        }

        panelFacts(view, panel) {
            const {thread} = panel;
            const {tree} = thread;
            const clocks = [AF.WALL, AF.CPU, AF.WAIT].filter((clock) =>
                (clock === AF.WAIT ? tree.clocks === 3 : tree.inclusive[clock]));
            const facts = this.staticHeads.get(String(thread.id))?.slice() ?? [
                `thread ${thread.id}`,
                ...clocks.map((clock) =>
                    `${AF.time(AF.timeOf(tree, 0, clock))} ${AF.CLOCK_NAMES[clock]}`),
                ...(thread.leftOut === 0 ? [AF.counted(panel.calls, 'call', 'calls')] : []),
            ];
            if (view.state.view === 'callers') {
                facts.push(panel.hasCallers ? `callers of ${view.methodName}`
                    : `never calls ${view.methodName}`);
            }
            if (thread.leftOut > 0) {
                const leftOut = AF.counted(thread.leftOut, 'frame', 'frames');
                facts.push(`${leftOut} left out of this file`);
            }
            return facts;
        }

        // The mark where rows are left out, and the one where crumbs are folded.
        drawMarks(view, panel) {
            const {margin} = this.geometry;
            const group = panel.mark;
            group.replaceChildren();
            if (!panel.open || panel.layout.rows === 0) {
                this.drawNothing(view, panel, group);
                return;
            }
            const top = panel.graphTop;
            if (panel.rowsLeftOut > 0) {
                this.drawRowsMark(view, panel, group, view.isInverted
                    ? top + panel.rows * this.geometry.row : top - AF.MARK);
            }
            const {fold} = panel.layout;
            if (fold) {
                const text = `${AF.count(fold.nodes)} more callers between`;
                const y = top + panel.rowTop(fold.row);
                const button = this.markButton('fold', text, margin, y, this.width - 2 * margin,
                    this.geometry.frame);
                this.line(button, margin + this.geometry.inset, y + this.geometry.baseline,
                    '\u22ef ' + text);
                button.afPanel = panel;
                group.append(button);
            }
        }

        markButton(kind, text, x, y, width, height) {
            return AF.svgNode('g', {class: `button ${kind}`, role: 'button', tabindex: '0',
                'aria-label': text}, AF.svgNode('rect', {class: 'catch', x, y, width, height}));
        }

        drawRowsMark(view, panel, group, y) {
            const {margin} = this.geometry;
            const {layout, tree} = panel;
            const {frames, starts} = layout;
            const {weight} = panel.measure;
            let time = 0;
            const strips = [];
            const from = starts[panel.rows];
            for (let i = from; i < frames.n && frames.row[i] === panel.rows; i++) {
                const last = frames.last[i];
                for (let node = frames.node[i]; node <= last; node += tree.size[node]) {
                    time += weight[node];
                }
                const strip = strips[strips.length - 1];
                if (strip && frames.x0[i] - strip.x1 <= 1) {
                    strip.x1 = frames.x1[i];
                } else {
                    strips.push({x0: frames.x0[i], x1: frames.x1[i]});
                }
            }
            const text = AF.counted(panel.rowsLeftOut, 'more row', 'more rows') +
                ` ${view.isInverted ? 'below' : 'above'}: ${AF.time(time)} (` +
                `${AF.share(time, panel.measure.weight[0])})`;
            const button = this.markButton('rows', text, margin, y, this.width - 2 * margin,
                AF.MARK);
            button.afPanel = panel;
            const stripTop = view.isInverted ? y + 1 : y + AF.MARK - 4;
            for (const {x0, x1} of strips) {
                button.append(AF.svgNode('rect', {
                    class: 'R', x: hundredths(margin + x0), y: stripTop,
                    width: hundredths(x1 - x0), height: 3,
                }));
            }
            this.line(button, margin, y + (view.isInverted ? 15 : 12), text);
            group.append(button);
        }

        drawNothing(view, panel, group) {
            if (panel.open) {
                const text = view.state.view === 'callers' && !panel.hasCallers
                    ? 'This thread never calls it.'
                    : ['No time passed in this thread\u2019s calls: there is nothing to draw.',
                        'No time passed on this thread\u2019s CPU clock: there is nothing to draw.',
                        'This thread never waited: there is nothing to draw.'][view.state.clock];
                this.line(group, this.geometry.margin, AF.HEAD + panel.headExtra + 12, text);
            }
        }

        // ---- foot ----

        drawFooter(view, top) {
            const {margin} = this.geometry;
            const group = this.footer;
            group.replaceChildren();
            this.rule(group, top + 4);
            let y = top + 5 + 19;
            const closed = view.panels.filter((panel) => !panel.isShown);
            if (closed.length > 0) {
                y = this.drawThreads(view, group, y, closed) + 16;
            }
            y = this.flow(group, margin, y, this.endFacts(view), {size: SMALL, step: 16});
            return y + 16;
        }

        // Threads without a panel; each can be asked for.
        drawThreads(view, group, y, closed) {
            const {margin} = this.geometry;
            const clock = view.block.clocks & 2 ? AF.CPU : AF.WALL;
            const shown = closed.slice(0, 12);
            const gap = AF.advance(this.ruler, ' ', SMALL * 100) / 100;
            let x = margin;
            const add = (text, panel) => {
                const width = AF.advance(this.ruler, text, SMALL * 100) / 100;
                if (x > margin && x + width > this.width - margin) {
                    x = margin;
                    y += 16;
                }
                let to = group;
                if (panel) {
                    to = this.markButton('thread', `show ${panel.thread.title}`, x, y - 12, width,
                        16);
                    to.afPanel = panel;
                    group.append(to);
                } else if (text.startsWith('and ')) {
                    to = this.markButton('more', 'show all threads', x, y - 12, width, 16);
                    group.append(to);
                }
                this.line(to, hundredths(x), y, text, {room: this.width - margin - x});
                x += width + gap;
            };
            add(`${AF.counted(closed.length, 'thread', 'threads')} not drawn (` +
                `${AF.CLOCK_NAMES[clock]} time):`);
            shown.forEach((panel, i) => {
                const name = AF.fitText(this.ruler, panel.thread.title, SMALL * 100, 22000) ??
                    '(no name)';
                add(`${name} ${AF.time(AF.timeOf(panel.thread.tree, 0, clock))}` +
                    (i + 1 < closed.length ? ',' : ''), panel);
            });
            if (closed.length > shown.length) {
                add(`and ${AF.count(closed.length - shown.length)} more`);
            }
            return y;
        }

        endFacts(view) {
            let nodes = 0;
            let time = 0;
            let total = 0;
            let leftOut = 0;
            for (const panel of view.panels) {
                leftOut += panel.thread.leftOut;
                if (panel.open) {
                    nodes += panel.layout.hiddenNodes;
                    time += panel.layout.hiddenTime;
                    total += panel.window.to - panel.window.from;
                }
            }
            const facts = [];
            if (nodes > 0) {
                facts.push(`${AF.counted(nodes, 'frame', 'frames')} too narrow to draw one by one` +
                    `: ${AF.time(time)} (${AF.share(time, total)})`);
            }
            if (leftOut > 0) {
                facts.push(`${AF.counted(leftOut, 'frame', 'frames')} left out of this file`);
            }
            return [...facts, this.program];
        }
    }

    AF.Page = Page;
})();
