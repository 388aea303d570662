// The search through all threads: matches, their share of the time, and steps between them.
import {findMatches, isMatch, longestLabel, matchLabels, newMatcher, sumMatches, zoomAround}
    from './match.js';
import {countedText, countText, shareText} from './words.js';

const SEARCH_MS_MOST = 200; // the page does not respond while it searches
const MATCH_WIDTH_MIN = 4; // pixels that a match must have to count as shown
const LARGEST = 10; // matches in the list

// The order of matches: the one with more time comes first, but threads that the picture does not
// draw come last.
const order = (a, b) => b.panel.shownAtFirst - a.panel.shownAtFirst || b.time - a.time ||
    a.panel.number - b.panel.number || a.node - b.node;

export class Search {
    constructor(view) {
        this.view = view;
        this.found = null; // by label: whether it matches; null = no search
        this.error = null; // the error in the expression, in words
        this.searched = 0; // labels searched: fewer than all if the search was stopped
        this.find = null; // finds the first match in a text: [from, to] or null
        this.origin = null; // the view before the search
        this.labelLength = longestLabel(view.labels);
    }

    run(query) {
        const {view} = this;
        if (view.state.query === '' && query !== '') {
            this.origin = view.save();
        }
        view.state.query = query;
        this.update();
        view.open.forEach((panel) => panel.shapes.paint());
        view.page.bars.update(view);
        view.link.write();
    }

    // Searches all threads.
    update() {
        const {labels, state} = this.view;
        const {test, find, error} = newMatcher(state.query, this.labelLength);
        const end = performance.now() + SEARCH_MS_MOST;
        const isOver = () => performance.now() > end;
        const result = test ? matchLabels(labels, test, isOver) : null;
        this.error = error;
        this.find = find;
        this.found = result?.matched ?? null;
        this.searched = result?.n ?? labels.n;
        for (const panel of this.view.panels) {
            panel.matches = this.found && findMatches(panel.tree, this.found,
                this.view.compare?.filterOf(panel.tree));
        }
    }

    // The share of the time that the matches take: in all open threads, and in the zoomed
    // frame.
    get shares() {
        let all = 0;
        let found = 0;
        for (const panel of this.view.open) {
            const total = panel.measure.weight[0];
            all += total;
            found += sumMatches(panel.tree, panel.matches, panel.measure, 0, total);
        }
        const shares = {all: shareText(found, all), zoom: null};
        const zoomed = this.view.active?.isZoomed ? this.view.active
            : this.view.open.find((panel) => panel.isZoomed);
        if (zoomed) {
            const {from, to} = zoomed.window;
            const {tree, matches, measure} = zoomed;
            shares.zoom = shareText(sumMatches(tree, matches, measure, from, to), to - from);
        }
        return shares;
    }

    // "" unless the search was stopped.
    get stopText() {
        const {labels} = this.view;
        return this.searched === labels.n ? ''
            : `stopped after ${SEARCH_MS_MOST} ms: searched ${countText(this.searched)} of ` +
                countedText(labels.n, ['name', 'names']);
    }

    get matchCount() {
        return this.view.panels.reduce((sum, panel) => sum + (panel.matches?.n ?? 0), 0);
    }

    // Calls look({panel, node, time}) for each match.
    eachMatch(look) {
        for (const panel of this.view.panels) {
            const {weight} = panel.measure;
            for (const node of panel.matches?.nodes ?? []) {
                look({panel, node, time: weight[node]});
            }
        }
    }

    // The focused match; null if no match is focused.
    get focusedMatch() {
        const {panel, node} = this.view.chosen ?? {};
        return panel?.matches && isMatch(panel.matches, node)
            ? {panel, node, time: panel.measure.weight[node]} : null;
    }

    // The number of the focused match among all, by time, from 1; 0 = no match is focused.
    get matchNumber() {
        const {focusedMatch} = this;
        let number = focusedMatch ? 1 : 0;
        if (focusedMatch) {
            this.eachMatch((match) => (number += order(match, focusedMatch) < 0 ? 1 : 0));
        }
        return number;
    }

    // Moves to the next match (1) or the previous one (-1) in all threads, from the one with the
    // most time to the one with the least; wraps around.
    walk(step) {
        if (!this.found || this.matchCount === 0) {
            return;
        }
        const {focusedMatch} = this;
        let first = null;
        let next = null; // the nearest one after the focused match
        this.eachMatch((match) => {
            first = first === null || step * order(match, first) < 0 ? match : first;
            const isAfter = focusedMatch && step * order(match, focusedMatch) > 0;
            next = isAfter && (next === null || step * order(match, next) < 0) ? match : next;
        });
        const {panel, node} = next ?? first;
        this.showMatch(panel, node);
    }

    // Never zooms in: the picture stays still while the user steps through the matches.
    showMatch(panel, node) {
        const {tree} = panel;
        if (tree.start) {
            const {chart} = this.view;
            const {from, to} = chart.spanFor(tree, node, MATCH_WIDTH_MIN);
            this.view.goTo(panel, node, from !== chart.window.from || to !== chart.window.to,
                () => chart.setWindow(from, to));
        } else {
            const zoom = zoomAround(tree, panel.zoom, node);
            this.view.goTo(panel, node, zoom !== panel.zoom || panel.part !== null,
                () => panel.zoomTo(zoom));
        }
    }

    // The largest matches of all threads, [{panel, node, time}, ...]. A match called by one with
    // the same label is part of its recursion, and not listed.
    get largest() {
        let largest = [];
        this.eachMatch((match) => {
            const {panel: {tree: {label, parent}}, node, time} = match;
            if (label[node] !== label[parent[node]] && !(time <= largest[LARGEST - 1]?.time)) {
                largest = [...largest, match].sort((a, b) => b.time - a.time).slice(0, LARGEST);
            }
        });
        return largest;
    }

    // Returns to the view before the search.
    returnToOrigin() {
        const {view, origin} = this;
        if (origin) {
            view.remember();
            view.restore(origin);
            view.page.hold(origin.scrollTop);
            view.page.scrollTo(origin.scrollTop);
            view.drawFrames();
        }
        return origin !== null;
    }
}
