#!/bin/sh
# release.sh VERSION CHANGES [FOLDER]
# Makes a release from a clean checkout: compares the interface of the library with that of the last release
# (abi.sh), which only a new MAJOR or MINOR may break; writes the version and the date, commits them and tags the
# commit with the changes; then puts the source archive, the packages, the static aflame with the sources of its
# libraries, THIRD-PARTY, the list in SPDX and the checksums into FOLDER (build/release-VERSION). Pushes nothing. A
# second build of the archive makes the same packages if the umask is 022 and SOURCE_DATE_EPOCH the time
# `Created` in aflame.spdx.
set -eu
version=$1 changes=$(realpath "$2")
cd "$(dirname "$0")/../.."
folder=${3:-build/release-$version}
fail() {
    echo "release: $*" >&2
    exit 1
}
echo "$version" | grep -qxE '[0-9]+[.][0-9]+[.][0-9]+' || fail "$version is not MAJOR.MINOR.MICRO"
[ -s "$changes" ] || fail "$changes is empty"
[ -z "$(git status --porcelain --untracked-files=no)" ] || fail 'there are uncommitted changes'
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "there is a tag v$version"

last=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
src/package/abi.sh ${last:+"$last"} || { [ -n "$last" ] && [ "${last%.*}" != "v${version%.*}" ]; } ||
    fail "$version breaks programs built with $last"
now=${SOURCE_DATE_EPOCH:-$(date +%s)}
IFS=. read -r major minor micro <<END
$version
END
sed -i "s/^\(#define AF_VERSION_MAJOR\) .*/\1 $major/; s/^\(#define AF_VERSION_MINOR\) .*/\1 $minor/
    s/^\(#define AF_VERSION_MICRO\) .*/\1 $micro/" include/aflame/version.h
sed -i "s/^set(AFLAME_RELEASE_DATE .*/set(AFLAME_RELEASE_DATE \"$(LC_ALL=C date -u -d "@$now" -R)\")/
    s/^set(AFLAME_RELEASE_TIME .*/set(AFLAME_RELEASE_TIME $(date -u -d "@$now" +%FT%TZ))/" src/package/packages.cmake
git commit -q --allow-empty -m "release: $version" include/aflame/version.h src/package/packages.cmake
git tag -a "v$version" -F "$changes"

# what a second build of the tag has to repeat
SOURCE_DATE_EPOCH=$now
export SOURCE_DATE_EPOCH
umask 022
rm -rf build/package "$folder"
cmake --workflow --preset package
cmake --build build/package --target archive
mkdir -p "$folder"
src/package/static.sh --sources "$folder"
mv build/package/*.deb "build/package/aflame-$version.tar.gz" "$folder"
cp build/package/generated/THIRD-PARTY build/package/generated/aflame.spdx "$changes" "$folder"
cd "$folder"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
