// Everything around the calls of a chart: the ruler, which stays visible, its lines through the
// tracks, the lifetime of threads, the time of the last record before others were lost, brackets
// over highlighted calls, the selected range. Follows render/chart/ruler.c and track.c.
import {bar, floorHundredths, hundredths, setAll, svgNode} from './elements.js';
import * as SAY from './say.js';
import {tickStep} from './scale.js';
import * as S from './sizes.js';
import {exact, fill} from './words.js';

export class Ruler {
    constructor(chart) {
        this.page = chart.view.page;
        this.chart = chart;
        this.data = chart.data;
        this.back = svgNode('rect', {class: 'P', x: 0});
        this.scale = svgNode('g');
        this.element = svgNode('g', {id: 'ruler', class: 'ruler'}, this.back, this.scale);
        this.selected = svgNode('rect', {class: 'range', 'aria-hidden': 'true'});
    }

    // ---- times and positions ----

    // Pixels.
    xOf(time) {
        const length = this.to - this.from;
        return floorHundredths(length > 0 ? (time - this.from) / length * this.width : 0);
    }

    timeAt(x) {
        const within = Math.min(this.width, Math.max(0, x));
        return this.from + within / this.width * (this.to - this.from);
    }

    // Of each tick: {x, since}, in pixels and in ns since the start of the trace.
    get ticks() {
        const zero = this.data.from;
        const step = tickStep(this.to - this.from, this.width, S.TICK_STEP_MIN);
        const ticks = [];
        for (let tick = Math.ceil((zero + this.from) / step); tick * step <= zero + this.to;
            tick++) {
            ticks.push({x: this.xOf(tick * step - zero), since: tick * step});
        }
        return ticks;
    }

    get lostAt() {
        const {lost, recorded} = this.data;
        const isVisible = lost && recorded >= this.from && recorded < this.to;
        return isVisible ? this.xOf(recorded) : null;
    }

    // ---- the ruler ----

    get height() {
        return S.RULER_TOP + (this.data.lost ? S.LOST_LINE : 0) + S.RULER + this.dotsHeight + 1;
    }

    // The height of the dots for instants without a thread, pixels.
    get dotsHeight() {
        return this.data.markers?.instants.length > 0 ? S.DOTS : 0;
    }

    draw(y) {
        const {view, window: {from, to}} = this.chart;
        Object.assign(this, {y, from, to, width: view.width});
        this.hasLines = view.open.length <= S.TRACKS_WITH_LINES;
        this.back.setAttribute('width', this.page.width);
        this.page.redraw(this.scale, (group) => this.drawScale(group));
        this.stay();
    }

    drawScale(group) {
        const {page, chart, data} = this;
        let top = S.RULER_TOP;
        if (data.lost) {
            top += S.LOST_LINE;
            page.line(group, S.MARGIN, top - 3, fill(data.lost, exact(data.from + data.recorded)),
                {paint: 'A', widthMax: page.width - 2 * S.MARGIN});
        }
        for (const {x, since} of this.ticks) {
            const at = S.MARGIN + x;
            const widthMax = page.width - S.MARGIN - at - S.TICK_TO_TEXT;
            bar(group, Math.min(at, page.width - S.MARGIN - 1),
                top + S.RULER - S.TICK, 0.5, S.TICK, 'R');
            if (widthMax > S.TICK_STEP_MIN / 2) {
                page.line(group, hundredths(at + S.TICK_TO_TEXT),
                    top + S.RULER - S.RULER_BASELINE, exact(since), {widthMax});
            }
        }
        if (this.lostAt !== null) {
            bar(group, S.MARGIN + this.lostAt, top, 1, S.RULER, 'A');
        }
        if (this.dotsHeight > 0) {
            chart.markers.drawDots(group, data.markers.instants, S.MARGIN, top + S.RULER);
        }
        page.rule(group, top + S.RULER + this.dotsHeight);
    }

    // Keeps the ruler on the screen below the tools while the page scrolls.
    stay(scrollTop = this.page.scrollTop) {
        const {topCovered} = this.page;
        const at = Math.max(this.y, scrollTop + topCovered);
        this.at = at;
        const above = at > this.y ? topCovered : 0;
        this.element.setAttribute('transform', `translate(0 ${hundredths(at)})`);
        setAll(this.back, {y: -above, height: this.height + above});
    }

    // ---- tracks ----

    drawLines(group, height) {
        for (const {x} of this.ticks) {
            bar(group, Math.min(x, this.width - 1), 0, 0.5, height, 'R');
        }
    }

    drawGround(panel, ground) {
        const height = panel.slots * S.ROW;
        const {first, last} = panel.tree.life;
        if (this.hasLines) {
            this.drawLines(ground, height);
        }
        const x0 = Math.max(0, this.xOf(first));
        const x1 = Math.min(this.width, this.xOf(last));
        if (x1 > x0) {
            bar(ground, x0, S.FRAME / 2, x1 - x0, 1, 'R');
        }
    }

    drawOver(panel, over) {
        if (this.lostAt !== null) {
            bar(over, this.lostAt, 0, 1, panel.slots * S.ROW, 'A');
            const at = this.lostAt + S.INSET;
            this.page.line(over, at, S.BASELINE, SAY.NOT_RECORDED, {widthMax: this.width - at});
        }
        this.drawHighlights(panel, over);
        if (panel.dotsHeight > 0) {
            this.chart.markers.drawDots(over, panel.thread.instants, 0,
                -S.DOTS - panel.runsHeight - panel.bracketsHeight);
        }
        if (panel.runsHeight > 0) {
            this.chart.runs.draw(over, panel.thread.states, -S.RUNS - panel.bracketsHeight);
        }
    }

    drawHighlights(panel, over) {
        const brackets = [];
        for (const {start, extent} of panel.highlights) {
            const [x0, x1] = [this.xOf(start), this.xOf(start + extent)];
            const last = brackets.at(-1);
            const isVisible = x1 > 0 && x0 < this.width;
            if (isVisible && last && x0 < last.x1 + 0.5) { // brackets that touch are merged
                last.x1 = Math.max(last.x1, x1);
            } else if (isVisible) {
                brackets.push({x0, x1});
            }
        }
        brackets.forEach((ends) => this.drawBracket(over, ends));
    }

    drawBracket(over, ends) {
        const x0 = Math.max(0, ends.x0);
        const x1 = Math.min(this.width, Math.max(ends.x1, x0 + S.STROKE));
        const y = -S.BRACKETS;
        bar(over, x0, y, x1 - x0, S.STROKE, 'I');
        if (ends.x0 >= 0) {
            bar(over, x0, y + S.STROKE, S.STROKE, S.BRACKET - S.STROKE, 'I');
        }
        if (ends.x1 <= this.width) {
            bar(over, Math.max(x0, x1 - S.STROKE), y + S.STROKE, S.STROKE,
                S.BRACKET - S.STROKE, 'I');
        }
    }

    // ---- the range ----

    drawRange(range, bottom) {
        const clamp = (x) => Math.min(this.width, Math.max(0, x));
        const x0 = range ? clamp(this.xOf(range.from)) : 0;
        const x1 = range ? clamp(this.xOf(range.to)) : 0;
        const top = this.y + this.height;
        setAll(this.selected, {
            visibility: x1 > x0 ? 'inherit' : 'hidden', x: hundredths(S.MARGIN + x0), y: top,
            width: hundredths(x1 - x0), height: Math.max(0, bottom - top),
        });
    }
}
