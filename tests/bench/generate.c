/* Writes Android method traces of any size that look like real ones, the same on every machine. The
 * simulation runs twice: the text before the records contains numbers known only at the end. */
#include "names.h"
#include "world.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ---- */

static void write_text(world *w, FILE *out, bool methods)
{
    static const char *const clocks[] = {"dual", "wall", "thread-cpu"};
    fprintf(out, "*version\n%u\ndata-file-overflow=false\nclock=%s\nelapsed-time-usec=%llu\n",
            w->opt.clock == DUAL ? 3 : 2, clocks[w->opt.clock], (unsigned long long)w->wall_us);
    if (!w->opt.streaming) {
        fprintf(out, "num-method-calls=%llu\n", (unsigned long long)w->opt.records);
    }
    fprintf(out, "clock-call-overhead-nsec=214\nvm=art\npid=%u\n*threads\n", FIRST_THREAD);
    for (uint32_t i = 0; i < w->opt.threads; i++) {
        char name[64];
        format_thread(name, sizeof name, i);
        fprintf(out, "%u\t%s\n", FIRST_THREAD + i, name);
    }
    fputs("*methods\n", out);
    for (uint32_t i = 0; methods && i < N_METHODS; i++) {
        char line[512];
        if (w->methods[i].used) {
            format_method(line, sizeof line, i);
            fputs(line, out);
        }
    }
    fputs("*end\n", out);
}

static void write_header(world *w)
{
    uint8_t header[32] = "SLOW";
    const unsigned version = w->opt.clock == DUAL ? 3 : 2;
    put(header + 4, w->opt.streaming ? version | 0xf0 : version, 2);
    put(header + 6, sizeof header, 2);
    put(header + 8, UINT64_C(1700000000000000), 8);
    /* ART stores the size of a record since version 3, and in all streams */
    put(header + 16, w->opt.clock == DUAL ? 14 : w->opt.streaming ? 10 : 0, 2);
    write_bytes(w, header, sizeof header);
}

static void write_summary(world *w)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = must(open_memstream(&text, &length));
    write_text(w, out, false);
    fclose(out);
    uint8_t head[7] = {0, 0, 3};
    put(head + 3, length, 4);
    write_bytes(w, head, sizeof head);
    write_bytes(w, text, length);
    free(text);
}

static void write_trace(world *w)
{
    FILE *file = fopen(w->opt.output, "wb");
    if (file == NULL) {
        fail(strerror(errno));
    }
    w->file = NULL;
    run(w);
    if (!w->opt.streaming) {
        write_text(w, file, true);
    }
    w->file = file;
    write_header(w);
    run(w);
    if (w->opt.streaming) {
        write_summary(w);
    }
    if (fclose(file) != 0) {
        fail(strerror(errno));
    }
}

/* ---- the command line ---- */

static const char usage[] =
    "usage: generate [options] -o FILE\n"
    "  --records N       records (default 4100000)\n"
    "  --threads N       threads (default 24)\n"
    "  --depth N         calls are at most this deep (default 60)\n"
    "  --clock C         dual, wall or cpu (default dual)\n"
    "  --paths N         distinct paths aimed at (default 136000 for 4.1 million records,\n"
    "                    else by the square root)\n"
    "  --seed N          another trace of the same kind (default 1)\n"
    "  --streaming       as a stream of packets\n"
    "  --one-thread S    one thread has this share of the records, such as 0.97\n"
    "  --towers          every message calls down to the full depth\n";

static unsigned parse_clock(const char *name)
{
    return strcmp(name, "dual") == 0   ? DUAL
           : strcmp(name, "wall") == 0 ? WALL
           : strcmp(name, "cpu") == 0  ? CPU
                                       : (fail("unknown clock"), 0u);
}

static options parse_options(int argc, char **argv)
{
    static const struct option names[] = {{"records", required_argument, NULL, 'r'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"depth", required_argument, NULL, 'd'},
                                          {"clock", required_argument, NULL, 'c'},
                                          {"paths", required_argument, NULL, 'p'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"one-thread", required_argument, NULL, '1'},
                                          {"streaming", no_argument, NULL, 'S'},
                                          {"towers", no_argument, NULL, 'T'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    options opt = {.records = 4100000, .seed = 1, .threads = 24, .depth = 60, .clock = DUAL};
    for (int c; (c = getopt_long(argc, argv, "o:h", names, NULL)) != -1;) {
        switch (c) {
        case 'r':
            opt.records = strtoull(optarg, NULL, 10);
            break;
        case 't':
            opt.threads = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'd':
            opt.depth = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'c':
            opt.clock = parse_clock(optarg);
            break;
        case 'p':
            opt.paths = strtoull(optarg, NULL, 10);
            break;
        case 's':
            opt.seed = strtoull(optarg, NULL, 10);
            break;
        case '1':
            opt.one_share = strtod(optarg, NULL);
            break;
        case 'S':
            opt.streaming = true;
            break;
        case 'T':
            opt.towers = true;
            break;
        case 'o':
            opt.output = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (opt.output == NULL || optind != argc || opt.records == 0 || opt.threads == 0 ||
        opt.threads > MAX_THREADS - FIRST_THREAD || opt.depth < 4 || opt.depth > MAX_DEPTH) {
        fputs(usage, stderr);
        exit(2);
    }
    if (opt.paths == 0) {
        opt.paths = (uint64_t)(136000 * sqrt((double)opt.records / 4.1e6));
    }
    return opt;
}

int main(int argc, char **argv)
{
    static world w;
    w.opt = parse_options(argc, argv);
    w.threads = must(calloc(w.opt.threads, sizeof *w.threads));
    write_trace(&w);
    printf("%s: %llu records, %llu distinct paths, depth up to %u, %.1f on average, %.3f s\n",
           w.opt.output, (unsigned long long)w.n_records, (unsigned long long)w.n_paths,
           w.max_depth, (double)w.depth_sum / (double)w.n_records, (double)w.wall_us / 1e6);
    for (uint32_t i = 0; i < w.opt.threads; i++) {
        free(w.threads[i].stack);
    }
    free(w.threads);
    free(w.nodes);
    return 0;
}
