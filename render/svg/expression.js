// Bounds the work of a regular expression before it runs: a match cannot be interrupted.

// The limit for one name: slow browsers take a fifth of a second for so many steps.
const STEPS_MOST = 1e8;

const NESTED = 'a repeated group must not contain +, *, ?, {m,n} or |';

// an escaped character, whose braces are no quantifier, or a class
const ATOM = /\\(?:u\{[\da-fA-F]+\}|[^])|\[(?:[^\]\\]|\\[^])*\]/g;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/g;
// an innermost group: what it contains, and its quantifier
const GROUP = new RegExp(`\\(([^()]*)\\)((?:${QUANTIFIER.source})?)`);

// The fewest and the most repetitions that a quantifier allows.
function countsOf([, sign, least, comma, most]) {
    return sign ? [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
        : [Number(least), most ? Number(most) : comma ? Infinity : Number(least)];
}

// Why an expression that RegExp accepts is not run on names of up to `length` characters; null =
// it may run.
export const refuseExpression = (source, length) => {
    // a back reference takes as many steps as the text has letters
    let rest = source.replace(ATOM, (atom) => (/^\\[1-9k]/.test(atom) ? 'a*' : 'a'))
        .replace(/\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/g, '(');
    let steps = length + 1; // from all positions
    const count = (part) => {
        const counts = [...part.matchAll(QUANTIFIER)].map(countsOf);
        const choices = counts.map(([least, most]) => Math.min(most - least, length))
            .filter((n) => n > 0);
        // a back reference to an empty group takes steps without letters
        counts.forEach(([least]) => (steps *= least > length ? least : 1));
        // + 1 for backtracking
        steps *= choices.reduce((product, n) => product * (n + 2), part.split('|').length);
        return choices.length > 0 || part.includes('|');
    };
    for (let group = GROUP.exec(rest); group; group = GROUP.exec(rest)) {
        const [all, part, quantifier] = group;
        const repeats = [...quantifier.matchAll(QUANTIFIER)].some((one) => countsOf(one)[1] > 1);
        const varies = count(part);
        if (varies && repeats) {
            return NESTED;
        }
        rest = rest.replace(all, () => (varies ? 'a?' : `a${quantifier}`));
    }
    count(rest);
    return steps > STEPS_MOST ? 'too many repetitions in one expression' : null;
};
