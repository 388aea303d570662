// Turns keys into actions of the view. Every mouse action has a key.
import {copyFrame} from './copy.js';
import {more} from './more.js';
import {isAmongCallers} from './sandwich.js';
import * as SAY from './say.js';
import {clockSuffix, hasClocks} from './words.js';

const ZOOM = 1.4;
const PAN = 0.15; // of the width of the window
const STEPS_IN_HITS = ['ArrowDown', 'ArrowUp', 'Escape'];

// One row for each key: `label` and `help` are its texts in the list of keys, `keys` has its
// actions. A row with a `view` ('graph', 'chart', 'compare' for comparisons) is listed only in
// that view, and only if needs(view) is true. The rows of charts and comparisons come first;
// they are in more_keys.js.
const ROWS = [
    ...more.moreKeys ?? [], {
        view: 'graph', label: 'Click, Enter', help: 'zoom to the frame',
        keys: {Enter: (keys) => keys.enterFocused(), ' ': (keys) => keys.enterFocused()},
    }, {
        view: 'graph', label: 'Arrow keys',
        help: 'select the frame above, below, left or right',
        keys: {
            ArrowUp: (keys) => keys.moveRow(keys.view.isInverted ? -1 : 1),
            ArrowDown: (keys) => keys.moveRow(keys.view.isInverted ? 1 : -1),
            ArrowLeft: (keys) => keys.moveAlongRow(-1),
            ArrowRight: (keys) => keys.moveAlongRow(1),
        },
    }, {
        view: 'graph', label: 'k', help: 'switch between wall, CPU and waiting time',
        needs: (view) => !view.compare,
    }, {
        view: 'graph', label: 'i', help: 'switch between flame and icicle',
        keys: {i: ({view}) => view.setView(view.isInverted ? 'flame' : 'icicle')},
    }, {
        view: 'graph', label: 'x', help: 'sort siblings by time, or by their first calls',
        needs: (view) => !view.compare && view.state.view !== 'sandwich',
        keys: {x: ({view}) => !view.compare && view.state.method < 0 && view.toggleOrder()},
    }, {
        view: 'graph', label: 'g', help: 'show the chart', needs: (view) => view.chart,
        keys: {g: (keys) => keys.openChart()},
    }, {
        label: 'w, s', help: 'zoom in and out around the pointer or the selected frame',
        keys: {
            w: ({view}) => view.zoomBy(1 / ZOOM),
            s: ({view}) => view.zoomBy(ZOOM),
        },
    }, {
        label: 'a, d, drag, Shift + wheel', help: 'move left and right',
        keys: {
            a: ({view}) => view.panBy(-PAN),
            d: ({view}) => view.panBy(PAN),
        },
    }, {
        // not listed: the rows of the views that have several clocks list it
        label: 'k', needs: () => false, keys: {k: (keys) => keys.nextClock()},
    }, {
        label: 'Escape, Backspace', help: 'go back',
        keys: {Escape: (keys) => keys.leave(), Backspace: ({view}) => view.goBack()},
    }, {
        label: '0', help: 'show everything again', keys: {0: ({view}) => view.reset()},
    }, {
        label: 'Ctrl + wheel, pinch', help: 'zoom in time around the pointer',
    }, {
        label: '/ or Ctrl + F',
        help: 'search; /expression/ and /expression/i are regular expressions',
        keys: {'/': (keys) => keys.openSearch()},
    }, {
        label: 'Enter, Shift + Enter',
        help: 'in the search field: next match, previous match, the one with the most time ' +
            'first; Escape leaves the field for the match',
    }, {
        label: 'n, N', help: 'next match, previous match',
        keys: {n: ({view}) => view.search.walk(1), N: ({view}) => view.search.walk(-1)},
    }, {
        label: 'z, Ctrl + Enter', help: 'zoom to the match or the selected frame',
        keys: {z: (keys) => keys.zoomToFocused()},
    }, {
        label: 'b', help: 'return to where the search began',
        keys: {b: (keys) => keys.returnToOrigin()},
    }, {
        label: 'c', help: 'show the callers and callees of this method, or go back',
        keys: {c: ({bars}) => bars.toggleSandwich()},
    }, {
        label: 'f', help: 'list what stands out, with links to the frames',
        needs: ({page}) => page.findings.length > 0,
        keys: {f: (keys) => keys.explain()},
    }, {
        label: 't', help: 'list the threads',
        keys: {t: ({bars}) => bars.threads && bars.toggleRail()},
    }, {
        label: 'y, Y', help: 'copy the name, copy the stack',
        keys: {
            y: ({view}) => view.chosen && copyFrame(view, view.chosen, 'name'),
            Y: ({view}) => view.chosen && copyFrame(view, view.chosen, 'stack'),
        },
    }, {
        label: '?', help: 'show this list', keys: {'?': ({bars}) => bars.showHelp()},
    },
];

export class Keys {
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
        } else if (bars.hits.contains(event.target) && STEPS_IN_HITS.includes(event.key)) {
            this.keyInHits(event);
        } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
            this.keyInGraph(event);
        }
    }

    findKey(event) {
        if (event.target === this.bars.input || this.leavesFind) {
            this.leavesFind = false;
            return; // the browser opens its own search
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
            const isWalking = bars.seek.classList.contains('af-walking');
            if (!isWalking || !view.search.focusedMatch) { // otherwise goes to the match
                bars.input.value = '';
                view.search.run('');
            }
            bars.seek.classList.remove('af-walking');
            this.leavesFind = true;
            this.leaveSearch();
        } else if (event.key === 'Enter') {
            event.preventDefault();
            if (event.ctrlKey || event.metaKey) {
                bars.input.blur(); // the focus goes to the frame
                this.zoomToFocused();
            } else {
                bars.seek.classList.add('af-walking');
                view.search.walk(event.shiftKey ? -1 : 1);
            }
        } else if (event.key === 'ArrowDown') {
            event.preventDefault();
            bars.seek.classList.remove('af-walking');
            bars.hits.querySelector('button')?.focus();
        }
    }

    // Moves along the largest matches, and from the first one back to the search field.
    keyInHits(event) {
        const {target, key} = event;
        event.preventDefault();
        const next = key === 'ArrowDown' ? target.nextSibling ?? target
            : (key === 'ArrowUp' && target.previousSibling) || this.bars.input;
        next.focus();
    }

    leaveSearch() {
        const {view, bars} = this;
        bars.input.blur();
        view.current?.showFocus(true);
    }

    keyInGraph(event) {
        const {view} = this;
        // a list of threads, or a field of a page around the picture, needs its keys itself
        const field = event.target.closest?.('select, input, textarea, [contenteditable]');
        if (field && (event.key !== 'Escape' || !this.page.app.contains(field))) {
            return;
        }
        const onControl = event.target.closest?.('.toggle, .button');
        const isButton = event.target.closest?.('button, input, summary, a') !== null;
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
            action(this);
        }
    }

    actionFor(key) {
        const {chart, compare} = this.view;
        const actionIn = (view) =>
            ROWS.find((row) => row.view === view && Object.hasOwn(row.keys ?? {}, key))
                ?.keys[key];
        return (chart?.isOn ? chart.cursor?.act(key) ??
                (key === 'f' && !this.view.chosen ? undefined : actionIn('chart'))
            : compare ? actionIn('compare') : undefined) ??
            actionIn('graph') ?? actionIn(undefined);
    }

    // The rows for the list of keys.
    list() {
        const {view} = this;
        const shown = view.chart?.isOn ? 'chart' : 'graph';
        return ROWS.filter((row) =>
            (row.view === 'compare' ? view.compare : (row.view ?? shown) === shown) &&
            (!row.needs || row.needs(view)));
    }

    zoomToFocused() {
        const {chosen} = this.view;
        if (chosen) {
            this.view.zoomTo(chosen.panel, chosen.node);
        }
    }

    openChart() {
        const {view, bars} = this;
        if (view.chart) {
            view.chart.toggle();
        } else {
            bars.announce(view.compare ? SAY.NO_DIFF_CHART : SAY.NO_CHART, 8000);
        }
    }

    returnToOrigin() {
        if (!this.view.search.returnToOrigin()) {
            this.bars.announce('There is no search to go back to.');
        }
    }

    nextClock() {
        const {view, bars} = this;
        if (view.state.view === 'chart' && view.block.clocks === 3) {
            bars.announce(`A chart shows ${SAY.CLOCK_TIMES[view.state.clock]} only; ` +
                'press g for the graph.');
            return;
        }
        view.nextClock();
        bars.announce(view.compare ? `${view.compare.widths}.`
                 : view.clocks.length > 1
                     ? `Widths show ${SAY.CLOCK_TIMES[view.state.clock]}.`
                 : hasClocks()
                     ? `This trace has only the${clockSuffix(view.state.clock)} clock.`
                     : 'This trace has no clocks to choose from.');
    }

    explain() {
        const {view, page} = this;
        view.change(() => {
            page.isExplaining = !page.isExplaining;
        });
    }

    leave() {
        const {view, bars, page} = this;
        if (!bars.rail.hidden) {
            bars.toggleRail();
        } else if (view.chart?.range.selected) {
            view.chart.range.clear();
        } else if (!view.goBack()) {
            if (view.state.query !== '') {
                view.search.run('');
            } else if (page.isExplaining) {
                this.explain();
            }
        }
    }

    enterFocused() {
        const {panel, i} = this.focusedFrame();
        if (i >= 0) {
            this.view.pointer.enter(panel, i);
        }
    }

    // The panel that keys act on, and the index of its selected frame, -1 if there is none.
    focusedFrame() {
        const panel = this.view.current;
        return {panel, i: panel?.focused > 0 ? panel.frameOf(panel.focused) : -1};
    }

    focusFirst(panel) {
        const i = panel ? panel.layout.frames.nodes.indexOf(0) : -1;
        if (i >= 0) {
            this.view.focusFrame(panel, panel.layout.frames.node[i]);
        }
    }

    // Towards the callees (1) or the callers (-1).
    moveRow(step) {
        const {panel, i} = this.focusedFrame();
        if (i < 0) {
            this.focusFirst(panel);
            return;
        }
        const {tree, layout} = panel;
        const node = layout.frames.node[i];
        const isAbove = isAmongCallers(tree, node) || (node < tree.turn && step < 0);
        if (step < 0 !== isAbove) { // back to the root
            if (tree.parent[node] > 0) {
                this.view.focusFrame(panel, tree.parent[node]);
            }
            return;
        }
        const child = this.widestChild(panel, node, isAbove);
        if (child > 0) {
            this.view.needRow(panel, child);
            this.view.focusFrame(panel, child);
        } else if (tree.size[node] > 1) {
            this.bars.announce('Its callees are too narrow to draw: press Enter to zoom in.');
        }
    }

    widestChild(panel, node, isAbove) {
        const {tree, measure} = panel;
        const isTurn = tree.turn && node === 1;
        const end = isTurn && isAbove ? tree.turn : node + tree.size[node];
        let best = 0;
        for (let child = isTurn && !isAbove ? tree.turn : node + 1; child < end;
            child += tree.size[child]) {
            if ((best === 0 || measure.weight[child] > measure.weight[best]) &&
                panel.frameOf(child) >= 0) {
                best = child;
            }
        }
        return best;
    }

    // Moves to the next frame in the row, across gaps and blocks.
    moveAlongRow(step) {
        const {panel, i} = this.focusedFrame();
        if (i < 0) {
            this.focusFirst(panel);
            return;
        }
        const {node, nodes, row} = panel.layout.frames;
        let k = i + step;
        while (nodes[k] > 0 && row[k] === row[i]) {
            k += step;
        }
        if (row[k] === row[i]) {
            this.view.focusFrame(panel, node[k]);
        }
    }

    focusin(event) {
        const {afItem: item, afPanel: panel} = event.target;
        if (panel?.graph === event.target) {
            this.focusFirst(panel);
        } else if (item) {
            this.view.chart?.cursor?.drop();
            const {node, nodes} = panel.layout.frames;
            if (nodes[item.frame] === 0 && !this.page.isPlacing) {
                this.view.active = panel;
                panel.focused = node[item.frame];
                this.bars.showDetails(this.view, panel, panel.focused);
            }
        }
    }
}
