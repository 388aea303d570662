// Texts and functions that must not occur in the sources.
'use strict';

const BANS = [{
    paths: ['src/', 'render/', 'include/'],
    except: ['src/cli/', 'src/serve/'],
    inCode: true, // comments and literals do not count
    pattern: new RegExp('(?<![A-Za-z0-9_])(printf|puts|putchar|fprintf|exit|abort|setlocale|getenv|g_print|' +
        'g_printerr|g_error|g_warning|g_message|g_getenv|g_get_home_dir|rand|random|time|g_get_real_time)\\(', 'g'),
    reason: 'the library does not print, end the program or read its surroundings',
}, {
    paths: ['src/', 'render/', 'include/', 'tests/'],
    except: ['tests/house/'],
    inCode: false,
    pattern: new RegExp('\\bD[0-9]{1,2}\\b(?!\\$)(?!, R8)|\\b[Ss]ection [0-9]|\\bdesign: |\\bdesign\\.md|' +
        '\\([1-9][0-9]?\\.[0-9]{1,2}(\\.[0-9]+)?\\)|\\b[Ii]ssue [0-9]|\\.\\./shared|language\\.md', 'g'),
    reason: 'refers to a document outside the repository; state the rule itself',
}];

module.exports = (sources, complain) => {
    let checked = 0;
    for (const {paths, except, inCode, pattern, reason} of BANS) {
        for (const source of sources) {
            const isIn = (prefix) => source.path.startsWith(prefix);
            if (paths.some(isIn) && !except.some(isIn) && (!inCode || source.language === 'C')) {
                for (const found of (inCode ? source.code : source.text).matchAll(pattern)) {
                    complain(source, found.index, `"${found[0]}": ${reason}`);
                }
                checked++;
            }
        }
    }
    return checked;
};
