'use strict';
(() => {
    // Sorting uses the visible text of a cell; equal rows keep their order.
    const valueOf = (cell, isText) => {
        const text = cell ? cell.textContent : '';
        if (isText) {
            return text;
        }
        const number = parseFloat(text.replace(/,/g, ''));
        return text === '' ? -Infinity : text[0] === '<' ? 0.05 : number;
    };
    const compare = (a, b) => a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    const sort = (table, head, upward) => {
        const isText = head.classList.contains('t') || head.classList.contains('n');
        for (const body of table.tBodies) {
            const rows = [...body.rows].filter((row) => row.cells.length > 1);
            const keyed = rows.map((row) => ({row, value: valueOf(row.cells[head.cellIndex], isText)}));
            keyed.sort(upward ? compare : (a, b) => compare(b, a));
            body.append(...keyed.map((entry) => entry.row));
        }
        for (const other of table.tHead.rows[0].cells) {
            other.removeAttribute('aria-sort');
        }
        head.setAttribute('aria-sort', upward ? 'ascending' : 'descending');
    };
    const makeSortable = (table) => {
        for (const head of table.tHead.rows[0].cells) {
            const button = document.createElement('button');
            button.type = 'button';
            button.append(...head.childNodes);
            head.append(button);
            button.addEventListener('click', () => {
                const isText = head.classList.contains('t') || head.classList.contains('n');
                const now = head.getAttribute('aria-sort');
                sort(table, head, now ? now === 'descending' : isText);
            });
        }
    };
    for (const table of document.querySelectorAll('table.main:not(.tree)')) {
        makeSortable(table);
    }

    // The search filters table rows and whole blocks by name. The search is case-sensitive if it
    // contains an upper-case letter.
    const tables = [...document.querySelectorAll('table.main')].map((table) => ({
        rows: [...table.tBodies].flatMap((body) => [...body.rows]).map((row) =>
            ({row, name: row.cells[0].textContent})),
        count: table.closest('section').querySelector('.count'),
    }));
    const blocks = [...document.querySelectorAll('.block')].map((block) =>
        ({row: block, name: block.querySelector('h3').textContent}));
    const show = (entries, wanted) => {
        const anyCase = wanted === wanted.toLowerCase();
        let shown = 0;
        for (const {row, name} of entries) {
            const found = (anyCase ? name.toLowerCase() : name).includes(wanted);
            row.hidden = !found;
            shown += found;
        }
        return shown;
    };
    let wanted = '';
    const search = () => {
        for (const {rows, count} of tables) {
            const shown = show(rows, wanted);
            count.textContent = wanted ? `${shown} of ${rows.length}` : '';
        }
        show(blocks, wanted);
    };
    const input = document.createElement('input');
    input.type = 'search';
    input.placeholder = 'Find a name ( / )';
    input.setAttribute('aria-label', 'Find a name');
    input.addEventListener('input', () => {
        wanted = input.value.trim();
        search();
    });
    const form = document.createElement('form');
    form.addEventListener('submit', (event) => event.preventDefault());
    form.append(input);
    document.querySelector('nav').append(form);
    document.addEventListener('keydown', (event) => {
        if (event.key === '/' && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            input.select();
        } else if (event.key === 'Escape' && document.activeElement === input) {
            input.value = wanted = '';
            search();
        }
    });

    // A link shows its target even if the search hides it.
    const reveal = () => {
        let id = location.hash.slice(1);
        try {
            id = decodeURIComponent(id);
        } catch {
            // not encoded: keep the id
        }
        const target = id && document.getElementById(id);
        if (target && target.hidden) {
            target.hidden = false;
            target.scrollIntoView();
        }
    };
    addEventListener('hashchange', reveal);
    performance.mark('aflame-ready');
})();
