// A browser for the tests, and queries on a picture. Any console message or exception of the page
// fails the test that opened it.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const test = require('node:test');
const {chromium} = require('playwright-core');

const folder = process.env.AFLAME_PICTURES;
// Launched by the first test that opens a page.
let launched = null;
const launch = () => launched ??= chromium.launch({
    executablePath: process.env.AFLAME_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--font-render-hinting=none', // the shell would round the widths of letters
        '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
test.after(async () => (await launched)?.close());

exports.folder = folder;
// run.sh exports some inputs for other tools: their names, and the path of an exported file.
exports.received = (name) => path.join(folder, 'received', name);
exports.exported = () => fs.readdirSync(exports.received('')).filter((name) => name.endsWith('.report.json'))
    .map((name) => name.slice(0, -'.report.json'.length));
exports.fileOf = (name) => path.join(folder, `${name}.svg`);
exports.read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

// Folded stacks, {stack: us}; the times are whole microseconds.
exports.readFolded = (name) => new Map(exports.read(`${name}.folded`).trimEnd().split('\n').map((line) => {
    const at = line.lastIndexOf(' ');
    return [line.slice(0, at), Number(line.slice(at + 1))];
}));

exports.test = test;

// Empty pages, by the options of their contexts: a page that is used again loads in half the time.
const spare = new Map();

async function takePage(context, before) {
    const key = JSON.stringify(context);
    let page = before ? undefined : spare.get(key);
    if (page) {
        spare.delete(key);
        await page.setViewportSize(context.viewport);
        await page.mouse.move(-1, -1);
    } else {
        page = await (await (await launch()).newContext(context)).newPage();
    }
    if (before) {
        await page.addInitScript(before);
    }
    const giveBack = async () => {
        if (before || spare.has(key)) {
            await page.context().close();
        } else {
            ['console', 'pageerror', 'request', 'dialog'].forEach((event) =>
                page.removeAllListeners(event));
            await page.emulateMedia({media: null});
            await page.goto('about:blank');
            spare.set(key, page);
        }
    };
    return {page, giveBack};
}

// A server of the folder; a `policy` other than '' is the content security policy of its pages.
async function startServer(policy) {
    const server = http.createServer((request, response) => {
        const name = path.basename(new URL(request.url, 'http://localhost').pathname);
        if (name === 'favicon.ico') {
            response.writeHead(204).end();
            return;
        }
        response.writeHead(200, {
            'Content-Type': name.endsWith('.html') ? 'text/html' : 'image/svg+xml',
            ...(policy ? {'Content-Security-Policy': policy} : {}),
        }).end(fs.readFileSync(path.join(folder, name)));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
}

// Opens a picture and waits until the script has taken over (or, with script: false, is loaded).
// `look(picture, page)` is the body of the test. Options: `size` is [width, height]; `file` is another
// name than that of a picture; with a `policy` the file comes from a server.
exports.open = async (name, ...rest) => {
    const look = rest.pop();
    const {size: [width, height] = [1200, 900], ...options} = rest[0] ?? {};
    const {page, giveBack} = await takePage({
        viewport: {width, height},
        colorScheme: options.scheme ?? 'light',
        reducedMotion: options.motion ? 'no-preference' : 'reduce',
        javaScriptEnabled: options.javaScript ?? true,
        hasTouch: options.touch ?? false,
        isMobile: options.mobile ?? false,
        permissions: options.permissions ?? [],
    }, options.before);
    const server = options.policy === undefined ? null : await startServer(options.policy);
    const origin = server ? `http://127.0.0.1:${server.address().port}` : `file://${folder}`;
    const complaints = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('request', (request) => {
        const url = request.url();
        if (!/^(file|data|blob):/.test(url) && !url.startsWith(origin)) {
            complaints.push(`network request: ${url}`);
        }
    });
    try {
        const url = options.url ?? `${origin}/${options.file ?? `${name}.svg`}`;
        await page.goto(url + (options.hash ?? ''));
        if (options.script ?? options.javaScript ?? true) {
            await page.waitForFunction(() => performance.getEntriesByName('aflame-ready').length > 0);
        }
        await look(new Picture(page, options.javaScript ?? true), page);
    } finally {
        server?.close();
    }
    assert.deepStrictEqual(options.ignoreConsole ? complaints.filter((line) =>
        !options.ignoreConsole.test(line)) : complaints, []);
    await giveBack();
};

// [what `look` finds in the static sheet, what it finds once the script has taken over].
exports.openBoth = async (name, options, look) => {
    const found = [];
    for (const javaScript of [false, true]) {
        await exports.open(name, {...options, javaScript}, async (picture, page) => {
            if (javaScript) {
                await picture.rest();
            }
            found.push(await look(picture, page, javaScript));
        });
    }
    return found;
};

// A test of one picture.
exports.testIn = (name, title, ...rest) => test(title, () => exports.open(name, ...rest));

// The number of pixels per thousand that differ by more than `level` of 255 in two screenshots.
exports.compareShots = async (one, other, level) => {
    const page = await (await launch()).newPage();
    try {
        return await page.evaluate(async ([urls, most]) => {
            const pixels = async (url) => {
                const image = new Image();
                image.src = url;
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
                canvas.drawImage(image, 0, 0);
                return canvas.getImageData(0, 0, image.width, image.height);
            };
            const [a, b] = await Promise.all(urls.map(pixels));
            const n = Math.min(a.height, b.height) * a.width * 4;
            let different = 0;
            for (let i = 0; i < n; i += 4) {
                const isNear = [0, 1, 2].every((k) =>
                    Math.abs(a.data[i + k] - b.data[i + k]) <= most);
                different += isNear ? 0 : 1;
            }
            return 1000 * different / (n / 4);
        }, [[one, other].map((shot) => 'data:image/png;base64,' + shot.toString('base64')), level]);
    } finally {
        await page.close();
    }
};

class Picture {
    constructor(page, runs) {
        this.page = page;
        this.runs = runs; // whether scripts run
    }

    async settle() {
        await this.page.evaluate(() => new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }

    // Waits until all drawing, announcements and address updates are done.
    async rest() {
        await this.settle();
        await this.page.waitForFunction(() => {
            const {view} = globalThis.AF;
            return document.getAnimations().length === 0 && view.later === 0 &&
                location.hash.replace(/^#/, '') === view.link.text;
        });
    }

    // Waits until the script has decided not to take over.
    async stays() {
        await this.page.evaluate(() => globalThis.AF.started);
        assert.strictEqual(await this.page.locator('.f').count(), 0);
        assert.ok(await this.page.locator('.panel text').count() > 50);
    }

    async shot(name) {
        if (this.runs) {
            await this.settle();
        }
        await this.page.screenshot({path: path.join(folder, 'shots', `${name}.png`)});
    }

    // The part of the window that no toolbar covers.
    async sheet() {
        await this.page.evaluate(() => {
            for (const element of document.querySelectorAll('.af-bar, .af-details, .toggle > path')) {
                element.style.visibility = 'hidden';
            }
        });
        return this.page.screenshot();
    }

    async press(...keys) {
        for (const key of keys) {
            await this.page.keyboard.press(key);
        }
        await this.settle();
    }

    // The bars on the sheet: {name, panel, x, y, width, right, hit, crumb, label}. `name` is the
    // accessible name, up to its numbers.
    async bars() {
        await this.rest();
        return this.page.evaluate(() => {
            const svg = document.querySelector('svg.aflame');
            const box = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('.f')].map((bar) => {
                const at = bar.getBoundingClientRect();
                return {
                    spoken: bar.getAttribute('aria-label'),
                    level: Number(bar.getAttribute('aria-level')),
                    panel: bar.closest('.panel').getAttribute('aria-label'),
                    x: at.left - box.left, y: at.top - box.top, width: at.width,
                    hit: bar.classList.contains('hit'), classes: bar.getAttribute('class'),
                };
            });
        });
    }

    // The widest bar whose accessible name starts with `name`.
    async bar(name) {
        const found = (await this.bars()).filter((bar) => bar.spoken.startsWith(name));
        assert.ok(found.length > 0, `no frame ${name}`);
        return found.reduce((a, b) => (b.width > a.width ? b : a));
    }

    // The position of a frame on the screen, after scrolling to it if necessary.
    async boxOf(name) {
        const bar = await this.bar(name);
        const hasScrolled = await this.page.evaluate((y) => {
            const {top} = document.querySelector('svg.aflame').getBoundingClientRect();
            const isAway = top + y < 60 || top + y > innerHeight - 90;
            if (isAway) {
                scrollBy(0, top + y - innerHeight / 2);
            }
            return isAway;
        }, bar.y);
        if (hasScrolled) {
            await this.rest(); // draws the frames that scrolled into view
        }
        const {left, top} = await this.page.evaluate(() => {
            const box = document.querySelector('svg.aflame').getBoundingClientRect();
            return {left: box.left, top: box.top};
        });
        return {x: left + bar.x + Math.min(bar.width / 2, 60), y: top + bar.y + 8};
    }

    async click(name, options = {}) {
        const {x, y} = await this.boxOf(name);
        await this.page.mouse.click(x, y, options);
        await this.settle();
    }

    async hover(name) {
        const {x, y} = await this.boxOf(name);
        await this.page.mouse.move(x, y);
        await this.settle();
    }

    text(selector) {
        return this.page.evaluate((at) => document.querySelector(at).textContent, selector);
    }

    async details() {
        return {name: await this.text('.af-name'), facts: await this.text('.af-facts')};
    }

    focused() {
        return this.page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    }

    async hash() {
        await this.rest();
        return this.page.evaluate(() => location.hash);
    }

    // Types into the search field key by key.
    async search(text) {
        await this.press('/');
        await this.page.keyboard.type(text);
        await this.settle();
    }

    // Playwright recognises only upper-case element names as inputs, and XHTML has lower-case ones.
    typed() {
        return this.page.evaluate(() => document.querySelector('.af-search').value);
    }

    async retype(text) {
        await this.page.evaluate(() => document.querySelector('.af-search').select());
        await this.page.keyboard.type(text);
        await this.settle();
    }

    found() {
        return this.text('.af-found');
    }
}
