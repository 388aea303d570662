#!/usr/bin/env bash
# duckdb.sh SOURCE AFLAME
# The recipe of aflame-calls(1) for DuckDB, as it stands there: the database then has each line of the CSV file.
# Needs node, npm and the network, since Debian has no DuckDB.
set -eu
page=$1/src/cli/manual/aflame-calls.1.in sample=$1/tests/data/sample.trace aflame=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm install --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 >log 2>&1 || { cat log >&2; exit 1; }
# a stand-in for the command, which npm does not have
cat >duckdb.mjs <<'END'
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
const [file, sql = readFileSync(0, 'utf8')] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(file)).connect();
for (const row of (await connection.runAndReadAll(sql)).getRows()) {
    console.log(row.join());
}
connection.closeSync();
END
printf '#!/bin/sh\nexec node "%s/duckdb.mjs" "$@"\n' "$scratch" >duckdb
chmod +x duckdb
PATH=$scratch:$PATH

sed -n '/FILE calls.sql/,/^[.]Ed/ { /^[.]/!p }' "$page" >calls.sql
sed -n '/^duckdb /p' "$page" >recipe.sh
[ "$(wc -l <recipe.sh)" = 2 ] || { echo 'duckdb: the manual has no recipe' >&2; exit 1; }
cp "$sample" a.trace
sed 's/^elapsed-time-usec=.*/elapsed-time-usec=9999999/' a.trace >b.trace
"$aflame" calls a.trace b.trace '**' --raw-csv -o calls.csv
sh -eux recipe.sh

python3 - >expected <<'END'
import csv
rows = list(csv.DictReader(open('calls.csv')))
for trace in 'a.trace', 'b.trace':
    own = [row for row in rows if row['trace'] == trace]
    print(trace, len(own), sum(int(row['wall_ns']) for row in own), max(int(row['depth']) for row in own),
          sum(row['runnable_ns'] == '' for row in own), len({row['method'] for row in own}), sep=',')
END
duckdb calls.db "SELECT trace, count(*), sum(wall_ns), max(depth), count(*) - count(runnable_ns), count(DISTINCT method)
    FROM calls GROUP BY trace ORDER BY trace" >found
diff expected found
cat found
