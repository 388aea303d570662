/* Inputs of other tools, of any size: ordinary ones for run.sh to time, and hard ones for the
 * readers.
 *   inputs                    lists the shapes as shapes does: name, size, the tasks of growth.sh
 *   inputs SHAPE SIZE -o FILE
 * SIZE is the number of calls, of samples, or of the elements that the shape multiplies. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "perf_writer.h"

/* The same numbers on every machine. */
static uint64_t random_state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static const char *const words[] = {"doFrame",     "onMeasure", "onDraw",   "inflate",
                                    "setContent",  "decode",    "query",    "RunTask",
                                    "Layout::Run", "Commit",    "Animator", "Parse"};

#define WORDS (sizeof words / sizeof words[0])

/* One of a few names per depth: programs repeat the same calls. */
static unsigned pick(unsigned depth)
{
    return (depth * 5 + (depth < 8 ? (unsigned)draw(2) : 0)) % WORDS;
}

/* Frame `level` of one of a thousand stacks, below `n`. */
static uint64_t frame_of(uint64_t stack, uint64_t level, uint64_t n)
{
    return ((stack >> (level < 10 ? 10 - level : 0)) * 2654435761u + level * 40503) % 65521 % n;
}

static uint64_t depth_of(uint64_t stack)
{
    return 4 + stack % 20;
}

/* A simulated program: the next action in a thread that is `depth` calls deep. */
static bool enters(unsigned depth)
{
    return depth == 0 || (depth < 24 && draw(100) < 50);
}

/* ---- Chrome's trace events ---- */

static bool any;

static void event(const char *text)
{
    fprintf(out, "%s{\"pid\":1,%s}", any ? ",\n" : "[\n", text);
    any = true;
}

#define EVENT(...)                                                                                 \
    do {                                                                                           \
        char text[256];                                                                            \
        snprintf(text, sizeof text, __VA_ARGS__);                                                  \
        event(text);                                                                               \
    } while (0)

static void end_events(void)
{
    fprintf(out, "\n]\n");
}

typedef unsigned long long number;

/* Begins and ends, as programs write them. */
static void chrome_calls(uint64_t size)
{
    unsigned open[64], depth = 0;
    uint64_t now = 1000000;
    for (uint64_t i = 0; i < size || depth > 0;) {
        now += 1 + draw(40);
        if (i < size && enters(depth)) {
            open[depth] = pick(depth);
            EVENT("\"tid\":7,\"ts\":%llu.%03u,\"ph\":\"B\",\"cat\":\"toplevel\",\"name\":\"%s\","
                  "\"args\":{\"src_func\":\"Post\"}",
                  (number)now, (unsigned)draw(1000), words[open[depth]]);
            depth++;
            i++;
        } else {
            depth--;
            EVENT("\"tid\":7,\"ts\":%llu.%03u,\"ph\":\"E\",\"cat\":\"toplevel\",\"name\":\"%s\"",
                  (number)now, (unsigned)draw(1000), words[open[depth]]);
        }
    }
    end_events();
}

/* Complete slices in the order of their ends, as Chrome writes them. */
static void chrome_spans(uint64_t size)
{
    uint64_t begin[64], now = 1000000;
    unsigned depth = 0;
    for (uint64_t i = 0; i < size || depth > 0;) {
        now += 1 + draw(40);
        if (i < size && enters(depth)) {
            begin[depth++] = now;
            i++;
        } else {
            depth--;
            EVENT("\"tid\":7,\"ts\":%llu,\"dur\":%llu,\"ph\":\"X\",\"cat\":\"toplevel\","
                  "\"name\":\"%s\",\"tts\":%llu,\"tdur\":%llu,\"args\":{\"src_func\":\"Post\"}",
                  (number)begin[depth], (number)(now - begin[depth]), words[depth * 5 % WORDS],
                  (number)begin[depth] / 2, (number)(now - begin[depth]) / 2);
        }
    }
    end_events();
}

static void span(uint64_t begin, uint64_t length, const char *name)
{
    EVENT("\"tid\":7,\"ts\":%llu,\"dur\":%llu,\"ph\":\"X\",\"name\":\"%s\"", (number)begin,
          (number)length, name);
}

static void chrome_backward(uint64_t size)
{
    for (uint64_t i = size; i-- > 0;) {
        span(i * 10, i % 3 == 0 ? 25 : 8, words[i % WORDS]);
    }
    end_events();
}

static void chrome_shuffled(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        span(draw(size * 10), 1 + draw(100), words[i % WORDS]);
    }
    end_events();
}

static void chrome_nested(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        span(i, 2 * (size - i), words[i % WORDS]);
    }
    end_events();
}

static void chrome_at_once(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        span(5, 10, words[i % WORDS]);
    }
    end_events();
}

static void chrome_overlapping(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        span(i, size, words[i % WORDS]);
    }
    end_events();
}

static void chrome_deep(uint64_t size)
{
    for (uint64_t i = 0; i < 2 * size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"%c\",\"name\":\"%s\"", (number)i,
              i < size ? 'B' : 'E', words[(i < size ? i : 2 * size - 1 - i) % WORDS]);
    }
    end_events();
}

/* Ends that match no open slice, under a deep stack. */
static void chrome_strangers(uint64_t size)
{
    for (uint64_t i = 0; i < 2 * size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"%c\",\"name\":\"%c%llu\"", (number)i,
              i < size ? 'B' : 'E', i < size ? 'b' : 'e', (number)i);
    }
    end_events();
}

/* A deep stack whose top changes, and ends that name the slice below. */
static void chrome_teeth(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"B\",\"name\":\"base%llu\"", (number)i, (number)i);
    }
    for (uint64_t i = 0; i < size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"B\",\"name\":\"one\"", (number)(size + 3 * i));
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"B\",\"name\":\"two\"", (number)(size + 3 * i + 1));
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"E\",\"name\":\"one\"", (number)(size + 3 * i + 2));
    }
    end_events();
}

static void chrome_names(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        char name[32];
        snprintf(name, sizeof name, "call %llu", (number)i);
        span(i * 10, 5, name);
    }
    end_events();
}

static void chrome_threads(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        EVENT("\"tid\":%llu,\"ts\":%llu,\"dur\":5,\"ph\":\"X\",\"name\":\"run\"", (number)i,
              (number)i);
        EVENT("\"tid\":%llu,\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"t%llu\"}",
              (number)i, (number)i);
    }
    end_events();
}

static void chrome_async(uint64_t size)
{
    for (uint64_t i = 0; i < 2 * size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"%c\",\"cat\":\"net\",\"id\":\"0x%llx\","
              "\"name\":\"load\"",
              (number)i, i < size ? 'b' : 'e', (number)(i % size));
    }
    end_events();
}

static void chrome_counters(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        EVENT("\"tid\":7,\"ts\":%llu,\"ph\":\"C\",\"name\":\"c%llu\",\"args\":{\"v\":%llu}",
              (number)i, (number)i, (number)i);
    }
    span(1, 2, "run");
    end_events();
}

/* Samples without a process, each of a different thread. */
static void chrome_samples(uint64_t size)
{
    fprintf(out, "{\"traceEvents\":[],\"stackFrames\":{\"1\":{\"name\":\"run\"}},\"samples\":[");
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, "%s{\"tid\":%llu,\"ts\":%llu,\"sf\":1}", i > 0 ? "," : "", (number)i + 10,
                (number)i);
    }
    fprintf(out, "]}\n");
}

/* ---- speedscope's own format ---- */

static void begin_speedscope(const char *type, const char *unit, const char *list)
{
    fprintf(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":"
                 "{\"frames\":[");
    for (unsigned i = 0; i < WORDS; i++) {
        fprintf(out, "%s{\"name\":\"%s\"}", i > 0 ? "," : "", words[i]);
    }
    fprintf(out, "]},\"profiles\":[{\"type\":\"%s\",\"name\":\"main\",\"unit\":\"%s\",\"%s\":[",
            type, unit, list);
}

static void edge(char type, unsigned frame, uint64_t at)
{
    fprintf(out, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%llu}", any ? ",\n" : "\n", type, frame,
            (number)at);
    any = true;
}

static void speedscope(uint64_t size)
{
    unsigned open[64], depth = 0;
    uint64_t now = 0;
    begin_speedscope("evented", "nanoseconds", "events");
    for (uint64_t i = 0; i < size || depth > 0;) {
        now += 1 + draw(4000);
        if (i < size && enters(depth)) {
            edge('O', open[depth] = pick(depth), now);
            depth++;
            i++;
        } else {
            depth--;
            edge('C', open[depth], now);
        }
    }
    fprintf(out, "]}]}\n");
}

/* Deep calls of one method, then ends of another that is not open. */
static void write_strangers(uint64_t size, const char *unit)
{
    begin_speedscope("evented", unit, "events");
    for (uint64_t i = 0; i < 2 * size; i++) {
        edge(i < size ? 'O' : 'C', i < size ? 0 : 1, i);
    }
    fprintf(out, "]}]}\n");
}

static void speedscope_strangers(uint64_t size)
{
    write_strangers(size, "nanoseconds");
}

static void speedscope_bytes(uint64_t size)
{
    write_strangers(size, "bytes");
}

static void speedscope_sampled(uint64_t size)
{
    begin_speedscope("sampled", "nanoseconds", "samples");
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t stack = draw(1000);
        for (uint64_t level = 0; level < depth_of(stack); level++) {
            fprintf(out, "%s%llu",
                    level > 0 ? ","
                    : i > 0   ? ",\n["
                              : "\n[",
                    (number)frame_of(stack, level, WORDS));
        }
        fputc(']', out);
    }
    fprintf(out, "],\"weights\":[");
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, "%s%llu", i > 0 ? "," : "", (number)draw(1000000));
    }
    fprintf(out, "]}]}\n");
}

/* ---- Spall ---- */

static void put_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_le(bits, 8);
}

static void begin_spall(unsigned version, double unit)
{
    put_le(0x0BADF00D, 8);
    put_le(version, 8);
    put_double(unit);
    put_le(0, 8);
}

static void spall_event(unsigned version, const char *name, uint32_t thread, uint64_t time)
{
    put_le(name != NULL ? 3 : 4, 1);
    if (version == 1) {
        if (name != NULL) {
            put_le(0, 1);
        }
        put_le(1, 4);
        put_le(thread, 4);
        put_double((double)time);
    } else {
        put_le(time, 8);
    }
    if (name != NULL) {
        put_le(strlen(name), 1);
        put_le(0, 1);
        put(name, strlen(name));
    }
}

static void spall_calls_of(unsigned version, uint64_t size)
{
    unsigned depth = 0;
    uint64_t now = 1000;
    for (uint64_t i = 0; i < size || depth > 0;) {
        now += 1 + draw(40);
        const bool begin = i < size && enters(depth);
        spall_event(version, begin ? words[pick(depth)] : NULL, 7, now);
        depth += begin ? 1 : -1u;
        i += begin;
    }
}

static void spall_1(uint64_t size)
{
    begin_spall(1, 1);
    spall_calls_of(1, size);
}

static void begin_buffer(uint32_t size, uint32_t thread)
{
    put_le(size, 4);
    put_le(thread, 4);
    put_le(1, 4);
    put_le(0, 8);
}

/* Buffers of 1 MB, the recommended maximum for writers. */
static void spall_3(uint64_t size)
{
    const uint64_t calls = 32768;
    begin_spall(3, 1);
    uint64_t now = 1000;
    for (uint64_t i = 0; i < size; i += calls) {
        const uint64_t n = size - i < calls ? size - i : calls;
        begin_buffer((uint32_t)(n * (11 + 6 + 9)), 7);
        for (uint64_t k = 0; k < n; k++) {
            static const char *const six[] = {"onDraw", "decode", "Commit"};
            spall_event(3, six[draw(3)], 7, now);
            spall_event(3, NULL, 7, now + 20 + draw(20));
            now += 50;
        }
    }
}

static void spall_threads(uint64_t size)
{
    begin_spall(3, 1);
    for (uint64_t i = 0; i < size; i++) {
        begin_buffer(11 + 6 + 9, (uint32_t)i);
        spall_event(3, "onDraw", 7, i);
        spall_event(3, NULL, 7, i + 5);
    }
}

static void spall_backward(uint64_t size)
{
    begin_spall(1, 1);
    for (uint64_t i = size; i-- > 0;) {
        spall_event(1, words[i % WORDS], 7, i * 10);
        spall_event(1, NULL, 7, i * 10 + 5);
    }
}

static void spall_deep(uint64_t size)
{
    begin_spall(1, 1);
    for (uint64_t i = 0; i < 2 * size; i++) {
        spall_event(1, i < size ? words[i % WORDS] : NULL, 7, i);
    }
}

static void spall_names(uint64_t size)
{
    begin_spall(1, 1);
    for (uint64_t i = 0; i < size; i++) {
        char name[32];
        snprintf(name, sizeof name, "call %llu", (number)i);
        spall_event(1, name, 7, i * 10);
        spall_event(1, NULL, 7, i * 10 + 5);
    }
}

/* ---- folded stacks ---- */

static void folded(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t stack = draw(1000);
        fprintf(out, "app;com.example.Main.run");
        for (uint64_t level = 0; level < depth_of(stack); level++) {
            const uint64_t frame = frame_of(stack, level, 3 * WORDS);
            fprintf(out, ";com.example.%s.%s", words[frame / 3], words[frame % 3]);
        }
        fprintf(out, " %llu\n", (number)(1 + draw(1000)));
    }
}

static void folded_deep(uint64_t size)
{
    fprintf(out, "main");
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, ";%s", words[i % WORDS]);
    }
    fprintf(out, " 1\n");
}

static void folded_names(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, "main;f%llu 1\n", (number)i);
    }
}

/* ---- perf.data ---- */

static void perf(uint64_t size)
{
    perf_begin();
    perf_comm(7, "app");
    perf_map(7, 0x10000, 0x10000, "/lib/libapp.so");
    for (uint64_t i = 0; i < size; i++) {
        uint64_t chain[24];
        const uint64_t stack = draw(1000);
        const unsigned n = (unsigned)depth_of(stack);
        for (unsigned level = 0; level < n; level++) {
            chain[n - 1 - level] = 0x10010 + 128 * frame_of(stack, level, 100);
        }
        perf_sample(7, 1000 + i * 1000, 250000, chain, n);
    }
    perf_end("/lib/libapp.so", 100);
}

static void perf_threads(uint64_t size)
{
    const uint64_t chain[] = {0x10010};
    perf_begin();
    for (uint64_t i = 0; i < size; i++) {
        const uint32_t pid = (uint32_t)i + 10;
        perf_comm(pid, "app");
        perf_map(pid, 0x10000, 0x10000, "/lib/libapp.so");
        perf_sample(pid, 1000 + i, 1, chain, 1);
    }
    perf_end("/lib/libapp.so", 8);
}

/* Maps each placed below the previous one, each of its own library. */
static void perf_maps(uint64_t size)
{
    perf_begin();
    for (uint64_t i = size; i-- > 0;) {
        char path[32];
        snprintf(path, sizeof path, "/lib/lib%llu.so", (number)i);
        const uint64_t chain[] = {0x10000 + i * 0x1000 + 16};
        perf_map(7, 0x10000 + i * 0x1000, 0x1000, path);
        perf_sample(7, 1000 + i, 1, chain, 1);
    }
    perf_end("/lib/lib0.so", 8);
}

static void perf_symbols(uint64_t size)
{
    perf_begin();
    perf_map(7, 0x10000, size * 128 + 128, "/lib/libapp.so");
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t chain[] = {0x10000 + i * 128 + 16};
        perf_sample(7, 1000 + i, 1, chain, 1);
    }
    perf_end("/lib/libapp.so", size);
}

static void perf_deep(uint64_t size)
{
    uint64_t chain[8000];
    perf_begin();
    perf_map(7, 0x10000, 0x1000000, "/lib/libapp.so");
    for (uint64_t i = 0; i < size; i++) {
        for (unsigned k = 0; k < 8000; k++) {
            chain[k] = 0x10000 + draw(8) * 128 + 16;
        }
        perf_sample(7, 1000 + i, 1, chain, 8000);
    }
    perf_end("/lib/libapp.so", 8);
}

/* ---- the text of perf script ---- */

/* Every sample ends in its own path: the digits of a counter, in base 128, name its frames. */
static void script_distinct(uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        fprintf(out, "app 7 %llu.%06llu: 9 cycles:\n", (number)(i / 1000000),
                (number)(i % 1000000));
        for (unsigned level = 0; level < 3; level++) {
            const number digit = i >> 7 * level & 127;
            fprintf(out, "\t%llx f%llu (libapp.so)\n", 0x10000 + digit * 64, digit);
        }
        fprintf(out, "\n");
    }
}

/* ---- report-sample ---- */

static uint8_t message[1 << 16];
static size_t n_message;

static void put_varint(uint64_t value)
{
    for (; value > 127; value >>= 7) {
        message[n_message++] = (uint8_t)(value | 128);
    }
    message[n_message++] = (uint8_t)value;
}

static void put_field(unsigned field, uint64_t value)
{
    put_varint(field << 3);
    put_varint(value);
}

static void put_text(unsigned field, const char *text)
{
    put_varint(field << 3 | 2);
    put_varint(strlen(text));
    memcpy(message + n_message, text, strlen(text));
    n_message += strlen(text);
}

/* The bytes put so far become a field of a record. */
static void end_record(unsigned field)
{
    uint8_t head[16];
    size_t n = 0;
    head[n++] = (uint8_t)(field << 3 | 2);
    for (size_t rest = n_message; rest > 0; rest >>= 7) {
        head[n++] = (uint8_t)(rest > 127 ? rest | 128 : rest);
    }
    put_le(n + n_message, 4);
    put(head, n);
    put(message, n_message);
    n_message = 0;
}

static void put_frame(uint64_t address, uint64_t library, uint64_t symbol)
{
    put_varint(3 << 3 | 2);
    const size_t at = n_message++;
    put_field(1, address);
    put_field(2, library);
    put_field(3, symbol);
    message[at] = (uint8_t)(n_message - at - 1);
}

static void begin_report(void)
{
    put("SIMPLEPERF\1", 12);
    put_text(1, "cpu-clock");
    end_record(5);
}

static void end_report(uint64_t libraries, uint64_t symbols)
{
    for (uint64_t i = 0; i < libraries; i++) {
        char path[32];
        snprintf(path, sizeof path, "/lib/lib%llu.so", (number)i);
        put_field(1, i);
        put_text(2, path);
        for (uint64_t k = 0; k < symbols; k++) {
            put_text(3, words[k % WORDS]);
        }
        end_record(3);
    }
    put_le(0, 4);
}

static void report(uint64_t size)
{
    begin_report();
    for (uint64_t i = 0; i < size; i++) {
        put_field(1, 1000 + i * 1000);
        put_field(2, 7);
        const uint64_t stack = draw(1000);
        for (uint64_t level = depth_of(stack); level-- > 0;) {
            const uint64_t frame = frame_of(stack, level, 48);
            put_frame(frame % 6 * 128, frame / 6, frame % 6);
        }
        put_field(4, 250000);
        end_record(1);
    }
    end_report(8, 6);
}

/* Frames without symbols, each with a different address. */
static void report_addresses(uint64_t size)
{
    begin_report();
    for (uint64_t i = 0; i < size; i++) {
        put_field(1, 1000 + i);
        put_field(2, 7 + i % 1000);
        put_frame(i * 16, i % 64, UINT64_MAX);
        put_field(4, 1);
        end_record(1);
    }
    end_report(64, 1);
}

/* ---- Perfetto ---- */

/* A message inside another: its length has four bytes, which are filled in at its end. */
static size_t begin_part(unsigned field)
{
    put_varint(field << 3 | 2);
    n_message += 4;
    return n_message;
}

static void end_part(size_t begin)
{
    const size_t n = n_message - begin;
    for (unsigned i = 0; i < 4; i++) {
        message[begin - 4 + i] = (uint8_t)((n >> 7 * i & 127) | (i < 3 ? 128 : 0));
    }
}

/* Writes the bytes put so far. */
static void put_message(void)
{
    put(message, n_message);
    n_message = 0;
}

/* Track events of a thread, with names in tables, as the SDK writes them. As in a program, most
 * slices of a level have the same name, so that there are some thousand paths. */
static void perfetto_events(uint64_t size)
{
    size_t packet = begin_part(1);
    put_field(10, 1);
    put_field(13, 1);
    const size_t names = begin_part(12);
    for (unsigned i = 0; i < WORDS; i++) {
        const size_t name = begin_part(2);
        put_field(1, i + 1);
        put_text(2, words[i]);
        end_part(name);
    }
    end_part(names);
    end_part(packet);
    put_message();
    uint64_t depth = 0, now = UINT64_C(80123051981010);
    for (uint64_t i = 0; i < size; i++) {
        const int begin = depth == 0 || (depth < 12 && draw(2) == 0);
        packet = begin_part(1);
        put_field(8, now += 100 + draw(1000));
        put_field(10, 1);
        put_field(13, 2);
        const size_t event = begin_part(11);
        put_field(9, begin ? 1 : 2);
        put_field(11, UINT64_C(0x1234567812345678));
        if (begin) {
            put_field(10, 1 + (depth * 5 + (draw(4) == 0)) % WORDS);
        }
        depth += begin ? 1 : UINT64_MAX;
        end_part(event);
        end_part(packet);
        put_message();
    }
}

/* One event of the kernel. */
static void ftrace_switch(uint64_t now, uint64_t from, uint64_t to)
{
    const size_t event = begin_part(2);
    put_field(1, now);
    put_field(2, from);
    const size_t content = begin_part(4);
    put_text(1, "RenderThread");
    put_field(2, from);
    put_field(3, 120);
    put_field(4, 1);
    put_text(5, "Binder:9214_3");
    put_field(6, to);
    put_field(7, 120);
    end_part(content);
    end_part(event);
}

static void ftrace_mark(uint64_t now, uint64_t tid, const char *text)
{
    const size_t event = begin_part(2);
    put_field(1, now);
    put_field(2, tid);
    const size_t content = begin_part(3);
    put_field(1, 0);
    put_text(2, text);
    end_part(content);
    end_part(event);
}

/* Marks and switches on four CPUs, in bundles that take turns: each begins before the last ended. */
static void perfetto_ftrace(uint64_t size)
{
    uint64_t now[4] = {1000000, 1000000, 1000000, 1000000};
    for (uint64_t i = 0; i < size;) {
        const size_t packet = begin_part(1);
        const size_t bundle = begin_part(1);
        const uint64_t cpu = draw(4);
        put_field(1, cpu);
        for (unsigned k = 0; k < 64; k++, i += 4) {
            const uint64_t tid = 100 + cpu * 10 + k % 3;
            char text[64];
            snprintf(text, sizeof text, "B|99|%s", words[draw(WORDS)]);
            ftrace_mark(now[cpu] += 1000, tid, text);
            ftrace_switch(now[cpu] += 5000, tid, tid + 3);
            ftrace_switch(now[cpu] += 5000, tid + 3, tid);
            ftrace_mark(now[cpu] += 1000, tid, "E|99");
        }
        end_part(bundle);
        end_part(packet);
        put_message();
    }
}

static void systrace(uint64_t size)
{
    static const char head[] = "# tracer: nop\n#\n";
    put(head, sizeof head - 1);
    for (uint64_t i = 0; i < size; i += 2) {
        char line[256];
        const uint64_t us = 100000000 + i * 10, tid = 100 + draw(8);
        for (unsigned k = 0; k < 2; k++) {
            const int n = snprintf(line, sizeof line,
                                   "    RenderThread-%llu   (   99) [%03u] ...1 %llu.%06llu: "
                                   "tracing_mark_write: %s%s\n",
                                   (number)tid, (unsigned)(tid % 4), (number)((us + k) / 1000000),
                                   (number)((us + k) % 1000000), k == 0 ? "B|99|" : "E|99",
                                   k == 0 ? words[draw(WORDS)] : "");
            put(line, (size_t)n);
        }
    }
}

static const shape shapes[] = {
    {"perfetto-events", 20000, "info", perfetto_events},
    {"perfetto-ftrace", 20000, "info", perfetto_ftrace},
    {"systrace", 20000, "info", systrace},
    {"chrome-calls", 10000, "info", chrome_calls},
    {"chrome-spans", 10000, "info", chrome_spans},
    {"chrome-backward", 10000, "info", chrome_backward},
    {"chrome-shuffled", 10000, "info", chrome_shuffled},
    {"chrome-nested", 10000, "info", chrome_nested},
    {"chrome-at-once", 10000, "info", chrome_at_once},
    {"chrome-overlapping", 10000, "info", chrome_overlapping},
    {"chrome-deep", 10000, "info", chrome_deep},
    {"chrome-strangers", 10000, "info", chrome_strangers},
    {"chrome-teeth", 10000, "info", chrome_teeth},
    {"chrome-names", 10000, "info", chrome_names},
    {"chrome-threads", 4000, "info", chrome_threads},
    {"chrome-async", 4000, "info", chrome_async},
    {"chrome-samples", 4000, "info", chrome_samples},
    {"chrome-counters", 10000, "info", chrome_counters},
    {"speedscope", 20000, "info", speedscope},
    {"speedscope-sampled", 10000, "info", speedscope_sampled},
    {"speedscope-strangers", 20000, "info", speedscope_strangers},
    {"speedscope-bytes", 20000, "info", speedscope_bytes},
    {"spall-1", 20000, "info", spall_1},
    {"spall-3", 20000, "info", spall_3},
    {"spall-threads", 4000, "info", spall_threads},
    {"spall-backward", 20000, "info", spall_backward},
    {"spall-deep", 20000, "info", spall_deep},
    {"spall-names", 20000, "info", spall_names},
    {"folded", 5000, "info", folded},
    {"folded-deep", 50000, "info", folded_deep},
    {"folded-names", 20000, "info", folded_names},
    {"perf", 10000, "info", perf},
    {"perf-threads", 4000, "info", perf_threads},
    {"perf-maps", 4000, "info", perf_maps},
    {"perf-symbols", 20000, "info", perf_symbols},
    {"perf-deep", 20, "info", perf_deep},
    {"script-distinct", 10000, "info", script_distinct},
    {"report", 10000, "info", report},
    {"report-addresses", 10000, "info", report_addresses},
};

int main(int argc, char **argv)
{
    return make_shape("inputs", shapes, sizeof shapes / sizeof *shapes, argc, argv);
}
