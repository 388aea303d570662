// The text of a frame: the longest form of its label that fits, by the rules of render/label.c.
// Widths are hundredths of a pixel.

const ELLIPSIS = '\u2026';
const LETTERS_MIN = 7; // of a name cut in the middle; fewer would mean nothing
const PREFIX_MIN = 3;
const MIDDLE_MAX = 1024; // longer names are cut at their end

// `advances` has the widths of U+0020 ... U+007E and the ellipsis, in units; `em` units make
// one em. measureOther(text) returns the width, in em, of a text with other letters.
export const newRuler = (em, advances, measureOther) => {
    const table = new Float64Array(128).fill(-1);
    table.set(advances.slice(0, 95), 32);
    const other = new Map([[ELLIPSIS, advances[95]]]);
    // Returns units. Measures a run of letters outside the table as a whole.
    const measure = (text) => {
        let sum = 0;
        for (let i = 0; i < text.length; i++) {
            const code = text.charCodeAt(i);
            if (code < 128 && table[code] >= 0) {
                sum += table[code];
            } else {
                let end = i + 1;
                while (end < text.length && text.charCodeAt(end) > 127) {
                    end++;
                }
                const run = text.slice(i, end);
                if (!other.has(run)) {
                    other.set(run, measureOther(run) * em);
                }
                sum += other.get(run);
                i = end - 1;
            }
        }
        return sum;
    };
    return {em, measure};
};

export const advanceOf = (ruler, text, size) => Math.round(ruler.measure(text) * size / ruler.em);

const segmenter = Intl.Segmenter && new Intl.Segmenter('en'); // old browsers lack it

// The units that readers perceive as letters.
export const splitClusters = (text) => (!segmenter || /^[\x20-\x7e]*$/.test(text) ? [...text]
    : Array.from(segmenter.segment(text), ({segment}) => segment));

// The longest prefix that fits with an ellipsis after it; null if it is too short to be useful.
function cutEnd(ruler, text, size, widthMax) {
    let sum = advanceOf(ruler, ELLIPSIS, size);
    let head = '';
    let n = 0;
    // a letter is at least a hundredth of a pixel wide
    for (const cluster of splitClusters(text.slice(0, widthMax))) {
        sum += advanceOf(ruler, cluster, size) + 1;
        if (sum > widthMax) {
            break;
        }
        head += cluster;
        n++;
    }
    return n < PREFIX_MIN ? null : head.trimEnd() + ELLIPSIS;
}

// The start and end around an ellipsis, with slightly more of the start.
function cutMiddle(ruler, text, size, widthMax) {
    if (text.length > MIDDLE_MAX) {
        return cutEnd(ruler, text, size, widthMax);
    }
    const clusters = splitClusters(text);
    let sum = advanceOf(ruler, ELLIPSIS, size);
    let head = 0;
    let tail = 0;
    while (head + tail < clusters.length) {
        const atHead = head * 2 <= tail * 3;
        const next = clusters[atHead ? head : clusters.length - 1 - tail];
        sum += advanceOf(ruler, next, size) + 1;
        if (sum > widthMax) {
            break;
        }
        head += atHead ? 1 : 0;
        tail += atHead ? 0 : 1;
    }
    if (head + tail < LETTERS_MIN || head + tail === clusters.length) {
        return null;
    }
    return clusters.slice(0, head).join('') + ELLIPSIS +
        clusters.slice(clusters.length - tail).join('');
}

// Native code: C++, suffixes added by compilers, libraries with addresses.
const NATIVE = /::|\[|^[^.]*\.(cfi|cold|constprop|isra|llvm|lto_priv|part|so)(\.\w+)*$/;

// The forms of a label from the longest to the shortest.
export const listForms = (text) => {
    if (NATIVE.test(text)) {
        return [text];
    }
    const open = text.endsWith(')') ? text.indexOf('(') : -1;
    const end = open > 0 ? open : text.length;
    if (/[/:]|\s.*\./.test(text.slice(0, end))) { // a path, an address, words
        return [text];
    }
    const dot = text.lastIndexOf('.', end - 1);
    if (dot <= 0 || dot + 1 >= end) {
        return [text];
    }
    const classAt = text.lastIndexOf('.', dot - 1) + 1;
    const forms = [text];
    if (classAt > 0) {
        forms.push(text.slice(classAt));
    }
    if (end < text.length) {
        forms.push(text.slice(classAt, end));
    }
    const method = text.slice(dot + 1, end);
    const isConstructor = method.startsWith('<init>') || method.startsWith('<clinit>');
    forms.push(isConstructor ? text.slice(classAt, dot) : method);
    return forms;
};

// Whether a fitted form lacks letters of the name.
export const isCut = (form, name) => form.includes(ELLIPSIS) && !name.includes(ELLIPSIS);

// Fits labels of one block into widths; caches measurements.
export const newFitter = (ruler, size) => {
    const known = new Map(); // by label
    return (label, widthMax) => {
        if (label === '' || widthMax <= 0) {
            return null;
        }
        if (!known.has(label)) {
            known.set(label, listForms(label).map((text) =>
                ({text, advance: advanceOf(ruler, text, size)})));
        }
        const forms = known.get(label);
        return forms.find(({advance}) => advance <= widthMax)?.text ??
            cutMiddle(ruler, forms.at(-1).text, size, widthMax);
    };
};

// Fits the name of a thread, whose end identifies it.
export const fitName = (ruler, text, size, widthMax) => {
    const fits = text.length <= MIDDLE_MAX && advanceOf(ruler, text, size) <= widthMax;
    return (text === '' || fits ? null : cutMiddle(ruler, text, size, widthMax)) ??
        fitText(ruler, text, size, widthMax);
};

// Fits any other text, cut at its end.
export const fitText = (ruler, text, size, widthMax) => {
    if (text === '' || widthMax <= 0) {
        return null;
    }
    const short = text.slice(0, widthMax);
    return short === text && advanceOf(ruler, text, size) <= widthMax ? text
        : cutEnd(ruler, text, size, widthMax);
};
