// The server in a real browser: AFLAME, AFLAME_DATA and AFLAME_CHROMIUM name the program, the folder
// of the traces and the browser. Any message on a page's console fails the test.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {spawn} = require('node:child_process');
const {chromium} = require('../browser/node_modules/playwright-core');
const {findWrong} = require('../schema.js');

const sample = path.join(process.env.AFLAME_DATA, 'sample.trace');
const deep = path.join(process.env.AFLAME_DATA, 'real', 'local-art11__deep.trace');
let server, origin, browser;

test.before(async () => {
    server = spawn(process.env.AFLAME, ['serve', '--no-store', '--listen', '127.0.0.1:0',
        '--allow-host', 'traces.example'],
        {stdio: ['ignore', 'pipe', 'inherit']});
    origin = await new Promise((found, failed) => {
        server.stdout.once('data', (text) => found(String(text).trim()));
        server.once('exit', () => failed(new Error('the server ended')));
    });
    browser = await chromium.launch({
        executablePath: process.env.AFLAME_CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--font-render-hinting=none',
            '--disable-background-networking', '--host-resolver-rules=MAP traces.example 127.0.0.1',
            '--disable-component-update', '--disable-sync'],
    });
});
test.after(async () => {
    await browser.close();
    server.kill('SIGTERM');
});

const open = async (options, look) => {
    const context = await browser.newContext({javaScriptEnabled: options.script ?? true,
        permissions: options.permissions ?? [], viewport: {width: options.width ?? 1280, height: 720}});
    const page = await context.newPage();
    const complaints = [];
    page.setDefaultTimeout(+(process.env.AFLAME_PATIENCE ?? 120000));
    page.on('console', (message) => {
        if (!options.allow?.test(message.text())) {
            complaints.push(`${message.type()}: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
        if (options.accept?.test(dialog.message())) {
            return dialog.accept();
        }
        complaints.push(`dialog: ${dialog.message()}`);
        return dialog.dismiss();
    });
    page.on('request', (request) => {
        if (!request.url().startsWith(options.origin ?? origin) && !/^(data|blob):/.test(request.url())) {
            complaints.push(`network request: ${request.url()}`);
        }
    });
    try {
        const answer = await page.goto((options.origin ?? origin) + (options.path ?? '/'));
        await look(page, answer);
        assert.deepStrictEqual(complaints, []);
    } finally {
        await context.close();
    }
};

// The frame with the picture, once its script has taken over.
const waitForGraph = async (page) => {
    const handle = await page.waitForSelector('iframe[title="flame graph"]');
    const frame = await handle.contentFrame();
    await frame.waitForFunction(() => performance.getEntriesByName('aflame-ready').length > 0);
    return frame;
};

const upload = async (page, files) => {
    await page.setInputFiles('[name=trace_file]', files);
    await page.click('form[action="upload_trace"] button');
    await page.waitForURL(/\/trace\//);
    await page.waitForSelector('iframe');
    return /trace\/([0-9a-f]+)/.exec(page.url())[1];
};

const folded = (text, name = 'made.folded') =>
    [{name, mimeType: 'text/plain', buffer: Buffer.from(text)}];

const ids = [];

test('an upload by the file field leads to a page with the interactive graph', async () => {
    await open({}, async (page) => {
        ids[0] = await upload(page, [sample]);
        assert.strictEqual(await page.textContent('h1'), 'sample.trace');
        const graph = await waitForGraph(page);
        assert.ok(await graph.locator('rect').count() > 50);
        assert.match(await page.textContent('.command:not(.token) code'), /^aflame render 'sample.trace' -o graph.svg$/);
        // a thread of the table leads to its graph
        await page.click('td.n a >> text=RenderThread');
        await waitForGraph(page);
        assert.match(page.url(), /\?thread=\d+$/);
        assert.match(await page.textContent('.command code'), / --thread=\d+ /);
    });
});

test('the form of the queries draws another graph', async () => {
    await open({path: `/trace/${ids[0]}`}, async (page) => {
        await page.selectOption('[name=clock]', 'cpu');
        await page.fill('[name=focus]', 'onCreate');
        await page.click('text=Draw');
        await page.waitForURL(/clock=cpu/);
        const graph = await waitForGraph(page);
        assert.ok(await graph.locator('rect').count() > 5);
        assert.match(await page.textContent('.command code'), /--clock=cpu --focus=onCreate/);
    });
});

test('the graph is in a sandbox: it cannot reach the page', async () => {
    await open({path: `/trace/${ids[0]}`}, async (page) => {
        const graph = await waitForGraph(page);
        assert.strictEqual(await graph.evaluate(() => {
            try {
                return parent.document.title;
            } catch (error) {
                return error.name;
            }
        }), 'SecurityError');
    });
});

test('an upload by drop', async () => {
    await open({}, async (page) => {
        const bytes = fs.readFileSync(deep).toString('base64');
        await page.evaluate((text) => {
            const data = new DataTransfer();
            const array = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            data.items.add(new File([array], 'dropped.trace'));
            document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true,
                cancelable: true}));
        }, bytes);
        await page.waitForURL(/\/trace\//);
        await page.waitForSelector('iframe');
        assert.strictEqual(await page.textContent('h1'), 'dropped.trace');
        ids[1] = /trace\/([0-9a-f]+)/.exec(page.url())[1];
        // the delete token leaves the address, is shown once, and stays in the browser
        assert.strictEqual(new URL(page.url()).hash, '');
        const token = await page.textContent('.token code');
        assert.match(token, /^[0-9a-f]{32}$/);
        assert.strictEqual(await page.textContent('.token button'), 'Copy');
        assert.strictEqual(await page.inputValue('input[name=delete_token]'), token);
        await page.reload();
        assert.strictEqual(await page.locator('.token').count(), 0);
        assert.strictEqual(await page.inputValue('input[name=delete_token]'), token);
    });
});

test('every row of a table is visible below its head', async () => {
    const [trace, list, front] = [`/trace/${ids[0]}`, '/traces', '/'];
    for (const [path, width] of [[trace, 390], [trace, 800], [trace, 1280], [list, 800], [list, 1280],
        [front, 800], [front, 1280], [`${trace}/report.html`, 800], [`${trace}/report.html`, 1280]]) {
        await open({path, width}, async (page) => {
            await page.waitForSelector('table.main tbody td');
            const {rows, hidden} = await page.evaluate(() => {
                const hidden = [];
                let rows = 0;
                for (const table of document.querySelectorAll('table.main')) {
                    for (const row of [...table.tBodies[0].rows].slice(0, 12)) {
                        const cell = row.querySelector('.n');
                        cell.scrollIntoView({block: 'center'});
                        const box = cell.getBoundingClientRect();
                        const at = document.elementFromPoint(box.left + 20, box.top + box.height / 2);
                        rows += cell.contains(at);
                        if (at?.closest('thead') || at?.closest('nav')) {
                            hidden.push(cell.textContent);
                        }
                    }
                }
                return {rows, hidden};
            });
            assert.deepStrictEqual(hidden, [], `${path} ${width}`);
            assert.ok(path.endsWith('html') || await page.evaluate(() => [...document.querySelectorAll(
                'table.main')].every((table) => table.scrollWidth <= table.clientWidth)),
            `${path} ${width}: a table is wider than the page`);
            assert.ok(rows > 1, `${path} ${width}: ${rows} rows`);
        });
    }
});

test('on a narrow screen, a page and its graph open at the top left', async () => {
    const position = () => [scrollX, scrollY, document.documentElement.scrollWidth - innerWidth];
    for (const path of [`/trace/${ids[0]}`, `/trace/${ids[0]}#q=onCreate`, `/trace/${ids[0]}?view=chart`,
        `/diff/${ids[0]}/${ids[1]}`]) {
        await open({path, width: 390}, async (page) => {
            const graph = await waitForGraph(page);
            await graph.evaluate(() => new Promise((done) =>
                requestAnimationFrame(() => requestAnimationFrame(done))));
            assert.deepStrictEqual(await graph.evaluate(position), [0, 0, 0], path);
            assert.deepStrictEqual(await page.evaluate(position), [0, 0, 0], path);
        });
    }
});

test('zooming changes the address of the page, which restores the view', async () => {
    await open({path: `/trace/${ids[0]}`}, async (page) => {
        const frame = await waitForGraph(page);
        await frame.locator('input').first().fill('onCreate');
        await page.waitForURL(/#.*q=onCreate/);
        const address = page.url();
        await page.reload();
        const again = await waitForGraph(page);
        await again.waitForFunction(() => location.hash.includes('q=onCreate'));
        assert.strictEqual(await again.locator('input').first().evaluate((field) => field.value), 'onCreate');
        assert.strictEqual(page.url(), address);
    });
    await open({path: `/trace/${ids[0]}#q=onCreate`}, async (page) => {
        const frame = await waitForGraph(page);
        await frame.waitForFunction(() => location.hash.includes('q=onCreate'));
        assert.strictEqual(await frame.locator('input').first().evaluate((field) => field.value), 'onCreate');
    });
});

test('the list compares the uploads that are marked', async () => {
    await open({path: '/traces'}, async (page) => {
        await page.check(`[name=before][value="${ids[0]}"]`);
        await page.check(`[name=after][value="${ids[1]}"]`);
        await page.click('button >> text=Compare');
        await page.waitForURL(`${origin}/diff/${ids[0]}/${ids[1]}`);
        await waitForGraph(page);
    });
});

test('a comparison of two uploads', async () => {
    await open({path: `/trace/${ids[1]}`}, async (page) => {
        await page.fill('[name=before]', `${origin}/trace/${ids[0]}`);
        await page.click('text=Compare >> nth=-1');
        await page.waitForURL(/\/diff\//);
        await waitForGraph(page);
        const tables = await (await page.waitForSelector('iframe[title=tables]')).contentFrame();
        await tables.waitForSelector('table');
    });
});

test('the list, a search, a name that is a script, and deletion', async () => {
    const questions = [];
    await open({accept: {test: (text) => questions.push(text) > 0}}, async (page) => {
        const evil = '<script>alert(1)</script>';
        await upload(page, folded('main;a;b 10\nmain;a 5\n', `${evil}.folded`));
        await waitForGraph(page);
        const address = page.url();
        await page.fill('input[name=name]', evil);
        await page.click('button[value=edit]');
        await page.locator('h1', {hasText: evil}).waitFor();
        await page.click('nav a >> text=Uploads');
        await page.fill('input[type=search]', 'alert(1)');
        await page.click('text=Search');
        await page.waitForURL(/q=alert/);
        assert.deepStrictEqual(await page.locator('td.n a').allTextContents(), [evil]);
        await page.goto(address);
        await page.click('button[value=delete]');
        await page.waitForURL(origin + '/');
        assert.deepStrictEqual(questions,
            ['Delete this upload for everyone? This cannot be undone.']);
        assert.strictEqual((await fetch(address.replace(/#.*/, ''))).status, 404);
    });
});

test('the tables open in a sandbox with their graph', async () => {
    await open({path: `/trace/${ids[0]}/report.html`}, async (page) => {
        await page.waitForSelector('#methods tbody tr');
        await page.waitForFunction(() => performance.getEntriesByName('aflame-ready').length > 0);
        assert.strictEqual(await page.evaluate(() => origin), 'null');
        const frame = await (await page.waitForSelector('.graph iframe')).contentFrame();
        await frame.waitForSelector('rect');
    });
});

test('without a script: upload, page, picture', async () => {
    await open({script: false}, async (page) => {
        await upload(page, folded('main;c;d 10\n', 'plain.folded'));
        assert.strictEqual(await page.textContent('h1'), 'plain.folded');
        const frame = await (await page.waitForSelector('iframe')).contentFrame();
        await frame.waitForSelector('rect');
    });
});

test('pages keep their address: no referrer, or only to this server over plain HTTP in a network', async () => {
    await open({}, async (page, answer) => {
        assert.strictEqual(answer.headers()['referrer-policy'], 'no-referrer');
        await upload(page, folded('main;secure 1\n'));
    });
    const named = origin.replace('127.0.0.1', 'traces.example');
    await open({origin: named}, async (page, answer) => {
        assert.strictEqual(answer.headers()['referrer-policy'], 'same-origin');
        await upload(page, folded('main;plain 1\n'));
        assert.strictEqual(await page.evaluate(() => isSecureContext), false);
    });
});

test('a picture that cannot be made says why in its frame', async () => {
    await open({path: `/trace/${ids[0]}?thread=nosuch`, allow: /status of 400/}, async (page) => {
        const frame = await (await page.waitForSelector('iframe')).contentFrame();
        await frame.locator('pre', {hasText: 'no thread with records has the name or id "nosuch"'}).waitFor();
    });
});

test('pages fit a narrow screen, light and dark', async () => {
    for (const path of ['/', '/traces', '/traces?q=nothing', '/login', `/trace/${ids[0]}`,
        `/diff/${ids[0]}/${ids[1]}`, '/nothing']) {
        await open({path, width: 400, allow: /status of 404/}, async (page) => {
            for (const scheme of ['light', 'dark']) {
                await page.emulateMedia({colorScheme: scheme});
                const width = await page.evaluate(() => document.documentElement.scrollWidth);
                assert.strictEqual(width, 400, path);
                const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
                assert.strictEqual(/\d+/.exec(colour)[0] > 127, scheme === 'light', `${path}: ${colour}`);
            }
        });
    }
});

test('the API answers as its schema says', async () => {
    const schema = await (await fetch(`${origin}/api/v1/schema.json`)).json();
    const check = async (status, name, path, options) => {
        const answer = await fetch(`${origin}${path}`, options);
        const value = await answer.json();
        assert.strictEqual(answer.status, status, path);
        assert.deepStrictEqual(findWrong(schema, schema.$defs[name], value, path), []);
        const known = new Set(Object.keys(schema.$defs[name].properties));
        for (const part of schema.$defs[name].allOf ?? []) {
            const words = schema.$defs[part.$ref.replace('#/$defs/', '')].properties;
            Object.keys(words).forEach((word) => known.add(word));
        }
        assert.deepStrictEqual(Object.keys(value).filter((word) => !known.has(word)), [], path);
        return value;
    };
    const post = (text) => {
        const body = new FormData();
        body.append('trace_file', new Blob([text]), 'api.folded');
        return {method: 'POST', body};
    };
    const made = await check(201, 'upload', '/api/v1/traces', post('main;api 3\n'));
    assert.strictEqual(made.url, `${origin}/trace/${made.id}`);
    const refused = await check(422, 'upload', '/api/v1/traces', post('?'));
    assert.ok(refused.error);
    const list = await check(200, 'list', '/api/v1/traces?limit=100');
    assert.ok(list.traces.length > 2);
    for (const id of [made.id, refused.id, ids[0]]) {
        await check(200, 'trace', `/api/v1/traces/${id}`);
    }
    await check(404, 'error', '/api/v1/traces/0');
    await check(403, 'error', `/api/v1/traces/${made.id}`, {method: 'DELETE'});
    await check(400, 'error', '/api/v1/traces', post(''));
});
