/* Reads two traces, draws and converts them in memory, and compares them.
 *
 *     c++ -std=c++17 compare.cc $(pkg-config --cflags --libs aflame) && ./a.out old.trace new.trace */
#include <cstdio>
#include <memory>
#include <string>
#include <aflame/aflame.h>

template <auto Free> struct freed {
    template <typename T> void operator()(T *object) const
    {
        Free(object);
    }
};
using profile = std::unique_ptr<af_profile, freed<af_profile_free>>;
using runs = std::unique_ptr<af_runs, freed<af_runs_free>>;
using diff = std::unique_ptr<af_diff, freed<af_diff_free>>;

static bool append(void *text, const void *bytes, size_t length, GError **)
{
    static_cast<std::string *>(text)->append(
        static_cast<const char *>(bytes), length);
    return true;
}

static runs read(const char *path, std::string *picture,
                 std::string *folded, GError **error)
{
    profile opened{af_profile_open(path, nullptr, error)};
    runs side{af_runs_new(AF_RUNS_TO_COMPARE)};
    return opened &&
                   af_picture_write(opened.get(), "svg", nullptr, append,
                                    picture, nullptr, error) &&
                   af_convert_write(opened.get(), "folded", nullptr,
                                    append, folded, error) &&
                   af_runs_add(side.get(), opened.get(), path, nullptr, error)
               ? std::move(side)
               : nullptr;
}

int main(int argc, char **argv)
{
    GError *error = nullptr;
    std::string picture, folded, table;
    runs before = argc == 3 ? read(argv[1], &picture, &folded, &error)
                            : nullptr;
    runs after = before ? read(argv[2], &picture, &folded, &error) : nullptr;
    diff compared{
        after ? af_diff_new(before.get(), after.get(), nullptr, &error)
              : nullptr};
    if (!compared || !af_diff_write(compared.get(), "text", nullptr, append,
                                    &table, &error)) {
        std::fprintf(stderr, "%s\n", error ? af_error_message(error) : "usage");
        af_error_clear(&error);
        return 1;
    }
    std::printf("pictures: %zu bytes, folded stacks: %zu bytes\n%s",
                picture.size(), folded.size(), table.c_str());
    return 0;
}
