// Searches names only, never numbers or sources.
import {refuseExpression} from './expression.js';
import {climbFrom, isWithin} from './tree.js';

// Some expressions are valid only without the flag `u`.
function compile(source, flags) {
    try {
        return new RegExp(source, 'u' + flags);
    } catch {
        return new RegExp(source, flags);
    }
}

const LENGTH_DEFAULT = 200; // of a name

// A query is text, whose case is ignored, /expression/ or /expression/i; the last slash may be
// missing while the user types. Names have up to `length` characters. Returns {test, find,
// error}, all null for an empty query; find(text) returns the position of the first match,
// [from, to] or null; `error` is a sentence.
export const newMatcher = (query, length = LENGTH_DEFAULT) => {
    const none = {test: null, find: null, error: null};
    if (query === '' || query === '/') {
        return none;
    }
    const expression = /^\/(.+?)(?:\/(i?))?$/s.exec(query);
    if (!expression) {
        const wanted = query.toLowerCase();
        const find = (text) => {
            const at = text.toLowerCase().indexOf(wanted);
            return at < 0 ? null : [at, at + wanted.length];
        };
        return {test: (name) => name.toLowerCase().includes(wanted), find, error: null};
    }
    try {
        const [, source, flags = ''] = expression;
        const regex = compile(source, flags);
        const refusal = refuseExpression(source, length);
        const find = (text) => {
            const found = regex.exec(text);
            return found && found[0] !== '' ? [found.index, found.index + found[0].length]
                : null;
        };
        return refusal ? {...none, error: `expression not searched: ${refusal}`}
            : {test: (name) => regex.test(name), find, error: null};
    } catch (error) {
        // "Invalid regular expression: /(/u: Unterminated group"
        const why = String(error.message).split(': ').pop();
        return {...none, error: `not a valid regular expression: ${why.toLowerCase()}`};
    }
};

// Returns {matched, n}: `matched` is by number of the label; the number after the last, "left
// out", never matches. Stops before label n when `isOver` returns true; a single match cannot
// be interrupted.
export const matchLabels = (labels, test, isOver = () => false) => {
    const matched = new Uint8Array(labels.n + 1);
    let n = 0;
    for (; n < labels.n && !isOver(); n++) {
        matched[n] = test(labels.text[n]) ? 1 : 0;
    }
    return {matched, n};
};

export const longestLabel = (labels) =>
    labels.text.reduce((most, {length}) => Math.max(most, length), 0);

// Returns {nodes, before, n}: the n matching nodes in order; before[i] counts those before node
// i, so that two lookups count the matches of a subtree. filter[node] is 1 if the node may
// match; without a filter, all may.
export const findMatches = (tree, matched, filter = null) => {
    const before = new Uint32Array(tree.n + 1);
    let n = 0;
    for (let i = 1; i < tree.n; i++) {
        before[i] = n;
        n += matched[tree.label[i]] & (filter ? filter[i] : 1);
    }
    before[tree.n] = n;
    const nodes = new Uint32Array(n);
    for (let i = 1, at = 0; at < n; i++) {
        if (before[i + 1] > before[i]) {
            nodes[at++] = i;
        }
    }
    return {nodes, before, n};
};

export const isMatch = (matches, node) => matches.before[node + 1] > matches.before[node];

// The number of matches in nodes first ... last and their subtrees.
export const countWithin = (matches, tree, first, last = first) =>
    matches.before[last + tree.size[last]] - matches.before[first];

// The time of the matches in [from, to]. Matches inside other matches are not counted again.
export const sumMatches = (tree, matches, measure, from, to) => {
    const {nodes} = matches;
    const {left, weight} = measure;
    let sum = 0;
    let end = 0; // nodes before this one are inside a counted match
    for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i];
        if (node >= end) {
            const a = Math.max(from, left[node]);
            const b = Math.min(to, left[node] + weight[node]);
            sum += b > a ? b - a : 0;
            end = node + tree.size[node];
        }
    }
    return sum;
};

// The node of the current zoom or its nearest caller that contains `node`; 0 = none.
export const zoomAround = (tree, zoom, node) =>
    climbFrom(tree, zoom).find((at) => isWithin(tree, node, at)) ?? 0;

// The node to zoom to so that `node` is at least `widthMin` pixels wide: that of the current
// zoom or its nearest caller that contains `node`, if that suffices; otherwise the outermost
// one that does.
export const zoomFor = (tree, measure, zoom, node, width, widthMin) => {
    const shows = (at) => measure.weight[node] * width >= widthMin * measure.weight[at];
    const around = zoomAround(tree, zoom, node);
    return shows(around) ? around : climbFrom(tree, node).reverse().find(shows) ?? node;
};
