// Instants and values of counters by keys: a cursor that goes along a lane of them and from lane to
// lane, and is heard where it stands.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});
    const {svgNode, hundredths} = AF;

    const RING = 11;
    const ROOM = 48; // above what is scrolled to

    class Notes {
        constructor(view, chart) {
            this.view = view;
            this.chart = chart;
            this.beside = chart.beside;
            this.at = null; // {lane, i}; null = keys act on frames
            this.element = null;
        }

        // From the top: under the ruler, over the threads, counters. {of, what, n, timeOf, noteOf,
        // place}; `place` says where it stands on the sheet, {y, height}.
        get lanes() {
            const {beside, view, chart: {ruler}} = this;
            return [
                this.laneOf(beside.data.instants, null, 'all threads', () => ({
                    y: ruler.at + ruler.height - AF.DOTS - 1, height: AF.DOTS,
                })),
                ...view.panels.filter((panel) => panel.dotsHeight > 0).map((panel) =>
                    this.laneOf(panel.thread.instants, panel, panel.thread.title, () => ({
                        y: panel.top + panel.graphTop - panel.bracketsHeight - AF.DOTS,
                        height: AF.DOTS,
                    }))),
                ...beside.areas.map(({counter, top}) => ({
                    of: counter, what: 'counter', n: counter.times.length,
                    timeOf: (i) => counter.times[i],
                    noteOf: (i) => beside.noteOfValue(counter, i),
                    place: () => ({y: top, height: beside.areaHeight}),
                })),
            ].filter((lane) => lane.n > 0);
        }

        laneOf(instants, panel, what, place) {
            return {
                of: panel, what, n: instants.length, place,
                timeOf: (i) => instants[i].at,
                noteOf: (i) => this.beside.noteOfInstants([instants[i]]),
            };
        }

        // The lane of the cursor as it is now: panels come and go.
        get lane() {
            return this.at ? this.lanes.find((lane) => lane.of === this.at.of) ?? null : null;
        }

        // Where on the graphs the cursor stands in the window; null = nowhere.
        get x() {
            const time = this.lane?.timeOf(this.at.i) ?? -1;
            const {from, to} = this.chart.window;
            return time >= from && time <= to ? this.chart.ruler.place(time) : null;
        }

        get note() {
            return this.lane?.noteOf(this.at.i) ?? null;
        }

        // ---- keys ----

        act(key) {
            const along = (step) => () => this.moveBy(step);
            const across = (step) => () => this.moveLane(step);
            const inside = {
                ArrowLeft: along(-1), ArrowRight: along(1), ArrowUp: across(-1),
                ArrowDown: across(1), Escape: () => this.leave(), Enter: () => this.zoomIn(),
                ' ': () => this.zoomIn(), f: () => this.zoomIn(),
            };
            const always = {e: across(1), E: across(-1)};
            return (this.at ? inside[key] : undefined) ?? always[key];
        }

        moveLane(step) {
            const {lanes} = this;
            if (lanes.length === 0) {
                this.view.page.bars.say('No instants and no counters are drawn here.');
                return;
            }
            const now = lanes.findIndex((lane) => lane.of === this.at?.of);
            if (this.at && now >= 0) {
                const next = lanes[(now + step + lanes.length) % lanes.length];
                this.go(next, this.lastAt(next, lanes[now].timeOf(this.at.i)));
                return;
            }
            const {from, to} = this.chart.window;
            const {active} = this.view;
            const chosen = active?.tree.start && active.focused > 0;
            const seen = (lane) => {
                const i = this.firstAt(lane, chosen && lane.of === active
                    ? active.tree.start[active.focused] : from);
                return i < lane.n && lane.timeOf(i) <= to ? i : -1;
            };
            const lane = lanes.find((one) => chosen && one.of === active && seen(one) >= 0) ??
                lanes.find((one) => seen(one) >= 0) ?? lanes[0];
            this.go(lane, seen(lane) >= 0 ? seen(lane) : this.lastAt(lane, to));
        }

        firstAt(lane, time) {
            return AF.findFirst(lane.n, lane.timeOf, time);
        }

        // What held at the time, or was last before it.
        lastAt(lane, time) {
            return Math.max(0, AF.findFirst(lane.n, lane.timeOf, time + 1e-6) - 1);
        }

        moveBy(step) {
            const {lane} = this;
            const i = this.at.i + step;
            if (lane && i >= 0 && i < lane.n) {
                this.go(lane, i);
            } else if (lane) {
                this.view.page.bars.say(`This is the ${step < 0 ? 'first' : 'last'} one.`);
            }
        }

        leave() {
            const had = this.hasFocus;
            this.drop();
            this.view.page.bars.showActive(this.view);
            if (had) {
                this.view.current?.markFocus(true);
            }
        }

        zoomIn() {
            const {from, to} = this.chart.window;
            const length = (to - from) / 4;
            const time = this.lane?.timeOf(this.at.i) ?? from;
            this.chart.zoomTo(time - length / 2, time + length / 2);
        }

        // ---- the cursor ----

        get hasFocus() {
            return this.element !== null && document.activeElement === this.element;
        }

        drop() {
            this.at = null;
            this.element?.remove();
            this.element = null;
        }

        // To one of a lane; what lies outside of the window comes into its middle.
        go(lane, i) {
            const {chart, view} = this;
            const {from, to} = chart.window;
            const time = lane.timeOf(i);
            this.at = {of: lane.of, i};
            this.element?.remove(); // a new one is heard
            this.element = null;
            if (time < from || time > to) {
                const length = to - from;
                const start = Math.max(0, Math.min(chart.data.length - length, time - length / 2));
                view.change(() => chart.setSpan(start, start + length));
            } else {
                this.draw();
            }
            this.reveal();
            this.element?.focus({preventScroll: true});
            view.page.bars.showActive(view);
        }

        reveal() {
            const {page} = this.view;
            const lane = this.lane;
            if (!lane || lane.of === null) {
                return; // the ruler stays in sight
            }
            const {y, height} = lane.place();
            const top = y - page.scrollTop;
            const bottom = window.innerHeight - page.bars.detailsHeight - height - 8;
            const above = ROOM + page.toolsHeight;
            if (top < above || top > bottom) {
                page.scrollTo(Math.max(0, page.scrollTop + (top < above ? top - above
                    : top - bottom)));
                this.view.drawFrames();
                this.draw();
            }
        }

        // Where it is now; it may be outside of the window, or its lane closed.
        draw() {
            const lane = this.chart.isOn ? this.lane : null;
            if (!lane) {
                const had = this.hasFocus;
                this.drop();
                if (had) {
                    this.view.current?.markFocus(true);
                }
                return;
            }
            const {ruler} = this.chart;
            const time = lane.timeOf(this.at.i);
            const isSeen = time >= ruler.from && time <= ruler.to;
            if (!this.element) {
                const {name, facts} = lane.noteOf(this.at.i);
                this.element = svgNode('g', {
                    class: 'note', tabindex: '0', role: 'img',
                    'aria-label': [name, ...facts, lane.what,
                        `${AF.count(this.at.i + 1)} of ${AF.count(lane.n)}`].join(', '),
                });
                this.element.append(svgNode('rect', {width: RING, rx: 3}));
            }
            const {y, height} = lane.place();
            const ring = this.element.firstChild;
            const x = this.view.page.geometry.margin + ruler.place(time) - RING / 2;
            ring.setAttribute('x', hundredths(x));
            ring.setAttribute('y', hundredths(y - 1));
            ring.setAttribute('height', height + 2);
            ring.setAttribute('visibility', isSeen ? 'inherit' : 'hidden');
            if (!this.element.parentNode) {
                this.view.page.svg.append(this.element);
            }
        }
    }

    AF.Notes = Notes;
})();
