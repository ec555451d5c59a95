#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of some lists that are missing; silent when there is nothing to do.
#
# usage: tools/install-packages.sh LIST...     LIST: one package per line, # starts a comment
# APPELL_SKIP_PACKAGES=1 turns it off, for systems whose packages have other names.
set -eu

fail() {
  echo "install-packages: $*" >&2
  exit 1
}

[ $# -ge 1 ] || fail "usage: tools/install-packages.sh LIST..."
for list in "$@"; do
  [ -r "$list" ] || fail "the list '$list' cannot be read."
done
[ "${APPELL_SKIP_PACKAGES:-0}" != 1 ] || exit 0

wanted=$(cat "$@" | sed 's/#.*//' | xargs)
command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  fail "this is not a Debian system; install the equivalents of $wanted, and set APPELL_SKIP_PACKAGES=1."

# nodejs of another archive, for one, brings npm and says so
provided=$(dpkg-query -W -f '${db:Status-Status} ${Provides}\n' 2>/dev/null | sed -n 's/^installed //p' |
  tr ',' '\n' | sed 's/ *(.*//; s/ //g')

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
  [ "$state" = installed ] || printf '%s\n' "$provided" | grep -qx "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "root or sudo is needed to install:$missing."
  as_root=sudo
fi

apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

echo "install-packages: installing$missing"
echo "install-packages: this downloads packages and can take some minutes"
# a terminal shows apt's own progress; a log would only be filled by it
[ -t 1 ] && show=/dev/stdout || show=/dev/null
# old package lists may still do, so only a failing install is an error
apt update || echo "install-packages: apt-get update failed; trying with the lists at hand." >&2
# shellcheck disable=SC2086  # the list is meant to split into words
apt -o Dpkg::Progress-Fancy=1 install -y --no-install-recommends $missing >"$show" ||
  fail "apt-get could not install:$missing."
