#include "cli/options.h"

static const af_option options[] = {
    {"listen", 0, "ADDRESS", "Address and port (127.0.0.1:8192)",
     "Listen on this address and port; port 0 lets the system choose one.\n"
     "An IPv6 address is in brackets: [::1]:8192.\n"
     "The default is 127.0.0.1:8192; a socket that systemd passes replaces it.",
     AF_SERVE, AF_READ(af_read_text, serve.listen)},
    {"store", 0, "WHERE", "Folder or PostgreSQL database of the uploads",
     "Keep the uploads in this folder.\n"
     "The default is aflame in $XDG_DATA_HOME.\n"
     "An address such as postgresql://user@host/aflame keeps them in a PostgreSQL "
     "database, which several servers may share.",
     AF_SERVE, AF_READ(af_read_text, serve.store)},
    {"no-store", 0, NULL, "Keep everything in memory, until the server ends",
     "Keep the uploads in memory; they disappear when the server ends.", AF_SERVE,
     AF_READ(af_read_flag, serve.memory_only)},
    {"rebuild-index", 0, NULL, "Restore the index of the store from its files",
     "Add the uploads whose files are in the folder of the store, but not in its index.\n"
     "Names, notes, tags and delete tokens were in the index only.",
     AF_SERVE, AF_READ(af_read_flag, serve.rebuild_index)},
    {"no-uploads", 0, NULL, "Delete each upload once it has been read",
     "Delete an upload as soon as it has been read.\n"
     "The server keeps its call trees, but not the single calls that charts and call "
     "lists need.",
     AF_SERVE, AF_READ(af_read_flag, serve.no_uploads)},
    {"expire", 0, "AGE", "Delete uploads after AGE: 12h, 30d",
     "Delete uploads that are older than this: 90s, 12h, 30d or 4w.\n"
     "By default they stay.",
     AF_SERVE, AF_READ(af_read_age, serve.expire_s)},
    {"max-store", 0, "SIZE", "Delete the least used uploads above SIZE",
     "While the store is larger than SIZE bytes, delete the uploads that were not used for "
     "the longest time.\n"
     "The default is no limit.",
     AF_SERVE, AF_READ(af_read_size, serve.max_store)},
    {"max-upload", 0, "SIZE", "Largest upload (512M)",
     "Reject uploads of more than SIZE bytes.\n"
     "The default is 512M.",
     AF_SERVE, AF_READ(af_read_size, serve.max_upload)},
    {"max-cache", 0, "SIZE", "Memory for the cache of pictures and tables (128M)",
     "Cache finished pictures and tables in up to SIZE bytes of memory.\n"
     "The default is 128M.",
     AF_SERVE, AF_READ(af_read_size, serve.max_cache)},
    {"workers", 0, "N", "Processes that read and draw at the same time (2)",
     "Run up to N processes that read uploads and draw.\n"
     "The default is 2.",
     AF_SERVE, AF_RANGE(1, 64), AF_READ(af_read_number, serve.workers)},
    {"worker-memory", 0, "SIZE", "Memory of each of them (2G)",
     "Limit the memory of each of these processes to SIZE bytes.\n"
     "The default is 2G.",
     AF_SERVE, AF_READ(af_read_size, serve.worker_memory)},
    {"worker-time", 0, "N", "CPU seconds for one upload or picture (60)",
     "Limit the CPU time for one upload or one picture to N seconds.\n"
     "The default is 60.",
     AF_SERVE, AF_RANGE(1, 86400), AF_READ(af_read_number, serve.worker_time_s)},
    {"tokens", 0, "FILE", "Who may upload, list and delete",
     "Read the tokens and their rights from FILE; see TOKENS.", AF_SERVE,
     AF_READ(af_read_text, serve.tokens)},
    {"trust-loopback", 0, NULL, "Clients on this machine need no token",
     "With --tokens, let anyone upload and list without a token if the server listens on\n"
     "a loopback address.\n"
     "Do not use it behind a proxy, whose requests all come from this machine.",
     AF_SERVE, AF_READ(af_read_flag, serve.trust_loopback)},
    {"open-uploads", 0, NULL, "Anyone may upload, on any address",
     "Accept uploads without a token on any address.\n"
     "By default only clients on this machine need none, and only without --tokens.",
     AF_SERVE, AF_READ(af_read_flag, serve.open_uploads)},
    {"list", 0, NULL, "Anyone may list the uploads, on any address",
     "Show the list of uploads to anyone, on any address.\n"
     "By default only clients on this machine need no token for it, and only without\n"
     "--tokens.",
     AF_SERVE, AF_READ(af_read_flag, serve.list)},
    {"private-links", 0, NULL, "Links that nobody can guess",
     "Give each upload a random link that nobody can guess, instead of one that\n"
     "follows from its content.",
     AF_SERVE, AF_READ(af_read_flag, serve.private_links)},
    {"base-url", 0, "URL", "Address behind a reverse proxy",
     "The address of the server as its users see it, behind a reverse proxy.\n"
     "If it has a path, the proxy may pass the path on or remove it.",
     AF_SERVE, AF_READ(af_read_text, serve.base_url)},
    {"allow-host", 0, "NAME", "Another name of this server; repeatable",
     "Accept requests for this host name too.\n"
     "Requests for an IP address, localhost, the name of the machine or the host of\n"
     "--base-url are always accepted.",
     AF_SERVE, .repeat = AF_REPEATED, AF_READ(af_read_list, hosts)},
    {"allow-viewer", 0, "ORIGIN", "A website that may open conversions; repeatable",
     "Let this website read conversions, such as https://profiler.firefox.com or\n"
     "https://www.speedscope.app; pages then link to it.",
     AF_SERVE, .repeat = AF_REPEATED, AF_READ(af_read_list, viewers)},
    {"embed", 0, NULL, "Other websites may show the pictures",
     "Let pages of other websites show SVG and PNG pictures as images, such as\n"
     "<img src=\"https://host/trace/ID/graph.png\">.\n"
     "By default browsers refuse that.",
     AF_SERVE, AF_READ(af_read_flag, serve.embed)},
    {"access-log", 0, NULL, "Log every request",
     "Write a line about each request to standard error, with its client, method,\n"
     "path, status, size and duration.\n"
     "Uploads, refusals and failures are logged in any case.",
     AF_SERVE, AF_READ(af_read_flag, serve.access_log)},
    {"title", 0, "TEXT", "Heading of the front page", "Set the heading of the front page.",
     AF_SERVE, AF_READ(af_read_title, serve.title)},
    {"open", 0, NULL, "Open the page in a browser", "Open the page in a browser.",
     AF_SERVE | AF_SEND, AF_READ(af_read_flag, open_browser)},
    {"to", 0, "URL", "Address of the server (http://127.0.0.1:8192)",
     "Upload to the server with this address.\n"
     "The default is http://127.0.0.1:8192.",
     AF_SEND, AF_READ(af_read_text, send.to)},
    {"token", 0, "FILE", "The token for the server is in FILE",
     "Send the token in the first line of FILE.", AF_SEND, AF_READ(af_read_text, send.token)},
    {"mapping", 0, "FILE", "The mapping.txt (R8) of the traces",
     "Upload this mapping file too; the server restores the names with it.", AF_SEND,
     AF_READ(af_read_text, send.mapping)},
    {"name", 0, "TEXT", "Name of the uploads on their pages",
     "Name the uploads; without it, a page has the name of its file.", AF_SEND,
     AF_READ(af_read_text, send.name)},
    {"note", 0, "TEXT", "Note on the pages", "Write a note on the pages.", AF_SEND,
     AF_READ(af_read_text, send.note)},
    {"tags", 0, "TEXT", "Tags, for the list and the search",
     "Tag the uploads, for the list and the search.", AF_SEND, AF_READ(af_read_text, send.tags)},
    {"delete", 0, "LINK", "Delete an upload of yours from the server",
     "Delete the upload with this link, by the delete token that send stored, or by\n"
     "that of --token.",
     AF_SEND, AF_READ(af_read_text, send.link)},
    {.name = NULL},
};

const af_option_section af_options_serve = {
    .title = "Server",
    .options = options,
};
