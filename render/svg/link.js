// The state of the view as the fragment of a link: names and hashes of paths, never pixels, so that
// a link survives another width or a new rendering.
//
//   t=main,Binder%3A1   the open threads, by title, where they are not those of the sheet
//   z=9c1e02af,...      paths zoomed to; with @0.25-0.5 a part of that path's time
//   c=cpu               the clock, where it is not that of the sheet
//   v=icicle|flame|callers, m=9c1e02af: the view, and the method whose callers are shown
//   q=onBind            what is searched
(() => {
    'use strict';
    const AF = (globalThis.AF ??= {});

    AF.CLOCK_WORDS = ['wall', 'cpu', 'wait'];
    AF.VIEWS = ['flame', 'icicle', 'callers'];

    AF.writeLink = (state) => {
        const parts = [];
        if (state.threads) {
            parts.push('t=' + state.threads.map(encodeURIComponent).join(','));
        }
        if (state.zooms.length > 0) {
            parts.push('z=' + state.zooms.map((zoom) => zoom.hash + (zoom.part
                ? '@' + zoom.part.map((x) => String(Number(x.toPrecision(6)))).join('-') : ''))
                .join(','));
        }
        for (const [key, value] of [['c', state.clock], ['v', state.view], ['m', state.method],
            ['q', state.query]]) {
            if (value) {
                parts.push(`${key}=${encodeURIComponent(value)}`);
            }
        }
        return parts.join('&');
    };

    function decode(text) {
        try {
            return decodeURIComponent(text);
        } catch {
            return text; // a percent sign that somebody typed
        }
    }

    function readZoom(text) {
        const found = /^([0-9a-f]{8})(?:@([\d.e+-]*[\d.])-([\d.][\d.e+-]*))?$/.exec(text);
        if (!found) {
            return [];
        }
        const part = [Number(found[2]), Number(found[3])];
        const good = found[2] !== undefined && part[0] >= 0 && part[0] < part[1] && part[1] <= 1;
        return [{hash: found[1], part: good ? part : null}];
    }

    // What a fragment asks for; what it does not name or names wrongly is null or empty.
    AF.readLink = (fragment) => {
        const values = new Map();
        for (const part of fragment.replace(/^#/, '').split('&')) {
            const at = part.indexOf('=');
            if (at > 0) {
                values.set(part.slice(0, at), part.slice(at + 1));
            }
        }
        const word = (key, words) => (words.includes(values.get(key)) ? values.get(key) : null);
        const list = (key) => (values.get(key) ?? '').split(',').filter((item) => item !== '');
        return {
            threads: values.has('t') ? list('t').map(decode) : null,
            zooms: list('z').flatMap(readZoom),
            clock: word('c', AF.CLOCK_WORDS),
            view: word('v', AF.VIEWS),
            method: /^[0-9a-f]{8}$/.test(values.get('m') ?? '') ? values.get('m') : null,
            query: decode(values.get('q') ?? ''),
        };
    };
})();
