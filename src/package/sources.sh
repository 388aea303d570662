# Lets apt-get download source packages of this Debian, and leaves the settings of the system alone. Scripts source
# this file; they have a folder $scratch.
. /etc/os-release
mkdir "$scratch/lists" "$scratch/cache"
key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org'
cat >"$scratch/sources.list" <<LIST
deb-src $key/debian $VERSION_CODENAME main
deb-src $key/debian $VERSION_CODENAME-updates main
deb-src $key/debian-security $VERSION_CODENAME-security main
LIST
cat >"$scratch/apt.conf" <<LIST
Dir::Etc::SourceList "$scratch/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$scratch/lists";
Dir::Cache "$scratch/cache";
APT::Sandbox::User "root";
LIST
export APT_CONFIG="$scratch/apt.conf"

package_of() { # of the headers: NAME=VERSION of the source package
    dpkg-query -W -f '${source:Package}=${source:Version}\n' "$1"
}
