// Narrow frames, if many frames are on the screen: while the picture changes, they share one path
// for each colour; then they get elements of their own, as long as the page has space for them.
import {outline, svgNode} from './shapes.js';
import * as S from './sizes.js';

const LABELLED = 6.5; // see slightWidth()

export class Slight {
    constructor(panel) {
        this.panel = panel;
        // in hundredths of a pixel: browsers format and parse whole numbers faster
        this.group = svgNode('g', {role: 'presentation', transform: 'scale(.01)'});
        this.frames = [];
    }

    draw(shapes) {
        const {endsOf} = this.panel;
        const pieces = new Map(); // by class
        for (const i of this.frames) {
            const [x0, x1] = endsOf(i);
            const paint = shapes.paintOf(i) + (this.panel.isHit(i) ? ' hit' : '');
            const slim = shapes.slimness(i);
            const width = Math.max(0, Math.round(100 * shapes.widthOf(x1 - x0)));
            const top = Math.round(100 * (shapes.rowTop(i) + slim));
            const piece = outline(Math.round(100 * x0), top, width,
                Math.round(100 * (S.FRAME - 2 * slim)));
            pieces.set(paint, (pieces.get(paint) ?? '') + piece);
        }
        this.group.replaceChildren(...[...pieces].map(([paint, d]) =>
            svgNode('path', {class: `s ${paint}`, d})));
    }
}

// The width in pixels below which frames have no element of their own, so that at most about
// `most` of the frames with these `widths` have one; 0 if all have one. Frames wide enough for
// labels have one, unless there are over LABELLED times `most` of them.
export const slightWidth = (widths, most) => {
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
