/* Walks the call tree of the first thread and draws it into a canvas of its own: lines of text.
 *
 *     c++ -std=c++17 canvas.cc $(pkg-config --cflags --libs aflame) && ./a.out app.trace */
#include <cstdio>
#include <memory>
#include <string>
#include <vector>
#include <aflame/aflame.h>

struct freed {
    void operator()(af_profile *profile) const
    {
        af_profile_free(profile);
    }
};

int main(int argc, char **argv)
{
    constexpr unsigned columns = 100, rows = 12;
    GError *error = nullptr;
    std::unique_ptr<af_profile, freed> profile{
        argc == 2 ? af_profile_open(argv[1], nullptr, &error) : nullptr};
    const uint64_t total =
        profile ? af_node_inclusive_ns(profile.get(), 0, 0, AF_CLOCK_DEFAULT) : 0;
    if (total == 0) {
        std::fprintf(stderr, "%s\n", error ? af_error_message(error) : "nothing to draw");
        af_error_clear(&error);
        return 1;
    }

    /* A node starts where its previous sibling ends; parents come before their children. */
    const uint32_t n = af_tree_n_nodes(profile.get(), 0);
    std::vector<uint64_t> next(n, 0);
    std::vector<std::string> canvas(rows, std::string(columns, ' '));
    for (uint32_t node = 1; node < n; node++) {
        const uint32_t parent = af_node_parent(profile.get(), 0, node);
        const uint64_t begin = next[parent];
        const uint64_t end =
            begin + af_node_inclusive_ns(profile.get(), 0, node, AF_CLOCK_DEFAULT);
        next[parent] = end;
        next[node] = begin;
        const unsigned x0 = unsigned(begin * columns / total), x1 = unsigned(end * columns / total);
        const uint32_t row = af_node_depth(profile.get(), 0, node) - 1;
        if (row < rows && x1 > x0 + 1) {
            std::string label = af_node_label(profile.get(), 0, node);
            label = label.substr(label.rfind('.') + 1) + std::string(columns, '.');
            canvas[row].replace(x0, x1 - x0, "[" + label.substr(0, x1 - x0 - 1));
        }
    }
    for (const std::string &line : canvas) {
        std::puts(line.c_str());
    }
    return 0;
}
