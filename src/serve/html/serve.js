'use strict';
(() => {
    // ---- copy buttons ----

    for (const code of document.querySelectorAll('.command code')) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = 'Copy';
        button.addEventListener('click', async () => {
            try {
                await navigator.clipboard.writeText(code.textContent);
                button.textContent = 'Copied';
            } catch {
                // no access to the clipboard: select the text, to be copied by hand
                const range = document.createRange();
                range.selectNodeContents(code);
                getSelection().removeAllRanges();
                getSelection().addRange(range);
            }
        });
        code.after(button);
    }

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

    // ---- progress of reading ----

    const bar = document.querySelector('progress[data-id]');
    if (bar) {
        const look = async () => {
            try {
                const answer = await fetch('/api/v1/traces/' + bar.dataset.id);
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

    // ---- the delete token of a new upload is in the address; it is never sent with a link ----

    const given = /^#delete=([0-9a-f]{32})$/.exec(location.hash);
    if (given) {
        for (const input of document.querySelectorAll('input[name=delete_token]')) {
            input.value = given[1];
        }
    }
})();
