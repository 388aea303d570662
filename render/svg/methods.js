// Tables of methods: that of a range in a chart, and the list next to a sandwich.
import {button, html, listHead} from './elements.js';
import {isIdle, totalsOf} from './sandwich.js';
import * as SAY from './say.js';
import {BLOCKED, countedText, countText, entryWords, IDLE, selfWords, SIDE_WORDS, span, shareText,
    threadsText, timeText, unitName, wording} from './words.js';

const ROWS = 100; // with more methods, a last line counts the others
const NARROW = 900; // in a narrower window, in pixels, the list starts folded
const LOW = 420;
const ALL = 'all';

// Methods with their times, most self time first, and bars of their self time; a click on a head
// sorts by its column. Those that idle are last.
export class MethodTable {
    constructor(view, counted, choose) {
        this.view = view;
        this.choose = choose;
        this.counted = counted; // title of the column of calls: 'calls', 'samples' or ''
        this.key = 'self';
        this.totals = [];
        this.body = html('tbody', {});
        this.heads = new Map([['name', 'method'], ['self', 'self'], ['total', 'inclusive'],
            ['calls', counted]].map(([key, word]) => [key, this.head(key, word)]));
        this.element = html('table', {}, html('thead', {}, html('tr', {},
            ...this.heads.values())), this.body);
    }

    head(key, word) {
        return html('th', {scope: 'col', colspan: key === 'self' ? 2 : 1}, button(word, () => {
            this.key = key;
            this.draw();
        }));
    }

    // Shows some of all methods.
    fill(totals, all = totals) {
        this.totals = totals;
        this.whole = all.reduce((sum, {self}) => sum + self, 0);
        this.most = Math.max(...all.map(({self}) => self));
        this.draw();
    }

    sort() {
        const {key} = this;
        const by = key === 'name' ? (a, b) => (this.nameOf(a) < this.nameOf(b) ? -1 : 1)
            : (a, b) => b[key] - a[key];
        return key === 'self' ? this.totals
            : [...this.totals].sort((a, b) => isIdle(a) - isIdle(b) || by(a, b));
    }

    draw() {
        for (const [key, head] of this.heads) {
            head.setAttribute('aria-sort', key !== this.key ? 'none'
                : key === 'name' ? 'ascending' : 'descending');
        }
        const sums = this.sort();
        const rest = sums.slice(ROWS);
        this.body.replaceChildren(...sums.slice(0, ROWS).map((sum) => this.row(sum)));
        if (rest.length > 0) {
            const sum = (key) => rest.reduce((all, one) => all + one[key], 0);
            this.body.append(this.cells(`${countText(rest.length)} more`,
                [timeText(sum('self')), this.share(sum('self')), '', this.count(sum('calls'))]));
        }
    }

    count(calls) {
        return this.counted && calls > 0 ? countText(calls) : '';
    }

    share(self) {
        return self > 0 ? shareText(self, this.whole) : '';
    }

    cells(name, values) {
        return html('tr', {}, html('th', {scope: 'row'}, name),
            ...values.map((value) => html('td', {}, value)));
    }

    nameOf({label}) {
        const {view} = this;
        return view.labels.text[label] ?? (view.chart
            ? `${entryWords(view.block.threads)[1]} shorter than ` +
                `${span(view.chart.data.shortest)}, merged` : SAY.OMITTED);
    }

    row(sum) {
        const {label, self, total, calls} = sum;
        const values = [timeText(self), this.share(self), timeText(total), this.count(calls)];
        const name = this.nameOf(sum);
        if (label >= this.view.labels.n) {
            return this.cells(name, values);
        }
        const link = button(name, () => this.choose(label));
        const cells = this.cells(link, values);
        const bar = html('span', {});
        bar.style.width = `${100 * self / this.most}%`;
        cells.firstChild.append(html('div', {class: 'af-load', hidden: self === 0}, bar));
        if (label === this.view.state.method) {
            link.setAttribute('aria-current', 'true');
            cells.className = 'af-chosen';
        }
        return cells;
    }
}

// The list next to a sandwich. The search filters it.
export class Methods {
    constructor(view) {
        this.view = view;
        const counts = view.block.threads.every(({countsCalls}) => countsCalls);
        this.table = new MethodTable(view, counts ? 'calls' : '', (label) =>
            view.showSandwich(label));
        this.toggle = button('Methods', () => this.fold(!this.content.hidden));
        this.summary = html('p', {class: 'af-times'});
        this.thread = html('select', {'aria-label': wording.threadWord});
        this.thread.addEventListener('change', () => this.update());
        this.content = html('div', {}, this.thread, this.summary, this.table.element);
        this.element = html('aside', {class: 'af-rail af-range', hidden: true,
            'aria-label': 'methods'},
        listHead(this.toggle, () => view.hideSandwich(), 'close the sandwich'), this.content);
        this.fold(window.innerWidth < NARROW || window.innerHeight <= LOW);
    }

    fold(isFolded) {
        this.content.hidden = isFolded;
        this.toggle.setAttribute('aria-expanded', String(!isFolded));
    }

    // The threads whose totals are shown: the chosen one, or all open ones.
    get panels() {
        const {open} = this.view;
        const chosen = open.filter(({number}) => String(number) === this.thread.value);
        return this.thread.value === ALL ? open : chosen.length > 0 ? chosen : open.slice(0, 1);
    }

    list() {
        const {open} = this.view;
        const key = open.map(({number}) => number).join();
        if (key !== this.listed) {
            const chosen = this.thread.value === ALL ? ALL : this.panels[0]?.number;
            this.listed = key;
            this.thread.replaceChildren(
                ...open.map(({number, thread}) => html('option', {value: number}, thread.title)),
                html('option', {value: ALL}, threadsText(open.length)));
            this.thread.value = chosen;
            this.thread.hidden = open.length < 2;
        }
    }

    get totals() {
        const {state, labels} = this.view;
        const {panels} = this;
        const key = [state.clock, ...panels.map(({number}) => number)].join();
        if (key !== this.key || state.range !== this.range) {
            this.key = key;
            this.range = state.range;
            this.found = totalsOf(panels.map(({base}) => base), state.clock, labels);
        }
        return this.found;
    }

    get busiest() {
        const {labels} = this.view;
        const isMethod = ({label}) => label < labels.n;
        return (this.totals.find((sum) => isMethod(sum) &&
            labels.category[sum.label] !== IDLE &&
            labels.category[sum.label] !== BLOCKED) ?? this.totals.find(isMethod))?.label;
    }

    update() {
        const {view, element} = this;
        if (element.hidden) {
            return;
        }
        const {state, search} = view;
        this.list();
        const {totals} = this;
        const now = {totals, method: state.method, found: search.found};
        if (Object.keys(now).every((key) => this.shown?.[key] === now[key])) {
            return;
        }
        this.shown = now;
        const of = view.compare
            ? `${SIDE_WORDS[state.clock]}: self ${unitName()}` : selfWords(state.clock);
        const listed = search.found ? totals.filter(({label}) => search.found[label]) : totals;
        const n = countedText(listed.length, ['method', 'methods']);
        this.summary.textContent = `${of} in ${threadsText(this.panels.length)}, ${n}`;
        this.table.fill(listed, totals);
    }
}
