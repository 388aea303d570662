'use strict';
(async () => {
    const STEP = 200; // rows or blocks that one look at the end of a list adds
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
    const parse = (html) => make('template', {innerHTML: html}).content;

    // ---- the rest of the page: pieces of HTML, in gzip and base64 ----

    const unpack = async (element) => {
        const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
        const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        const pieces = (await new Response(plain).text()).split('\x1e');
        pieces.pop();
        return pieces;
    };
    const rests = new Map();
    for (const element of document.querySelectorAll('script[data-rest]')) {
        if (!('DecompressionStream' in window)) {
            element.replaceWith(make('p', {textContent:
                `${element.dataset.count} more rows need a browser of 2023 or later`}));
            continue;
        }
        rests.set(element.dataset.rest, await unpack(element));
        element.remove();
    }
    const takePieces = (id) => rests.get(id) ?? [];

    // ---- lists: rows of a table, or blocks, of which the first are on the page ----

    class Item {
        constructor(made, html = '') {
            this.made = made; // null: parsed when it is shown
            this.html = html;
            this.wanted = true;
        }

        get element() {
            return this.made ??= parse(this.html).firstElementChild;
        }

        get name() {
            return this.text ??=
                (this.element.cells?.[0] ?? this.element.querySelector('h3')).textContent;
        }
    }

    class List {
        constructor(section, items, parent) {
            this.parent = parent;
            this.all = items;
            this.shown = 0;
            this.count = section.querySelector('.count');
            this.end = make('p', {className: 'end'});
            section.append(this.end);
            this.observer = new IntersectionObserver((entries) =>
                entries.some(({isIntersecting}) => isIntersecting) && this.grow(),
            {rootMargin: '800px'});
            this.observer.observe(this.end);
        }

        wantedItems() {
            return this.all.filter((item) => item.wanted);
        }

        // Puts the first `n` wanted items on the page, in order.
        show(n) {
            const wanted = this.wantedItems();
            this.shown = Math.min(n, wanted.length);
            this.parent.replaceChildren(...wanted.slice(0, this.shown).map((item) => item.element));
            this.tell(wanted.length);
        }

        tell(n) {
            this.end.textContent = this.shown < n ?
                `${this.shown.toLocaleString('en')} of ${n.toLocaleString('en')}; scroll for more` : '';
            this.count.textContent = n < this.all.length ?
                `${n.toLocaleString('en')} of ${this.all.length.toLocaleString('en')}` : '';
        }

        grow() {
            const wanted = this.wantedItems();
            if (this.shown < wanted.length) {
                const next = Math.min(this.shown + STEP, wanted.length);
                // what a link brought to the page before its turn stays where the reader sees it
                this.parent.append(...wanted.slice(this.shown, next).map((item) => item.element)
                    .filter((element) => !element.isConnected));
                this.shown = next;
                this.tell(wanted.length);
                // an end that is still in sight reports no further change
                this.observer.unobserve(this.end);
                this.observer.observe(this.end);
            }
        }

        search(isWanted) {
            for (const item of this.all) {
                item.wanted = isWanted(item.name);
            }
            this.show(STEP);
        }
    }

    // Groups of rows under headings are all on the page.
    class Groups {
        constructor(table) {
            this.rows = [...table.tBodies].flatMap((body) => [...body.rows])
                .filter((row) => row.cells.length > 1);
        }

        search(isWanted) {
            for (const row of this.rows) {
                row.hidden = !isWanted(row.cells[0].textContent);
            }
        }
    }

    const lists = [];
    for (const table of document.querySelectorAll('table.main')) {
        const section = table.closest('section'), body = table.tBodies[0];
        if (table.tBodies.length > 1 || table.querySelector('.g')) {
            lists.push(new Groups(table));
            continue;
        }
        const rows = [...body.rows, ...parse(takePieces(section.id).join('')).children];
        const list = new List(section, rows.map((element) => new Item(element)), body);
        list.table = table;
        list.show(Math.max(STEP, body.rows.length));
        lists.push(list);
    }
    const blocksById = new Map();
    for (const section of document.querySelectorAll('section.blocks')) {
        const holder = document.createElement('div');
        const blocks = [...section.querySelectorAll('.block')].map((element) => new Item(element));
        for (const piece of takePieces(section.id)) {
            const tab = piece.indexOf('\t');
            const item = new Item(null, piece.slice(tab + 1));
            item.id = parse(piece.slice(0, tab)).textContent;
            blocks.push(item);
        }
        section.append(holder);
        const list = new List(section, blocks, holder);
        for (const item of blocks) {
            blocksById.set(item.id ?? item.element.id, {item, list});
        }
        list.show(STEP);
        lists.push(list);
    }

    // ---- sorting, by all digits; equal rows keep their order ----

    const valueOf = (cell, isText) => {
        const text = cell ? cell.title || cell.textContent : '';
        if (isText) {
            return text;
        }
        return text === '' ? -Infinity : text[0] === '<' ? 0.05 : parseFloat(text.replace(/,/g, ''));
    };
    const compare = (a, b) => a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    const isText = (head) => head.classList.contains('t') || head.classList.contains('n');
    const sort = (list, heads, head, upward) => {
        const at = heads.indexOf(head), text = isText(head);
        for (const item of list.all) {
            item.value = valueOf(item.element.cells[at], text);
        }
        list.all.sort(upward ? compare : (a, b) => compare(b, a));
        for (const other of heads) {
            other.removeAttribute('aria-sort');
        }
        head.setAttribute('aria-sort', upward ? 'ascending' : 'descending');
        list.show(STEP);
    };
    for (const list of lists) {
        if (!list.table || list.table.classList.contains('tree')) {
            continue;
        }
        const heads = [...list.table.tHead.rows[list.table.tHead.rows.length - 1].cells];
        for (const head of heads) {
            const button = make('button', {type: 'button'});
            button.append(...head.childNodes);
            head.append(button);
            button.addEventListener('click', () => {
                const now = head.getAttribute('aria-sort');
                sort(list, heads, head, now ? now === 'descending' : isText(head));
            });
        }
    }

    // ---- search: case-sensitive if it contains an upper-case letter ----

    const input = make('input', {type: 'search', placeholder: 'Find a name ( / )'});
    const search = () => {
        const wanted = input.value.trim(), anyCase = wanted === wanted.toLowerCase();
        for (const list of lists) {
            list.search((name) => (anyCase ? name.toLowerCase() : name).includes(wanted));
        }
    };
    input.setAttribute('aria-label', 'Find a name');
    input.addEventListener('input', search);
    const form = document.createElement('form');
    form.addEventListener('submit', (event) => event.preventDefault());
    form.append(input);
    const nav = document.querySelector('nav');
    nav.append(form);
    // heads of tables stay below the bar, which wraps in narrow windows
    new ResizeObserver(() => {
        const isFixed = getComputedStyle(nav).position === 'sticky';
        document.documentElement.style.setProperty('--nav', isFixed ? `${nav.offsetHeight - 1}px` : '0px');
    }).observe(nav);
    document.addEventListener('keydown', (event) => {
        if (event.key === '/' && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            input.select();
        } else if (event.key === 'Escape' && document.activeElement === input) {
            input.value = '';
            search();
        }
    });

    // ---- links lead to blocks that are not on the page yet, or that the search hides ----

    const reveal = (isOpening) => {
        let id = location.hash.slice(1);
        try {
            id = decodeURIComponent(id);
        } catch {
            // not encoded: keep the id
        }
        const found = blocksById.get(id);
        if (found && !found.item.element.isConnected) {
            found.item.wanted = true;
            const {list, item} = found;
            const after = list.all.slice(list.all.indexOf(item) + 1)
                .find((other) => other.wanted && other.made?.isConnected);
            list.parent.insertBefore(item.element, after?.made ?? null);
            item.element.scrollIntoView();
        } else if (isOpening) {
            found?.item.element.scrollIntoView();
        }
        // an element that came later is not the :target of the style sheet
        for (const element of document.querySelectorAll('.target')) {
            element.classList.remove('target');
        }
        found?.item.element.classList.add('target');
    };
    addEventListener('hashchange', () => reveal(false));
    // the browser itself scrolls when the page is complete
    if (document.readyState !== 'complete') {
        await new Promise((done) => addEventListener('load', done, {once: true}));
    }
    reveal(true);

    // ---- the graph: a block leads to the frames of its method, a selected frame to its block ----

    for (const section of document.querySelectorAll('.graph')) {
        const [svg] = takePieces(section.id);
        if (svg === undefined) {
            continue;
        }
        section.append(make('iframe', {title: 'flame graph',
            src: URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}))}),
        make('p', {className: 'pick', textContent:
            'Select a frame for a link to the callers and callees of its method.'}));
    }
    const graph = document.querySelector('.graph iframe');
    if (graph && blocksById.size > 0) {
        const idOf = new Map();
        document.addEventListener('click', (event) => {
            if (event.target.matches('.find')) {
                graph.contentWindow.postMessage({aflame: 'find',
                    name: event.target.closest('.block').querySelector('h3').textContent}, '*');
                graph.scrollIntoView();
            }
        });
        // blocks come later too: the button of a block appears with the pointer or the focus
        const addButton = (event) => {
            const block = event.target.closest?.('.block');
            if (block && !block.querySelector('.find')) {
                block.prepend(make('button',
                    {type: 'button', className: 'find', textContent: 'show in the graph'}));
            }
        };
        document.addEventListener('pointerover', addButton);
        document.addEventListener('focusin', addButton);
        addEventListener('message', (event) => {
            if (event.source !== graph.contentWindow || event.data?.aflame !== 'method') {
                return;
            }
            if (idOf.size === 0) {
                for (const [id, {item}] of blocksById) {
                    idOf.set(item.name, id);
                }
            }
            const shown = String(event.data.name);
            // the graph shows parameters where the report adds up overloads
            const name = idOf.has(shown) ? shown : shown.replace(/\([^()]*\)$/, '');
            const id = idOf.get(name);
            const link = make('a', {textContent: name});
            if (id) {
                link.href = '#' + encodeURIComponent(id);
            }
            document.querySelector('.pick').replaceChildren(id ? 'Callers and callees of ' : '', link);
        });
    }

    // ---- copied text has all digits, and tabs between cells ----

    document.addEventListener('copy', (event) => {
        const selection = getSelection();
        if (selection.isCollapsed || selection.rangeCount === 0 ||
            document.activeElement === input) {
            return;
        }
        const exact = (cell) => cell.title ? cell.title.replace(/ ms$/, '') : cell.textContent;
        const part = selection.getRangeAt(0).cloneContents();
        const rows = [...part.querySelectorAll('tr')];
        const ancestor = selection.getRangeAt(0).commonAncestorContainer;
        const element = ancestor.nodeType === Node.ELEMENT_NODE ? ancestor : ancestor.parentElement;
        const clock = document.querySelector('input[name=clock]:checked')?.id.slice('clock-'.length);
        const visible = (cell) => !clock || clock === 'all' || cell.classList.contains(clock) ||
            !cell.matches('.wall, .cpu, .wait');
        let text = null;
        if (rows.length > 0) {
            text = rows.map((row) => [...row.cells].filter(visible).map(exact).join('\t')).join('\n');
        } else if (part.querySelector('td')) {
            text = [...part.querySelectorAll('td')].map(exact).join('\t');
        } else if (element.closest('td')?.title &&
            selection.toString().trim() === element.closest('td').textContent) {
            text = exact(element.closest('td'));
        }
        if (text !== null) {
            event.clipboardData.setData('text/plain', text);
            event.preventDefault();
        }
    });
    performance.mark('aflame-ready');
})();
