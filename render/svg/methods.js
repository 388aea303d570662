// Tables of methods: that of a range in a chart, and the list next to a sandwich.
import {html} from './page.js';
import {totalsOf} from './sandwich.js';
import * as SAY from './say.js';
import {BLOCKED, countedText, countText, entryWords, fill, hasClocks, IDLE, SIDE_WORDS, span,
    threadsText, timeText, wording} from './words.js';

const ROWS = 100; // with more methods, a last line counts the others
const NARROW = 900; // in a narrower window, in pixels, the list starts folded
const LOW = 420;

// Methods with their times, most self time first; a click on a head sorts by its column.
export class MethodTable {
    constructor(view, counted, choose) {
        this.view = view;
        this.choose = choose;
        this.counted = counted; // title of the column of calls: 'calls', 'samples' or ''
        this.key = 'self';
        this.totals = [];
        this.body = html('tbody', {});
        this.heads = new Map([['name', 'method'], ['self', 'self'], ['total', 'total'],
            ['calls', counted]].map(([key, word]) => [key, this.head(key, word)]));
        this.element = html('table', {}, html('thead', {}, html('tr', {},
            ...this.heads.values())), this.body);
    }

    head(key, word) {
        const button = html('button', {type: 'button'}, word);
        button.addEventListener('click', () => {
            this.key = key;
            this.draw();
        });
        return html('th', {scope: 'col'}, button);
    }

    fill(totals) {
        this.totals = totals;
        this.draw();
    }

    sort() {
        const {key} = this;
        const by = key === 'name' ? (a, b) => (this.nameOf(a) < this.nameOf(b) ? -1 : 1)
            : (a, b) => b[key] - a[key];
        return key === 'self' ? this.totals : [...this.totals].sort(by);
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
                [timeText(sum('self')), '', this.count(sum('calls'))]));
        }
    }

    count(calls) {
        return this.counted && calls > 0 ? countText(calls) : '';
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
        const values = [timeText(self), timeText(total), this.count(calls)];
        const name = this.nameOf(sum);
        if (label >= this.view.labels.n) {
            return this.cells(name, values);
        }
        const button = html('button', {type: 'button'}, name);
        button.addEventListener('click', () => this.choose(label));
        const cells = this.cells(button, values);
        if (label === this.view.state.method) {
            button.setAttribute('aria-current', 'true');
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
        this.toggle = html('button', {type: 'button', 'aria-expanded': 'true'}, 'Methods');
        this.toggle.addEventListener('click', () => this.fold(!this.content.hidden));
        const close = html('button', {type: 'button', 'aria-label': 'close the sandwich'},
            '\u00d7');
        close.addEventListener('click', () => view.hideSandwich());
        this.summary = html('p', {class: 'af-times'});
        this.content = html('div', {}, this.summary, this.table.element);
        this.element = html('aside', {class: 'af-rail af-range', hidden: true,
            'aria-label': 'methods'},
        html('div', {class: 'af-rail-head'}, this.toggle, close), this.content);
        this.fold(window.innerWidth < NARROW || window.innerHeight <= LOW);
    }

    fold(isFolded) {
        this.content.hidden = isFolded;
        this.toggle.setAttribute('aria-expanded', String(!isFolded));
    }

    // The totals of all open threads.
    get totals() {
        this.prepare();
        return this.found;
    }

    // Returns whether the totals had to be computed.
    prepare() {
        const {state, open} = this.view;
        const key = [state.clock, ...open.map(({number}) => number)].join();
        const isNew = key !== this.key || state.range !== this.range;
        if (isNew) {
            this.key = key;
            this.range = state.range;
            this.found = totalsOf(open.map(({base}) => base), state.clock);
        }
        return isNew;
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
        const {totals} = this;
        const now = {totals, method: state.method, found: search.found};
        if (Object.keys(now).every((key) => this.shown?.[key] === now[key])) {
            return;
        }
        this.shown = now;
        const of = view.compare
            ? `${SIDE_WORDS[state.clock]}: self ${wording.unit?.name || 'time'}`
            : hasClocks() ? SAY.SELF[state.clock]
            : fill(SAY.SELF_OF, wording.unit.name || 'time');
        const listed = search.found ? totals.filter(({label}) => search.found[label]) : totals;
        const n = countedText(listed.length, ['method', 'methods']);
        this.summary.textContent = `${of} in ${threadsText(view.open.length)}, ${n}`;
        this.table.fill(listed);
    }
}
