// A file includes what it uses of GLib, itself or through its headers. The builds with tests precompile these headers:
// only a build without them would miss an #include.
'use strict';
const path = require('node:path').posix;

// Names that a library header declares.
const RULES = [
    [/\b(?:g_[a-z]|G_[A-Z]|g(?:boolean|char|int|pointer|size|uint8|uint64)\b)/,
        ['glib.h', 'glib-object.h', 'gio/', 'gmodule.h', 'json-glib/json-glib.h', 'pango/']],
    [/\bG(?:Cancellable|Converter|File|InputStream|OutputStream|ZlibDecompressor)\b/,
        ['gio/', 'json-glib/json-glib.h']],
    [/\b(?:mem(?:chr|cmp|cpy|move|set)|str(?:chr|cmp|len|ncmp|rchr|str)) *\(/,
        ['string.h', 'glib.h', 'gio/', 'json-glib/json-glib.h', 'pango/']],
];

module.exports = (sources, complain) => {
    const files = new Map(sources.map((source) => [source.path, source]));
    const find = (from, header) => [path.dirname(from.path), 'src', '.', 'include']
        .map((top) => files.get(path.join(top, header))).find((source) => source);
    // Whether the file includes one of the headers. `visited` has the files that it has looked at.
    const includes = (source, headers, visited) => {
        if (visited.has(source)) {
            return false;
        }
        visited.add(source);
        return [...source.text.matchAll(/^#include .([^">\n]*)/gm)].some(([, header]) => {
            const found = find(source, header);
            return headers.includes(header) || headers.includes(header.replace(/\/.*/, '/')) ||
                found && includes(found, headers, visited);
        });
    };
    let checked = 0;
    for (const source of sources.filter(({language}) => language === 'C')) {
        for (const [names, headers] of RULES) {
            const found = names.exec(source.code);
            checked += found ? 1 : 0;
            if (found && !includes(source, headers, new Set())) {
                const name = /^[^ (;,)*\n]*/.exec(source.code.slice(found.index))[0];
                complain(source, found.index, `${name} without an #include of its header`);
            }
        }
    }
    return checked;
};
