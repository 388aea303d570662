// Turns keys into actions of the view. Every mouse action has a key.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    class Keys {
        constructor(view) {
            this.view = view;
            this.page = view.page;
            this.bars = view.page.bars;
            this.leavesFind = false; // the next Ctrl-F goes to the browser
            document.addEventListener('keydown', (event) => this.keydown(event));
            this.page.svg.addEventListener('focusin', (event) => this.focusin(event));
        }

        keydown(event) {
            const {bars} = this;
            const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'f';
            if (bars.help.open) {
                return;
            }
            if (!bars.menu.hidden) {
                this.keyInMenu(event);
            } else if (isFind) {
                this.findKey(event);
            } else if (event.target === bars.input) {
                this.keyInSearch(event);
            } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
                this.keyInGraph(event);
            }
        }

        findKey(event) {
            if (event.target === this.bars.input || this.leavesFind) {
                this.leavesFind = false;
                return; // opens the search of the browser
            }
            event.preventDefault();
            this.openSearch();
        }

        openSearch() {
            this.bars.input.focus();
            this.bars.input.select();
        }

        keyInMenu(event) {
            const steps = {ArrowDown: 1, ArrowUp: -1};
            if (event.key in steps) {
                this.bars.moveInMenu(steps[event.key]);
            } else if (event.key === 'Escape' || event.key === 'Tab') {
                this.bars.hideMenu();
            } else {
                return;
            }
            event.preventDefault();
        }

        keyInSearch(event) {
            const {view, bars} = this;
            if (event.key === 'Escape') {
                event.preventDefault();
                bars.input.value = '';
                view.search.run('');
                this.leavesFind = true;
                this.leaveSearch();
            } else if (event.key === 'Enter') {
                event.preventDefault();
                if (event.ctrlKey || event.metaKey) {
                    this.zoomToFocused();
                } else {
                    view.search.walk(event.shiftKey ? -1 : 1);
                }
            } else if (event.key === 'ArrowDown') {
                event.preventDefault();
                bars.hits.querySelector('button')?.focus();
            }
        }

        leaveSearch() {
            const {view, bars} = this;
            bars.input.blur();
            view.current?.showFocus(true);
        }

        keyInGraph(event) {
            const {view, bars} = this;
            const onControl = event.target.closest?.('.toggle, .button');
            const isButton = event.target.closest?.('button, input, summary') !== null;
            if ((event.key === 'Enter' || event.key === ' ') && (isButton || onControl)) {
                if (onControl && !isButton) {
                    event.preventDefault();
                    view.pointer.press(onControl);
                }
                return;
            }
            const action = this.actionFor(event.key);
            if (action) {
                event.preventDefault();
                action(view, bars);
            }
        }

        actionFor(key) {
            const {view, bars} = this;
            const inChart = view.chart?.isOn ? view.chart.act(key) : undefined;
            if (inChart) {
                return inChart;
            }
            const onFocused = (action) => () => {
                const panel = view.active;
                if (panel && panel.focused > 0) {
                    action(panel, panel.focused);
                }
            };
            return {
                Enter: () => this.enterFocused(),
                ' ': () => this.enterFocused(),
                Escape: () => this.leave(),
                Backspace: () => view.goBack(),
                '0': () => view.reset(),
                '/': () => this.openSearch(),
                '?': () => bars.showHelp(),
                n: () => view.search.walk(1),
                N: () => view.search.walk(-1),
                z: () => this.zoomToFocused(),
                b: () => this.returnToOrigin(),
                w: () => this.nextClock(),
                i: () => view.setView(view.isInverted ? 'flame' : 'icicle'),
                c: () => bars.callersOfFocused(),
                g: () => view.chart?.toggle(),
                t: () => bars.threads && bars.toggleRail(),
                y: onFocused((panel, node) => view.copier.copyName(panel, node)),
                Y: onFocused((panel, node) => view.copier.copyStack(panel, node)),
                ArrowUp: () => this.moveRow(view.isInverted ? -1 : 1),
                ArrowDown: () => this.moveRow(view.isInverted ? 1 : -1),
                ArrowLeft: () => this.moveAlongRow(-1),
                ArrowRight: () => this.moveAlongRow(1),
            }[key];
        }

        zoomToFocused() {
            const {view} = this;
            const panel = view.active;
            if (panel?.focused > 0) {
                view.zoomTo(panel, panel.focused);
            }
        }

        returnToOrigin() {
            if (!this.view.search.returnToOrigin()) {
                this.bars.announce('Nothing was searched.');
            }
        }

        nextClock() {
            const {view, bars} = this;
            view.nextClock();
            bars.announce(view.clocks.length > 1
                         ? `Widths show ${['wall', 'CPU', 'waiting'][view.state.clock]} time.`
                     : AF.hasClocks()
                         ? `This trace has only the${AF.clockSuffix(view.state.clock)} clock.`
                         : 'This trace has no clocks to choose from.');
        }

        leave() {
            const {view, bars} = this;
            if (!bars.rail.hidden) {
                bars.toggleRail();
            } else if (view.chart?.range.selected) {
                view.chart.range.clear();
            } else if (!view.goBack() && view.state.query !== '') {
                view.search.run('');
            }
        }

        enterFocused() {
            const {panel, i} = this.focusedFrame();
            if (panel && i >= 0) {
                this.view.pointer.enter(panel, i);
            }
        }

        // The target of keys; if none is focused, the first frame of the first graph.
        focusedFrame() {
            const {view} = this;
            const panel = view.current;
            if (!panel) {
                return {panel: null, i: -1};
            }
            const i = panel.focused > 0
                ? AF.frameOf(panel.layout, panel.tree, panel.measure, panel.focused, panel.options)
                : -1;
            return {panel, i};
        }

        focusFirst(panel) {
            const {frames} = panel.layout;
            for (let i = 0; i < frames.n; i++) {
                if (frames.nodes[i] === 0) {
                    this.view.focusFrame(panel, frames.node[i]);
                    return;
                }
            }
        }

        // Towards the callees (1) or the callers (-1).
        moveRow(step) {
            const {panel, i} = this.focusedFrame();
            if (!panel) {
                return;
            }
            if (i < 0) {
                this.focusFirst(panel);
                return;
            }
            const {tree, layout} = panel;
            const node = layout.frames.node[i];
            if (step < 0) {
                if (tree.parent[node] > 0) {
                    this.view.focusFrame(panel, tree.parent[node]);
                }
                return;
            }
            const child = this.widestChild(panel, node);
            if (child > 0) {
                this.view.needRow(panel, child);
                this.view.focusFrame(panel, child);
            } else if (tree.size[node] > 1) {
                this.bars.announce('Its callees are too narrow to draw: press Enter to zoom in.');
            }
        }

        widestChild(panel, node) {
            const {tree, layout, measure, options} = panel;
            let best = 0;
            for (let child = node + 1; child < node + tree.size[node]; child += tree.size[child]) {
                if ((best === 0 || measure.weight[child] > measure.weight[best]) &&
                    AF.frameOf(layout, tree, measure, child, options) >= 0) {
                    best = child;
                }
            }
            return best;
        }

        // Moves along the row and skips gaps.
        moveAlongRow(step) {
            const {panel, i} = this.focusedFrame();
            if (!panel) {
                return;
            }
            if (i < 0) {
                this.focusFirst(panel);
                return;
            }
            const {frames} = panel.layout;
            for (let k = i + step; k >= 0 && k < frames.n && frames.row[k] === frames.row[i];
                k += step) {
                if (frames.nodes[k] === 0) {
                    this.view.focusFrame(panel, frames.node[k]);
                    return;
                }
            }
        }

        focusin(event) {
            const item = event.target.afItem;
            if (item) {
                this.view.chart?.cursor?.drop();
                const panel = event.target.afPanel;
                const node = panel.layout.frames.node[item.frame];
                if (panel.layout.frames.nodes[item.frame] === 0 && !panel.isPlacing &&
                    (this.view.active !== panel || panel.focused !== node)) {
                    this.view.active = panel;
                    panel.focused = node;
                    this.bars.showDetails(this.view, panel, node);
                }
            }
        }
    }

    AF.Keys = Keys;
})();
