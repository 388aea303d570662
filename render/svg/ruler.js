// What a chart has around its calls: the ruler, which stays in sight, the lines from it through the
// tracks, when threads ran, where records end, brackets over marked calls, the range that is
// selected. As render/ruler.c and render/track.c draw them.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});
    const {svgNode, hundredths} = AF;

    const TICK_STEP_MIN = 84;
    const TICK = 5;
    const WORDS = 16;
    const BRACKET = 6;
    const STROKE = 1.5;
    const TRACKS_WITH_LINES = 300;

    AF.RULER = 20;
    AF.BRACKETS = 9;

    // 1, 2 or 5 times a power of ten: the least for which ticks have room.
    AF.tickStep = (length, width) => {
        let step = 1;
        for (let i = 0; step * width < length * TICK_STEP_MIN; i++) {
            step = i % 3 === 1 ? step / 2 * 5 : step * 2;
        }
        return step;
    };

    class Ruler {
        constructor(page, chart) {
            this.page = page;
            this.chart = chart;
            this.element = svgNode('g', {id: 'ruler', class: 'ruler'});
            this.selected = svgNode('rect', {class: 'range', 'aria-hidden': 'true'});
            this.markers = null; // an AF.Markers if there is anything
        }

        // ---- times and places ----

        setWindow({from, to}, width, tracks) {
            this.hasLines = tracks <= TRACKS_WITH_LINES;
            this.from = from;
            this.to = to;
            this.width = width;
        }

        // Rounded down to hundredths, as in the drawing.
        xOf(time) {
            const length = this.to - this.from;
            const x = length > 0 ? (time - this.from) / length * this.width : 0;
            return Math.floor(x * 100 + 1e-6) / 100;
        }

        timeAt(x) {
            const within = Math.min(this.width, Math.max(0, x));
            return this.from + within / this.width * (this.to - this.from);
        }

        // {x, since} of each tick, since the trace began.
        get ticks() {
            const zero = this.chart.from;
            const step = AF.tickStep(this.to - this.from, this.width);
            const ticks = [];
            for (let tick = Math.ceil((zero + this.from) / step); tick * step <= zero + this.to;
                tick++) {
                ticks.push({x: this.xOf(tick * step - zero), since: tick * step});
            }
            return ticks;
        }

        get lostAt() {
            const {lost, recorded} = this.chart;
            const isVisible = lost && recorded >= this.from && recorded < this.to;
            return isVisible ? this.xOf(recorded) : null;
        }

        // ---- the ruler ----

        get height() {
            return 2 + (this.chart.lost ? WORDS : 0) + AF.RULER + this.dotsHeight + 1;
        }

        // Of instants that belong to no thread.
        get dotsHeight() {
            return this.chart.markers?.instants.length > 0 ? AF.DOTS : 0;
        }

        draw(y) {
            const {page, element, chart} = this;
            const {margin} = page.geometry;
            this.y = y;
            this.back = svgNode('rect', {class: 'P', x: 0, width: page.width});
            element.replaceChildren(this.back);
            let top = 2;
            if (chart.lost) {
                top += WORDS;
                const end = AF.exact(chart.from + chart.recorded);
                page.line(element, margin, top - 3,
                    `${chart.lost}: nothing was recorded after ${end}`,
                    {paint: 'A', widthMax: page.width - 2 * margin});
            }
            for (const {x, since} of this.ticks) {
                const at = margin + x;
                const widthMax = page.width - margin - at - 3;
                this.bar(element, Math.min(at, page.width - margin - 1), top + AF.RULER - TICK, 0.5,
                    TICK, 'R');
                if (widthMax > TICK_STEP_MIN / 2) {
                    page.line(element, hundredths(at + 3), top + AF.RULER - 6, AF.exact(since),
                        {widthMax});
                }
            }
            if (this.lostAt !== null) {
                this.bar(element, margin + this.lostAt, top, 1, AF.RULER, 'A');
            }
            if (this.dotsHeight > 0) {
                this.markers.drawDots(element, this.chart.markers.instants, margin,
                    top + AF.RULER);
            }
            page.rule(element, top + AF.RULER + this.dotsHeight);
            this.stay();
        }

        // On the screen however far the page is scrolled, below the tools.
        stay() {
            const {scrollTop, toolsHeight} = this.page;
            const at = Math.max(this.y, scrollTop + toolsHeight);
            this.at = at;
            const above = at > this.y ? toolsHeight : 0;
            this.element.setAttribute('transform', `translate(0 ${hundredths(at)})`);
            this.back.setAttribute('y', -above);
            this.back.setAttribute('height', this.height + above);
        }

        bar(group, x, y, width, height, paint) {
            group.append(svgNode('rect', {
                class: paint, x: hundredths(x), y, width: hundredths(width), height,
            }));
        }

        // ---- tracks ----

        drawLines(group, height) {
            for (const {x} of this.ticks) {
                this.bar(group, Math.min(x, this.width - 1), 0, 0.5, height, 'R');
            }
        }

        // Behind the calls of a panel; `over` is before them.
        drawTrack(panel) {
            const {ground, over} = panel;
            const {frame} = this.page.geometry;
            const height = panel.slots * this.page.geometry.row;
            const {first, last} = panel.tree.life;
            ground.replaceChildren();
            over.replaceChildren();
            if (this.hasLines) {
                this.drawLines(ground, height);
            }
            const x0 = Math.max(0, this.xOf(first));
            const x1 = Math.min(this.width, this.xOf(last));
            if (x1 > x0) {
                this.bar(ground, x0, frame / 2, x1 - x0, 1, 'R');
            }
            if (this.lostAt !== null) {
                this.bar(over, this.lostAt, 0, 1, height, 'A');
                const at = this.lostAt + 4;
                this.page.line(over, at, 12.6, 'not recorded', {widthMax: this.width - at});
            }
            this.drawHighlights(panel, over);
            if (panel.dotsHeight > 0) {
                this.markers.drawDots(over, panel.thread.instants, 0,
                    -AF.DOTS - panel.bracketsHeight);
            }
        }

        drawHighlights(panel, over) {
            let open = null;
            for (const {start, extent} of panel.highlights) {
                const x0 = this.xOf(start);
                const x1 = this.xOf(start + extent);
                if (x1 <= 0 || x0 >= this.width) {
                    continue;
                }
                if (open && x0 < open.x1 + 0.5) { // those that cannot be told apart are one
                    open.x1 = Math.max(open.x1, x1);
                    continue;
                }
                this.drawBracket(over, open);
                open = {x0, x1};
            }
            this.drawBracket(over, open);
        }

        drawBracket(over, ends) {
            if (!ends) {
                return;
            }
            const x0 = Math.max(0, ends.x0);
            const x1 = Math.min(this.width, Math.max(ends.x1, x0 + STROKE));
            const y = -AF.BRACKETS;
            this.bar(over, x0, y, x1 - x0, STROKE, 'I');
            if (ends.x0 >= 0) {
                this.bar(over, x0, y + STROKE, STROKE, BRACKET - STROKE, 'I');
            }
            if (ends.x1 <= this.width) {
                this.bar(over, Math.max(x0, x1 - STROKE), y + STROKE, STROKE, BRACKET - STROKE,
                    'I');
            }
        }

        // ---- the range ----

        drawRange(range, bottom) {
            const {margin} = this.page.geometry;
            const clamp = (x) => Math.min(this.width, Math.max(0, x));
            const x0 = range ? clamp(this.xOf(range.from)) : 0;
            const x1 = range ? clamp(this.xOf(range.to)) : 0;
            const top = this.y + this.height;
            this.selected.setAttribute('visibility', x1 > x0 ? 'inherit' : 'hidden');
            this.selected.setAttribute('x', hundredths(margin + x0));
            this.selected.setAttribute('width', hundredths(x1 - x0));
            this.selected.setAttribute('y', top);
            this.selected.setAttribute('height', Math.max(0, bottom - top));
        }
    }

    AF.Ruler = Ruler;
})();
