// The controls around the sheet: tools at the top, details at the bottom, the rail of threads, the
// menu of a frame, the list of keys. All are plain HTML; texts are never parsed as HTML.
import {button, html, listHead} from './elements.js';
import {VIEWS} from './link.js';
import * as SAY from './say.js';
import {CPU, timeOf, WALL} from './tree.js';
import {clockSuffix, countedText, countText, exact, factsOf, fill, labelOf, nameOf, shareText,
    threadsText, timeText, wording} from './words.js';

const HINT = 'Point at a frame to see its numbers; click to zoom. Press ? for the keys.';
const CHART_HINT = 'Point at a frame to see its numbers; click to pin them. w and s zoom, ' +
    'a and d move. Press ? for the keys.';
const TOUCH_HINT = 'Tap a frame to see its numbers and zoom in; hold it for more.';
const TOUCH_CHART_HINT = 'Tap a frame to see its numbers, tap again to zoom; two fingers ' +
    'zoom in time.';
const RAIL = 320; // pixels, as in view.css; the width of the list of threads
const RANGE = 440; // the width of a table of methods
const LIST_MIN = 900; // pixels; narrower windows have no rail, table or tools next to the picture
const ANNOUNCE_MS = 400; // without changes, before screen readers get the facts

export class Bars {
    constructor(view) {
        this.view = view;
        this.detailsHeight = 46;
        this.makeTools();
        this.details = html('div', {class: 'af-details', role: 'status'},
            html('div', {class: 'af-name'}),
            html('div', {class: 'af-facts'}, this.hint));
        this.status = html('div', {class: 'af-status', role: 'status', 'aria-live': 'polite'});
        this.makeRail();
        this.menu = html('div', {class: 'af-menu', role: 'menu', hidden: true,
            'aria-label': 'frame'});
        this.makeHelp();
        const {app} = view.page;
        this.bar = html('div', {class: 'af-bar'}, this.tools);
        app.prepend(this.bar);
        app.append(...view.chart ? [view.chart.range.element] : [], view.methods.element,
            this.details, this.status, this.rail, this.menu, this.help);
        new ResizeObserver(() => this.fit()).observe(this.tools);
        new ResizeObserver(([entry]) =>
            this.detailsResized(entry.borderBoxSize[0].blockSize)).observe(this.details);
    }

    get hint() {
        const {isTouch} = this;
        return this.view.chart?.isOn ? isTouch ? TOUCH_CHART_HINT : CHART_HINT
            : isTouch ? TOUCH_HINT : HINT;
    }

    get isTouch() {
        return matchMedia('(hover: none)').matches;
    }

    // If the details have grown by a line, scrolls so that they do not cover their frame.
    detailsResized(height) {
        const {chosen, chart} = this.view;
        const grows = height > this.detailsHeight;
        this.detailsHeight = height;
        // not set on the page, because all of its elements would inherit the property
        for (const rail of this.view.page.app.querySelectorAll('.af-rail')) {
            rail.style.setProperty('--af-low', `${height}px`);
        }
        if (grows && chart?.cursor?.at) {
            chart.cursor.reveal();
        } else if (grows && chosen && this.shown === chosen.node) {
            this.view.reveal(chosen);
        }
    }

    // ---- tools ----

    makeTools() {
        const {view} = this;
        this.input = html('input', {
            type: 'search', class: 'af-search', placeholder: 'Search  /',
            'aria-label': 'Search method names', autocomplete: 'off', spellcheck: 'false',
        });
        this.found = html('span', {class: 'af-found', role: 'status'});
        this.prev = button('\u2039', () => view.search.walk(-1), {'aria-label': 'previous match'});
        this.next = button('\u203a', () => view.search.walk(1), {'aria-label': 'next match'});
        this.home = button('\u21a9', () => view.search.returnToOrigin(),
            {'aria-label': 'back to where the search began'});
        this.hits = html('div', {class: 'af-hits', 'aria-label': 'largest matches'});
        const clocks = view.compare?.sides ??
            (view.block.clocks === 3 ? ['wall', 'CPU', 'waiting'] : null);
        this.clocks = clocks && this.group(view.compare ? 'Side' : 'Time',
            clocks.map((word, i) => [word, () => view.setClock(i)]));
        this.views = this.group('View', [['flame', () => view.setView('flame')],
            ['icicle', () => view.setView('icicle')],
            ['sandwich', () => this.toggleSandwich()],
            ...(view.chart ? [['chart', () => view.setView('chart')]] : [])]);
        this.threads = view.panels.length > 1
            ? button(threadsText(view.panels.length), () => this.toggleRail(),
                {'aria-expanded': 'false', class: 'af-threads'}) : null;
        [this.changed, this.steps] = view.compare?.makeTools() ?? [];
        this.reset = button('Reset zoom', () => view.reset(), {class: 'af-reset'});
        this.ask = button('?', () => this.showHelp(), {'aria-label': 'keys'});
        // visible while the title of the sheet is scrolled out of the window
        const title = button([view.page.title, html('span', {class: 'af-times'},
            view.page.facts.filter(Boolean).map((fact) => ` \u00b7 ${fact}`).join(''))],
        () => view.page.scrollTo(0),
        {class: 'af-title', title: 'scroll to the title and the legend'});
        this.seek = html('span', {class: 'af-seek'}, this.input, this.prev, this.next, this.home,
            this.found, this.hits);
        // the list of matches covers the picture while the user types, not while Enter goes on
        this.input.addEventListener('input', () => this.seek.classList.remove('af-walking'));
        this.tools = html('div', {class: 'af-tools', role: 'toolbar', 'aria-label': 'tools'},
            title, this.seek, ...[this.changed, this.steps, this.reset, this.clocks,
                this.views, this.threads, this.ask].filter(Boolean));
    }

    // Whether the search field or one of its buttons has the focus, so that Enter goes on.
    get isSeeking() {
        return [this.input, this.prev, this.next].includes(document.activeElement);
    }

    group(label, entries) {
        return html('span', {class: 'af-group', role: 'group', 'aria-label': label},
            ...entries.map(([name, action]) => button(name, action, {'aria-pressed': 'false'})));
    }

    // Opens the sandwich of the selected method; closes the sandwich if it shows that method
    // already, or if no frame is selected.
    toggleSandwich() {
        const {view} = this;
        const label = view.chosenLabel;
        const {state} = view;
        if (state.view === 'sandwich' && (label ?? state.method) === state.method) {
            view.hideSandwich();
        } else {
            view.showSandwich(label);
        }
    }

    // Puts the tools next to the title in a wide window, otherwise above it, and reserves space
    // for them. Returns whether that changed.
    measure() {
        const {page} = this.view;
        const isWide = page.available >= LIST_MIN;
        const before = [page.toolsWidth, page.barHeight];
        this.tools.classList.toggle('af-above', !isWide);
        this.mark(false); // while the page is scrolled, the tools are as wide as the window
        const {width, height} = this.tools.getBoundingClientRect();
        page.toolsWidth = isWide ? Math.ceil(width / 40) * 40 : 0;
        page.barHeight = isWide ? 0 : Math.ceil(height) - 8;
        // tools of several rows scroll away in a low window
        const stays = Math.ceil(height) <= window.innerHeight / 5;
        this.bar.classList.toggle('af-loose', !stays);
        page.topCovered = stays ? Math.ceil(height) : 0;
        this.mark(page.scrollTop > 0);
        return before[0] !== page.toolsWidth || before[1] !== page.barHeight;
    }

    // Draws the edge of the toolbar when content is scrolled below it.
    mark(isScrolled) {
        this.bar.classList.toggle('af-scrolled', isScrolled && this.view.page.topCovered > 0);
    }

    update(view) {
        const {state} = view;
        const press = (group, at) => [...group.children].forEach((element, i) =>
            element.setAttribute('aria-pressed', String(i === at)));
        if (this.clocks) {
            press(this.clocks, view.clocks.indexOf(state.clock));
            this.clocks.hidden = state.view === 'chart';
        }
        press(this.views, VIEWS.indexOf(state.view));
        this.changed?.setAttribute('aria-pressed', String(view.compare.onlyChanged));
        this.reset.hidden = !view.isChanged;
        const {found, error, stopText} = view.search;
        this.prev.hidden = this.next.hidden = this.home.hidden = found === null;
        this.fillHits(view);
        view.methods.update();
        if (document.activeElement !== this.input && this.input.value !== state.query) {
            this.input.value = state.query;
        }
        this.input.setAttribute('aria-invalid', String(error !== null));
        const text = error ?? (found ? this.matchText(view) : '');
        if (this.found.textContent !== text) {
            this.found.textContent = text;
        }
        this.found.classList.toggle('af-alert', error !== null || stopText !== '');
        if (!this.rail.hidden) {
            this.fillRail();
        }
    }

    // Reserves space for the tools.
    fit() {
        if (this.measure()) {
            this.view.draw();
        }
    }

    // The largest matches, below the field while it is used.
    fillHits(view) {
        const {search, state} = view;
        const key = [state.query, state.clock, state.view, state.method, search.matchCount].join();
        if (key === this.hitsKey) {
            return;
        }
        this.hitsKey = key;
        this.hits.replaceChildren(...search.largest.map(({panel, node, time}) => {
            const name = html('span', {}, labelOf(view, panel.tree, node));
            const times = html('span', {class: 'af-times'},
                `${timeText(time)} \u00b7 ${panel.thread.title}`);
            return button([name, times], () => search.showMatch(panel, node));
        }));
    }

    matchText(view) {
        const {shares: {all, zoom}, matchNumber, matchCount, stopText} = view.search;
        return [`${all} of all`, zoom && `${zoom} of zoom`,
            matchNumber > 0 ? `${countText(matchNumber)} of ${countText(matchCount)}`
                : countedText(matchCount, ['match', 'matches']), stopText]
            .filter(Boolean).join(' \u00b7 ');
    }

    // ---- details ----

    showDetails(view, panel, node) {
        if (!panel || node <= 0 || node >= panel.tree.n) {
            this.tell({name: '', facts: [this.hint]});
            return;
        }
        this.shown = panel === view.active ? node : 0;
        this.tell({name: nameOf(view, panel.tree, node), facts: factsOf(view, panel, node),
            source: view.labels.source(panel.tree.label[node])});
        // screen readers get the facts ANNOUNCE_MS after their last change
        const {details} = this;
        details.setAttribute('aria-busy', 'true');
        clearTimeout(this.busyTimer);
        this.busyTimer = setTimeout(() => details.setAttribute('aria-busy', 'false'), ANNOUNCE_MS);
    }

    showBlock(panel, i) {
        const {frames} = panel.layout;
        const {left, weight} = panel.measure;
        const last = frames.last[i];
        const first = frames.node[i];
        const time = left[last] + weight[last] - left[first];
        const start = left[first] + (this.view.block.chart?.from ?? 0);
        const fact = panel.tree.start ? fill(SAY.FROM_TO, exact(start), exact(start + time))
            : `${timeText(time)}${clockSuffix(this.view.state.clock)}, ` +
                `${shareText(time, weight[0])} of ${wording.threadWord}`;
        this.tell({name: panel.describeBlock(i),
            facts: [`${fact} \u00b7 ${this.isTouch ? 'tap' : 'click'} to zoom in`]});
    }

    // Shows the details of what keys act on: an instant or a counter value, otherwise a frame.
    showActive(view) {
        const marker = view.chart?.isOn ? view.chart.cursor?.marker : null;
        if (marker) {
            this.tell(marker);
        } else {
            this.showDetails(view, view.active, view.active?.focused ?? 0);
        }
    }

    // Shows the name and the facts of what the mouse points at; a hint has no name.
    tell({name, facts, source = ''}) {
        const [head, body] = this.details.children;
        head.replaceChildren(name, ...(source ? [html('span', {class: 'af-source'}, source)] : []));
        body.replaceChildren(...facts.flatMap((fact, i) =>
            [i > 0 ? ' \u00b7 ' : '', html('span', {}, fact)])); // lines end between facts
    }

    // Shows a message that disappears after some seconds.
    announce(text, ms = 4000) {
        this.status.textContent = text;
        this.status.classList.add('af-shown');
        clearTimeout(this.statusTimer);
        this.statusTimer = setTimeout(() => this.status.classList.remove('af-shown'), ms);
    }

    // ---- the rail of threads ----

    makeRail() {
        this.list = html('ul', {});
        this.rail = html('aside', {class: 'af-rail', hidden: true, 'aria-label': 'threads'},
            listHead(html('strong', {},
                `${wording.threadWord[0].toUpperCase()}${wording.threadWord.slice(1)}s`),
            () => this.toggleRail()), this.list);
    }

    toggleRail() {
        const hadFocus = this.rail.contains(document.activeElement);
        if (this.rail.hidden) {
            this.view.chart?.range.clear();
        }
        this.rail.hidden = !this.rail.hidden;
        if (hadFocus) {
            this.threads.focus();
        }
        this.threads?.setAttribute('aria-expanded', String(!this.rail.hidden));
        this.reserveRail();
        if (!this.rail.hidden) {
            this.fillRail();
            this.list.querySelector('button')?.focus();
        }
    }

    reserveRail() {
        if (this.arrange()) {
            this.view.draw();
        }
    }

    // In a wide window, the rail or a table is next to the picture; in a narrow one, it covers
    // a part of the picture. Returns whether the width of the picture changed.
    arrange() {
        const {page, chart, methods, state} = this.view;
        methods.element.hidden = state.view !== 'sandwich' || !this.rail.hidden;
        const isRange = !methods.element.hidden || chart?.range.element.hidden === false;
        const wanted = !this.rail.hidden ? RAIL : isRange ? RANGE : 0;
        const width = window.innerWidth < LIST_MIN ? 0 : wanted;
        page.app.classList.toggle('af-under', isRange);
        if (page.rail === width) {
            return false;
        }
        page.rail = width;
        page.app.style.paddingRight = `${width}px`;
        this.view.dropLayouts();
        this.measure();
        return true;
    }

    fillRail() {
        const {view} = this;
        if (!this.list.hasChildNodes()) {
            this.list.append(...view.panels.map((panel) => this.railRow(panel)));
        }
        const timeOfThread = ({thread}) => timeOf(thread.tree, 0, view.block.busyClock);
        const most = Math.max(1, ...view.panels.map(timeOfThread));
        view.panels.forEach((panel, i) => {
            const row = this.list.children[i];
            const [name, bar, times, found] = row.firstChild.children;
            row.firstChild.setAttribute('aria-pressed', String(panel.open));
            name.textContent = panel.thread.title;
            bar.firstChild.style.width = `${100 * timeOfThread(panel) / most}%`;
            times.textContent = this.railTimes(panel);
            found.textContent = panel.matches && panel.matches.n > 0
                ? countedText(panel.matches.n, ['match', 'matches']) : '';
        });
    }

    railTimes(panel) {
        if (this.view.compare) {
            return this.view.compare.factsOfThread(panel).slice(0, -1).join(', ');
        }
        return [WALL, CPU].filter((clock) => panel.thread.tree.inclusive[clock])
            .map((clock) => timeText(timeOf(panel.thread.tree, 0, clock)) + clockSuffix(clock))
            .join(', ');
    }

    railRow(panel) {
        const {view} = this;
        const open = button([html('span', {class: 'af-thread-name'}),
            html('span', {class: 'af-load'}, html('span', {})),
            html('span', {class: 'af-times'}), html('span', {class: 'af-times'})],
        () => (panel.open ? view.toggle(panel) : view.show(panel)), {class: 'af-thread'});
        return html('li', {}, open, button('only', () => view.solo(panel),
            {'aria-label': `only ${panel.thread.title}`, class: 'af-only'}));
    }

    // ---- the menu of a frame ----

    showMenu(panel, node, x, y, actions) {
        this.menu.replaceChildren(...actions.map(([label, key, action]) => {
            const act = () => {
                this.hideMenu();
                action();
            };
            return button([label, html('kbd', {}, key)], act, {role: 'menuitem', tabindex: '-1'});
        }));
        this.menu.hidden = false;
        const box = this.menu.getBoundingClientRect();
        const fit = (at, size, end) => Math.max(4, Math.min(at, end - size - 4));
        this.menu.style.left = `${fit(x, box.width, window.innerWidth)}px`;
        this.menu.style.top = `${fit(y, box.height, window.innerHeight)}px`;
        this.menu.firstChild.focus();
    }

    hideMenu() {
        if (!this.menu.hidden) {
            this.menu.hidden = true;
            this.view.current?.showFocus(true);
        }
    }

    moveInMenu(step) {
        const items = [...this.menu.children];
        const at = items.indexOf(document.activeElement);
        items[(at + step + items.length) % items.length].focus();
    }

    // ---- the keys ----

    makeHelp() {
        this.keys = html('tbody', {});
        this.help = html('dialog', {class: 'af-help', 'aria-label': 'Keys'},
            listHead(html('strong', {}, 'Keys'), () => this.help.close()),
            html('table', {}, this.keys));
    }

    showHelp() {
        if (!this.help.open) {
            this.keys.replaceChildren(...this.view.keys.list().map(({label, help}) =>
                html('tr', {}, html('th', {scope: 'row'}, label), html('td', {}, help))));
            this.help.showModal();
        }
    }
}
