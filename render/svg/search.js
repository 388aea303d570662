// The search through all threads: matches, their share of the time, and steps between them.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const MATCH_WIDTH_MIN = 4; // pixels that a match must have to count as shown

    class Search {
        constructor(view) {
            this.view = view;
            this.found = null; // by label: whether it matches; null = nothing is searched
            this.error = null; // what is wrong with the expression, in words
        }

        run(query) {
            const {view} = this;
            view.state.query = query;
            this.update();
            view.open.forEach((panel) => panel.paint());
            view.page.bars.update(view);
            view.link.write();
        }

        // What the query finds in every thread.
        update() {
            const {test, error} = AF.newMatcher(this.view.state.query);
            this.error = error;
            this.found = test ? AF.matchLabels(this.view.labels, test) : null;
            for (const panel of this.view.panels) {
                panel.matches = null;
                if (this.found) {
                    panel.matches = AF.findMatches(panel.tree, this.found);
                    panel.matches.labels = this.found;
                }
            }
        }

        // How much of the time matches: of all threads that are open, and of the zoomed frame.
        get shares() {
            let all = 0;
            let found = 0;
            for (const panel of this.view.open) {
                const total = panel.measure.weight[0];
                all += total;
                found += AF.sumMatches(panel.tree, panel.matches, panel.measure, 0, total);
            }
            const shares = {all: AF.share(found, all), zoom: null};
            const zoomed = this.view.active?.isZoomed ? this.view.active
                : this.view.open.find((panel) => panel.isZoomed);
            if (zoomed) {
                const {from, to} = zoomed.window;
                const {tree, matches, measure} = zoomed;
                shares.zoom = AF.share(AF.sumMatches(tree, matches, measure, from, to), to - from);
            }
            return shares;
        }

        get matchCount() {
            return this.view.panels.reduce((sum, panel) => sum + (panel.matches?.n ?? 0), 0);
        }

        // The number of the focused match among all, from 1; 0 = the focus is on none.
        get matchNumber() {
            let before = 0;
            for (const panel of this.view.panels) {
                const {matches, tree, focused} = panel;
                if (panel === this.view.active && matches?.labels[tree.label[focused]]) {
                    return before + matches.before[focused] + 1;
                }
                before += panel.matches?.n ?? 0;
            }
            return 0;
        }

        // To the next (1) or the one before (-1), through all threads and around.
        walk(step) {
            if (!this.found || this.matchCount === 0) {
                return;
            }
            const {panels, active} = this.view;
            let at = Math.max(0, panels.indexOf(active));
            let node = active ? active.focused : step > 0 ? 0 : Infinity;
            for (let tries = 0; tries <= panels.length; tries++) {
                const next = AF.nextMatch(panels[at].matches, node, step);
                if (next > 0) {
                    this.showMatch(panels[at], next);
                    return;
                }
                at = (at + step + panels.length) % panels.length;
                node = step > 0 ? 0 : Infinity;
            }
        }

        showCall(panel, node) {
            const {view} = this;
            const {chart} = view;
            const {from, to} = chart.spanFor(panel.tree, node, MATCH_WIDTH_MIN);
            if (!panel.open || from !== chart.window.from || to !== chart.window.to) {
                view.remember();
                view.change(() => {
                    panel.open = true;
                    chart.setSpan(from, to);
                }, {animate: true});
            }
            view.needRow(panel, node);
            view.focusFrame(panel, node);
            view.page.bars.update(view);
        }

        showMatch(panel, node) {
            const {view} = this;
            if (panel.tree.start) {
                this.showCall(panel, node);
                return;
            }
            const zoom = AF.zoomFor(panel.tree, panel.measure, panel.zoom, node, view.width,
                MATCH_WIDTH_MIN);
            if (!panel.open || zoom !== panel.zoom || panel.part !== null) {
                view.remember();
                view.change(() => {
                    panel.open = true;
                    panel.zoomTo(zoom);
                }, {animate: true});
            }
            view.needRow(panel, node);
            view.focusFrame(panel, node);
            view.page.bars.update(view);
        }
    }

    AF.Search = Search;
})();
