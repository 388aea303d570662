#!/usr/bin/env node
// generate.js [OPTION...] -o FILE
// Writes Android method traces of any size that look like real ones, the same on every machine.
//   --records N   records (default 4100000)
//   --threads N   threads (default 24)
//   --depth N     messages are at most this deep (default 60)
//   --seed N      another trace of the same kind (default 1)
//   --towers      every message calls down to the full depth
//
// Every method has a fixed short list of callees. Threads process messages: a call with a budget of nested calls, which
// it divides among its callees. A few callees get nearly all of it (deep chains), most get little. Message number N of
// a thread makes the same calls each time. A new one comes while there are fewer than a square-root curve requires; all
// others repeat known ones, the first ones most often (Zipf). With --towers, a message makes one chain of calls down to
// the full depth.
'use strict';
const {parseArgs} = require('node:util');
const {put, patch, writeFile, le} = require('../support/bytes.js');

const ENTER = 0, EXIT = 1, UNWIND = 2;
const METHODS = 4096, CALLEES = 12, WAITS = 4, BUDGET_MAX = 1000;
const SMALL = WAITS + 900; // small methods of the platform, called from everywhere
const REST = METHODS - SMALL;
const FIRST_THREAD = 12500; // ART: Linux ids; the main thread's is the process id

const {values} = parseArgs({options: {records: {type: 'string'}, threads: {type: 'string'}, depth: {type: 'string'},
    seed: {type: 'string'}, towers: {type: 'boolean'}, output: {type: 'string', short: 'o'}}});
const [records, nThreads, depthMax, seed] = [[values.records, 4100000], [values.threads, 24], [values.depth, 60],
    [values.seed, 1]].map(([given, fallback]) => Number(given ?? fallback));

// ---- randomness: {state} ----

function below(random, n) {
    let z = random.state = random.state + 0x6D2B79F5 | 0;
    z = Math.imul(z ^ z >>> 15, z | 1);
    z ^= z + Math.imul(z ^ z >>> 7, z | 61);
    return Math.floor(((z ^ z >>> 14) >>> 0) / 2 ** 32 * n);
}

const chance = (random, part, whole) => below(random, whole) < part;

// A rank below n; rank k has a probability of about 1 / (k + 1).
function pickRank(random, n) {
    const low = 1 << below(random, 32 - Math.clz32(n));
    const rank = low - 1 + below(random, low);
    return rank < n ? rank : below(random, n);
}

const all = {state: seed};

// ---- names ----

const NAMES = {
    waits: ['android.os.MessageQueue\tnativePollOnce\t(JI)V', 'java.lang.Object\twait\t(JI)V',
        'sun.misc.Unsafe\tpark\t(ZJ)V', 'java.lang.Thread\tsleep\t(Ljava/lang/Object;JI)V'],
    // the packages of the small methods, then those of all others
    platform: ['java.lang', 'java.util', 'kotlin.collections', 'java.util.concurrent', 'android.util', 'kotlin.text'],
    packages: ['com.example.market.checkout.payment', 'android.view', 'androidx.recyclerview.widget',
        'com.example.market.catalogue.search', 'okhttp3.internal.connection', 'kotlinx.coroutines.internal',
        'com.example.market.common.database', 'android.content.res'],
    first: ['Basket', 'Layout', 'Order', 'Image', 'Session', 'Text', 'Query', 'Cached', 'Shared', 'Network', 'Price',
        'Scroll', 'Async', 'Binder', 'Resource'],
    last: ['Adapter', 'ViewModel', 'Repository', 'Factory', 'Listener', 'Manager', 'Dispatcher', 'Builder$Step',
        'Parser', 'Holder', 'Interceptor'],
    verbs: ['get', 'set', 'on', 'find', 'measure', 'bind', 'load', 'parse', 'draw', 'create', 'is', 'apply', 'invoke'],
    objects: ['Value', 'Item', 'Child', 'Bounds', 'Response', 'Offset', 'Listener', 'Attributes', 'Position', 'State'],
    signatures: ['()V', '()Ljava/lang/String;', '(I)Z', '(Ljava/lang/Object;)V', '(Landroid/view/View;II)V',
        '(Ljava/lang/String;Ljava/lang/Object;J)I'],
    threads: ['main', 'RenderThread', 'DefaultDispatcher-worker-1', 'OkHttp Dispatcher', 'FinalizerDaemon'],
};
const from = (list, i) => NAMES[list][Math.floor(i) % NAMES[list].length];

function describeMethod(i) {
    // ART prints the number with %#x, so 0 has no prefix
    const id = i === 0 ? '0' : `0x${(i * 4).toString(16)}`;
    if (i < WAITS) {
        return `${id}\t${NAMES.waits[i]}\tNative.java\n`;
    }
    const n = Math.imul(i, 2654435761) >>> 4, type = Math.floor(i / 6); // six methods per class
    const folder = i < SMALL ? from('platform', type) : from('packages', (i - SMALL) / 399);
    const first = from('first', type), number = Math.floor(type / (NAMES.first.length * NAMES.last.length));
    return `${id}\t${folder}.${first}${from('last', type / NAMES.first.length)}${number}\t${from('verbs', n)}` +
        `${from('objects', n / 16)}${i % 6}\t${from('signatures', n / 256)}\t${first}.java\n`;
}

const nameThread = (i) => NAMES.threads[i] ??
    (i % 2 === 0 ? `pool-${i}-thread-1` : `Binder:12500_${i.toString(16).toUpperCase()}`);

// ---- the program that is traced ----

function pickCallee(caller, isLarge) {
    if (!isLarge && chance(all, 45, 100)) {
        return WAITS + pickRank(all, SMALL - WAITS);
    }
    if (chance(all, 2, 100)) {
        return caller; // recursion
    }
    return SMALL + (caller >= SMALL && chance(all, 70, 100)
        ? (caller - SMALL + REST + below(all, 61) - 20) % REST : below(all, REST));
}

const methods = Array.from({length: METHODS}, (_, i) => {
    const isSmall = i < SMALL, isLeaf = i < WAITS || chance(all, isSmall ? 75 : 6, 100);
    const nCallees = isLeaf ? 0 : 1 + below(all, isSmall ? 3 : CALLEES);
    const passesOn = !isSmall && chance(all, 70, 100);
    return {
        passesOn,
        loops: isLeaf && chance(all, 8, 100) ? 2 + pickRank(all, 20) : 1, // the mean number of iterations
        cost: 1 + pickRank(all, 60), // in units of about 0.1 us
        callees: Array.from({length: nCallees}, (__, c) => pickCallee(i, passesOn && c === 0)),
    };
});

// ---- records ----

const threads = Array.from({length: nThreads}, (_, number) => ({number, cpuTenths: 0, messages: 0, hasBegun: false}));
let wallTenths = 0, nRecords = 0, nMessages = 0;
let unwinding = 0; // calls that an exception still ends

// Most steps are below a microsecond: several records then share one time.
function emit(thread, number, action) {
    if (nRecords === records) {
        return; // the calls stay open
    }
    const step = 1 + below(all, 3 * methods[number].cost + 4);
    const tenths = chance(all, 1, 500) ? step + below(all, 4000) : step;
    wallTenths += tenths;
    thread.cpuTenths += tenths - (chance(all, 1, 20) ? Math.floor(tenths / 4) : 0);
    put(le(FIRST_THREAD + thread.number, 2) + le(number * 4 + action, 4) + le(Math.floor(thread.cpuTenths / 10), 4) +
        le(Math.floor(wallTenths / 10), 4));
    nRecords++;
}

// The structure of a message comes from its `random` alone.
function call(thread, number, depth, budget, random) {
    const {callees} = methods[number];
    emit(thread, number, ENTER);
    let left = budget, more = depth < depthMax && (values.towers || callees.length > 0 && left > 0);
    while (more && unwinding === 0 && nRecords < records) {
        const next = callees.length > 0 ? callees[pickRank(random, callees.length)] : SMALL + (number + 1) % REST;
        const callee = methods[next];
        const share = callee.callees.length === 0 || left <= 0 ? 0
            : callee.passesOn ? Math.floor(left * (94 + below(random, 6)) / 100) : pickRank(random, left);
        let times = callee.loops > 1 && !values.towers ? 1 + below(random, 2 * callee.loops) : 1;
        while (times-- > 0 && unwinding === 0) {
            call(thread, next, depth + 1, share, random);
        }
        left -= share < left ? share + 1 : left;
        more = values.towers ? chance(random, 1, 100) : left > 0;
    }
    if (unwinding === 0 && chance(all, 1, 6000)) {
        unwinding = 1 + pickRank(all, 12);
    }
    emit(thread, number, unwinding > 0 ? UNWIND : EXIT);
    unwinding -= unwinding > 0 ? 1 : 0;
}

// ---- threads ----

// The main thread first ends calls from before the trace; the others enter calls that stay open.
function beginThread(thread) {
    const isMain = thread.number === 0;
    for (let i = 0; i < (isMain ? 3 : 1 + thread.number % 3); i++) {
        emit(thread, METHODS - 4 - i, isMain ? EXIT : ENTER);
    }
    thread.hasBegun = true;
}

function takeMessage(thread) {
    const wanted = (values.towers ? 1300 : 2100) * Math.sqrt(nRecords / 4.1e6);
    const number = thread.messages === 0 || nMessages < wanted ? thread.messages++ : pickRank(all, thread.messages);
    nMessages += number + 1 === thread.messages ? 1 : 0;
    const random = {state: Math.imul(seed, 0x9e3779b9) ^ Math.imul(thread.number + 1, 0x85ebca6b) ^
        Math.imul(number + 1, 0xc2b2ae35)};
    const module = thread.number % 8 * Math.floor(REST / 8);
    const first = SMALL + (module + pickRank(random, Math.floor(REST / 8))) % REST;
    // the probability of more than n calls is about 1 / n
    call(thread, first, 1, 1 + pickRank(random, BUDGET_MAX), random);
    unwinding = 0;
}

// A burst of messages, then the thread waits.
function runThread(thread) {
    if (!thread.hasBegun) {
        beginThread(thread);
    }
    do {
        takeMessage(thread);
    } while (chance(all, 60, 100) && nRecords < records);
    const wait = thread.number % WAITS;
    emit(thread, wait, ENTER);
    wallTenths += 200 + 10 * pickRank(all, 3000);
    emit(thread, wait, EXIT);
}

writeFile(values.output, () => {
    const head = '*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=';
    put(`${head}${'0'.repeat(20)}\nnum-method-calls=${records}\nclock-call-overhead-nsec=214\nvm=art\n` +
        `pid=${FIRST_THREAD}\n*threads\n` +
        threads.map(({number}) => `${FIRST_THREAD + number}\t${nameThread(number)}\n`).join('') +
        `*methods\n${methods.map((_, i) => describeMethod(i)).join('')}*end\n` +
        `SLOW${le(3, 2)}${le(32, 2)}${le(1700000000000000, 8)}${le(14, 2)}`.padEnd(32, '\0'));
    while (nRecords < records) {
        runThread(threads[chance(all, 30, 100) ? 0 : pickRank(all, nThreads)]);
    }
    patch(head.length, String(Math.floor(wallTenths / 10)).padStart(20, '0'));
});
console.log(`${values.output}: ${nRecords} records, ${(wallTenths / 1e7).toFixed(3)} s`);
