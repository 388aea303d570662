// The frames of frame timelines above the tracks of a chart: when they were expected, and below
// that when they really were, coloured by fault. Follows render/chart/frame_tracks.c.
import {bar, put, svgNode} from './elements.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {countText, exact, fill, timeText} from './words.js';

const PAINTS = ['N', 'a1', 'e1', 'f1', 'o1']; // by fault
const MERGED = 1; // pixels between narrow frames that share a bar

export const readFrames = (reader) => {
    const rows = [reader.number(), reader.number()];
    let begin = 0;
    let token = 0;
    return {rows, list: reader.list(() => {
        begin += reader.number();
        const end = begin + reader.number();
        const length = end - begin + reader.number();
        const late = reader.number();
        token += reader.signed();
        const kind = reader.number();
        return {begin, end, length, late, token, isActual: kind % 2 === 1,
            row: Math.floor(kind / 2) % 4, fault: Math.floor(kind / 8)};
    })};
};

export class FrameTracks {
    constructor(chart) {
        this.chart = chart;
        this.data = chart.data.frames;
        this.element = svgNode('g', {id: 'frames'});
        this.top = 0; // of the first row
    }

    slotOf({isActual, row}) {
        return (isActual ? this.data.rows[0] : 0) + row;
    }

    paintOf({isActual, fault}) {
        return isActual ? PAINTS[fault] : 'R';
    }

    // Draws at `top` of the sheet; returns the end.
    draw(top) {
        const {chart, element} = this;
        const {page} = chart.view;
        const height = (this.data.rows[0] + this.data.rows[1]) * S.FRAME_ROW;
        page.redraw(element, (group) => {
            this.top = this.drawHead(group, top + S.COUNTER_HEAD) + S.COUNTER_TO_AREA;
            const graph = put(group, 'g', {transform: `translate(${S.MARGIN} ${this.top})`});
            chart.ruler.drawLines(graph, height);
            this.drawBars(graph);
            page.rule(group, this.top + height + S.FRAMES_BOTTOM);
        });
        return this.top + height + S.FRAMES_BOTTOM + 1;
    }

    // Starts at the baseline `first`; returns the last one.
    drawHead(group, first) {
        const {page} = this.chart.view;
        const {list} = this.data;
        const x = S.MARGIN + S.ENTRY_GAP + page.line(group, S.MARGIN, first, SAY.FRAME_TRACKS,
            {size: S.FACTS, paint: 'I', bold: true});
        const entry = (paint, isCounted, title) => {
            const n = list.filter(isCounted).length;
            return n > 0 ? [{paint, text: `${countText(n)} ${title}`}] : [];
        };
        return page.drawEntries(group, x, first, [
            ...entry('R', ({isActual}) => !isActual, SAY.EXPECTED),
            ...SAY.FAULTS.flatMap((title, i) =>
                entry(PAINTS[i], ({isActual, fault}) => isActual && fault === i, title)),
        ], {step: S.LEGEND_LINE, drawSwatch: ({paint}, left, y) =>
            bar(group, left, y - S.SWATCH_BASELINE, S.SWATCH, S.SWATCH, paint)});
    }

    // Frames without fault first, and as one where they cannot be told apart.
    drawBars(graph) {
        const {ruler} = this.chart;
        const {from, to} = this.chart.window;
        const last = new Map();
        const bars = [];
        for (const frame of this.data.list) {
            if (frame.end <= from || frame.begin >= to) {
                continue;
            }
            const x0 = Math.min(Math.max(0, ruler.xOf(frame.begin)), ruler.width - 1);
            const x1 = Math.max(Math.min(ruler.width, ruler.xOf(frame.end)), x0 + 1);
            const before = last.get(this.slotOf(frame));
            const isAlone = x1 - x0 >= S.FRAME_ALONE;
            if (frame.fault > 0) {
                bars.push({frame, x0, x1, isAlone});
            } else if (before && x0 < before.x1 + MERGED && !isAlone) {
                before.x1 = Math.max(before.x1, x1);
                before.isAlone = false;
            } else {
                bars.push({frame, x0, x1, isAlone});
                last.set(this.slotOf(frame), bars[bars.length - 1]);
            }
        }
        bars.sort((a, b) => (a.frame.fault > 0) - (b.frame.fault > 0));
        for (const {frame, x0, x1, isAlone} of bars) {
            const y = this.slotOf(frame) * S.FRAME_ROW;
            bar(graph, x0, y, x1 - x0 - (isAlone ? 0.5 : 0), S.FRAME_BAR, this.paintOf(frame));
            if (isAlone && x1 - x0 >= S.FRAME_LABEL) {
                this.chart.view.page.line(graph, x0 + S.INSET, y + S.FRAME_BASELINE,
                    String(frame.token), {paint: 'L', widthMax: x1 - x0 - 2 * S.INSET});
            }
        }
    }

    // Returns {name, facts} of the frame at (x, y), null if there is none; x counts from the left
    // edge of the graphs, y from the top of the sheet.
    frameAt(x, y) {
        const {ruler, data} = this.chart;
        const slot = Math.floor((y - this.top) / S.FRAME_ROW);
        const found = this.data.list.filter((frame) => this.slotOf(frame) === slot &&
            x >= ruler.xOf(frame.begin) && x <= Math.max(ruler.xOf(frame.end),
            ruler.xOf(frame.begin) + 1));
        const frame = found.find(({fault}) => fault > 0) ?? found[0];
        return frame ? {
            name: fill(SAY.FRAME, String(frame.token)),
            facts: [
                ...(frame.isActual ? [SAY.FAULTS[frame.fault]] : ['expected']),
                timeText(frame.length),
                ...(frame.late > 0 ? [fill(SAY.LATE, timeText(frame.late))] : []),
                `from ${exact(data.from + frame.begin)}`,
            ],
        } : null;
    }
}
