/* Walks the call tree of the first thread and prints the paths of up to 12 methods with at least 5 %
 * of its time.
 *
 *     cc tree.c $(pkg-config --cflags --libs aflame) && ./a.out app.trace */
#include <stdio.h>
#include <aflame/aflame.h>

/* The number of a parent is smaller than those of its children, so a depth-first walk looks for
 * children among the nodes after it. */
static void print_node(const af_profile *profile, uint32_t node, uint64_t least_ns)
{
    const uint64_t ns = af_node_inclusive_ns(profile, 0, node, AF_CLOCK_DEFAULT);
    if (ns < least_ns || af_node_depth(profile, 0, node) > 12) {
        return;
    }
    printf("%10.3f ms  %*s%s\n", (double)ns / 1e6, (int)af_node_depth(profile, 0, node) * 2, "",
           af_node_label(profile, 0, node));
    for (uint32_t child = node + 1; child < af_tree_n_nodes(profile, 0); child++) {
        if (af_node_parent(profile, 0, child) == node) {
            print_node(profile, child, least_ns);
        }
    }
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    af_profile *profile = argc == 2 ? af_profile_open(argv[1], NULL, &error) : NULL;
    if (profile == NULL) {
        fprintf(stderr, "%s\n", af_error_message(error));
        af_error_clear(&error);
        return 1;
    }
    print_node(profile, 0, af_node_inclusive_ns(profile, 0, 0, AF_CLOCK_DEFAULT) / 20);
    af_profile_free(profile);
    return 0;
}
