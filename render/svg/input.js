// Mouse, touch and keys become actions of the view; and the start of it all.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    const DRAG = 4; // pixels; less is a click
    const PRINTED_ROWS = 4000;
    const TIMES_PER_NOTCH = 1.0015; // of zooming in time, for each pixel that a wheel reports

    class Input {
        constructor(view) {
            this.view = view;
            this.page = view.page;
            this.bars = view.page.bars;
            this.pointers = new Map();
            this.leavesFind = false; // Ctrl-F belongs to the browser again
            this.listen();
        }

        listen() {
            const {svg} = this.page;
            const on = (target, name, options) => target.addEventListener(name,
                (event) => this[name](event), options);
            for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'click',
                'contextmenu', 'pointerleave']) {
                on(svg, name);
            }
            on(svg, 'wheel', {passive: false});
            on(svg, 'focusin');
            on(document, 'keydown');
            on(window, 'resize');
            on(window, 'hashchange');
            on(window, 'beforeprint');
            on(window, 'scroll', {passive: true});
            document.addEventListener('pointerdown', (event) => {
                if (!this.bars.menu.hidden && !this.bars.menu.contains(event.target)) {
                    this.bars.hideMenu();
                }
            });
            this.bars.input.addEventListener('input',
                () => this.view.search(this.bars.input.value));
            matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
                () => this.page.copyColours());
        }

        // ---- what is there ----

        // {panel, i, node, x} for a frame or block, {panel, x} beside them, null outside of graphs.
        find(event) {
            const item = event.target.closest?.('.f')?.afItem;
            const box = this.page.svg.getBoundingClientRect();
            const x = event.clientX - box.left - this.page.geometry.margin;
            const y = event.clientY - box.top;
            if (item) {
                const panel = event.target.afPanel;
                return {panel, x, i: item.frame, node: panel.layout.frames.node[item.frame]};
            }
            const panel = this.view.open.find((one) => y >= one.top && y < one.top + one.height);
            if (!panel) {
                return null;
            }
            const row = panel.rowAt(y - panel.top - panel.graphTop);
            const i = row < panel.rows ? AF.frameAt(panel.layout, row, x) : -1;
            return i < 0 ? {panel, x, i: -1, node: 0}
                : {panel, x, i, node: panel.layout.frames.node[i]};
        }

        // ---- pointing ----

        pointermove(event) {
            if (this.pointers.has(event.pointerId)) {
                this.dragTo(event);
                return;
            }
            if (event.pointerType !== 'touch') {
                this.point(this.find(event));
            }
        }

        point(found) {
            const {view, bars} = this;
            if (!found || found.i < 0) {
                this.showFocused();
            } else if (found.panel.layout.frames.nodes[found.i] > 0) {
                bars.showBlock(found.panel, found.i);
            } else {
                bars.showDetails(view, found.panel, found.node);
            }
        }

        showFocused() {
            const {active} = this.view;
            this.bars.showDetails(this.view, active, active?.focused ?? 0);
        }

        pointerleave() {
            this.showFocused();
        }

        // ---- dragging and pinching ----

        pointerdown(event) {
            this.dragged = false;
            if (event.button > 0) {
                return;
            }
            const found = this.find(event);
            if (found) {
                this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
                this.start = {x: event.clientX, y: event.clientY, panel: found.panel};
                this.pinch = null;
            }
        }

        dragTo(event) {
            const last = this.pointers.get(event.pointerId);
            const now = {x: event.clientX, y: event.clientY};
            const {start} = this;
            if (this.pointers.size === 1 && !this.dragged &&
                Math.hypot(now.x - start.x, now.y - start.y) < DRAG) {
                return;
            }
            if (!this.dragged) {
                this.dragged = true;
                this.page.svg.setPointerCapture(event.pointerId);
            }
            this.pointers.set(event.pointerId, now);
            if (this.pointers.size === 2) {
                this.pinchTo();
                return;
            }
            if (event.pointerType !== 'touch') {
                this.page.scrollBy(last.y - now.y);
            }
            if (start.panel.isZoomed && now.x !== last.x) {
                this.view.pan(start.panel, now.x - last.x);
            }
        }

        pinchTo() {
            const [a, b] = [...this.pointers.values()];
            const apart = Math.max(8, Math.abs(a.x - b.x));
            const box = this.page.svg.getBoundingClientRect();
            const x = (a.x + b.x) / 2 - box.left - this.page.geometry.margin;
            if (this.pinch) {
                const {panel} = this.start;
                this.view.zoomTime(panel, Math.min(this.view.width, Math.max(0, x)),
                    this.pinch.apart / apart);
                if (panel.isZoomed && x !== this.pinch.x) {
                    this.view.pan(panel, x - this.pinch.x);
                }
            }
            this.pinch = {apart, x};
        }

        pointerup(event) {
            this.pointers.delete(event.pointerId);
            this.pinch = null;
        }

        pointercancel(event) {
            this.pointerup(event);
        }

        wheel(event) {
            const found = this.find(event);
            if (!found) {
                return;
            }
            const {view} = this;
            if (event.ctrlKey || event.metaKey) {
                event.preventDefault();
                const lines = event.deltaMode === 1 ? 16 : 1;
                const x = Math.min(view.width, Math.max(0, found.x));
                this.onFrame('zoom', event.deltaY * lines, (sum) =>
                    view.zoomTime(found.panel, x, TIMES_PER_NOTCH ** sum));
            } else if ((event.shiftKey || event.deltaX !== 0) && found.panel.isZoomed) {
                const dx = event.deltaX !== 0 ? event.deltaX : event.deltaY;
                if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                    event.preventDefault();
                    this.onFrame('pan', -dx, (sum) => view.pan(found.panel, sum));
                }
            }
        }

        // Sums what comes between two frames of the screen.
        onFrame(kind, amount, action) {
            if (this.waiting?.kind === kind) {
                this.waiting.sum += amount;
                return;
            }
            const waiting = {kind, sum: amount};
            this.waiting = waiting;
            requestAnimationFrame(() => {
                this.waiting = null;
                action(waiting.sum);
            });
        }

        // ---- clicking ----

        click(event) {
            if (this.dragged) {
                this.dragged = false;
                return;
            }
            const control = event.target.closest('.toggle, .button');
            if (control) {
                this.press(control);
                return;
            }
            const found = this.find(event);
            if (found && found.i >= 0) {
                this.enter(found.panel, found.i);
            }
        }

        press(control) {
            const {view} = this;
            const panel = control.afPanel;
            const kind = control.classList;
            if (kind.contains('toggle')) {
                view.toggle(panel);
                panel.head.querySelector('.toggle')?.focus();
            } else if (kind.contains('thread')) {
                view.show(panel);
            } else if (kind.contains('more')) {
                this.bars.toggleRail();
            } else if (kind.contains('fold')) {
                view.change(() => {
                    panel.unfolded = true;
                    panel.layout = null;
                }, {anchor: {panel, node: panel.zoom}});
            } else if (kind.contains('rows')) {
                view.change(() => {
                    panel.allRows = true;
                    panel.layout = null;
                }, {anchor: {panel, node: panel.layout.frames.node[0]}});
            }
        }

        // Zooms to a frame; into a block so far that its frames can be seen.
        enter(panel, i) {
            const {frames} = panel.layout;
            const {view} = this;
            const node = frames.node[i];
            if (frames.nodes[i] > 0) {
                const {left, weight} = panel.measure;
                const last = frames.last[i];
                const end = left[last] + weight[last];
                view.remember();
                view.change(() => panel.setWindow(left[node], end), {animate: true});
                return;
            }
            view.active = panel;
            panel.focused = node;
            if (panel.zoom === node && panel.part === null) {
                view.focusFrame(panel, node);
            } else {
                view.zoomTo(panel, node);
            }
        }

        contextmenu(event) {
            const found = this.find(event);
            if (event.shiftKey || !found || found.i < 0 ||
                found.panel.layout.frames.nodes[found.i] > 0) {
                return;
            }
            event.preventDefault();
            this.pointers.clear();
            const {panel, node} = found;
            this.view.focusFrame(panel, node);
            let {clientX: x, clientY: y} = event;
            if (x === 0 && y === 0) {
                ({left: x, bottom: y} = event.target.getBoundingClientRect());
            }
            this.bars.showMenu(panel, node, x, y, this.actionsOf(panel, node));
        }

        actionsOf(panel, node) {
            const {view} = this;
            const label = panel.tree.label[node];
            return [
                ['Zoom to it', 'Enter', () => view.zoomTo(panel, node)],
                ['Copy name', 'y', () => this.copyName(panel, node)],
                ['Copy whole stack', 'Y', () => this.copyStack(panel, node)],
                ['Who calls it', 'c', () => view.showCallers(label)],
                ['Find all of it', '', () => {
                    const name = view.labels.text[label] ?? '';
                    this.bars.input.value = name;
                    view.search(name);
                }],
                ['Only this thread', '', () => view.solo(panel)],
            ];
        }

        // ---- copying ----

        copyName(panel, node) {
            this.copy(AF.nameOf(this.view, panel.tree, node), 'name');
        }

        copyStack(panel, node) {
            this.copy(AF.stackOf(this.view, panel, node), 'stack');
        }

        async copy(text, what) {
            try {
                await navigator.clipboard.writeText(text);
                this.bars.say(`Copied the ${what}.`);
            } catch {
                this.bars.say(this.copyBySelection(text) ? `Copied the ${what}.`
                    : 'This browser does not let a file copy.');
            }
        }

        copyBySelection(text) {
            const area = AF.html('textarea', {class: 'af-unseen'});
            area.value = text;
            const before = document.activeElement;
            this.page.app.append(area);
            area.select();
            let done = false;
            try {
                done = document.execCommand('copy');
            } catch {
                done = false;
            }
            area.remove();
            before?.focus?.();
            return done;
        }

        // ---- keys ----

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
                return; // the browser's own search
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
                view.search('');
                this.leavesFind = true;
                this.leaveSearch();
            } else if (event.key === 'Enter') {
                event.preventDefault();
                view.walkMatches(event.shiftKey ? -1 : 1);
            }
        }

        leaveSearch() {
            const {view, bars} = this;
            bars.input.blur();
            (view.active ?? view.open[0])?.markFocus(true);
        }

        keyInGraph(event) {
            const {view, bars} = this;
            const onControl = event.target.closest?.('.toggle, .button');
            const isButton = event.target.closest?.('button, input, summary') !== null;
            if ((event.key === 'Enter' || event.key === ' ') && (isButton || onControl)) {
                if (onControl && !isButton) {
                    event.preventDefault();
                    this.press(onControl);
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
                n: () => view.walkMatches(1),
                N: () => view.walkMatches(-1),
                w: () => this.nextClock(),
                i: () => view.setView(view.isInverted ? 'flame' : 'icicle'),
                c: () => bars.callersOfFocused(),
                t: () => bars.threads && bars.toggleRail(),
                y: onFocused((panel, node) => this.copyName(panel, node)),
                Y: onFocused((panel, node) => this.copyStack(panel, node)),
                ArrowUp: () => this.moveRow(view.isInverted ? -1 : 1),
                ArrowDown: () => this.moveRow(view.isInverted ? 1 : -1),
                ArrowLeft: () => this.moveBeside(-1),
                ArrowRight: () => this.moveBeside(1),
            }[key];
        }

        nextClock() {
            const {view, bars} = this;
            view.nextClock();
            bars.say(view.clocks.length > 1
                ? `Widths show ${['wall', 'CPU', 'waiting'][view.state.clock]} time.`
                : `This trace has only the ${AF.CLOCK_NAMES[view.state.clock]} clock.`);
        }

        leave() {
            const {view, bars} = this;
            if (!bars.rail.hidden) {
                bars.toggleRail();
            } else if (!view.goBack() && view.state.query !== '') {
                view.search('');
            }
        }

        enterFocused() {
            const {panel, i} = this.focusedFrame();
            if (panel && i >= 0) {
                this.enter(panel, i);
            }
        }

        // The frame that keys act on; without one, the first of the first graph.
        focusedFrame() {
            const {view} = this;
            const panel = view.active?.open ? view.active : view.open[0];
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
                this.bars.say('What it calls is too narrow to draw: Enter zooms in.');
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

        // Along the row, past what has no frame.
        moveBeside(step) {
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
                const panel = event.target.afPanel;
                const node = panel.layout.frames.node[item.frame];
                if (panel.layout.frames.nodes[item.frame] === 0 &&
                    (this.view.active !== panel || panel.focused !== node)) {
                    this.view.active = panel;
                    panel.focused = node;
                    this.bars.showDetails(this.view, panel, node);
                }
            }
        }

        // ---- the window ----

        resize() {
            this.bars.measure();
            if (this.page.available !== this.page.width) {
                this.view.dropLayouts();
            }
            this.view.draw();
        }

        scroll() {
            this.page.scrolled();
            this.view.drawFrames();
        }

        hashchange() {
            this.view.readState(location.hash);
            this.view.dropLayouts();
            this.view.draw();
        }

        beforeprint() {
            this.view.open.forEach((panel) => {
                panel.draw(0, Math.min(panel.rows, PRINTED_ROWS));
            });
        }
    }

    AF.Input = Input;

    // ---- the start ----

    async function inflate(element) {
        const packed = Uint8Array.from(atob(element.textContent.trim()), (c) => c.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    async function loadFaces(svg) {
        try {
            const family = getComputedStyle(svg).fontFamily.split(',')[0];
            await Promise.all([document.fonts.load(`12px ${family}`),
                document.fonts.load(`700 12px ${family}`)]);
        } catch {
            // a policy may forbid embedded faces: labels are measured as they are drawn then
        }
    }

    // Takes over from the static sheet. If anything is missing the sheet stays as it is.
    AF.start = async (svg) => {
        const element = svg.querySelector('#af-block');
        if (!element || typeof DecompressionStream === 'undefined') {
            return;
        }
        const [bytes] = await Promise.all([inflate(element), loadFaces(svg)]);
        const block = AF.unpack(bytes);
        const page = new AF.Page(svg);
        page.measure();
        page.mount();
        const view = new AF.View(page, block);
        AF.view = view;
        page.bars = new AF.Bars(view);
        page.clear();
        page.copyColours();
        view.readState(location.hash);
        new AF.Input(view);
        page.width = page.available;
        page.bars.measure();
        view.draw();
        performance.mark('aflame-ready');
    };

    if (typeof document !== 'undefined') {
        const script = document.currentScript;
        const svg = script?.closest('svg') ?? document.querySelector('svg.aflame');
        AF.start(svg).catch((error) => {
            // the static sheet is still there, and says all that it said before
            svg.setAttribute('data-script', String(error.message));
        });
    }
})();
