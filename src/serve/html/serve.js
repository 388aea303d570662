'use strict';
(() => {
    // ---- copy buttons ----

    const addCopy = (code) => {
        const button = Object.assign(document.createElement('button'),
            {type: 'button', textContent: 'Copy'});
        button.addEventListener('click', async () => {
            try {
                await navigator.clipboard.writeText(code.textContent);
                button.textContent = 'Copied';
            } catch {
                // no access to the clipboard: select the text, to be copied by hand
                getSelection().selectAllChildren(code);
            }
        });
        code.after(button);
    };
    document.querySelectorAll('.command code').forEach(addCopy);

    // ---- drop zone: files go into the form, which is sent as if they had been chosen ----

    const zone = document.querySelector('.drop');
    if (zone) {
        const form = zone.closest('form'), field = form.querySelector('[name=trace_file]');
        for (const type of ['dragenter', 'dragover']) {
            document.addEventListener(type, (event) => {
                event.preventDefault();
                zone.classList.add('over');
            });
        }
        document.addEventListener('dragleave', () => zone.classList.remove('over'));
        document.addEventListener('drop', (event) => {
            event.preventDefault();
            zone.classList.remove('over');
            const all = [...event.dataTransfer.files];
            const isMapping = (file) => /mapping.*\.txt$/i.test(file.name);
            const put = (input, files) => {
                const list = new DataTransfer();
                for (const file of files) {
                    list.items.add(file);
                }
                input.files = list.files;
            };
            put(field, all.filter((file) => !isMapping(file)));
            if (all.some(isMapping)) {
                put(form.querySelector('[name=mapping]'), [all.find(isMapping)]);
            }
            if (field.files.length > 0) {
                form.requestSubmit();
            }
        });
    }

    // ---- the view of the graph is at the end of the address, so that a link restores it ----

    const graph = document.querySelector('iframe[title="flame graph"]');
    if (graph) {
        const show = () => {
            if (!location.hash.startsWith('#delete=')) {
                graph.contentWindow.location.replace(graph.src + location.hash);
            }
        };
        addEventListener('message', (event) => {
            if (event.source === graph.contentWindow && event.data?.aflame === 'link' &&
                !location.hash.startsWith('#delete=')) {
                const fragment = String(event.data.fragment);
                history.replaceState(null, '',
                    location.pathname + location.search + (fragment && `#${fragment}`));
            }
        });
        addEventListener('hashchange', show);
        if (location.hash !== '') {
            addEventListener('load', show); // a new address would load a frame again that still loads
        }
    }

    // ---- progress of reading ----

    const bar = document.querySelector('progress[data-id]');
    if (bar) {
        const look = async () => {
            try {
                const answer = await fetch('api/v1/traces/' + bar.dataset.id);
                const trace = await answer.json();
                if (trace.state !== 'waiting') {
                    location.reload();
                    return;
                }
                bar.value = trace.percent;
            } catch {
                // the server is busy or gone: the page refreshes itself anyway
            }
            setTimeout(look, 300);
        };
        setTimeout(look, 300);
    }

    // ---- the delete token of a new upload is at the end of the address, which people share: it
    // moves to the storage of this browser ----

    const trace = /\/trace\/([0-9A-Fa-f]+)$/.exec(location.pathname);
    const form = document.querySelector('form:has([name=delete_token])');
    const key = trace && `delete ${trace[1].toLowerCase()}`;
    // null if the browser stores nothing for this page
    const use = (action) => {
        try {
            return action(localStorage);
        } catch {
            return null;
        }
    };
    if (trace) {
        const given = /^#delete=([0-9a-f]{32})$/.exec(location.hash);
        const stored = given && use((storage) => {
            storage.setItem(key, given[1]);
            return true;
        }); // otherwise the address keeps the token
        const token = given ? given[1] : use((storage) => storage.getItem(key));
        if (form && token) {
            form.querySelector('[name=delete_token]').value = token;
        }
        if (form && given) {
            const box = document.createElement('div'), code = document.createElement('code');
            box.className = 'command token';
            code.textContent = given[1];
            box.append('Delete token, shown once: ', code);
            document.querySelector('h1').after(box);
            addCopy(code);
        }
        if (form && stored) {
            history.replaceState(null, '', location.pathname + location.search);
        }
    }
    form?.addEventListener('submit', (event) => {
        if (event.submitter?.value === 'delete') {
            if (confirm('Delete this upload for everyone? This cannot be undone.')) {
                use((storage) => storage.removeItem(key));
            } else {
                event.preventDefault();
            }
        }
    });
})();
