// The strip above the panels: a bar for each thread, all on one scale. Follows
// render/page/overview.c; a click on a row scrolls to its panel.
import {bar, floorHundredths, hundredths} from './elements.js';
import {fitName} from './label.js';
import {Page} from './page.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {CPU, hasTimes, WAIT, WALL} from './tree.js';
import {fill, hasClocks, shareText, threadsText, timeText, unitName, wording} from './words.js';

const BLOCKED_PAINT = 'o2';
const IDLE_PAINT = 'h2';

// The time of a thread, idle or not.
const lengthOf = ({time, idle}) => time + idle;

export class Overview extends Page {
    // ---- numbers ----

    // Reads the numbers of the static sheet, which come from complete call trees: {time, wait,
    // idle} in ns by the title of a thread, '' for all threads without a panel.
    readOverview() {
        const lines = this.svg.querySelector('#overview')?.getAttribute('data-facts');
        this.drawnBusy = new Map((lines ?? '').split('\n')
            .map((line) => /^(\d+) (\d+) (\d+) (.*)$/.exec(line)).filter((found) => found)
            .map(([, time, wait, idle, title]) =>
                [title, {time: Number(time), wait: Number(wait), idle: Number(idle)}]));
    }

    // Sums over all threads for the clock and the range of the view.
    sumBusy(view) {
        const {clock, range} = view.state;
        const isDrawn = clock === this.clock && !range && this.drawnBusy.size > 0;
        for (const panel of view.panels) {
            const drawn = isDrawn ? this.drawnBusy.get(panel.thread.title) : null;
            panel.busy = drawn ?? panel.findBusy(clock);
        }
        const all = isDrawn ? [...this.drawnBusy.values()] : view.panels.map(({busy}) => busy);
        const sum = (key) => all.reduce((total, one) => total + one[key], 0);
        return {total: sum('time'), wait: sum('wait'), idle: sum('idle'),
            lacking: isDrawn ? view.block.lacking : 0,
            isUndivided: clock === WALL && view.panels.some(({base, busy}) =>
                busy.time > busy.wait && !hasTimes(base, WAIT))};
    }

    // "23.7 % of all threads", null if there is nothing to compare.
    shareOf(view, panel) {
        return view.busy.total > 0 && view.panels.length + view.busy.lacking > 1
            ? fill(SAY.OF_ALL_THREADS, shareText(panel.busy.time, view.busy.total),
                wording.threadWord) : null;
    }

    listRows(view) {
        const shown = view.panels.filter((panel) => panel.isShown);
        const named = shown.length >= S.OVERVIEW_ROWS ? shown.slice(0, S.OVERVIEW_ROWS - 1)
            : shown;
        const rows = named.map((panel) => ({panel, name: panel.thread.title || SAY.NO_NAME,
            ...panel.busy}));
        const more = view.panels.filter((panel) => !named.includes(panel) &&
            !(this.isReshaped && panel.thread.tree.n === 1)).length;
        const n = more + view.busy.lacking;
        if (n > 0) {
            const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
            rows.push({panel: null, more, name: threadsText(n, SAY.OTHER),
                time: view.busy.total - sum('time'), wait: view.busy.wait - sum('wait'),
                idle: view.busy.idle - sum('idle')});
        }
        return rows;
    }

    // ---- drawing ----

    drawOverview(view, group, y) {
        view.busy = view.compare ? {total: 0, wait: 0, idle: 0, lacking: 0} : this.sumBusy(view);
        const {total, idle, lacking} = view.busy;
        const hasRows = total + idle > 0 && view.panels.length + lacking > 1;
        const rows = hasRows ? this.listRows(view) : [];
        if (rows.length < 2) {
            return y;
        }
        y += S.OVERVIEW_CAPTION;
        y = this.drawCaption(view, group, y);
        y += S.OVERVIEW_CAPTION_TO_ROWS;
        const grid = this.arrangeRows(rows);
        rows.forEach((row, i) => {
            const x = S.MARGIN + Math.floor(i / grid.perColumn) * grid.column;
            this.drawRow(view, group, row, grid, hundredths(x),
                y + i % grid.perColumn * S.OVERVIEW_ROW);
        });
        y += grid.perColumn * S.OVERVIEW_ROW + S.OVERVIEW_BOTTOM;
        this.rule(group, y);
        return y + 1;
    }

    arrangeRows(rows) {
        const width = this.width - 2 * S.MARGIN;
        const columns = Math.min(Math.max(1, Math.floor(width / S.OVERVIEW_COLUMN)),
            S.OVERVIEW_COLUMNS, Math.floor((rows.length + 1) / 2));
        const column = floorHundredths((width + S.OVERVIEW_GAP) / columns);
        const nameMax = Math.min(S.OVERVIEW_NAME, floorHundredths(column / 3));
        const names = rows.map(({name}) => fitName(this.ruler, name, S.SMALL * 100,
            Math.round(nameMax * 100)) ?? '');
        const name = Math.max(...names.map((text) => this.advance(text)));
        const most = Math.max(...rows.map((row) => (row.panel ? lengthOf(row) : 0))) ||
            lengthOf(rows[rows.length - 1]);
        return {
            perColumn: Math.ceil(rows.length / columns), column, name, most,
            bar: Math.max(0, column - S.OVERVIEW_GAP - name - S.OVERVIEW_NAME_TO_BAR -
                S.OVERVIEW_NUMBER),
        };
    }

    drawCaption(view, group, y) {
        const {clock} = view.state;
        const {busy} = view;
        const text = hasClocks() ? fill(SAY.OVERVIEW[clock], wording.threadWord)
            : fill(SAY.OVERVIEW_UNIT, unitName(), wording.threadWord);
        const end = this.width - S.MARGIN;
        const x = S.MARGIN + this.line(group, S.MARGIN, y, text, {widthMax: end - S.MARGIN}) +
            S.ENTRY_GAP;
        const blocked = clock === WAIT ? busy.total : busy.wait;
        const solid = clock === CPU ? SAY.CLOCKS[CPU] : !view.showsWaiting ? SAY.RUNNING
            : busy.isUndivided ? SAY.CPU_OR_WALL : SAY.CLOCKS[CPU];
        const samples = [
            {paint: 'C', text: solid, isShown:
                view.showsWaiting || (clock !== WAIT && (blocked > 0 || busy.idle > 0))},
            {paint: BLOCKED_PAINT, text: SAY.BLOCKED, isShown: blocked > 0},
            {paint: IDLE_PAINT, text: SAY.IDLE, isShown: busy.idle > 0},
        ];
        return this.drawEntries(group, x, y, samples.filter(({isShown}) => isShown),
            {step: S.OVERVIEW_ROW, drawSwatch: ({paint}, left, baseline) => bar(group, left,
                baseline - S.OVERVIEW_BAR, S.SWATCH, S.OVERVIEW_BAR, paint)});
    }

    drawRow(view, group, row, grid, x, y) {
        const {panel} = row;
        // amounts other than times may have long units, so their share is shown
        const number = hasClocks() ? timeText(lengthOf(row))
            : shareText(lengthOf(row), view.busy.total + view.busy.idle);
        let button = group;
        if (panel || row.more > 0) {
            button = this.newButton(group, panel, panel ? 'thread' : 'more',
                panel ? `go to ${row.name}, ${number}` : `show all threads, ${number}`, x, y,
                hundredths(grid.column - S.OVERVIEW_GAP), S.OVERVIEW_ROW);
            button.setAttribute('tabindex', '-1'); // keys use the list of threads instead
        }
        const paint = panel ? 'I' : 'M';
        const baseline = y + S.OVERVIEW_BASELINE;
        this.line(button, x, baseline, row.name,
            {paint, widthMax: grid.name + 0.005, isName: true});
        const scale = (time) => floorHundredths(Math.min(time, grid.most) / grid.most * grid.bar);
        const blocked = view.state.clock === WAIT ? row.time : row.wait;
        const whole = lengthOf(row);
        const left = hundredths(x + grid.name + S.OVERVIEW_NAME_TO_BAR);
        let from = 0;
        for (const [kind, time] of [['C', row.time - blocked], [BLOCKED_PAINT, row.time],
            [IDLE_PAINT, whole]]) {
            const least = kind === IDLE_PAINT && whole > 0 ? 1 : 0;
            const to = Math.max(scale(time), least);
            if (to > from) {
                bar(button, left + from, y + S.OVERVIEW_BAR_TOP, to - from, S.OVERVIEW_BAR, kind);
            }
            from = Math.max(from, to);
        }
        if (whole > grid.most) {
            this.drawBreak(button, left + from, y + S.OVERVIEW_BAR_TOP);
        }
        const end = hundredths(left + from + S.OVERVIEW_BAR_TO_NUMBER);
        this.line(button, end, baseline, number, {paint,
            widthMax: Math.min(S.OVERVIEW_NUMBER, this.width - S.MARGIN - end)});
    }

    // Marks a bar that is cut: two slits in the colour of the page, in steps.
    drawBreak(group, end, top) {
        const steps = 3;
        for (let i = 0; i < 2 * steps; i++) {
            const step = i % steps;
            bar(group, end - S.OVERVIEW_BREAK + Math.floor(i / steps) * S.OVERVIEW_SLITS - step,
                top + step * S.OVERVIEW_BAR / steps, S.OVERVIEW_SLIT, S.OVERVIEW_BAR / steps, 'P');
        }
    }
}
