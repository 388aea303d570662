// The text around the graphs: title, facts, legend, heads of the panels, footer. Sizes and words
// are those of the static drawing, so that nothing moves when the script takes over.
import {bar, DASHES, DOTS, dotsAlong, floorHundredths, hundredths, outline, put}
    from './elements.js';
import {advanceOf, fitName, fitText} from './label.js';
import {Overview} from './overview.js';
import {HEAD, LEFT_OUT} from './panel_layout.js';
import * as SAY from './say.js';
import {drawScale} from './scale.js';
import * as S from './sizes.js';
import {CPU, hasTimes, timeOf, timesOf, WAIT, WALL} from './tree.js';
import {clockSuffix, countedText, countText, DIM, entryWords, fill, hasClocks, IDLE, isolate,
    selfWords, shareText, span, threadsText, timeText, unitName, UNKNOWN, wording}
    from './words.js';

export class Sheet extends Overview {
    // ---- head ----

    drawHeader(view) {
        return this.redraw(this.header, (group) => this.drawHead(view, group));
    }

    drawHead(view, group) {
        let y = S.TITLE_BASELINE + this.barHeight;
        this.line(group, S.MARGIN, y, this.title, {
            size: S.TITLE, paint: 'I', bold: true, isName: true,
            widthMax: this.width - 2 * S.MARGIN - this.toolsWidth,
        });
        y = view.compare ? view.compare.drawSentences(group, y + S.TITLE_TO_FACTS)
            : this.flow(group, S.MARGIN, y + S.TITLE_TO_FACTS, this.factsFor(view));
        if (this.health.length > 0) {
            y = this.flow(group, S.MARGIN, y + S.FACTS_TO_HEALTH, this.health,
                {paint: 'A', linesMax: S.HEALTH_LINES_MAX});
        }
        y = this.drawLegend(view, group, y + S.FACTS_TO_LEGEND);
        if (!view.isEmpty) {
            this.rule(group, y);
        }
        return this.drawOverview(view, group, this.drawFindings(group, y + 1));
    }

    // The list of findings, if it is open; each line links to its frame.
    drawFindings(group, top) {
        let y = top;
        for (const line of this.isExplaining ? this.findings : []) {
            const [href, ...words] = line.split(' ');
            y = this.flow(href ? put(group, 'a', {href}) : group, S.MARGIN, y + S.FINDINGS_LINE,
                words, {paint: href ? 'I' : 'M', dot: ' ', step: S.FINDINGS_LINE});
        }
        if (y > top) {
            y += S.FINDINGS_BOTTOM;
            this.rule(group, y++);
        }
        return y;
    }

    factsFor(view) {
        const axis = view.state.view === 'chart' ? this.axisFacts : [this.clockFact(view)];
        const facts = this.facts.flatMap((fact) => (fact === '' ? axis : [fact]));
        const part = view.chart?.rangeWords;
        return part ? [...facts, part] : facts;
    }

    clockFact(view) {
        const {clock} = view.state;
        return !hasClocks() ? fill(SAY.WIDTHS, unitName())
            : view.block.clocks === 3 ? fill(SAY.BOTH_CLOCKS, SAY.CLOCK_TIMES[clock])
                : SAY.ONE_CLOCK[clock];
    }

    // The entries of the legend are {text, share, paint, foot, half, texture, height, begins}.
    // Entries without `paint` have no swatch; `begins` starts a new line. If an entry is wider than
    // a line, its text is truncated, but not its share.
    drawLegend(view, group, y) {
        if (view.compare) {
            return this.drawLines(group, y, view.compare.legend()) + S.SWATCH + S.LEGEND_BOTTOM;
        }
        const {base, parts, dims, keys} = this.legend(view);
        if (base) {
            const width = this.width - 2 * S.MARGIN;
            const narrow = this.positionParts(parts, width);
            y = this.drawLines(group, y, [base, ...narrow, ...dims]) + S.LEGEND_LINE;
            parts.forEach((part) => this.drawPart(group, part, y));
            y += keys.length > 0 ? S.LEGEND_BAR : S.FRAME - S.SWATCH;
        }
        return this.drawLines(group, y, keys) + S.SWATCH + S.LEGEND_BOTTOM;
    }

    // Positions the parts of the bar of categories. Returns those that have no room for their text.
    positionParts(parts, width) {
        const total = parts.reduce((sum, {time}) => sum + time, 0);
        let before = 0;
        for (const part of parts) {
            part.x0 = floorHundredths(width * before / total);
            before += part.time;
            part.x1 = floorHundredths(width * before / total);
            const text = part.share ? `${part.text} ${part.share}` : part.text;
            part.label = this.advance(text) <= part.x1 - part.x0 - S.GAP - 2 * S.INSET + 1e-6
                ? text : null;
        }
        return parts.filter(({label}) => label === null);
    }

    drawPart(group, {paint, texture, x0, x1, label}, y) {
        const x = S.MARGIN + x0;
        const width = x1 - x0 - Math.min(S.GAP, (x1 - x0) / 6);
        if (width > 0) {
            bar(group, x, y, width, S.FRAME, paint);
        }
        if (texture && width >= S.TEXTURE_MIN) {
            this.drawDots(group, x, y, width);
        }
        if (label !== null) {
            this.line(group, hundredths(x + S.INSET), y + S.BASELINE, label, {paint: 'L'});
        }
    }

    // Along the top of an idle part.
    drawDots(group, x, y, width) {
        put(group, 'path', {class: 'tQ', ...DOTS, d: dotsAlong(x, y, width)});
    }

    // Returns the top of the last line.
    drawLines(group, top, entries) {
        const widthOf = (text) => advanceOf(this.ruler, text, S.SMALL * 100);
        const shortened = entries.map((entry) => {
            const {text, share, paint} = entry;
            const after = share ? ` ${share}` : '';
            const widthMax = Math.floor((this.width - 2 * S.MARGIN -
                (paint ? S.SWATCH_TO_TEXT : 0)) * 100) - widthOf(after);
            const fitted = share && widthOf(text) > widthMax
                ? fitText(this.ruler, text, S.SMALL * 100, widthMax) : null;
            return {...entry, text: (fitted ?? text) + after};
        });
        return this.drawEntries(group, S.MARGIN, top + S.SWATCH_BASELINE, shortened,
            {step: S.LEGEND_LINE, drawSwatch: (entry, x, y) =>
                this.drawSwatch(group, hundredths(x), y - S.SWATCH_BASELINE, entry)}) -
            S.SWATCH_BASELINE;
    }

    drawSwatch(group, x, y, {paint, foot, half, texture, height}) {
        if (height) { // the swatch of a state of the scheduler
            bar(group, x, y + (S.SWATCH + S.RUN_RUNNING) / 2 - height, S.SWATCH, height, paint);
            return;
        }
        put(group, 'rect', {class: paint, x, y, width: S.SWATCH,
            height: S.SWATCH, rx: half ? null : S.SWATCH_RADIUS});
        if (half) {
            bar(group, x + S.SWATCH / 2, y, S.SWATCH / 2, S.SWATCH, half);
        }
        if (texture === 'dots') {
            this.drawDots(group, x, y, S.SWATCH);
        } else if (texture === 'dashes') {
            put(group, 'rect', {class: 'tM', ...DASHES, x: x + S.DASHES / 2, y: y + S.DASHES / 2,
                width: S.SWATCH - S.DASHES, height: S.SWATCH - S.DASHES});
        }
        if (foot) {
            bar(group, x, y + S.SWATCH - S.FOOT, S.SWATCH / 2, S.FOOT, 'C');
        }
    }

    // "Share of self wall time, 8 of 18 threads drawn:"
    baseOfShares(view) {
        const what = selfWords(view.state.clock);
        const n = view.panels.length + view.block.lacking;
        return n < 2 ? fill(SAY.SHARE, what)
            : fill(SAY.SHARE_OF, what, countText(view.open.length), threadsText(n));
    }

    // Categories have a fixed order. Colours with other meanings are sorted by their share, the
    // largest first; the colour of the remaining frames is the last one.
    orderHues(view, sums) {
        const hues = SAY.CATEGORIES.map((_, hue) => hue);
        const rank = (hue) => (hue === UNKNOWN ? -1 : sums[hue]);
        return this.hueTitles.size > 0 && !view.showsReasons
            ? hues.sort((a, b) => rank(b) - rank(a)) : hues;
    }

    // The entries of the legend: {base, parts, dims, keys}; `parts` are those of the bar of
    // categories, `keys` those below it.
    legend(view) {
        const sums = new Float64Array(LEFT_OUT + 1);
        let total = 0;
        const drawn = new Set(); // colours of frames with inclusive time
        const hasFrames = view.state.view !== 'chart' || view.block.chart.calls > 0;
        const panels = hasFrames ? view.open : [];
        for (const panel of panels) {
            const selfs = panel.selfByCategory(view.state.clock, view.showsReasons);
            selfs.hues.forEach((hue) => drawn.add(hue));
            selfs.sums.forEach((self, category) => {
                sums[category] += self;
                total += category < SAY.CATEGORIES.length || category === LEFT_OUT ? self : 0;
            });
        }
        const keys = this.legendKeys(view, panels, this.sampleOf(sums, drawn));
        if (total === 0) {
            return {base: null, parts: [], dims: [], keys};
        }
        const shareOf = (time) => (time > 0 ? shareText(time, total) : null);
        const parts = this.orderHues(view, sums).filter((hue) => drawn.has(hue)).map((hue) => ({
            paint: String.fromCharCode(97 + hue) + '2', texture: hue === IDLE ? 'dots' : '',
            text: view.titleOfHue(hue), share: shareOf(sums[hue]), time: sums[hue],
        }));
        if (sums[LEFT_OUT] > 0) {
            parts.push({paint: 'N', texture: '', text: SAY.OMITTED,
                share: shareOf(sums[LEFT_OUT]), time: sums[LEFT_OUT]});
        }
        const dim = sums.subarray(SAY.CATEGORIES.length, LEFT_OUT);
        const dimmed = dim.reduce((sum, time) => sum + time, 0);
        const most = dim.indexOf(Math.max(...dim));
        return {base: {text: this.baseOfShares(view)}, parts, keys,
            dims: dimmed > 0 ? [{paint: String.fromCharCode(97 + most) + DIM,
                text: `${SAY.DIMMED} ${shareText(dimmed, total)}`}] : []};
    }

    // The paint of the samples of waiting: that of the app; without an app, that of the
    // category with the most time.
    sampleOf(sums, drawn) {
        const most = SAY.CATEGORIES.reduce(
            (best, _, hue) => (sums[hue] > sums[best] ? hue : best), 0);
        return `${String.fromCharCode(97 + (drawn.has(0) ? 0 : most))}2`;
    }

    // What hatching, bars at the feet of frames and blocks mean. `sample` is their paint.
    legendKeys(view, panels, sample) {
        const entries = [];
        const isChart = view.state.view === 'chart';
        if (view.showsWaiting && panels.some(({base}) => timeOf(base, 0, WAIT) > 0)) {
            entries.push({paint: `h${sample}`, text: SAY.WAITS});
            if (!isChart) {
                entries.push({paint: sample, foot: true, text: SAY.FOOT});
            }
        }
        if (view.showsGreys) {
            entries.push({paint: 'R', text: SAY.GREYS});
        }
        if (isChart && view.open.some(({thread}) => thread.states?.length > 0)) {
            entries.push(...view.chart.runs.legend);
        }
        // in a chart the entry stays, because its coming and going would move all tracks
        const isHiding = panels.some(({layout}) => (layout?.hiddenTime ?? 0) > 0);
        this.hasBlockEntry = isHiding || (this.hasBlockEntry && isChart);
        if (this.hasBlockEntry) {
            entries.push({paint: 'N', texture: 'dashes',
                text: isChart ? SAY.TOO_SHORT : SAY.TOO_NARROW});
        }
        return entries;
    }

    // ---- panels ----

    drawPanelHead(view, panel, group) {
        const {thread} = panel;
        const y = S.HEAD_BASELINE;
        const toggle = put(group, 'g', {
            class: 'toggle', role: 'button', tabindex: '0', 'aria-expanded': String(panel.open),
            'aria-label': `${panel.open ? 'collapse' : 'expand'} ${thread.title}`,
            'data-panel': panel.number,
        });
        put(toggle, 'rect', {class: 'catch', x: 0, y: 4, width: this.width, height: 27});
        put(toggle, 'path', {
            class: 'M', d: panel.open ? 'M3 15h9l-4.5 6z' : 'M5 13.5v9l6-4.5z',
        });
        const name = thread.name === '' ? SAY.NO_NAME : thread.name;
        const widthMax = (this.width - 2 * S.MARGIN) / 2;
        const advance = this.line(toggle, S.MARGIN, y, name,
            {size: S.HEAD_FACE, paint: 'I', bold: true, widthMax, isName: true});
        const share = this.shareOf(view, panel);
        const last = this.flow(toggle, hundredths(S.MARGIN + advance + S.NAME_TO_FACTS), y,
            [...(share ? [share] : []), ...this.listPanelFacts(view, panel)]);
        panel.headExtra = last - y;
        panel.headExtra += view.compare?.drawWhole(panel, group, HEAD + panel.headExtra) ?? 0;
        if (!panel.isEmpty && panel.scaleHeight > 0) {
            drawScale(this, panel, group, HEAD + panel.headExtra);
        }
    }

    listPanelFacts(view, panel) {
        const {thread} = panel;
        const tree = panel.base;
        if (view.compare) {
            return [...view.compare.factsOfThread(panel), ...this.factsOfSandwich(view, panel)];
        }
        const clocks = [WALL, CPU, WAIT].filter((clock) => hasTimes(tree, clock));
        const drawn = view.state.range ? null : this.panelFacts.get(thread.title);
        const facts = [...(drawn ?? [
            fill(SAY.THREAD, thread.id),
            ...clocks.map((clock) => timeText(timeOf(tree, 0, clock)) + clockSuffix(clock)),
            ...(thread.leftOut === 0 && thread.countsCalls
                ? [countedText(tree.calls.reduce((sum, n) => sum + n, 0), SAY.CALLS)] : []),
        ])];
        const highlight = view.chart?.highlightFact(panel);
        if (highlight) {
            facts.push(highlight);
        }
        facts.push(...this.factsOfSandwich(view, panel));
        if (thread.leftOut > 0 && tree === thread.tree && view.state.method < 0 &&
            view.state.view !== 'chart') {
            facts.push(`${countedText(thread.leftOut, SAY.FRAMES)} ${SAY.OMITTED}`);
        }
        return facts;
    }

    factsOfSandwich({state, methodName}, {hasMethod, tree, base}) {
        if (state.view !== 'sandwich') {
            return [];
        }
        const name = isolate(methodName);
        const time = hasMethod ? timeOf(tree, 1, state.clock) : 0;
        return [hasMethod ? fill(SAY.SANDWICH, name, timeText(time),
            shareText(time, timeOf(base, 0, state.clock)), wording.threadWord)
            : fill(SAY.NEVER_CALLS, name)];
    }

    // Draws buttons that show omitted rows and folded callers.
    drawButtons(view, panel, group) {
        if (!panel.open || panel.layout.rows === 0) {
            if (panel.open && !panel.isQuiet && !panel.isEmpty) {
                this.line(group, S.MARGIN, HEAD + panel.headExtra + S.NOTHING,
                    this.whyNothing(view, panel), {widthMax: this.width - 2 * S.MARGIN});
            }
            return;
        }
        const top = panel.graphTop;
        const beyond = view.isInverted ? top + panel.slots * S.ROW
            : top + panel.rowTop(panel.rows - 1) - S.MORE_ROWS;
        if (panel.moreCallersHeight > 0) {
            this.drawRows(panel, group, top - S.MORE_ROWS, false, fill(SAY.MORE_CALLERS,
                countedText(panel.layout.rowsAbove, SAY.ROWS)));
        }
        if (panel.rowsLeftOut > 0) {
            this.drawMoreRows(view, panel, group, beyond);
        } else if (panel.rowsToFold > 0) {
            this.drawRows(panel, group, beyond, view.isInverted, fill(SAY.FEWER_ROWS,
                countedText(panel.rowsToFold, SAY.ROWS_PLAIN)));
        }
        const {fold} = panel.layout;
        if (fold) {
            const text = `${countText(fold.nodes)} more callers in between`;
            const y = top + panel.rowTop(fold.row);
            const button = this.newButton(group, panel, 'fold', text, S.MARGIN, y,
                this.width - 2 * S.MARGIN, S.FRAME);
            this.line(button, S.MARGIN + S.INSET, y + S.BASELINE, '\u2026 ' + text);
        }
    }

    newButton(group, panel, kind, text, x, y, width, height) {
        const button = put(group, 'g', {class: `button ${kind}`, role: 'button',
            tabindex: '0', 'aria-label': text, 'data-panel': panel?.number});
        put(button, 'rect', {class: 'catch', x, y, width, height});
        return button;
    }

    // The button of rows, above or below the frames.
    drawRows(panel, group, y, isBelow, text) {
        const button = this.newButton(group, panel, 'rows', text, S.MARGIN, y,
            this.width - 2 * S.MARGIN, S.MORE_ROWS);
        this.line(button, S.MARGIN, y + (isBelow ? S.MORE_ROWS_BASELINE_BELOW
            : S.MORE_ROWS_BASELINE_ABOVE), text);
        return button;
    }

    drawMoreRows(view, panel, group, y) {
        const {layout, tree} = panel;
        const {frames, starts} = layout;
        const {clock} = view.state;
        // the width of a frame in a chart is a duration, not an amount of samples
        const times = timesOf(tree, clock) ?? panel.measure.weight;
        let time = 0;
        const strips = [];
        const from = starts[panel.rows];
        for (let i = from; i < frames.n && frames.row[i] === panel.rows; i++) {
            const last = frames.last[i];
            for (let node = frames.node[i]; node <= last; node += tree.size[node]) {
                time += times[node];
            }
            const strip = strips[strips.length - 1];
            if (strip && frames.x0[i] - strip.x1 <= 1) {
                strip.x1 = frames.x1[i];
            } else {
                strips.push({x0: frames.x0[i], x1: frames.x1[i]});
            }
        }
        const text = view.compare?.describeRows(panel) ??
            fill(view.isInverted ? SAY.ROWS_BELOW : SAY.ROWS_ABOVE,
                countedText(panel.rowsLeftOut, SAY.ROWS), timeText(time),
                shareText(time, timeOf(panel.base, 0, clock)));
        const button = this.drawRows(panel, group, y, view.isInverted, text);
        const stripTop = view.isInverted ? y + 1 : y + S.MORE_ROWS - S.MORE_ROWS_STRIP - 1;
        put(button, 'path', {class: 'R', d: strips.map(({x0, x1}) =>
            outline(hundredths(S.MARGIN + x0), stripTop, hundredths(x1 - x0), S.MORE_ROWS_STRIP))
            .join('')});
    }

    whyNothing(view, panel) {
        const {clock} = view.state;
        if (view.compare) {
            return SAY.DIFF_NOTHING;
        }
        if (!hasClocks()) {
            return SAY.NO_SAMPLES;
        }
        if (!hasTimes(panel.base, clock)) {
            return fill(SAY.NO_TIMES, SAY.CLOCKS[clock === WALL ? WALL : CPU]);
        }
        const has = timeOf(panel.base, 0, clock) > 0;
        return panel.zoom > 0 && has ? fill(SAY.NOTHING_ZOOMED[clock],
            isolate(view.labels.text[panel.tree.label[panel.zoom]] ?? ''))
            : panel.tree.turn && has
                ? fill(SAY.NOTHING_METHOD[clock], isolate(view.methodName))
                : SAY.NOTHING[clock];
    }

    // ---- foot ----

    drawFooter(view, top, group) {
        this.rule(group, top + S.FOOT_TOP);
        let y = top + S.FOOT_TOP + 1 + S.FOOT_BASELINE;
        const closed = view.panels.filter((panel) => !panel.isShown &&
            !(this.isReshaped && panel.thread.tree.n === 1));
        for (const [words, panels] of this.isChosen ? [] : this.sortClosed(view, closed)) {
            if (panels.length > 0) {
                y = this.drawThreads(view, group, y, words, panels) + S.FOOT_LINE;
            }
        }
        y = this.flow(group, S.MARGIN, y, this.endFacts(view), {size: S.SMALL, step: S.FOOT_LINE});
        return y + S.FOOT_BOTTOM;
    }

    // Threads without a panel, in groups: [the sentence that counts them, their panels].
    sortClosed(view, closed) {
        return view.compare?.sortClosed(closed) ?? [[!hasClocks() ? SAY.NOT_DRAWN
            : fill(view.busy.idle > 0 ? SAY.NOT_DRAWN_BUSY : SAY.NOT_DRAWN_BY, '%s',
                SAY.CLOCK_NAMES[view.state.clock]), closed]];
    }

    // Lists threads without a panel, with a button for each.
    drawThreads(view, group, y, words, closed) {
        const {clock} = view.state;
        const named = closed.slice(0, S.NAMED_THREADS);
        const entries = [{text: fill(words, threadsText(closed.length))}];
        named.forEach((panel, i) => {
            const {title} = panel.thread;
            const name = fitName(this.ruler, title, S.SMALL * 100, S.NAME_WIDTH_MAX * 100);
            const shown = isolate(name ?? SAY.NO_NAME);
            const time = view.compare ? view.compare.changeOf(panel)
                : !hasTimes(panel.base, clock) ? null
                : timeText(view.busy.total > 0 ? panel.busy.time
                    : timeOf(panel.base, 0, clock));
            entries.push({text: (time === null ? shown : fill(SAY.THREAD_TIME, shown, time)) +
                (i + 1 < closed.length ? ',' : ''), kind: 'thread', label: `show ${title}`, panel});
        });
        if (closed.length > named.length) {
            entries.push({text: fill(SAY.AND_MORE, countText(closed.length - named.length)),
                kind: 'more', label: 'show all threads'});
        }
        const groupOf = ({text, kind, label, panel}, x, baseline) => (kind
            ? this.newButton(group, panel, kind, label, x, baseline - 12, this.advance(text),
                S.FOOT_LINE) : group);
        return this.drawEntries(group, S.MARGIN, y, entries,
            {step: S.FOOT_LINE, gap: this.advance(' '), groupOf});
    }

    endFacts(view) {
        const isPart = view.state.view === 'chart' || view.state.range;
        const hidden = this.hiddenFact(view);
        return [...(hidden ? [hidden] : []), ...this.accounts,
            ...(isPart ? this.chartOmissions : this.graphOmissions), this.program];
    }

    // Reports frames that are too narrow to draw; null if there are none.
    hiddenFact(view) {
        const {open} = view;
        const sum = (amount) => open.reduce((all, panel) => all + amount(panel), 0);
        const nodes = sum(({layout}) => layout.hiddenNodes);
        if (nodes === 0) {
            return null;
        }
        const time = sum(({layout}) => layout.hiddenTime);
        if (view.state.view !== 'chart') {
            // as of the frames: in a sandwich, of the threads
            const share = shareText(time, sum(({window: {from, to}, base}) =>
                (view.state.view === 'sandwich' ? timeOf(base, 0, view.state.clock) : to - from)));
            return fill(SAY.HIDDEN_FRAMES, countedText(nodes, SAY.FRAMES), timeText(time), share);
        }
        return view.block.chart.isSampled
            ? fill(SAY.HIDDEN_SAMPLES, countedText(nodes, SAY.SAMPLES), span(time))
            : fill(SAY.HIDDEN_CALLS, countedText(nodes,
                entryWords(open.map(({thread}) => thread))), span(time));
    }
}
