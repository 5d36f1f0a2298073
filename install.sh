#!/bin/sh
# Installs Quaestor for the current user with `uv tool`: an environment of its own, and `quaestor` on the PATH.
#
#   sh install.sh                         from the folder that this script is in
#   sh install.sh FILE.whl                from a wheel, or another folder with the source
#   sh install.sh --extras web,docs       with extras (docs/index.md names the usual ones)
#   sh install.sh --uninstall             remove the program; sessions and settings stay
set -eu

data=${XDG_DATA_HOME:-$HOME/.local/share}/quaestor-install
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
extras=web,docs
remove=

say() { printf '%s\n' "$*"; }
fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--extras)
		[ $# -gt 1 ] || fail "--extras needs names, as web,docs"
		extras=$2
		shift
		;;
	--uninstall) remove=yes ;;
	-h | --help)
		sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	-*) fail "there is no option $1; see: sh install.sh --help" ;;
	*)
		[ -e "$1" ] || fail "there is no file $1"
		source=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
		;;
	esac
	shift
done

# uv as it is installed, or in an environment of its own that the newest Python of this machine makes.
find_uv() {
	if command -v uv >/dev/null 2>&1; then
		uv=uv
		return
	fi
	uv=$data/bin/uv
	[ ! -x "$uv" ] || return 0
	[ -z "$remove" ] || fail "uv is not installed, so nothing was installed with it"
	for python in python3 python3.14 python3.13 python3.12 python3.11; do
		if "$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
			say "uv is not installed; installing it into $data"
			"$python" -m venv "$data"
			"$data/bin/python" -m pip install --quiet --disable-pip-version-check uv
			return
		fi
	done
	fail "neither uv nor a Python with venv was found; install one of them (Debian: apt install python3-venv)"
}

find_uv
if [ -n "$remove" ]; then
	"$uv" tool uninstall quaestor
	rm -rf "$data"
	say "Quaestor is removed. Sessions and settings stay; remove them by hand if you want."
	exit 0
fi

# Never by the name alone: another project has it on the public package index. What a URL ends or splits at is written
# as its number: what stands before it may be another folder.
wanted="quaestor${extras:+[$extras]} @ file://$(printf %s "$source" | sed 's/%/%25/g; s/ /%20/g; s/#/%23/g; s/?/%3F/g; s/;/%3B/g')"
say "installing $wanted with $("$uv" --version)"
"$uv" tool install --force --python '>=3.11' "$wanted"

bin=$("$uv" tool dir --bin)
"$bin/quaestor" --version >/dev/null || fail "$bin/quaestor does not start"
say "installed: $bin/quaestor ($("$bin/quaestor" --version))"
case :$PATH: in
*:"$bin":*) say "next: quaestor setup" ;;
*) say "$bin is not on your PATH; add it with: export PATH=\"$bin:\$PATH\"" ;;
esac
say "remove it with: sh install.sh --uninstall"
