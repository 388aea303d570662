#include <stdlib.h>

#include "read/timeline_order.h"
#include "suite.h"

typedef struct {
    uint32_t state;
} chance;

static uint32_t draw(chance *c, uint32_t below)
{
    c->state = c->state * 1664525 + 1013904223;
    return (c->state >> 8) % below;
}

/* Numbers of every width, and the same as before. */
static uint64_t draw_number(chance *c, uint64_t before)
{
    static const unsigned shifts[] = {1, 8, 9, 16, 17, 31, 33, 63};
    const uint64_t bits =
        (uint64_t)draw(c, 1u << 24) << 40 | (uint64_t)draw(c, 1u << 24) << 20 | draw(c, 1u << 20);
    const unsigned kind = draw(c, 12);
    return kind < 3 ? before : kind == 3 ? UINT64_MAX : bits >> (64 - shifts[kind - 4]);
}

/* The events are numbered in `value` by their order in the input. */
static int compare(const void *a, const void *b)
{
    const af_timeline_event *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns ? -1 : 1)
                          : (x->value > y->value) - (x->value < y->value);
}

static gboolean is_equal(const af_timeline_event *x, const af_timeline_event *y)
{
    return x->ns == y->ns && x->value == y->value && x->cpu_ns == y->cpu_ns && x->a == y->a &&
           x->b == y->b && x->name == y->name && x->extra == y->extra && x->kind == y->kind &&
           x->cpu_kind == y->cpu_kind;
}

/* Writers take turns; each adds its events in order, `jump` times apart at most. With 0 writers the
 * times are in no order. */
static void fill(af_timeline_event *events, size_t n, unsigned writers, uint32_t jump)
{
    chance c = {12345};
    int64_t now[64] = {0};
    unsigned writer = 0;
    af_timeline_event before = {0};
    for (size_t i = 0; i < n; i++) {
        writer = writers > 1 && draw(&c, 20) == 0 ? draw(&c, writers) : writer;
        now[writer] += draw(&c, 3) == 0 ? 0 : draw(&c, jump);
        before = (af_timeline_event){.ns = writers == 0 ? (int64_t)draw(&c, jump) - jump / 2
                                                        : now[writer] - 1000,
                                     .value = (int64_t)i,
                                     .cpu_ns = (int64_t)draw_number(&c, (uint64_t)before.cpu_ns),
                                     .a = (uint32_t)draw_number(&c, before.a),
                                     .b = (uint32_t)draw_number(&c, before.b),
                                     .name = (uint32_t)draw_number(&c, before.name),
                                     .extra = (uint32_t)draw_number(&c, before.extra),
                                     .kind = (uint8_t)draw(&c, 25),
                                     .cpu_kind = (uint8_t)draw(&c, 3)};
        events[i] = before;
    }
}

static void check_order(size_t n, unsigned writers, uint32_t jump, size_t most_held)
{
    af_timeline_event *events = g_new(af_timeline_event, n + 1), next;
    af_timeline_order *order = af_timeline_order_new(most_held);
    GError *error = NULL;
    gboolean more = TRUE;
    fill(events, n, writers, jump);
    for (size_t i = 0; i < n; i++) {
        ck_assert(af_timeline_order_add(order, &events[i], &error));
    }
    qsort(events, n, sizeof *events, compare);
    ck_assert(af_timeline_order_begin(order, &error));
    for (size_t i = 0; i < n; i++) {
        ck_assert(af_timeline_order_next(order, &next, &more, &error) && more);
        ck_assert(is_equal(&next, &events[i]));
    }
    for (unsigned i = 0; i < 2; i++) {
        ck_assert(af_timeline_order_next(order, &next, &more, &error) && !more);
    }
    af_timeline_order_free(order);
    g_free(events);
}

TEST(events_come_back_in_order)
{
    check_order(0, 1, 10, 0);
    check_order(1, 1, 10, 0);
    check_order(30000, 1, 100, 0);
    check_order(30000, 1, 1, 0); /* all at the same time */
    check_order(30000, 3, 1u << 24, 0);
    check_order(30000, 60, 1000, 0); /* more writers than streams */
    check_order(30000, 0, 1000, 0);  /* in no order */
    check_order(30000, 0, 1u << 24, 0);
}

TEST(more_events_than_fit_in_memory)
{
    check_order(30000, 1, 100, 1);
    check_order(60000, 5, 1000, 70000);
    check_order(30000, 60, 1000, 5000);
    check_order(30000, 0, 1000, 5000);
}
