// Printing: pages break between panels. While the browser prints, copies of the sheet's parts, each
// an image of its own, replace the sheet.
import {html} from './elements.js';

const ROWS = 4000; // of a panel

const copyOf = (page, top, bottom, elements) => {
    const part = page.svg.cloneNode(false);
    part.setAttribute('viewBox', `0 ${top} ${page.width} ${bottom - top}`);
    part.setAttribute('height', bottom - top);
    part.append(...elements.map((element) => element.cloneNode(true)));
    return part;
};

export const beginPrint = (view) => {
    const {page, chart} = view;
    endPrint(view); // browsers may begin again
    const panels = view.panels.filter(({element}) => page.panels.contains(element));
    view.open.forEach((panel) => panel.draw(0, Math.min(panel.rows, ROWS)));
    // those above the panels and those below; each image shows its own part
    const rest = [...page.svg.children].filter((one) =>
        one.localName === 'g' && one !== page.panels);
    const end = Number(page.svg.getAttribute('height'));
    const tops = [...panels.map(({top}) => top), panels.length > 0
        ? panels[panels.length - 1].top + panels[panels.length - 1].height : end];
    if (chart?.isOn) {
        chart.ruler.stay(0); // not where it stays in a scrolled window
    }
    page.app.classList.add('af-printing');
    page.app.append(html('div', {class: 'af-print'},
        copyOf(page, 0, tops[0], rest),
        ...panels.map(({element}, i) => copyOf(page, tops[i], tops[i + 1], [element])),
        copyOf(page, tops[panels.length], end, rest)));
};

export const endPrint = (view) => {
    view.page.app.classList.remove('af-printing');
    view.page.app.querySelectorAll('.af-print').forEach((copies) => copies.remove());
    if (view.chart?.isOn) {
        view.chart.ruler.stay();
    }
};
