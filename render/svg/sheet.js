// What stands around the graphs: title, facts, legend, heads of the panels, footer. Everything is
// placed as render/ places it, so that nothing jumps when the script takes over.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});
    const {SMALL, hundredths} = AF;

    const HEAD = 13.5;
    const TITLE = 19;
    const THREADS_MAX = 12; // named one by one in the footer

    const MARKED = / marked: \S+ \S+$/; // what --mark adds to a panel's head

    class Sheet extends AF.Page {
        // ---- head ----

        drawHeader(view) {
            const {margin} = this.geometry;
            const group = this.header;
            group.replaceChildren();
            let y = 33 + this.barHeight;
            this.line(group, margin, y, this.title, {
                size: TITLE, paint: 'I', bold: true,
                widthMax: this.width - 2 * margin - this.toolsWidth,
            });
            y = this.flow(group, margin, y + 21, this.factsFor(view));
            if (this.troubles.length > 0) {
                y = this.flow(group, margin, y + 19, this.troubles, {paint: 'A'});
            }
            y = this.drawLegend(view, group, y + 15);
            this.rule(group, y);
            return view.chart ? view.chart.drawRuler(y + 1) : y + 1;
        }

        factsFor(view) {
            const words = ['wall time', 'CPU time', 'waiting (wall minus CPU)'];
            const isGraph = view.state.view !== 'chart';
            const amount = AF.hasClocks() ? words[view.state.clock] : AF.unit.name || 'time';
            const own = this.facts.filter((fact) =>
                !(isGraph && fact.startsWith('each sample lasts')));
            const facts = own.map((fact) => (isGraph && fact.startsWith('in order of time')
                ? `widths show ${amount}`
                : fact.replace(/(, widths show ).*/, `$1${words[view.state.clock]}`)));
            const part = view.chart?.rangeWords;
            return part ? [...facts, part] : facts;
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
                    {paint: 'I', widthMax: end - x - 17});
                x += 17 + advance + 22;
            }
            return y + 24;
        }

        legend(view) {
            const sums = new Float64Array(AF.CATEGORIES.length * 2);
            let total = 0;
            let waiting = 0;
            let clocked = 0; // of those that have both clocks
            let hidden = 0;
            for (const panel of view.panels.filter((one) => one.open)) {
                const selfs = panel.selfByCategory(view.state.clock);
                const hasBoth = AF.hasTimes(panel.base, AF.WAIT);
                selfs.forEach((self, category) => {
                    sums[category] += self;
                    total += category < AF.CATEGORIES.length ? self : 0;
                    clocked += category < AF.CATEGORIES.length && hasBoth ? self : 0;
                });
                waiting += AF.timeOf(panel.base, 0, AF.WAIT);
                hidden += panel.layout?.hiddenTime ?? 0;
            }
            const entries = [];
            sums.subarray(0, AF.CATEGORIES.length).forEach((sum, category) => {
                if (sum > 0) {
                    entries.push([String.fromCharCode(97 + category) + '2',
                        `${AF.CATEGORIES[category]} ${AF.share(sum, total)}`]);
                }
            });
            const dim = sums.subarray(AF.CATEGORIES.length);
            const dimmed = dim.reduce((sum, time) => sum + time, 0);
            if (dimmed > 0) {
                const most = dim.indexOf(Math.max(...dim));
                entries.push([String.fromCharCode(97 + most) + AF.DIM,
                    `dimmed: coroutine machinery ${AF.share(dimmed, total)}`]);
            }
            if (view.showsWaiting && waiting > 0) {
                entries.push(['ha2', `waiting (wall minus CPU) ${AF.share(waiting, clocked)}`]);
            }
            // words that came and went would move all tracks of a chart up and down
            this.hasBlockEntry = hidden > 0 || (this.hasBlockEntry && view.state.view === 'chart');
            if (this.hasBlockEntry) {
                entries.push(['N', view.state.view === 'chart' ? 'too short to draw one by one'
                    : 'too narrow to draw one by one']);
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
            const widthMax = (this.width - 2 * margin) / 2;
            const advance = this.line(toggle, margin, y, name,
                {size: HEAD, paint: 'I', bold: true, widthMax});
            const last = this.flow(toggle, hundredths(margin + advance + 8), y,
                this.panelFacts(view, panel));
            panel.headExtra = last - y;
        }

        panelFacts(view, panel) {
            const {thread} = panel;
            const tree = panel.base;
            const clocks = [AF.WALL, AF.CPU, AF.WAIT].filter((clock) => AF.hasTimes(tree, clock));
            const fixed = view.state.range ? null : this.staticHeads.get(thread.title);
            const highlights = view.chart?.highlightFact(panel) ?? null;
            const facts = fixed?.filter((fact) => highlights === null || !MARKED.test(fact)) ?? [
                `thread ${thread.id}`,
                ...clocks.map((clock) =>
                                  AF.time(AF.timeOf(tree, 0, clock)) + AF.clockSuffix(clock)),
                ...(thread.leftOut === 0 && thread.countsCalls
                        ? [ AF.counted(panel.calls, 'call', 'calls') ]
                        : []),
            ];
            if (highlights) {
                facts.push(highlights);
            }
            if (view.state.view === 'callers') {
                facts.push(panel.hasCallers ? `callers of ${AF.isolate(view.methodName)}`
                    : `never calls ${AF.isolate(view.methodName)}`);
            }
            if (thread.leftOut > 0 && panel.tree === thread.tree) {
                const leftOut = AF.counted(thread.leftOut, 'frame', 'frames');
                facts.push(`${leftOut} left out of this file`);
            }
            return facts;
        }

        // The mark where rows are left out, and the one where crumbs are folded.
        drawButtons(view, panel) {
            const {margin} = this.geometry;
            const group = panel.buttons;
            group.replaceChildren();
            if (!panel.open || panel.layout.rows === 0) {
                if (panel.open && !panel.isQuiet) {
                    this.drawNothing(view, panel, group);
                }
                return;
            }
            const top = panel.graphTop;
            if (panel.rowsLeftOut > 0) {
                this.drawMoreRows(view, panel, group, view.isInverted
                    ? top + panel.slots * this.geometry.row
                    : top + panel.rowTop(panel.rows - 1) - AF.MORE_ROWS);
            }
            const {fold} = panel.layout;
            if (fold) {
                const text = `${AF.count(fold.nodes)} more callers between`;
                const y = top + panel.rowTop(fold.row);
                const button = this.newButton('fold', text, margin, y, this.width - 2 * margin,
                    this.geometry.frame);
                this.line(button, margin + this.geometry.inset, y + this.geometry.baseline,
                    '\u2026 ' + text);
                button.afPanel = panel;
                group.append(button);
            }
        }

        newButton(kind, text, x, y, width, height) {
            return AF.svgNode('g', {class: `button ${kind}`, role: 'button', tabindex: '0',
                'aria-label': text}, AF.svgNode('rect', {class: 'catch', x, y, width, height}));
        }

        drawMoreRows(view, panel, group, y) {
            const {margin} = this.geometry;
            const {layout, tree} = panel;
            const {frames, starts} = layout;
            const weight = panel.tree.isSampled ? AF.timesOf(panel.tree, view.state.clock)
                : panel.measure.weight;
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
                `${AF.share(time, weight[0])})`;
            const button = this.newButton('rows', text, margin, y, this.width - 2 * margin,
                AF.MORE_ROWS);
            button.afPanel = panel;
            const stripTop = view.isInverted ? y + 1 : y + AF.MORE_ROWS - 4;
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
            if (panel.open && !panel.isEmpty) {
                const {clock} = view.state;
                const why = !AF.hasClocks() ? 'Nothing was seen in this thread'
                    : !AF.hasTimes(panel.base, clock)
                    ? `This thread has no ${clock === AF.WALL ? 'wall' : 'CPU'} times` : [
                    'No time passed in this thread\u2019s calls',
                    'No time passed on this thread\u2019s CPU clock', 'This thread never waited'
                ][clock];
                this.line(group, this.geometry.margin, AF.HEAD + panel.headExtra + 12,
                    `${why}: there is nothing to draw.`);
            }
        }

        // ---- foot ----

        drawFooter(view, top) {
            const {margin} = this.geometry;
            const group = this.footer;
            group.replaceChildren();
            this.rule(group, top + 4);
            let y = top + 5 + 19;
            const closed = view.panels.filter((panel) => !panel.isShown &&
                !(this.isReshaped && panel.thread.tree.n === 1));
            if (closed.length > 0) {
                y = this.drawThreads(view, group, y, closed) + 16;
            }
            y = this.flow(group, margin, y, this.endFacts(view), {size: SMALL, step: 16});
            return y + 16;
        }

        // Threads without a panel; each can be asked for.
        drawThreads(view, group, y, closed) {
            const {margin} = this.geometry;
            const clock = view.block.busyClock;
            const shown = closed.slice(0, THREADS_MAX);
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
                    to = this.newButton('thread', `show ${panel.thread.title}`, x, y - 12, width,
                        16);
                    to.afPanel = panel;
                    group.append(to);
                } else if (text.startsWith('and ')) {
                    to = this.newButton('more', 'show all threads', x, y - 12, width, 16);
                    group.append(to);
                }
                this.line(to, hundredths(x), y, text, {widthMax: this.width - margin - x});
                x += width + gap;
            };
            add(`${AF.counted(closed.length, 'thread', 'threads')} not drawn` +
                (AF.hasClocks() ? ` (${AF.clockSuffix(clock).trim()} time):` : ':'));
            shown.forEach((panel, i) => {
                const fitted = AF.fitText(this.ruler, panel.thread.title, SMALL * 100, 22000);
                const name = AF.isolate(fitted ?? '(no name)');
                add(`${name} ${AF.time(AF.timeOf(panel.thread.tree, 0, clock))}` +
                    (i + 1 < closed.length ? ',' : ''), panel);
            });
            if (closed.length > shown.length) {
                add(`and ${AF.count(closed.length - shown.length)} more`);
            }
            return y;
        }

        endFacts(view) {
            const isChart = view.state.view === 'chart';
            let nodes = 0;
            let time = 0;
            let total = 0;
            let leftOut = 0;
            for (const panel of view.panels) {
                leftOut += isChart || view.state.range ? 0 : panel.thread.leftOut;
                if (panel.open) {
                    nodes += panel.layout.hiddenNodes;
                    time += panel.layout.hiddenTime;
                    total += panel.window.to - panel.window.from;
                }
            }
            const facts = [];
            if (nodes > 0) {
                const {isSampled} = view.block.chart ?? {};
                const open = view.open.map(({thread}) => thread);
                const what = isChart && isSampled
                    ? AF.counted(nodes, 'sample', 'samples') + ' in stretches too short'
                    : isChart ? AF.counted(nodes, ...AF.entryWords(open)) + ' too short'
                    : AF.counted(nodes, 'frame', 'frames') + ' too narrow';
                facts.push(`${what} to draw one by one: ` + (isChart ? AF.span(time)
                    : `${AF.time(time)} (${AF.share(time, total)})`));
            }
            if (view.chart?.joinedWords && (isChart || view.state.range)) {
                facts.push(view.chart.joinedWords);
            }
            if (isChart && view.chart.markers) {
                facts.push(...view.chart.markers.words);
            }
            facts.push(...this.accounts);
            if (leftOut > 0) {
                facts.push(`${AF.counted(leftOut, 'frame', 'frames')} left out of this file`);
            }
            return [...facts, this.program];
        }
    }

    AF.Sheet = Sheet;
})();
