// The state of a chart: one time window for all tracks, the selected range, the highlighted calls.
// Also switches between the chart and the merged graph of a time range.
import {Cursor} from './cursor.js';
import {FrameTracks} from './frame_tracks.js';
import {Markers} from './markers.js';
import {Range} from './range.js';
import {Ruler} from './ruler.js';
import {RunBand} from './run_band.js';
import {findOutermost} from './sandwich.js';
import * as SAY from './say.js';
import {climbFrom, findPath} from './tree.js';
import {countedText, entryWords, exact, fill, isolate, span} from './words.js';

const LEAST = 100; // minimum duration of a window, ns
const MATCH_PART = 0.3; // part of the window for a match that is too narrow otherwise

export class Chart {
    constructor(view) {
        this.view = view;
        this.data = view.block.chart;
        this.span = null; // {from, to} in ns of the axis; null = all
        this.left = null; // {panel, tree, node}, selected when the user opened the graph
        this.highlighted = -1; // label of highlighted calls; -1 = those of the static sheet
        this.ruler = new Ruler(this);
        this.range = new Range(view, this);
        this.markers = this.data.markers ? new Markers(view, this) : null;
        this.frames = this.data.frames ? new FrameTracks(this) : null;
        this.runs = new RunBand(this);
        this.cursor = this.markers ? new Cursor(view, this) : null;
    }

    get isOn() {
        return this.view.state.view === 'chart';
    }

    get window() {
        return this.span ?? {from: 0, to: this.data.length};
    }

    // Rounds a time to the precision of the pointer in a window.
    round(time, {from, to} = this.window) {
        const grain = Math.max(1, 10 ** Math.floor(Math.log10((to - from) / this.view.width)));
        return Math.round(time / grain) * grain;
    }

    // Does not draw: the caller does, usually by view.change().
    setWindow(from, to) {
        const {length} = this.data;
        const span = {from: Math.max(0, from), to: Math.min(length, to)};
        this.span = span.to <= span.from || span.to - span.from >= length ? null : span;
        this.view.dropLayouts();
    }

    zoomTo(from, to) {
        const {view} = this;
        view.remember();
        view.change(() => this.setWindow(from, to), {animate: true});
    }

    // Totals of the selected range, otherwise of the visible time.
    totals() {
        const {from, to} = this.range.selected ?? this.window;
        this.range.select(from, to);
        this.range.finish();
    }

    // ---- highlights ----

    // Highlights all calls of the focused method. If they are highlighted already, restores the
    // highlights of the static sheet.
    highlightFocused() {
        const {view} = this;
        const label = view.chosenLabel ?? -1;
        if (label < 0 || label >= view.labels.n) {
            view.page.bars.announce('Select a frame first to highlight its method.');
            return;
        }
        const isNew = label !== this.highlighted;
        view.change(() => {
            this.highlighted = isNew ? label : -1;
            view.panels.forEach((panel) => {
                const {calls} = panel.thread;
                panel.ownHighlights = isNew ? findOutermost(calls, label)
                    .map((i) => ({start: calls.start[i], extent: calls.extent[i]})) : null;
            });
        });
        if (isNew) {
            const highlighted = view.panels.filter((panel) => panel.ownHighlights.length > 0);
            const n = highlighted.reduce((sum, panel) => sum + panel.ownHighlights.length, 0);
            const count = this.countHighlights(n, highlighted);
            view.page.bars.announce(`Highlighted ${count} of ${view.labels.text[label]}.`);
        }
    }

    countHighlights(n, panels) {
        return countedText(n, entryWords(panels.map(({thread}) => thread)));
    }

    // "3 calls of onBind highlighted: 12.3 ms"; null if the panel has no highlights.
    highlightFact(panel) {
        const {ownHighlights, highlights} = panel;
        if (!this.isOn || highlights.length === 0) {
            return null;
        }
        const sum = (amount) => highlights.reduce((all, one) => all + amount(one), 0);
        const name = ownHighlights ? this.view.labels.text[this.highlighted]
            : this.data.highlighted;
        const count = this.countHighlights(sum(({calls}) => calls ?? 1), [panel]);
        const time = span(sum(({length, extent}) => length ?? extent));
        return fill(SAY.HIGHLIGHTED, count, isolate(name), time);
    }

    // ---- from chart to graph and back ----

    // Shows the merged graph of a range; null = of everything.
    showGraphOf(range) {
        const {view} = this;
        const isPart = range && (range.from > 0 || range.to < this.data.length);
        view.remember();
        this.range.clear();
        this.follow(() => {
            view.state.range = isPart ? range : null;
            view.setTrees(view.graphStyle, -1);
        });
    }

    // Runs `action`, which changes the trees, and selects the frame with the same path as the
    // selected frame, or its innermost visible caller.
    follow(action) {
        const {view} = this;
        const panel = view.state.method < 0 ? view.active : null;
        const {tree, focused} = panel ?? {focused: 0};
        view.change(() => {
            action();
            if (focused > 0) {
                panel.lay();
                panel.focused = this.findChosen(panel, tree, focused);
            }
        });
        if (panel?.focused > 0) {
            view.needRow(panel, panel.focused);
            view.reveal({panel, node: panel.focused});
        }
    }

    // The node with the path of the node `chosen` of the tree `before`. If several calls have
    // this path: the one that was selected when the user left the chart, otherwise the one that
    // fills most of the window. If the node has no frame, returns its innermost caller that has
    // one.
    findChosen(panel, before, chosen) {
        const {tree} = panel;
        const {from, to} = this.window;
        const {left} = this;
        this.left = before.start ? {panel, tree: before, node: chosen} : null;
        const node = tree.start && left?.panel === panel &&
            findPath(left.tree, left.node, before) === chosen ? left.node
            : findPath(before, chosen, tree, (i) => (tree.start
                ? Math.min(to, tree.start[i] + tree.extent[i]) - Math.max(from, tree.start[i])
                : 0));
        return climbFrom(tree, node).find((at) => panel.frameOf(at) >= 0) ?? 0;
    }

    toggle() {
        const {view} = this;
        if (this.isOn) {
            this.showGraphOf(this.range.selected ?? this.span);
        } else {
            view.setView('chart');
        }
    }

    // "only 200 ms to 300 ms", for a graph of a range; otherwise null.
    get rangeWords() {
        const {range} = this.view.state;
        if (!range || this.isOn) {
            return null;
        }
        const text = (time) => exact(Math.round(this.round(this.data.from + time, range)));
        return `only ${text(range.from)} to ${text(range.to)}`;
    }

    // A time of the axis since the start of the trace.
    timeText(time) {
        return exact(Math.round(this.data.from + time));
    }

    // ---- search ----

    // The window for a call: the current one if it shows the whole call at least `widthMin`
    // pixels wide.
    spanFor(tree, node, widthMin) {
        const {from, to} = this.window;
        const {width} = this.view;
        const start = tree.start[node];
        const extent = tree.extent[node];
        const wide = extent * width >= widthMin * (to - from);
        if (wide && start >= from && start + extent <= to) {
            return this.window;
        }
        const length = Math.min(this.data.length, wide && extent <= to - from ? to - from
            : Math.max(LEAST, extent / MATCH_PART));
        const at = Math.max(0, Math.min(this.data.length - length,
            start + extent / 2 - length / 2));
        return {from: at, to: at + length};
    }

    // ---- drawing ----

    // Draws the time ruler and the frame tracks, with their top at `y` of the sheet. Returns where
    // the first panel begins. A graph has neither.
    drawTop(y) {
        const {ruler, frames, markers, view} = this;
        if (!this.isOn || view.isEmpty) {
            [ruler, frames, markers].forEach((part) => part?.element.remove());
            ruler.selected.remove();
            return y;
        }
        ruler.draw(y);
        if (!ruler.element.parentNode) {
            const {svg, panels} = view.page;
            panels.before(...frames ? [frames.element] : []);
            panels.after(...markers?.data.counters.length > 0 ? [markers.element] : []);
            svg.append(ruler.selected, ruler.element);
        }
        return frames?.draw(y + ruler.height) ?? y + ruler.height;
    }

    // Draws the elements below and above the calls of a panel; a graph has none.
    drawTrack(panel) {
        const {page} = this.view;
        const isTrack = panel.tree.start && panel.open;
        page.redraw(panel.ground, (group) => isTrack && this.ruler.drawGround(panel, group));
        page.redraw(panel.over, (group) => isTrack && this.ruler.drawOver(panel, group));
    }

    drawRange() {
        if (this.isOn && !this.view.isEmpty) {
            this.ruler.drawRange(this.range.selected, this.view.bottom);
        }
    }
}
