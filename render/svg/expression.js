// Bounds the work of a regular expression before it runs: a match cannot be interrupted.

// The limit for one name: slow browsers take a fifth of a second for so many steps.
const STEPS_MOST = 1e8;

const NESTED = 'a repeated group must not contain +, *, ?, {m,n} ' +
    'or alternatives that begin alike';

// An atom or the start or end of a group, and its quantifier.
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/;
const ATOMS = [ESCAPE, /\[(?:[^\]\\]|\\[^])*\]/, /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/, /[^]/];
const PIECE = new RegExp(`(${ATOMS.map(({source}) => source).join('|')})` +
    '(?:(?:([*+?])|\\{(\\d+)(,?)(\\d*)\\})\\??)?', 'g');

// The only character that an atom matches; null if there are several.
function letterOf(atom, ignoresCase) {
    if (atom[0] === '\\') {
        return /\W/.test(atom[1]) ? atom[1] : null;
    }
    const letter = ignoresCase ? atom.toUpperCase().toLowerCase() : atom;
    // other letters, too, match a letter whose capital is two letters
    return letter.length === 1 && !'.^$'.includes(atom) ? letter : null;
}

function countsOf(sign, least, comma, most) {
    if (least !== undefined) {
        return [Number(least), most ? Number(most) : comma ? Infinity : Number(least)];
    }
    return {'*': [0, Infinity], '+': [1, Infinity], '?': [0, 1]}[sign] ?? [1, 1];
}

// The alternatives of a group as a part of the sequence around it.
function joinAlternatives(alternatives) {
    const n = alternatives.length;
    const starts = new Set(alternatives.map(({start}) => start ?? null));
    const isClear = n === 1 || (!starts.has(null) && starts.size === n);
    const steps = alternatives.reduce((product, one) => product * one.steps, 1);
    return {steps: isClear ? steps : steps * (n + 1), start: null,
        varies: !isClear || alternatives.some(({varies}) => varies)};
}

// Why an expression that RegExp accepts is not run on names of up to `length` characters; null =
// it may run.
export const refuseExpression = (source, length, ignoresCase) => {
    // `steps`: the product of the choices that a backtracking engine may try from one position;
    // `start`: the first character of every match, null = not unique
    const newSequence = () => ({steps: 1, varies: false, start: undefined});
    const groups = [[newSequence()]]; // the open ones, each a list of alternatives
    for (const [, atom, sign, ...counts] of source.matchAll(PIECE)) {
        if (atom === '|') {
            groups.at(-1).push(newSequence());
        } else if (atom[0] === '(') {
            if (sign) {
                return '(?i:...) is not supported';
            }
            groups.push([newSequence()]);
        } else if (/^\\[1-9k]/.test(atom)) {
            return 'back references are not supported';
        } else {
            const part = atom === ')' ? joinAlternatives(groups.pop())
                : {steps: 1, varies: false, start: letterOf(atom, ignoresCase)};
            const [least, most] = countsOf(sign, ...counts);
            const choices = Math.min(most - least, length) + 1;
            if (most > 1 && part.varies) {
                return NESTED;
            }
            const sequence = groups.at(-1).at(-1);
            sequence.start = sequence.start === undefined && least > 0 ? part.start
                : sequence.start ?? null;
            sequence.varies ||= part.varies || choices > 1;
            // + 1 for backtracking
            sequence.steps *= part.steps * (choices > 1 ? choices + 1 : 1);
        }
    }
    return joinAlternatives(groups[0]).steps * (length + 1) > STEPS_MOST
        ? 'too many repetitions in one expression' : null;
};
