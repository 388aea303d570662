// Readers of other tools' formats that share no code with the writers: reader(rows, bytes) for each format. They refuse
// what the receiving tool would reject or skip.
'use strict';

function refuse(message) {
    throw new Error(message);
}

// ---- rows ----

// Stacks are numbers: equal ones, of a thread and the names below it, have the same one.
const stacks = new Map();
const names = [''];

function stackWith(stack, name) {
    const key = `${stack}\0${name}`;
    if (!stacks.has(key)) {
        stacks.set(key, names.push(name) - 1);
    }
    return stacks.get(key);
}

const stackOf = (thread) => stackWith(0, String(thread));

// The calls, and the times in ns or the unit of the trace, of each stack.
class Rows {
    constructor() {
        this.rows = new Map();
        this.has = {};
    }

    add(stack, column, value) {
        const row = this.rows.get(stack) ?? {};
        this.rows.set(stack, row);
        this.has[column] = true;
        row[column] = (row[column] ?? 0n) + BigInt(value);
    }

    count() {
        return [...this.rows.values()].filter((row) => Object.values(row).some((value) => value !== 0n)).length;
    }

    // Descriptions of the rows that `others` lacks. A missing value is not 0, but a wall time of 0 may be missing.
    missingIn(others) {
        const describe = ({calls = '-', wall = 0n, cpu = '-'} = {}) => `${calls} ${wall} ${cpu}`;
        return [...this.rows].filter(([stack, row]) => Object.values(row).some((value) => value !== 0n) &&
            describe(row) !== describe(others.rows.get(stack)))
            .map(([stack, row]) => `${describe(row)} ${names[stack]}`);
    }
}

// The open calls of a thread, while its events are read in order.
class Track {
    constructor(rows, thread) {
        Object.assign(this, {rows, last: 0n, open: [stackOf(thread)]});
    }

    get top() {
        return this.open.at(-1);
    }

    // Adds the time since the previous event to the innermost call.
    pass(now) {
        if (now < this.last) {
            refuse('a time goes back');
        }
        if (this.open.length > 1) {
            this.rows.add(this.top, 'wall', now - this.last);
        }
        this.last = now;
    }

    begin(name) {
        this.open.push(stackWith(this.top, name));
        this.rows.add(this.top, 'calls', 1);
    }

    end() {
        return this.open.length > 1 ? this.open.pop() : refuse('an end without a start');
    }

    finish() {
        this.open.length === 1 || refuse('a call never ends');
    }
}

// ---- Chrome ----

const EVENT_TEXT = '"(?:[^"\\\\\\x00-\\x1f]|\\\\.)*"', US = '[0-9]+(?:\\.[0-9]{1,3})?';
const IDS = ',"pid":[0-9]+,"tid":[0-9]+', ASYNC = `${IDS},"scope":"aflame track","id":"[0-9]+"`;
// one event per line, names first, keys in a fixed order, times with at most three decimals and no exponent, only names
// and locations in the arguments
const EVENT = new RegExp(`^\\{"name":${EVENT_TEXT},(?:"cat":${EVENT_TEXT},"ph":"X","ts":${US},"dur":${US}` +
    `(?:,"tts":${US},"tdur":${US})?${IDS}(?:,"depth":[1-9][0-9]*,"order":[0-9]+)?\\}` +
    `|"ph":"M"${IDS},"args":\\{(?:"name":".*"|"sort_index":-1)\\}` +
    `|"cat":${EVENT_TEXT},"ph":"[be]","ts":${US}${ASYNC}|(?:"cat":${EVENT_TEXT},)?(?:` +
    `"ph":"n","ts":-?${US}${ASYNC}|"ph":"i","s":"[tp]","ts":-?${US}${IDS}` +
    `|"ph":"C","ts":-?${US}${IDS},"args":\\{${EVENT_TEXT}:-?${US}\\}))\\}?,?$`);

// exact: a double holds 2^53 ns as µs with three digits
const toNs = (us) => BigInt(Math.round(us * 1000));

function checkLines(text) {
    const lines = text.split('\n');
    if (!/^\{"displayTimeUnit":"ns","otherData":\{"writer":"aflame.*"\},"traceEvents":\[$/.test(lines[0]) ||
        lines.at(-2) !== ']}' || lines.at(-1) !== '') {
        refuse('unexpected first or last line');
    }
    let calls = false;
    lines.slice(1, -2).forEach((line) => {
        const isCall = /"ph":"[Xbe]"/.test(line);
        if (!EVENT.test(line) || calls && !isCall) {
            refuse(`viewers may reject the line ${line.slice(0, 200)}`);
        }
        calls = isCall;
    });
}

// Slices with their ends, and asynchronous ones: those with the same id nest.
function listSlices(events) {
    const open = new Map(), slices = [];
    events.forEach((event, order) => {
        const {ph, name, pid, tid, ts, dur, tdur, args} = event, key = `${pid} ${event.id}`;
        if (ph === 'X') {
            if (dur < 0 || name === undefined || args || pid <= 0) {
                refuse(`event ${order} is malformed`);
            }
            slices.push({name, tid, order, thread: pid * 2 ** 32 + tid, begin: toNs(ts), end: toNs(ts) + toNs(dur),
                cpu: tdur === undefined ? null : toNs(tdur)});
        } else if (ph === 'b') {
            open.set(key, [...open.get(key) ?? [],
                {name, tid, order, thread: pid * 2 ** 32 + tid, begin: toNs(ts), cpu: null}]);
        } else if (ph === 'e') {
            const slice = open.get(key)?.pop();
            if (slice?.name !== name) {
                refuse(`event ${order} ends what did not begin`);
            }
            slices.push({...slice, end: toNs(ts)});
        } else if (!'nMiC'.includes(ph)) {
            refuse(`event ${order} has the unknown phase ${ph}`);
        }
    });
    if ([...open.values()].some(({length}) => length > 0)) {
        refuse('an asynchronous slice does not end');
    }
    return slices;
}

// As viewers read them: sorted by start, longer slices first; a slice inside another is its callee. Times belong to
// whole stacks, call counts and CPU times to methods: a slice without duration has no defined order among its
// neighbours.
function chrome(rows, bytes) {
    const text = bytes.toString(), top = JSON.parse(text);
    if (top.samples) {
        return chromeSamples(rows, top);
    }
    checkLines(text);
    const slices = listSlices(top.traceEvents).sort((a, b) => a.thread - b.thread || Number(a.begin - b.begin) ||
        Number(b.end - a.end) || a.order - b.order);
    let open = [];
    slices.forEach((slice, i) => {
        const before = slices[i - 1], {thread, tid, name, begin, end, cpu} = slice;
        if (before?.thread !== thread) {
            open = [{end: Infinity, stack: stackOf(tid)}];
        } else if (before.begin === begin && end > begin && before.order > slice.order) {
            refuse(`${before.name} follows its callee ${name}`); // chrome://tracing uses the order in the file
        }
        while (open.at(-1).end <= begin) {
            open.pop();
        }
        const caller = open.at(-1);
        if (caller.end < end) {
            refuse(`${name} at ${begin} ns reaches beyond its caller`);
        }
        if (open.length > 1) {
            rows.add(caller.stack, 'wall', begin - end);
        }
        const stack = stackWith(caller.stack, name), method = methodOf(stackOf(tid), name);
        rows.add(stack, 'wall', end - begin);
        open.push({end, stack});
        rows.add(method, 'calls', 1);
        if (cpu !== null) {
            rows.add(method, 'cpu', cpu);
        }
    });
}

const methodOf = (thread, name) => stackWith(stackWith(thread, 'method'), name);

// By the rules of trace-viewer: a sample names its innermost frame, each frame its caller.
function chromeSamples(rows, {traceEvents, samples, stackFrames, otherData}) {
    let thread = '', last = 0, known = new Map();
    const findFrame = (id) => stackFrames[id] ?? refuse(`frame ${id} is not in the list`);
    const findStack = (id, tid) => {
        const path = [];
        let at = id;
        for (; at !== undefined && !known.has(at); at = findFrame(at).parent) {
            path.push(at);
            if (Number(findFrame(at).parent) >= Number(at)) {
                refuse(`frame ${at} comes before its caller`);
            }
        }
        let stack = known.get(at) ?? stackOf(tid);
        for (const frame of path.reverse()) {
            stack = stackWith(stack, stackFrames[frame].name);
            known.set(frame, stack);
        }
        return stack;
    };
    if (!traceEvents.every(({ph}) => ph === 'M')) {
        refuse('an event is no name; trace-viewer would draw it beside the samples');
    }
    if (!otherData.weightUnit) {
        refuse('the weights have no unit');
    }
    for (const {name, pid, tid, ts, sf, weight} of samples) {
        if (`${pid} ${tid}` !== thread) {
            [thread, last, known] = [`${pid} ${tid}`, 0, new Map()];
        }
        if (ts < last || weight < 0 || !(pid > 0 || tid > 0) || !name) {
            refuse('a sample goes back in time, or has no weight, thread or name');
        }
        last = ts;
        rows.add(findStack(sf, tid), 'wall', toNs(weight));
    }
}

// ---- Gecko ----

const COLORS = ['transparent', 'purple', 'green', 'orange', 'yellow', 'lightblue', 'blue', 'brown', 'magenta', 'red',
    'lightred', 'darkgrey', 'grey'];

// The rows of a table whose schema must have these columns in this order.
function tableOf(thread, table, columns) {
    const {schema, data} = thread[table], wanted = columns.split(' ');
    if (!wanted.every((column, i) => schema[column] === i) || !data.every(({length}) => length === wanted.length)) {
        refuse(`${table} has an unexpected column, or a row of another length`);
    }
    return data;
}

// The name in "NAME (in WHERE)".
function readLocation(location) {
    const [, name] = /^(.+) \(in [^)]+\)$/s.exec(location) ?? [];
    return name === undefined || location.startsWith('0x') ? refuse(`invalid frame name ${location}`)
        : name.replace(/^at 0x/, '0x');
}

function readGeckoThread(rows, thread, nCategories) {
    if (!['name', 'processType', 'tid', 'pid', 'registerTime', 'unregisterTime'].every((key) => key in thread)) {
        refuse('a thread lacks a member');
    }
    tableOf(thread, 'markers', 'name startTime endTime phase category data');
    const frames = tableOf(thread, 'frameTable', 'location relevantForJS innerWindowID implementation optimizations ' +
        'line column category subcategory');
    const ids = [], top = stackOf(thread.tid);
    tableOf(thread, 'stackTable', 'prefix frame category').forEach(([prefix, frame], i) => {
        const [location, , , , , , , category] = frames[frame] ?? refuse('missing row');
        if (location >= thread.stringTable.length || category >= nCategories || prefix !== null && !(prefix < i)) {
            refuse(`stack ${i} refers to a missing stack or frame`);
        }
        ids.push(stackWith(prefix === null ? top : ids[prefix], readLocation(thread.stringTable[location])));
    });
    let last = 0;
    for (const [stack, time] of tableOf(thread, 'samples', 'stack time responsiveness')) {
        if (ids[stack] === undefined || time < last) {
            refuse('a sample has no stack, or goes back in time');
        }
        last = time;
        rows.add(ids[stack], 'wall', 1);
    }
}

// Version 24, with everything that the Firefox Profiler's importer needs. Rows count samples.
function gecko(rows, bytes) {
    const text = bytes.toString(), {meta, threads, libs, processes, pausedRanges} = JSON.parse(text);
    if (!text.startsWith('{"libs":') || meta.version !== 24 || !meta.markerSchema || !processes || !pausedRanges ||
        libs.length !== 0 || meta.presymbolicated !== true) {
        refuse('unexpected version');
    }
    if (!meta.categories.every(({name, color, subcategories}) =>
        COLORS.includes(color) && name && subcategories[0] === 'Other') ||
        !meta.categories.some(({color}) => color === 'grey')) {
        refuse('a category has no colour, no name or no part "Other", or the grey one is missing');
    }
    threads.forEach((thread) => readGeckoThread(rows, thread, meta.categories.length));
}

// ---- protobuf ----

const utf8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

// A message: for each field its values, numbers as BigInt and bytes as Buffer.
class Message {
    constructor(bytes) {
        this.fields = new Map();
        for (const at = {bytes, offset: 0}; at.offset < bytes.length;) {
            const key = Number(takeNumber(at)), number = Math.floor(key / 8), type = key % 8;
            let value = null;
            if (type === 0) {
                value = takeNumber(at);
            } else {
                const size = type === 2 ? Number(takeNumber(at)) : {1: 8, 5: 4}[type] ?? refuse(`wrong type ${type}`);
                value = bytes.subarray(at.offset, at.offset += size);
            }
            if (number === 0 || at.offset > bytes.length) {
                refuse(`field ${number} extends past its message`);
            }
            this.all(number).length > 0 || this.fields.set(number, []);
            this.fields.get(number).push(value);
        }
    }

    all(number) {
        return this.fields.get(number) ?? [];
    }

    has(number) {
        return this.fields.has(number);
    }

    number(field) {
        return this.all(field).at(-1) ?? 0n;
    }

    // Packed or not.
    numbers(field) {
        const list = [];
        for (const value of this.all(field)) {
            for (const at = {bytes: value, offset: 0}; at.offset < value.length;) {
                list.push(takeNumber(at));
            }
            list.push(...typeof value === 'bigint' ? [value] : []);
        }
        return list;
    }

    bytes(field) {
        return this.all(field).at(-1) ?? Buffer.alloc(0);
    }

    text(field) {
        return utf8.decode(this.bytes(field));
    }

    message(field) {
        return new Message(this.bytes(field));
    }

    messages(field) {
        return this.all(field).map((bytes) => new Message(bytes));
    }
}

function takeNumber(at) {
    let value = 0n;
    for (let shift = 0n; shift < 70n && at.offset < at.bytes.length; shift += 7n) {
        const byte = at.bytes[at.offset++];
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) {
            return BigInt.asUintN(64, value);
        }
    }
    return refuse('a number is not terminated');
}

// Entries by a number other than 0, which occurs once.
class Table {
    constructor(what) {
        Object.assign(this, {what, entries: new Map()});
    }

    add(number, value) {
        if (number === 0n || this.entries.has(number)) {
            refuse(`the number ${number} of a ${this.what} is 0 or occurs twice`);
        }
        this.entries.set(number, value);
    }

    has(number) {
        return this.entries.has(number);
    }

    find(number) {
        return this.has(number) ? this.entries.get(number) : refuse(`no ${this.what} has the number ${number}`);
    }
}

// ---- Perfetto ----

// trace_processor drops deeper calls and lets their ends close other calls.
const DEEPEST = 512;

// By the rules of trace_processor: refuses everything that it would skip, silently or not.
class Perfetto {
    constructor(rows) {
        this.rows = rows;
        this.events = [];
        for (const table of ['name', 'annotation', 'function', 'path', 'source', 'mapping', 'frame', 'stack', 'process',
            'thread', 'uuid', 'track']) {
            this[table] = new Table(table);
        }
    }

    addNames(table, messages) {
        messages.forEach((message) => table.add(message.number(1), message.text(2)));
    }

    // Names come before what refers to them, also within a packet.
    addInterned(data) {
        this.addNames(this.name, data.messages(2));
        this.addNames(this.annotation, data.messages(3));
        this.addNames(this.function, data.messages(5));
        this.addNames(this.path, data.messages(17));
        this.addNames(this.source, data.messages(18));
        for (const mapping of data.messages(19)) {
            const path = mapping.number(7);
            this.mapping.add(mapping.number(1), path === 0n ? '' : this.path.find(path));
        }
        for (const frame of data.messages(6)) {
            this.mapping.find(frame.number(3));
            if (frame.number(5) > 0n) {
                this.source.find(frame.number(5));
            } else if (frame.has(6)) {
                refuse('a line without a file');
            }
            if (![...frame.fields.keys()].every((field) => [1, 2, 3, 5, 6].includes(field))) {
                refuse('a frame has a field that is not a name, a mapping, a file or a line');
            }
            this.frame.add(frame.number(1), this.function.find(frame.number(2)));
        }
        for (const stack of data.messages(7)) {
            const frames = stack.numbers(2).map((frame) => this.frame.find(frame));
            this.stack.add(stack.number(1), frames.length > 0 ? frames : refuse('an empty stack'));
        }
    }

    setUnit(defaults) {
        const counter = defaults.message(100).message(2);
        if (counter.text(2) === '' || (counter.number(3) === 1n) === (counter.text(4) !== '')) {
            refuse('it is not clear what a sample counts');
        }
        this.hasUnit = true;
    }

    addSample(packet, sample) {
        const context = sample.message(1), tid = context.number(3);
        if (!this.hasUnit || !packet.has(8) || !this.thread.has(context.number(2) << 32n | tid)) {
            refuse('a sample has no unit, no time or no thread');
        }
        const stack = this.stack.find(sample.number(6)).reduce(stackWith, stackOf(tid));
        this.rows.add(stack, 'wall', sample.number(11));
    }

    addTrack(uuid, id) {
        this.uuid.add(uuid);
        this.track.add(uuid, new Track(this.rows, id));
    }

    addDescriptor(descriptor) {
        const uuid = descriptor.number(1), process = descriptor.message(3), thread = descriptor.message(4);
        const isProcess = process.fields.size > 0, isThread = thread.fields.size > 0;
        if (descriptor.has(8)) {
            return; // a counter
        }
        if (uuid === 0n || uuid >> 63n || isProcess && isThread) {
            refuse('a track has no uuid, or is a process and a thread');
        }
        if (isProcess) {
            this.uuid.add(uuid);
            this.process.add(process.number(1) >> 31n ? refuse('the id of a process') : process.number(1));
        } else if (isThread) {
            // trace_processor takes two tracks of one thread for two threads that reuse an id
            const pid = thread.number(1), tid = thread.number(2);
            thread.text(5);
            if (tid === 0n || tid >> 31n || !this.process.has(pid)) {
                refuse('a thread has no process or no id');
            }
            this.thread.add(pid << 32n | tid);
            this.addTrack(uuid, tid);
        } else {
            // below a process, and apart from tracks of the same name; the lower half of the uuid is its number
            if (descriptor.text(2) === '' || descriptor.number(15) !== 2n || !this.uuid.has(descriptor.number(5))) {
                refuse('a track without a thread has no name or no process, or joins others');
            }
            this.addTrack(uuid, uuid & 0xFFFFFFFFn);
        }
    }

    addPacket(packet) {
        const flags = packet.number(13), isFirst = (flags & 1n) !== 0n;
        if (packet.number(10) === 0n || isFirst === Boolean(this.cleared) ||
            [11, 12, 135, 59].some((field) => packet.has(field)) && (flags & 2n) === 0n) {
            refuse('a packet has no sequence, or its sequence has no state');
        }
        this.cleared = true;
        for (const [field, add] of [[12, this.addInterned], [59, this.setUnit],
            [135, (sample) => this.addSample(packet, sample)], [60, this.addDescriptor]]) {
            if (packet.has(field)) {
                add.call(this, packet.message(field));
            }
        }
        if (packet.has(11)) {
            const time = packet.has(8) ? packet.number(8) : refuse('an event has no time');
            this.events.push({time: time >> 63n ? refuse('the time of an event') : time, event: packet.message(11)});
        }
    }

    endCall(track, annotation) {
        if (annotation.fields.size > 0) {
            const cpu = BigInt.asIntN(64, annotation.number(3));
            if (this.annotation.find(annotation.number(1)) !== 'cpu_ns' || cpu < 0n) {
                refuse('an argument is not cpu_ns');
            }
            this.rows.add(track.end(), 'cpu', cpu);
            // the time of inner calls belongs to the caller's total, not to its self time
            if (track.open.length > 1) {
                this.rows.add(track.top, 'cpu', -cpu);
            }
        } else {
            track.end();
        }
    }

    addEvent({time, event}) {
        const type = event.number(9);
        if (type === 3n || type === 4n) {
            return; // an instant, or the value of a counter
        }
        const track = this.track.find(event.number(11));
        track.pass(time);
        if (type === 2n) {
            this.endCall(track, event.message(4));
        } else if (type !== 1n || event.number(3) === 0n || track.open.length > DEEPEST) {
            refuse(`an event has no kind, or a call has no category or is nested in more than ${DEEPEST}`);
        } else {
            track.begin(this.name.find(event.number(10)));
        }
    }
}

function perfetto(rows, bytes) {
    const reading = new Perfetto(rows), trace = new Message(bytes);
    if ([...trace.fields.keys()].some((field) => field !== 1)) {
        refuse('a top-level field is not a packet');
    }
    trace.messages(1).forEach((packet) => reading.addPacket(packet));
    reading.events.sort((a, b) => Number(a.time - b.time)).forEach((event) => reading.addEvent(event));
    reading.track.entries.forEach((track) => track.finish());
}

// ---- pprof ----

// The units that pprof and speedscope can scale, spelled exactly this way.
const UNITS = {wall: ['nanoseconds'], cpu: ['nanoseconds'], wait: ['nanoseconds'], time: ['nanoseconds']};

// By the rules of pprof's own check.
function pprof(rows, bytes) {
    const top = new Message(bytes), strings = top.all(6).map((text) => utf8.decode(text));
    const string = (index) => strings[index] ?? refuse(`missing string ${index}`);
    const functions = new Table('function'), mappings = new Table('mapping'), locations = new Table('location');
    const shown = top.number(14), types = top.messages(1).map((type) => [type.number(1), type.number(2)].map(string));
    if (strings[0] !== '' || types.length === 0 || !types.some(([name]) => name === string(shown) && name !== '')) {
        refuse('the first string is not empty, there are no types, or the default one is missing');
    }
    for (const [name, unit] of types) {
        (UNITS[name] ?? ['count', 'bytes', 'thousandths']).includes(unit) || refuse(`${name} is measured in ${unit}`);
    }
    [...top.fields.keys()].every((field) => field <= 14) || refuse('Perfetto does not know a field');
    for (const mapping of top.messages(3)) {
        [5, 6].map((field) => string(mapping.number(field)));
        mapping.number(7) === 1n || refuse('pprof would look up symbols of a mapping');
        mappings.add(mapping.number(1));
    }
    for (const one of top.messages(5)) {
        functions.add(one.number(1), [2, 3, 4].map((field) => string(one.number(field)))[0]);
    }
    top.messages(11).forEach((one) => [1, 2].map((field) => string(one.number(field))));
    for (const location of top.messages(4)) {
        mappings.find(location.number(2));
        locations.add(location.number(1), functions.find(location.message(4).number(1)));
    }
    // some readers truncate ids to 32 bits
    [...locations.entries.keys()].every((id) => id <= locations.entries.size) || refuse('ids are not dense');
    // a trace with CPU times only has them as its first clock
    const columns = types.map(([name], i) => name === 'calls' ? 'calls'
        : name === 'cpu' && types[i - 1]?.[0] === 'wall' ? 'cpu' : 'wall');
    for (const sample of top.messages(2)) {
        const values = sample.numbers(2), labels = Object.fromEntries(sample.messages(3).map((label) => {
            const text = label.number(2), number = label.number(3);
            text > 0n || number > 0n || refuse('pprof ignores a label of 0');
            return [string(label.number(1)), text > 0n ? string(text) : number];
        }));
        if (values.length !== types.length || labels.thread === undefined || labels.tid === undefined ||
            values.some((value) => value >> 63n)) {
            refuse('a sample has too few values or a negative one, or lacks its thread');
        }
        const path = sample.numbers(1).reverse().map((id) => locations.find(id));
        const stack = path.reduce(stackWith, stackOf(labels.thread));
        values.forEach((value, i) => rows.add(stack, columns[i], value));
    }
}

// ---- Spall ----

// Version 3, by the rules of its own readers: refuses everything at which they give up.
function spall(rows, bytes) {
    const tracks = new Map();
    if (bytes.subarray(0, 32).toString('hex') !==
        '0df0ad0b000000000300000000000000000000000000f03f0000000000000000') {
        refuse('unexpected header');
    }
    for (let at = 32; at < bytes.length;) {
        const size = bytes.length - at < 20 ? 0 : bytes.readUInt32LE(at), end = at + 20 + size;
        if (size === 0 || size > 1 << 20 || end > bytes.length) {
            refuse('a buffer is empty, too large, or extends past the file');
        }
        const tid = bytes.readUInt32LE(at + 4), key = `${tid} ${bytes.readUInt32LE(at + 8)}`;
        const track = tracks.get(key) ?? new Track(rows, tid);
        tracks.set(key, track);
        for (at += 20; at < end;) {
            at += takeSpallRecord(track, bytes.subarray(at, end));
        }
    }
    tracks.forEach((track) => track.finish());
}

// Returns the length of the record.
function takeSpallRecord(track, record) {
    const [kind] = record, head = {3: 11, 4: 9}[kind] ?? 2;
    const length = head + (kind === 4 ? 0 : record[head === 2 ? 1 : 9]);
    if (!(length <= record.length)) {
        refuse('a record extends past its buffer');
    }
    if (kind === 8 || kind === 9) {
        track.named ||= kind === 9;
    } else if (kind !== 3 && kind !== 4 || !track.named) {
        refuse(`a record of unexpected kind ${kind}, or a thread without a name`);
    } else {
        track.pass(record.readBigUInt64LE(1));
        if (kind === 4) {
            track.end();
        } else {
            record[10] === 0 || refuse('a call has arguments');
            track.begin(utf8.decode(record.subarray(11, length)));
        }
    }
    return length;
}

module.exports = {Message, Rows, stackWith, stackOf, methodOf, readers: {chrome, gecko, perfetto, pprof, spall}};
