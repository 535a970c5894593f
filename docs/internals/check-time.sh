# Checks with openssl that an event of an evidence file was recorded before a time-stamp (docs/internals/event-log.md).
# bash check-time.sh evidence.json SEQUENCE authority.pem
set -euo pipefail
# A member of the file, where e is the event and a its anchor; arrays with blanks between.
get() { node -p "const f = JSON.parse(require('fs').readFileSync('$1')), e = f.events.find((x) => x.event.sequence === '$2'), a = f.anchors[e.proof.anchor]; $3"; }
member() { get "$evidence" "$sequence" "$1"; }
# SHA-256 of bytes in hexadecimal.
sha() { printf "$(sed 's/../\\x&/g' <<< "$1")" | openssl dgst -sha256 -r | cut -c1-64; }
# The root above a leaf, its index, the number of leaves, and a path (RFC 9162 §2.1.3.2).
climb() {
  local hash=$1 at=$2 last=$(($3 - 1)) sibling
  for sibling in "${@:4}"; do
    if ((at % 2 == 1 || at == last)); then
      hash=$(sha "01$sibling$hash")
      while ((at % 2 == 0 && at != 0)); do at=$((at / 2)) last=$((last / 2)); done
    else hash=$(sha "01$hash$sibling"); fi
    at=$((at / 2)) last=$((last / 2))
  done
  echo "$hash"
}
evidence=$1 sequence=$2 authority=$3
root=$(climb "$(sha "00$(member e.hash)")" $((sequence - 1)) $(member a.size) $(member "e.proof.path.join(' ')"))
state="$(member f.document.organizationId) $(member a.size) $root $(member a.salt)"
leaf=$(sha "00$(printf %s "$state" | od -An -v -tx1 | tr -d ' \n')")
digest=$(climb "$leaf" $(member a.position) $(member a.organizations) $(member "a.path.join(' ')"))
token=$(mktemp)
trap 'rm -f "$token"' EXIT
member a.token | base64 -d > "$token"
openssl ts -verify -digest "$digest" -in "$token" -token_in -CAfile "$authority"
openssl ts -reply -in "$token" -token_in -text | sed -n "s/^Time stamp:/Event $sequence was recorded before/p"
