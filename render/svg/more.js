// What only charts and comparisons need: empty in the script of graphs, filled by parts.js.
export const more = {};
