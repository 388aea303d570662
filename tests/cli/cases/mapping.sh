# Real names: --mapping with every verb.
mkdir maps
cp "$data/mapping.txt" maps/app.txt
gzip -k maps/app.txt

# the names are restored, whatever the file's name or compression
expect 0 aflame convert -q app.trace -o app.folded
expect 0 aflame convert -q release.trace -o release.folded
differ app.folded release.folded
omits release.folded RecipeAdapter
for mapping in maps/app.txt maps/app.txt.gz; do
    expect 0 aflame convert release.trace --mapping $mapping -o back.folded
    same app.folded back.folded
    err_is "aflame: release.trace: 36 of 400 methods have their real names from $mapping"
done
expect 0 -e '' aflame convert -q release.trace --mapping maps/app.txt -o back.folded
expect 0 aflame render app.trace -o app.svg
expect 0 aflame render release.trace --mapping maps/app.txt --title app.trace -o back.svg
opens back.svg
expect 0 -w app.txt aflame report app.trace
expect 0 aflame report release.trace --mapping maps/app.txt
sed 's/release.trace/app.trace/' "$captured/out" >back.txt
same app.txt back.txt
expect 0 -o 'com.example.recipes (from the packages' aflame info release.trace --mapping maps/app.txt
out_has 'maps/app.txt (R8 8.2.33, map version 2.2, id 4f1c2d9): 36 of 400 methods' 'no problems found'
err_empty
expect 0 -o '"path": "maps/app.txt"' aflame info --json release.trace --mapping maps/app.txt
out_has '"named": 36' '"other_build": false'
expect 0 -n mapping aflame info --json release.trace
expect_sh 0 'aflame convert -q - --mapping maps/app.txt <release.trace >back.folded'
same app.folded back.folded

# full names have real types
cat >types.txt <<'END'
com.example.recipes.State -> android.os.Bundle:
END
expect 0 -o 'MainActivity.onCreate(State)' aflame report -q release.trace --mapping types.txt --names full --top 0

# a saved profile remembers the mapping
expect 0 aflame convert -q release.trace --mapping maps/app.txt -o mapped.aflp
expect_sh 0 'aflame info --json release.trace --mapping maps/app.txt | grep -A 20 \"mappings\" >of.trace'
expect_sh 0 'aflame info --json mapped.aflp | grep -A 20 \"mappings\" >of.aflp'
same of.aflp of.trace
expect 0 aflame convert -q mapped.aflp --redact -o redacted.aflp
expect 0 -n maps/app.txt -o mapping.txt aflame info redacted.aflp

# several mappings: one after the other
cat >second.txt <<'END'
com.example.recipes.list.Shelf -> com.example.recipes.list.RecipeAdapter:
    void put() -> submitList
END
expect 0 -l 2 aflame convert release.trace --mapping maps/app.txt --mapping second.txt -o two.folded
err_has '36 of 400 methods have their real names from maps/app.txt'
err_has '4 of 400 methods have their real names from second.txt'
contains two.folded com.example.recipes.list.Shelf.put

# names with several candidates
cat >ambiguous.txt <<'END'
com.example.recipes.MainActivity -> com.example.recipes.MainActivity:
    void setUpList() -> a
    void tearDownList() -> a
END
expect 0 -o '1 of 400 methods have their real names, 1 ambiguous' aflame info release.trace --mapping ambiguous.txt
out_has 'com.example.recipes.MainActivity.setUpList|tearDownList()'
expect 0 aflame convert release.trace --mapping ambiguous.txt -o a.folded
err_is 'aflame: release.trace: 1 of 400 methods have their real names from ambiguous.txt; 1 is ambiguous'

# methods that the compiler generated to call one other method
cat >forward.txt <<'END'
com.example.recipes.list.Lambda0 -> h1.w:
    1:1:void com.example.recipes.list.Real.body():7:7 -> a
    1:1:void run():0 -> a
      # {"id":"com.android.tools.r8.synthesized"}
END
expect 0 aflame convert -q release.trace --mapping forward.txt -o f.folded
contains f.folded com.example.recipes.list.Real.body
expect 0 aflame convert -q release.trace --mapping forward.txt --keep-synthetic -o f.folded
contains f.folded com.example.recipes.list.Lambda0.run

# the two are one call with the time of the outer one; a recursive body is another call
cat >bridge.txt <<'END'
com.x.Lambda -> a.b:
    1:1:void com.x.Real.body():7:7 -> c
    1:1:void run():0 -> c
      # {"id":"com.android.tools.r8.synthesized"}
com.x.Real -> d.e:
    void body() -> f
END
cp "$made/bridged.trace" bridged.trace
expect 0 aflame calls -q bridged.trace body --mapping bridge.txt --sort number --format csv
cut -d, -f 3,7,8 "$captured/out" | tr -d '\r' >calls.txt
printf 'number,wall_ns,self_wall_ns\n1,12000,12000\n2,11000,8000\n3,3000,3000\n' >expected.txt
same calls.txt expected.txt
expect 0 aflame calls -q bridged.trace body --mapping bridge.txt --sort number --format csv \
    --collapse-recursion
check 'the merged frame has the wrong calls' [ "$(wc -l <"$captured/out")" = 3 ]
expect 0 -o '3 calls on main' aflame calls -q bridged.trace body --mapping bridge.txt --keep-synthetic
expect 0 aflame calls -q bridged.trace /./ --mapping bridge.txt --keep-synthetic
out_has 'com.x.Lambda.run' '5 calls on main'

# another build, another app, damage
sed 's/4f1c2d9/0000000/' maps/app.txt >other.txt
expect 0 aflame convert release.trace --mapping other.txt -o x.folded
err_has 'the mapping file does not belong to the build of the trace'
expect 4 aflame convert --strict release.trace --mapping other.txt -o y.folded
absent y.folded
expect 0 aflame convert app.trace --mapping "$data/mapping.txt" -o x.folded
err_has 'aflame: app.trace: 0 of 400 methods have their real names'
printf 'org.Other -> x.y:\n    void a() -> b\n' >unused.txt
expect 0 aflame convert release.trace --mapping unused.txt -o x.folded
err_has 'the mapping file contains no class of the trace'
{ printf 'lost\n    void lost() -> x\n'; cat maps/app.txt; } >damaged.txt
expect 0 aflame convert release.trace --mapping damaged.txt -o x.folded
same app.folded x.folded
err_has 'lines of the mapping file are truncated or invalid; skipped (2 times)'
head -c 700 maps/app.txt.gz >cut.txt
expect 0 -e 'lines of the mapping file are truncated' aflame convert release.trace --mapping cut.txt -o x.folded
cp "$data/sample.trace" wrong.txt
for wrong in wrong.txt /dev/null; do
    expect 3 aflame convert release.trace --mapping $wrong -o z.folded
    err_is "aflame: $wrong: not a mapping file: no line names a class (\"name -> name:\")"
done
expect 3 aflame convert release.trace --mapping missing.txt -o z.folded
err_is 'aflame: missing.txt: cannot open: No such file or directory'
expect 3 -l 1 aflame convert release.trace --mapping . -o z.folded
expect 3 -l 1 aflame info release.trace app.trace --mapping missing.txt
absent z.folded

# --mapping never names an output
expect 2 aflame convert release.trace --mapping maps/app.txt --format folded -o maps/app.txt
err_is 'aflame: maps/app.txt: would overwrite the mapping file; nothing was written'
same maps/app.txt "$data/mapping.txt"

# aflame suggests a mapping next to the trace but does not use it
expect 0 -e '' aflame convert release.trace -o x.folded
expect 0 aflame convert -v release.trace -o x.folded
err_has 'aflame: release.trace: its names are obfuscated; --mapping with the mapping.txt of the build'
cp maps/app.txt mapping.txt
expect 0 aflame convert release.trace -o x.folded
same x.folded release.folded
err_is 'aflame: release.trace: its names are obfuscated; to restore the original names, try --mapping mapping.txt, which is next to the trace'
expect 0 -e '' aflame convert -q release.trace -o x.folded
expect 0 aflame info release.trace
err_is 'aflame: release.trace: its names are obfuscated; to restore the original names, try --mapping mapping.txt, which is next to the trace'
expect 0 -e '' aflame info -q release.trace
expect_sh 0 -e '' 'aflame convert - <release.trace'
cp mapping.txt release.trace.mapping.txt
expect 0 aflame convert "$PWD/release.trace" -o x.folded
err_has "--mapping $PWD/release.trace.mapping.txt, which is next to the trace"
mv release.trace.mapping.txt release.mapping.txt
gzip release.mapping.txt
expect 0 -e '--mapping release.mapping.txt.gz, which is next to the trace' aflame convert release.trace -o x.folded
expect 0 -l 1 aflame convert release.trace --mapping mapping.txt -o x.folded
expect 0 -e '' aflame convert app.trace -o x.folded

# blanks in the arguments of a mapping, as some tools write them
printf 'com.example.recipes.Real -> com.example.recipes.RecipesApp:\n    void renamed(  ) -> onCreate\n    void other( int , java.lang.String ) -> onCreate\n' >blanks.txt
expect 0 aflame report -q --mapping blanks.txt --names full --top 0 --format csv "$data/sample.trace"
out_has 'com.example.recipes.Real.renamed(),'
out_lacks 'Real.other' 'RecipesApp.onCreate'
