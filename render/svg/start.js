// The start: unpacks the call trees and takes over from the static sheet.
import {Bars} from './bars.js';
import {joinPage} from './frame.js';
import {Keys} from './keys.js';
import {newRulers} from './page.js';
import {Pointer} from './pointer.js';
import {Sheet} from './sheet.js';
import {unpack} from './tree.js';
import {View} from './view.js';

// Inflates the data block. It consists of pieces: a length in bytes (32 bits, little-endian)
// and a zlib stream of that length.
async function inflate(element) {
    const text = element.textContent;
    const packed = Uint8Array.fromBase64?.(text) ??
        Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const view = new DataView(packed.buffer);
    const pieces = [];
    for (let at = 0; at < packed.length;) {
        const end = at + 4 + view.getUint32(at, true);
        const plain = new Blob([packed.subarray(at + 4, end)]).stream()
            .pipeThrough(new DecompressionStream('deflate'));
        pieces.push(new Response(plain).blob());
        at = end;
    }
    return new Uint8Array(await new Blob(await Promise.all(pieces)).arrayBuffer());
}

function faceRules(svg) {
    return [...svg.querySelectorAll('style')].flatMap((style) => [...style.sheet.cssRules])
        .filter((rule) => rule instanceof CSSFontFaceRule);
}

// Loads the faces of the file as faces of the document. Browsers load the faces of a <style>
// again when the element moves, and show no text until then.
async function loadFaces(svg) {
    try {
        return await Promise.all(faceRules(svg).map(({style}) => {
            const of = (name) => style.getPropertyValue(name);
            return new FontFace(of('font-family').replace(/["']/g, ''), of('src'),
                {weight: of('font-weight') || 'normal'}).load();
        }));
    } catch {
        return []; // a security policy may forbid embedded faces; labels then use another one
    }
}

function dropFaceRules(svg) {
    faceRules(svg).forEach((rule) => rule.parentStyleSheet.deleteRule(
        [...rule.parentStyleSheet.cssRules].indexOf(rule)));
}

// Removes the content of the panels below the window, because browsers lay out all text again
// for each face that is added. Reading window.innerHeight would make the browser lay out all
// panels once more; the height of the screen, doubled, suffices for windows that show the page
// at half its size. Returns a function that restores the content.
function emptyPanels(svg) {
    const bottom = 2 * Math.max(window.outerHeight, window.screen.height);
    const emptied = [...svg.querySelectorAll('.panel')].filter((panel) =>
        Number(panel.getAttribute('data-y')) > bottom).map((panel) => {
        const content = document.createDocumentFragment();
        content.append(...panel.childNodes);
        return [panel, content];
    });
    return () => emptied.forEach(([panel, content]) => panel.append(content));
}

// An <iframe> has no size before its page is laid out, or while it is hidden.
async function waitForSize() {
    while (window.innerWidth === 0 || window.innerHeight === 0) {
        await new Promise((resolve) => addEventListener('resize', resolve, {once: true}));
    }
}

export let view = null;
export let started = null; // a promise: the script has taken over, or has given up

function takeOver(page, block, faces) {
    const {svg} = page;
    // not earlier, because the browser would lay out the text of the static sheet again
    faces.forEach((face) => document.fonts.add(face));
    Object.assign(page, newRulers(svg));
    page.clear(); // first, because moved elements are laid out again
    page.mount();
    dropFaceRules(svg); // they are redundant now: the document has its own faces
    view = new View(page, block);
    page.bars = new Bars(view);
    page.copyColours();
    view.pointer = new Pointer(view);
    view.link.read(location.hash);
    joinPage(view);
    page.width = page.available;
    page.bars.measure();
    view.draw();
    view.pointer.listen();
    view.keys = new Keys(view);
}

// Takes over from the static sheet. If anything is missing or fails, the sheet stays as it was.
async function start(svg) {
    const element = svg.querySelector('#af-block');
    if (!element || typeof DecompressionStream === 'undefined') {
        return;
    }
    const fillPanels = emptyPanels(svg);
    if (getComputedStyle(svg).fontKerning !== 'none') { // a policy forbids styles
        fillPanels();
        return;
    }
    let page = null;
    try {
        const [bytes, faces] = await Promise.all([inflate(element), loadFaces(svg)]);
        const block = unpack(bytes);
        await waitForSize();
        page = new Sheet(svg);
        takeOver(page, block, faces);
    } catch (error) {
        fillPanels();
        page?.restore();
        throw error;
    }
    performance.mark('aflame-ready');
}

if (typeof document !== 'undefined') {
    const script = document.currentScript;
    const svg = script?.closest('svg') ?? document.querySelector('svg.aflame');
    started = start(svg).catch((error) => {
        svg.setAttribute('data-script', String(error.message));
    });
}
