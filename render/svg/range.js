// The selected range of a chart and its totals by method.
import {mergeCalls} from './calls.js';
import {button, html, listHead} from './elements.js';
import {MethodTable} from './methods.js';
import {totalsOf} from './sandwich.js';
import * as SAY from './say.js';
import {countedText, hasClocks, span, threadsText, unitName} from './words.js';

export class Range {
    constructor(view, chart) {
        this.view = view;
        this.chart = chart;
        this.selected = null; // {from, to} in ns of the axis
        this.heading = html('strong', {});
        this.summary = html('p', {class: 'af-times'});
        this.table = new MethodTable(view, chart.data.isSampled ? 'samples' : 'calls',
            (label) => view.search.run(view.labels.text[label]));
        this.element = html('aside', {class: 'af-rail af-range', hidden: true,
            'aria-label': 'range'},
        listHead(this.heading, () => this.clear(), 'close the range'),
        html('div', {class: 'af-range-tools'},
            button('Zoom in', () => this.zoom()),
            button('Show as graph', () => this.chart.showGraphOf(this.selected))),
        this.summary,
        this.table.element);
    }

    // Draws the range while the user drags; finish() shows its totals.
    select(from, to) {
        const {chart} = this;
        this.selected = {
            from: Math.max(0, chart.round(Math.min(from, to))),
            to: Math.min(chart.data.length, chart.round(Math.max(from, to))),
        };
        this.chart.drawRange();
    }

    finish() {
        const {view, chart, selected} = this;
        if (!selected || selected.to <= selected.from) {
            this.clear();
            return;
        }
        const {amounts} = chart.data;
        const trees = view.open.map((panel) =>
            mergeCalls(panel.thread.calls, selected.from, selected.to));
        const totals = totalsOf(trees, amounts, view.labels);
        this.heading.textContent = `${span(selected.to - selected.from)}: ` +
            `${chart.timeText(selected.from)} to ${chart.timeText(selected.to)}`;
        const what = hasClocks() ? `${SAY.CLOCKS[amounts]} time` : unitName();
        this.summary.textContent = `${what} of ${threadsText(view.open.length)}, ` +
            countedText(totals.length, ['method', 'methods']);
        this.table.fill(totals);
        this.element.hidden = false;
        const {bars} = view.page;
        if (!bars.rail.hidden) {
            bars.toggleRail();
        }
        bars.reserveRail();
    }

    clear() {
        const hadFocus = this.element.contains(document.activeElement);
        this.selected = null;
        this.element.hidden = true;
        this.view.page.bars.reserveRail();
        this.chart.drawRange();
        if (hadFocus) {
            this.view.current?.showFocus(true);
        }
    }

    zoom() {
        const {selected} = this;
        this.chart.zoomTo(selected.from, selected.to);
        this.clear();
    }
}
