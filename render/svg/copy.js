// Copies the name of a frame or its whole stack.
import {html} from './page.js';
import {nameOf, stackOf} from './words.js';

export class Copier {
    constructor(view) {
        this.view = view;
    }

    copyName(panel, node) {
        this.copy(nameOf(this.view, panel.tree, node), 'name');
    }

    copyStack(panel, node) {
        this.copy(stackOf(this.view, panel, node), 'stack');
    }

    async copy(text, what) {
        try {
            await navigator.clipboard.writeText(text);
            this.view.page.bars.announce(`Copied the ${what}.`);
        } catch {
            this.view.page.bars.announce(this.copyBySelection(text) ? `Copied the ${what}.`
                : 'This browser does not allow a file to copy text.');
        }
    }

    copyBySelection(text) {
        const area = html('textarea', {class: 'af-unseen'});
        area.value = text;
        const before = document.activeElement;
        this.view.page.app.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        before?.focus?.();
        return done;
    }
}
