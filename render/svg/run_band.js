// The states of a thread in the scheduler: a band whose height shows the state. Follows
// render/chart/run_band.c.
import {hundredths, put} from './elements.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {findFirst} from './tree.js';
import {fill, timeText} from './words.js';

const SEVERAL = SAY.RUN_STATES.length;

// By state.
const HEIGHTS = [S.RUN_RUNNING, S.RUN_RUNNABLE, S.RUN_BLOCKED];
const PAINTS = ['C', 'A', 'M'];

// {start, end, lengths} in ns since the start of the axis.
export const readStates = (reader) => {
    let end = 0;
    return reader.list(() => {
        const start = end + reader.number();
        const length = reader.number();
        const kind = reader.number();
        end = start + length;
        return {start, end, lengths: SAY.RUN_STATES.map((_, k) =>
            (kind === SEVERAL ? reader.number() : k === kind ? length : 0))};
    });
};

const sumOf = (states) =>
    SAY.RUN_STATES.map((_, k) => states.reduce((sum, {lengths}) => sum + lengths[k], 0));

export class RunBand {
    constructor(chart) {
        this.chart = chart;
    }

    // Returns the columns in the window, [{x0, x1, first, end}, ...]: short states share a
    // column.
    columnsOf(states) {
        const {ruler} = this.chart;
        const {from, to} = this.chart.window;
        const x = (time) => ruler.xOf(Math.min(to, Math.max(from, time)));
        const columns = [];
        let i = findFirst(0, states.length, (k) => states[k].end < from + 1e-6);
        while (i < states.length && states[i].start < to) {
            const column = {x0: x(states[i].start), x1: x(states[i].end), first: i};
            for (i++; i < states.length && column.x1 - column.x0 < S.RUN_COLUMN; i++) {
                const end = x(states[i].end);
                if (end - column.x0 >= 2 * S.RUN_COLUMN || states[i].start >= to) {
                    break;
                }
                column.x1 = end;
            }
            columns.push({...column, end: i});
        }
        return columns;
    }

    // Draws with the top of the band at `y`.
    draw(group, states, y) {
        const paths = SAY.RUN_STATES.map(() => '');
        for (const {x0, x1, first, end} of this.columnsOf(states)) {
            const own = states.slice(first, end);
            const all = own[own.length - 1].end - own[0].start;
            let sum = 0;
            sumOf(own).forEach((length, k) => {
                const at = hundredths(x0 + sum / all * (x1 - x0));
                sum += length;
                const next = hundredths(x0 + sum / all * (x1 - x0));
                if (next > at) {
                    const top = y + S.RUN_RUNNING - HEIGHTS[k];
                    paths[k] += `M${at} ${top}H${next}v${HEIGHTS[k]}H${at}z`;
                }
            });
        }
        const band = put(group, 'g', {
            role: 'img', class: 'runs', 'aria-label': this.factOf(sumOf(states)),
        });
        paths.forEach((d, k) => put(band, 'path', {class: PAINTS[k], d}));
    }

    // Entries of the legend.
    get legend() {
        return [{text: SAY.RUNS}, ...SAY.RUN_STATES.map((text, k) =>
            ({text, paint: PAINTS[k], height: HEIGHTS[k]}))];
    }

    factOf(sums) {
        return fill(SAY.RUN_TIMES, ...sums.map((time) => timeText(time)));
    }

    // Returns {name, facts} of the state at (x, y), null if no band is there; x counts from the
    // left edge of the graphs, y from the top of the sheet.
    stateAt(x, y) {
        const panel = this.chart.view.panelAt(y);
        const above = panel?.runsHeight > 0
            ? panel.top + panel.graphTop - panel.bracketsHeight - y : 0;
        const states = above > 0 && above <= S.RUNS ? panel.thread.states : [];
        const column = this.columnsOf(states).find(({x0, x1}) => x >= x0 && x < x1);
        if (!column) {
            return null;
        }
        const own = states.slice(column.first, column.end);
        const sums = sumOf(own);
        const [{start}, {end}] = [own[0], own[own.length - 1]];
        const kind = sums.findIndex((length) => length === end - start);
        return {
            name: kind >= 0 ? SAY.RUN_STATES[kind] : this.factOf(sums),
            facts: [`from ${this.chart.timeText(start)} to ${this.chart.timeText(end)}`,
                timeText(end - start)],
        };
    }
}
