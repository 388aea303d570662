// The state of the view as the fragment of a link: names and hashes of paths, never pixels, so that
// a link survives another width or a new rendering.
//
//   t=main,Binder%3A1   the titles of the open threads, unless they are those of the sheet
//   z=9c1e02af,...      the zoomed paths; with @0.25-0.5 only a part of the path's time
//   c=cpu               the clock, or the side of a comparison, unless it is that of the sheet
//   v=icicle|flame|sandwich, m=9c1e02af: the view, and the method of the sandwich
//   s=time              siblings are sorted by time
//   d=main              the titles of the open threads that show all their rows
//   q=onBind            the search
//   r=200000000-300000000  the visible time of a chart, or the time range of the graph, in ns since
//                       the start of the trace
import {findHash, hashPath, hashText} from './tree.js';
import {countedText, countText, SIDE_WORDS, threadsText} from './words.js';

export const CLOCK_WORDS = ['wall', 'cpu', 'wait'];
export const VIEWS = ['flame', 'icicle', 'sandwich', 'chart'];

export const writeLink = (state) => {
    const {threads, deep = [], zooms, range} = state;
    const listTitles = (titles) => titles.map(encodeURIComponent).join(',');
    const values = {c: state.clock, v: state.view, m: state.method, s: state.byTime && 'time',
        q: state.query, r: range && `${range.from}-${range.to}`};
    return [
        threads && `t=${listTitles(threads)}`,
        deep.length > 0 && `d=${listTitles(deep)}`,
        zooms.length > 0 && 'z=' + zooms.map(({hash, part}) => hash + (part
            ? '@' + part.map((x) => String(Number(x.toPrecision(6)))).join('-') : '')).join(','),
        ...Object.entries(values).map(([key, value]) =>
            value && `${key}=${encodeURIComponent(value)}`),
    ].filter(Boolean).join('&');
};

function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text; // a percent sign that a user typed
    }
}

function readZoom(text) {
    const found = /^([0-9a-f]{8})(?:@([\d.e+-]*[\d.])-([\d.][\d.e+-]*))?$/.exec(text);
    if (!found) {
        return [];
    }
    const part = [Number(found[2]), Number(found[3])];
    const good = found[2] !== undefined && part[0] >= 0 && part[0] < part[1] && part[1] <= 1;
    return [{hash: found[1], part: good ? part : null}];
}

function readRange(text) {
    const found = /^(\d{1,18})-(\d{1,18})$/.exec(text ?? '');
    const [from, to] = found ? [Number(found[1]), Number(found[2])] : [0, 0];
    return to > from ? {from, to} : null;
}

// Parses a fragment; missing or invalid parts are null or empty.
export const readLink = (fragment) => {
    const values = new Map();
    for (const part of fragment.replace(/^#/, '').split('&')) {
        const at = part.indexOf('=');
        if (at > 0) {
            values.set(part.slice(0, at), part.slice(at + 1));
        }
    }
    const word = (key, words) => (words.includes(values.get(key)) ? values.get(key) : null);
    const list = (key) => (values.get(key) ?? '').split(',').filter((item) => item !== '');
    return {
        threads: values.has('t') ? list('t').map(decode) : null,
        deep: list('d').map(decode),
        zooms: list('z').flatMap(readZoom),
        clock: word('c', [...CLOCK_WORDS, ...SIDE_WORDS]),
        view: word('v', VIEWS),
        method: /^[0-9a-f]{8}$/.test(values.get('m') ?? '') ? values.get('m') : null,
        byTime: values.get('s') === 'time',
        query: decode(values.get('q') ?? ''),
        range: readRange(values.get('r')),
    };
};

// Keeps the link of the window and the state of a view in sync.
export class Link {
    constructor(view) {
        this.view = view;
        this.text = '';
        this.hasPut = false;
        this.isStep = false; // the button Back of the browser will undo the next write
        this.tell = (_fragment) => {}; // a page that shows the picture in a frame
    }

    write() {
        const {view} = this;
        const {open, panels, state} = view;
        const asDrawn = panels.every((panel) => panel.open === panel.shownAtFirst);
        const zoomed = panels.filter((panel) => panel.isZoomed && !panel.tree.start);
        this.text = writeLink({
            threads: asDrawn ? null : open.map((panel) => panel.thread.title),
            deep: open.filter((panel) => panel.allRows && !view.page.fullDepth)
                .map((panel) => panel.thread.title),
            zooms: zoomed.map(({tree, thread, zoom, part}) =>
                ({hash: hashPath({tree, title: thread.title}, view.labels, zoom), part})),
            clock: state.clock === view.first.clock ? '' : view.clockWords[state.clock],
            view: state.view === view.first.view ? '' : state.view,
            method: state.method === view.first.method ? '' : hashText(view.methodName),
            byTime: state.byTime,
            query: state.query,
            range: this.writeRange(),
        });
        clearTimeout(this.later);
        // browsers reject more than a few changes a second
        this.later = setTimeout(() => this.put(), this.hasPut ? 150 : 0);
    }

    writeRange() {
        const {chart, state} = this.view;
        const range = chart?.isOn ? chart.span : state.range;
        const since = (time) => Math.round(chart.data.from + time);
        return range ? {from: since(range.from), to: since(range.to)} : null;
    }

    readRange(range) {
        const {chart, state} = this.view;
        state.range = null;
        const {from = 0} = chart?.data ?? {};
        chart?.setWindow((range?.from ?? 0) - from, (range?.to ?? Infinity) - from);
    }

    put() {
        const {isStep} = this;
        this.hasPut = true;
        this.isStep = false;
        try {
            const bare = location.pathname + location.search;
            const isNew = location.hash.replace(/^#/, '') !== this.text;
            history[isStep && isNew ? 'pushState' : 'replaceState'](null, '',
                this.text === '' ? bare : '#' + this.text);
        } catch {
            // pages in a sandbox have no history
        }
        this.tell(this.text);
    }

    read(fragment) {
        const {view} = this;
        this.text = fragment.replace(/^#/, '');
        const link = readLink(fragment);
        const {state} = view;
        const {threads} = link;
        const isNamed = (panel) => threads?.includes(panel.thread.title);
        // threads of another recording would leave nothing open
        const isOther = !threads || (threads.length > 0 && !view.panels.some(isNamed));
        for (const panel of view.panels) {
            panel.open = isOther ? panel.shownAtFirst : isNamed(panel);
        }
        const clock = view.clockWords.indexOf(link.clock ?? '');
        state.clock = view.clocks.includes(clock) ? clock : view.first.clock;
        const method = link.method === null ? -1
            : view.labels.text.findIndex((text) => hashText(text) === link.method);
        const isMissing = (link.view === 'chart' && !view.chart) ||
            (link.view === 'sandwich' && method < 0);
        const shown = isMissing ? view.first.view : link.view ?? view.first.view;
        this.readRange(link.range);
        if (view.chart && shown !== 'chart') {
            state.range = view.chart.span;
            view.chart.span = null;
        }
        state.byTime = link.byTime && !view.compare;
        view.setTrees(shown, shown !== 'sandwich' ? -1
            : method < 0 ? view.first.method : method);
        view.panels.forEach((panel) => {
            panel.allRows = view.page.fullDepth || link.deep.includes(panel.thread.title);
            panel.zoomTo(0);
        });
        view.back = [];
        const zooms = link.zooms.filter((zoom) => this.restoreZoom(zoom));
        state.query = link.query;
        view.search.update();
        this.report(this.listMissing(link, zooms.length, {clock, method}));
    }

    // The parts of the link that this recording lacks: the link may belong to another one.
    listMissing(link, zooms, {clock, method}) {
        const {view} = this;
        const titles = new Set(view.panels.map((panel) => panel.thread.title));
        const threads = [...new Set([...link.threads ?? [], ...link.deep])];
        const known = threads.filter((title) => titles.has(title));
        const part = (found, all, words) => (found < all
            ? [`${countText(all - found)} of ${words}`] : []);
        const {length} = link.zooms;
        return [
            ...part(known.length, threads.length, threadsText(threads.length)),
            ...part(zooms, length, countedText(length, ['zoomed frame', 'zoomed frames'])),
            ...(link.method !== null && method < 0 ? ['the method'] : []),
            ...(clock >= 0 && !view.clocks.includes(clock) ? [`the ${link.clock} clock`] : []),
            ...(link.view === 'chart' && !view.chart ? ['the chart'] : []),
        ];
    }

    report(missing) {
        if (missing.length > 0) {
            const list = new Intl.ListFormat('en-GB').format(missing);
            this.view.page.bars.announce(
                `This recording does not contain these parts of the link: ${list}.`, 10000);
        }
    }

    // Returns whether a path has the hash.
    restoreZoom({hash, part}) {
        const {view} = this;
        const nodeIn = ({tree, thread: {title}}) => findHash({tree, title}, view.labels, hash);
        const panel = view.panels.find((one) => nodeIn(one) >= 0);
        if (panel) {
            panel.zoomTo(nodeIn(panel));
            panel.part = part;
            panel.open = true;
            view.active = panel;
        }
        return panel !== undefined;
    }
}
