// Instants as dots above the tracks, those without a thread below the ruler, and a track for each
// counter; follows render/chart/instants.c.
import {bar, hundredths, put, svgNode} from './elements.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {findFirst} from './tree.js';
import {countedText, countText, decimal, fill, isolate} from './words.js';

// ---- reading ----

function readInstants(reader, names) {
    let at = 0;
    return reader.list(() => {
        at += reader.number();
        return {at, end: at + reader.number(), name: names[reader.number()], n: reader.number()};
    });
}

function readCounter(reader, names) {
    const counter = {name: names[reader.number()], n: reader.number()};
    const unit = reader.number();
    const n = reader.count();
    counter.times = new Float64Array(n);
    counter.values = new Float64Array(n); // thousandths
    for (let i = 0, at = 0; i < n; i++) {
        at += reader.number();
        counter.times[i] = at;
        counter.values[i] = reader.signed() * unit;
    }
    counter.least = counter.values.reduce((a, b) => Math.min(a, b), Infinity);
    counter.most = counter.values.reduce((a, b) => Math.max(a, b), -Infinity);
    return counter;
}

export const readMarkers = (reader, block) => {
    const names = reader.list(() => ({text: reader.string(), process: reader.string()}));
    const markers = {
        grain: reader.number(), outside: reader.number(), leftOut: reader.number(),
    };
    for (const thread of block.threads) {
        thread.instants = readInstants(reader, names);
    }
    markers.instants = readInstants(reader, names);
    markers.shown = reader.number(); // the other counters are hidden behind a line
    markers.counters = reader.list(() => readCounter(reader, names));
    return markers;
};

// The index of the last of `n` values that is not after a time; -1 = all are after it.
export const lastAt = (n, timeOf, time) => findFirst(0, n, (k) => timeOf(k) < time + 1e-6) - 1;

// ---- words ----

// "1,024", "-0.5" from thousandths
const valueText = (thousandths) => {
    const size = Math.abs(thousandths);
    return (thousandths < 0 ? '-' : '') +
        decimal(countText(Math.floor(size / 1000)), size % 1000, 3);
};

export class Markers {
    constructor(view, chart) {
        this.view = view;
        this.chart = chart;
        this.data = chart.data.markers;
        this.element = svgNode('g', {id: 'counters'});
        this.isOpen = view.page.fullDepth; // whether hidden counters are drawn too
        this.areas = []; // the drawn counters: {counter, top}
    }

    // ---- instants ----

    // Returns the dots in the window, [{x0, x1, first, end, n}, ...]: instants close to each
    // other share a dot.
    dotsOf(instants) {
        const {ruler} = this.chart;
        const {from, to} = this.chart.window;
        const dots = [];
        for (let i = findFirst(0, instants.length, (k) => instants[k].end < from);
            i < instants.length && instants[i].at <= to; i++) {
            const x0 = Math.max(0, ruler.xOf(instants[i].at));
            const x1 = Math.min(ruler.width, ruler.xOf(instants[i].end));
            const last = dots[dots.length - 1];
            if (last && x0 - last.x1 < S.DOT + 0.5) {
                last.x1 = Math.max(last.x1, x1);
                last.end = i + 1;
                last.n += instants[i].n;
            } else {
                dots.push({x0, x1, first: i, end: i + 1, n: instants[i].n});
            }
        }
        return dots;
    }

    sides({x0, x1}) {
        const {width} = this.chart.ruler;
        return [Math.max(0, Math.min(x0 - S.DOT / 2, width - S.DOT)),
            Math.min(width, Math.max(x1 + S.DOT / 2, S.DOT))];
    }

    drawDots(group, instants, x, y) {
        for (const dot of this.dotsOf(instants)) {
            const [x0, x1] = this.sides(dot);
            bar(group, x + x0, y + 1, x1 - x0, S.DOT, 'M dot').setAttribute('rx', S.DOT / 2);
        }
    }

    // Returns {name, facts} of the dot at `x`, null if there is none.
    dotAt(instants, x) {
        const dot = this.dotsOf(instants).find((one) => {
            const [x0, x1] = this.sides(one);
            return x >= x0 - 1 && x <= x1 + 1;
        });
        return dot ? this.describeInstants(instants.slice(dot.first, dot.end)) : null;
    }

    describeInstants(own) {
        const n = own.reduce((sum, one) => sum + one.n, 0);
        const names = [...new Set(own.map(({name}) => isolate(name.text)))];
        const first = own[0];
        const list = names.slice(0, S.DOT_NAMES).join(', ') +
            (names.length > S.DOT_NAMES ? ', …' : '');
        if (n === 1) {
            return {
                name: list,
                facts: [...(first.name.process ? [isolate(first.name.process)] : []),
                    `at ${this.chart.timeText(first.at)}`],
            };
        }
        const end = own.reduce((last, one) => Math.max(last, one.end), 0);
        return {
            name: `${countedText(n, SAY.INSTANTS)}: ${list}`,
            facts: [`from ${this.chart.timeText(first.at)} to ${this.chart.timeText(end)}`],
        };
    }

    // ---- counters ----

    // Returns the columns of a counter in the window, [{x0, x1, value}, ...], each at least a
    // pixel wide.
    columnsOf({times, values}) {
        const {ruler} = this.chart;
        const {from, to} = this.chart.window;
        const n = times.length;
        const columns = [];
        const xAt = (i) => (i < n && times[i] <= to
            ? Math.max(0, ruler.xOf(times[i])) : ruler.width);
        let i = Math.max(0, findFirst(0, n, (k) => times[k] < from) - 1);
        while (i < n && times[i] <= to) {
            const x0 = xAt(i);
            let value = values[i];
            let last = value;
            for (i++; i < n && times[i] <= to && xAt(i) - x0 < 1; i++) {
                last = values[i];
                value = Math.abs(last) > Math.abs(value) ? last : value;
            }
            const x1 = xAt(i);
            const end = value === last ? x1 : Math.min(x1, x0 + 1);
            columns.push({x0, x1: end, value});
            if (x1 > end) {
                columns.push({x0: end, x1, value: last});
            }
        }
        return columns;
    }

    pathsOf(counter) {
        const most = Math.max(counter.most, 0);
        const least = Math.min(counter.least, 0);
        const yOf = (value) => (most === least ? S.AREA
            : hundredths((most - value) / (most - least) * S.AREA));
        const zero = yOf(0);
        let area = '';
        let line = '';
        for (const {x0, x1, value} of this.columnsOf(counter)) {
            if (value !== 0 && x1 > x0) {
                const y = yOf(value);
                const top = value > 0 ? Math.min(y, S.AREA - S.AREA_LINE)
                    : Math.max(y - S.AREA_LINE, 0);
                const across = `H${hundredths(x1)}`;
                area += `M${hundredths(x0)} ${zero}V${y}${across}V${zero}z`;
                line += `M${hundredths(x0)} ${top}${across}v${S.AREA_LINE}H${hundredths(x0)}z`;
            }
        }
        return [svgNode('path', {class: 'N', d: area}), svgNode('path', {class: 'M', d: line})];
    }

    factsOf({name, n, least, most, values}) {
        return [
            ...(name.process ? [isolate(name.process)] : []),
            ...(values.length > 0
                ? [fill(SAY.MAXIMUM, valueText(most)), fill(SAY.MINIMUM, valueText(least))] : []),
            countedText(n, SAY.VALUES),
        ];
    }

    // Starts at `top` of the sheet; returns the end.
    drawCounters(top) {
        const {page} = this.view;
        const {element, data} = this;
        element.replaceChildren();
        this.areas = [];
        if (data.counters.length === 0) {
            return top;
        }
        let y = top;
        for (const counter of data.counters.slice(0, this.isOpen ? undefined : data.shown)) {
            const facts = this.factsOf(counter);
            const group = put(element, 'g',
                {role: 'img', 'aria-label': [counter.name.text, ...facts].join(', ')});
            y += S.COUNTER_HEAD;
            const advance = page.line(group, S.MARGIN, y, counter.name.text, {
                size: S.FACTS, paint: 'I', bold: true,
                widthMax: (page.width - 2 * S.MARGIN) / 2,
            });
            y = page.flow(group, hundredths(S.MARGIN + advance + S.NAME_TO_FACTS), y, facts) +
                S.COUNTER_TO_AREA;
            const graph = put(group, 'g', {transform: `translate(${S.MARGIN} ${y})`});
            this.chart.ruler.drawLines(graph, S.AREA);
            graph.append(...this.pathsOf(counter));
            this.areas.push({counter, top: y});
            y += S.AREA;
            page.rule(group, y++);
        }
        if (data.shown < data.counters.length && !page.fullDepth) {
            y = this.drawToggle(y);
        }
        return y + S.COUNTERS_BOTTOM;
    }

    // Draws the line that shows or hides the other counters; returns its end.
    drawToggle(top) {
        const {page} = this.view;
        const hidden = this.data.counters.slice(this.data.shown);
        const constant = hidden.filter(({least, most}) => least === most).length;
        const words = fill(SAY.COUNTERS_HIDDEN, countedText(hidden.length, SAY.MORE_COUNTERS),
            countText(constant), countText(hidden.length - constant));
        const button = page.newButton(this.element, null, 'counters', words, S.MARGIN, top + 2,
            this.chart.ruler.width, S.COUNTER_HEAD + S.COUNTER_TO_AREA - 4);
        button.setAttribute('aria-expanded', String(this.isOpen));
        put(button, 'path', {class: 'M', d: this.isOpen ? 'M0-7h10l-5 7z' : 'M1-8v10l7-5z',
            transform: `translate(${S.MARGIN} ${top + S.COUNTER_HEAD})`});
        page.line(button, S.MARGIN + 14, top + S.COUNTER_HEAD, words, {size: S.FACTS});
        return top + S.COUNTER_HEAD + S.COUNTER_TO_AREA;
    }

    valueAt(counter, x) {
        const {times} = counter;
        const i = lastAt(times.length, (k) => times[k], this.chart.ruler.timeAt(x));
        return i < 0 ? {name: counter.name.text, facts: this.factsOf(counter)}
            : this.describeValue(counter, i);
    }

    describeValue(counter, i) {
        const {times, values, name} = counter;
        const until = i + 1 < times.length ? ` to ${this.chart.timeText(times[i + 1])}` : ' on';
        return {
            name: `${isolate(name.text)}: ${valueText(values[i])}`,
            facts: [`from ${this.chart.timeText(times[i])}${until}`, ...this.factsOf(counter)],
        };
    }

    // ---- tracks ----

    // The tracks from top to bottom: instants below the ruler, instants of threads, counters.
    // Each is {of, what, n, timeOf, describe, at, y, height}; describe(i) and at(x) return
    // {name, facts}, and `y` is its position on the sheet.
    get tracks() {
        const {view, chart: {ruler}} = this;
        const instants = (own, of, what, y) => ({
            of, what, n: own.length, y, height: S.DOTS,
            timeOf: (i) => own[i].at,
            describe: (i) => this.describeInstants([own[i]]),
            at: (x) => this.dotAt(own, x),
        });
        return [
            instants(this.data.instants, null, 'all threads', ruler.at + ruler.height - S.DOTS - 1),
            ...view.panels.filter((panel) => panel.dotsHeight > 0).map((panel) => instants(
                panel.thread.instants, panel, panel.thread.title, panel.top + panel.graphTop -
                    panel.bracketsHeight - panel.runsHeight - S.DOTS)),
            ...this.areas.map(({counter, top}) => ({
                of: counter, what: 'counter', n: counter.times.length, y: top, height: S.AREA,
                timeOf: (i) => counter.times[i],
                describe: (i) => this.describeValue(counter, i),
                at: (x) => (x >= 0 && x <= ruler.width ? this.valueAt(counter, x) : null),
            })),
        ];
    }

    // Returns {name, facts} of the marker at (x, y); x counts from the left edge of the graphs,
    // y from the top of the sheet.
    markerAt(x, y) {
        return this.tracks.find((track) => y >= track.y && y < track.y + track.height)?.at(x);
    }
}
