// Keyboard access to instants and counter values: a cursor that moves along a track of them and
// from track to track, and that screen readers announce.
import {hundredths, setAll, svgNode} from './elements.js';
import {lastAt} from './markers.js';
import * as S from './sizes.js';
import {findFirst} from './tree.js';
import {countText} from './words.js';

const RING = 11;
const TOP_GAP = 48; // pixels above the cursor after scrolling to it

export class Cursor {
    constructor(view, chart) {
        this.view = view;
        this.chart = chart;
        this.at = null; // {track, i}; null = keys act on frames
        this.element = null;
    }

    get tracks() {
        return this.chart.markers.tracks.filter(({n}) => n > 0);
    }

    // The track of the cursor. It is looked up each time, because panels appear and disappear.
    get track() {
        return this.at ? this.tracks.find((track) => track.of === this.at.of) : undefined;
    }

    // The position of the cursor in the window, in pixels; null = outside.
    get x() {
        const time = this.track?.timeOf(this.at.i) ?? -1;
        const {from, to} = this.chart.window;
        return time >= from && time <= to ? this.chart.ruler.xOf(time) : null;
    }

    get marker() {
        return this.track?.describe(this.at.i) ?? null;
    }

    // ---- keys ----

    act(key) {
        const along = (step) => () => this.moveBy(step);
        const across = (step) => () => this.moveTrack(step);
        const zoom = () => this.zoomIn();
        const inside = {
            ArrowLeft: along(-1), ArrowRight: along(1), ArrowUp: across(-1),
            ArrowDown: across(1), Enter: zoom, ' ': zoom, f: zoom, Escape: () => this.leave(),
        };
        const always = {e: across(1), E: across(-1)};
        return (this.at ? inside[key] : undefined) ?? always[key];
    }

    moveTrack(step) {
        const {tracks} = this;
        if (tracks.length === 0) {
            this.view.page.bars.announce('This chart has no instants or counters.');
            return;
        }
        const indexAt = ({n, timeOf}, time) => Math.max(0, lastAt(n, timeOf, time));
        const now = tracks.findIndex((track) => track.of === this.at?.of);
        if (now >= 0) {
            const next = tracks[(now + step + tracks.length) % tracks.length];
            this.go(next, indexAt(next, tracks[now].timeOf(this.at.i)));
            return;
        }
        const {from, to} = this.chart.window;
        const {panel, node} = this.view.chosen ?? {};
        const visible = (track) => {
            const start = panel && track.of === panel ? panel.tree.start[node] : from;
            const i = findFirst(0, track.n, (k) => track.timeOf(k) < start);
            return i < track.n && track.timeOf(i) <= to ? i : -1;
        };
        const track = tracks.find((one) => panel && one.of === panel && visible(one) >= 0) ??
            tracks.find((one) => visible(one) >= 0) ?? tracks[0];
        this.go(track, visible(track) >= 0 ? visible(track) : indexAt(track, to));
    }

    moveBy(step) {
        const {track} = this;
        const i = this.at.i + step;
        if (track && i >= 0 && i < track.n) {
            this.go(track, i);
        } else if (track) {
            this.view.page.bars.announce(`This is the ${step < 0 ? 'first' : 'last'} one.`);
        }
    }

    leave() {
        const hadFocus = document.activeElement === this.element;
        this.drop();
        this.view.page.bars.showActive(this.view);
        if (hadFocus) {
            this.view.current?.showFocus(true);
        }
    }

    zoomIn() {
        const {from, to} = this.chart.window;
        const length = (to - from) / 4;
        const time = this.track?.timeOf(this.at.i) ?? from;
        this.chart.zoomTo(time - length / 2, time + length / 2);
    }

    // ---- the cursor ----

    drop() {
        this.at = null;
        this.element?.remove();
        this.element = null;
    }

    // Moves to an item of a track. Moves the window if the item is outside: it is then in the
    // middle.
    go(track, i) {
        const {chart, view} = this;
        const {from, to} = chart.window;
        const time = track.timeOf(i);
        this.drop(); // screen readers announce a new element
        this.at = {of: track.of, i};
        if (time < from || time > to) {
            view.setWindow(view.current ?? null, time - (to - from) / 2, to - from);
        } else {
            this.draw();
        }
        this.reveal();
        this.element?.focus({preventScroll: true});
        view.page.bars.showActive(view);
    }

    reveal() {
        const {track, view} = this;
        if (track?.of) { // the ruler stays visible
            view.bringIntoView(track.y - view.page.scrollTop, track.height, TOP_GAP, 8);
            this.draw();
        }
    }

    // Draws the cursor, unless it is outside the window or its track is closed.
    draw() {
        const track = this.chart.isOn ? this.track : null;
        if (!track) {
            if (this.at) {
                this.leave();
            }
            return;
        }
        const {x} = this;
        if (!this.element) {
            const {name, facts} = track.describe(this.at.i);
            this.element = svgNode('g', {
                class: 'cursor', tabindex: '0', role: 'img',
                'aria-label': [name, ...facts, track.what,
                    `${countText(this.at.i + 1)} of ${countText(track.n)}`].join(', '),
            });
            this.element.append(svgNode('rect', {width: RING, rx: 3}));
        }
        const {y, height} = track;
        setAll(this.element.firstChild, {
            x: hundredths(S.MARGIN + x - RING / 2), y: hundredths(y - 1),
            height: height + 2, visibility: x === null ? 'hidden' : 'inherit',
        });
        if (!this.element.parentNode) {
            this.view.page.svg.append(this.element);
        }
    }
}
