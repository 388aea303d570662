// The ruler above the frames of a graph: what a width stands for. Follows render/graph/scale.c.
import {bar, floorHundredths, hundredths} from './elements.js';
import * as SAY from './say.js';
import * as S from './sizes.js';
import {measureOf, timeOf} from './tree.js';
import {exact, fill, hasClocks, shareText, timeText} from './words.js';

// The smallest step between ticks at least `stepMin` pixels apart: 1, 2 or 5 times a power of ten.
export const tickStep = (length, width, stepMin) => {
    let step = 1;
    for (let i = 0; step * width < length * stepMin; i++) {
        step = i % 3 === 1 ? step / 2 * 5 : step * 2;
    }
    return step;
};

// Draws amounts from the left edge of the window, and their shares of the thread. Up to the next
// tick there is room for the amount and its share, for the amount or for nothing.
export const drawScale = (page, panel, group, top) => {
    const {view, window: {from, to}} = panel;
    const whole = view.compare ? measureOf(panel.base, view.state.clock).weight[0]
        : timeOf(panel.base, 0, view.state.clock);
    const bottom = top + S.SCALE;
    const end = page.width - S.MARGIN;
    const step = tickStep(to - from, view.width, S.SCALE_STEP_MIN);
    const widthOf = (amount) => floorHundredths(amount / (to - from) * view.width);
    for (let amount = 0; to > from && amount <= to - from; amount += step) {
        const x = S.MARGIN + widthOf(amount);
        const widthMax = Math.min(widthOf(step), end - x) - S.TICK_TO_TEXT;
        bar(group, Math.min(x, end - 1), bottom - S.SCALE_TICK, 0.5, S.SCALE_TICK, 'R');
        const number = amount === 0 ? '0' : hasClocks() ? exact(amount) : timeText(amount);
        const texts = amount === 0 ? [number]
            : [fill(SAY.TICK, number, shareText(amount, whole)), number];
        const text = texts.find((one) => page.advance(one) <= widthMax + 1e-8);
        if (text) {
            page.line(group, hundredths(x + S.TICK_TO_TEXT), bottom - S.SCALE_BASELINE, text);
        }
    }
};
