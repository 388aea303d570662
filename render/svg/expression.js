// Bounds the work of a regular expression before it runs: a match cannot be interrupted.

// The limit for one name: slow browsers take a fifth of a second for so many steps.
const STEPS_MOST = 1e8;

const NESTED = 'a repeated group must not contain +, *, ?, {m,n} ' +
    'or alternatives that begin alike';

class Refusal extends Error {}

// Reads an expression that RegExp accepts. `steps` is the product of the choices that a
// backtracking engine may try from one position, for names of `length` characters.
class Reader {
    constructor(source, length, ignoresCase) {
        this.source = source;
        this.length = length;
        this.ignoresCase = ignoresCase;
        this.at = 0;
    }

    // Reads alternatives up to a closing parenthesis or the end: {steps, varies}.
    readAlternatives() {
        let steps = 1;
        let n = 0;
        let varies = false;
        const starts = [];
        for (;;) {
            const one = this.readSequence();
            starts.push(one.start);
            steps *= one.steps;
            varies ||= one.varies;
            n++;
            if (this.source[this.at] !== '|') {
                break;
            }
            this.at++;
        }
        const isClear = n === 1 ||
            (!starts.includes(null) && new Set(starts).size === n);
        return {steps: isClear ? steps : steps * (n + 1), varies: varies || !isClear};
    }

    // `start` is the first character of every match; null = not unique.
    readSequence() {
        let steps = 1;
        let varies = false;
        let start;
        while (this.at < this.source.length && !'|)'.includes(this.source[this.at])) {
            const atom = this.readAtom();
            const count = this.readCount();
            const choices = Math.min(count.most - count.least, this.length) + 1;
            if (count.most > 1 && atom.varies) {
                throw new Refusal(NESTED);
            }
            start ??= {text: count.least > 0 ? atom.text : null};
            varies ||= atom.varies || choices > 1;
            // + 1 for backtracking
            steps *= atom.steps * (choices > 1 ? choices + 1 : 1);
        }
        return {steps, varies, start: start?.text ?? null};
    }

    readAtom() {
        const {source} = this;
        const one = source[this.at++];
        if (one === '(') {
            if (!this.skip(/\?(?:[:=!]|<[=!]|<[^>]*>)/y) && source[this.at] === '?') {
                throw new Refusal('(?i:...) is not supported');
            }
            const group = this.readAlternatives();
            this.at++;
            return {...group, text: null};
        }
        if (one === '[') {
            this.skip(/(?:[^\]\\]|\\[^])*\]/y);
            return {steps: 1, varies: false, text: null};
        }
        if (one === '\\') {
            return this.readEscape();
        }
        const text = this.ignoresCase ? one.toUpperCase().toLowerCase() : one;
        // other letters, too, match a letter whose capital is two letters
        const isClear = text.length === 1 && !'.^$'.includes(one);
        return {steps: 1, varies: false, text: isClear ? text : null};
    }

    readEscape() {
        const one = this.source[this.at];
        if (/[1-9k]/.test(one)) {
            throw new Refusal('back references are not supported');
        }
        this.skip(/[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^]/y);
        return {steps: 1, varies: false, text: /\W/.test(one) ? one : null};
    }

    // Reads a quantifier.
    readCount() {
        const counts = {'*': [0, Infinity], '+': [1, Infinity], '?': [0, 1]};
        let [least, most] = counts[this.source[this.at]] ?? [1, 1];
        if (counts[this.source[this.at]]) {
            this.at++;
        } else {
            const braces = this.skip(/\{(\d+)(,?)(\d*)\}/y);
            if (braces) {
                least = Number(braces[1]);
                most = braces[3] ? Number(braces[3]) : braces[2] ? Infinity : least;
            } else {
                return {least, most};
            }
        }
        this.skip(/\?/y);
        return {least, most};
    }

    skip(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.source);
        this.at += found ? found[0].length : 0;
        return found;
    }
}

// Why a valid expression is not run on names of up to `length` characters; null = it may run.
export const refuseExpression = (source, length, ignoresCase) => {
    try {
        const {steps} = new Reader(source, length, ignoresCase).readAlternatives();
        return steps * (length + 1) > STEPS_MOST
            ? 'too many repetitions in one expression' : null;
    } catch (refusal) {
        if (refusal instanceof Refusal) {
            return refusal.message;
        }
        throw refusal;
    }
};
