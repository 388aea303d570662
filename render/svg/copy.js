// Copies the name of a frame or its whole stack.
import {html} from './elements.js';
import {nameOf, stackOf} from './words.js';

// Only HTML documents can do this, and a picture that was opened by itself is none.
function copyBySelection(app, text) {
    if (document.contentType !== 'text/html') {
        return false;
    }
    const area = html('textarea', {class: 'af-unseen'});
    area.value = text;
    const before = document.activeElement;
    app.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    before?.focus?.();
    return done;
}

export const copyFrame = async (view, {panel, node}, what) => {
    const text = what === 'name' ? nameOf(view, panel.tree, node) : stackOf(view, panel, node);
    const {app, bars} = view.page;
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    bars.announce(isCopied || copyBySelection(app, text) ? `Copied the ${what}.`
        : 'This browser does not allow a file to copy text.');
};
