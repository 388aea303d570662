// Narrow frames, where many are on the screen: one path for each colour until the picture rests,
// then elements of their own as far as the page has space for them.
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});
    const S = AF.SIZES;
    const LABELLED = 6.5;

    AF.Slight = class {
        constructor(panel) {
            this.panel = panel;
            // in hundredths: browsers write and read whole numbers faster
            this.group = AF.svgNode('g', {role: 'presentation', transform: 'scale(.01)'});
            this.frames = [];
            this.paths = new Map(); // by class
        }

        draw(shapes) {
            const {endsOf} = this.panel;
            const pieces = new Map();
            for (const i of this.frames) {
                const [x0, x1] = endsOf(i);
                const paint = shapes.paintOf(i) + (this.panel.isHit(i) ? ' hit' : '');
                const slim = shapes.slimness(i);
                const width = Math.max(0, Math.round(100 * shapes.widthOf(x1 - x0)));
                const top = Math.round(100 * (shapes.rowTop(i) + slim));
                const piece = `M${Math.round(100 * x0)} ${top}h${width}` +
                    `v${Math.round(100 * (S.FRAME - 2 * slim))}h${-width}z`;
                pieces.set(paint, (pieces.get(paint) ?? '') + piece);
            }
            for (const [paint, path] of this.paths) {
                if (!pieces.has(paint)) {
                    path.remove();
                    this.paths.delete(paint);
                }
            }
            for (const [paint, d] of pieces) {
                let path = this.paths.get(paint);
                if (!path) {
                    path = AF.svgNode('path', {class: `s ${paint}`});
                    this.paths.set(paint, path);
                    this.group.append(path);
                }
                path.setAttribute('d', d);
            }
        }
    };

    // The width below which frames have no element of their own, so that at most about `most` of
    // these `widths` have one; 0 if all have one. Those wide enough for labels have one unless they
    // are several times as many.
    AF.slightWidth = (widths, most) => {
        const STEP = 0.25;
        const labelled = S.LABEL_MIN / STEP;
        const counts = new Uint32Array(8 * labelled);
        for (const width of widths) {
            const at = Math.floor(width / STEP);
            if (at < counts.length) {
                counts[at]++;
            }
        }
        let left = widths.length;
        let at = 0;
        while (left > (at < labelled ? most : LABELLED * most) && at < counts.length) {
            left -= counts[at++];
        }
        return at * STEP;
    };
})();
