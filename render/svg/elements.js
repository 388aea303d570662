// Makes elements of SVG and HTML.
import * as S from './sizes.js';

// Sets those attributes that have a value; an attribute of HTML is true without one.
export const setAll = (element, attributes) => {
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(key, value === true ? '' : value);
        }
    }
};

// Makes elements of a namespace.
const maker = (namespace) => (name, attributes = {}, ...children) => {
    const element = document.createElementNS(namespace, name);
    setAll(element, attributes);
    element.append(...children);
    return element;
};
export const svgNode = maker('http://www.w3.org/2000/svg');
export const html = maker('http://www.w3.org/1999/xhtml');

// The outline of a rectangle in a path.
export const outline = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;

// The strokes of the dots along the top of idle frames, and of the dashes around blocks.
export const DOTS = {'stroke-width': S.DOT_SIZE, 'stroke-linecap': 'round', fill: 'none',
    'stroke-dasharray': `0 ${S.DOT_STEP}`};
export const DASHES = {'stroke-width': S.DASHES, fill: 'none',
    'stroke-dasharray': `${S.DASH} ${S.DASH_STEP - S.DASH}`};

// Dots along the top of a frame in a path.
export const dotsAlong = (x, y, width) =>
    `M${hundredths(x + S.DOT_STEP / 2)} ${hundredths(y + S.DOT_TOP)}h${
        hundredths(width - S.DOT_STEP)}`;

export const hundredths = (x) => Math.round(x * 100) / 100;

// Rounded down, as in the static drawing.
export const floorHundredths = (x) => Math.floor(x * 100 + 1e-6) / 100;

// `label` is a text or a list of texts and elements.
export const button = (label, action, attributes = {}) => {
    const element = html('button', {type: 'button', ...attributes}, ...[label].flat());
    element.addEventListener('click', action);
    return element;
};

// The head of a list next to the picture, with a button that closes it.
export const listHead = (title, close, label = 'close') => html('div', {class: 'af-rail-head'},
    title, button('\u00d7', close, {'aria-label': label}));

// Appends an element to a group; returns it.
export const put = (group, name, attributes, ...children) => {
    const child = svgNode(name, attributes, ...children);
    group.append(child);
    return child;
};

// Adds a rectangle; `paint` is its class.
export const bar = (group, x, y, width, height, paint) => put(group, 'rect',
    {class: paint, x: hundredths(x), y, width: hundredths(width), height});
