#!/bin/bash
# Measures find against its rivals on the same files, in one run, on one core, and prints ratios.
#
#   bench/find/run.sh CORPORA [OUT.tsv]
#
# CORPORA holds rfc.txt, html.txt, md.txt, changelog.txt, gosrc.txt, dense.txt, minjs.txt, cjk.txt, pkgindex.txt: those that are
# there are taken. With SAMPLE=1 each is cut down to 32 pieces of 32 KiB, which stay in the processor's cache: the ratios then hold on
# a machine that does other things as well, but leave out what reading from memory costs. Rivals that cannot be had are left out, and said so. Needed: Go; for the crate linkify, cargo and Debian's apt (its
# source is downloaded into a folder, not installed); for linkify-it, node and npm; ripgrep and GNU grep where installed.
set -euo pipefail
corpora=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=${BENCH_WORK:-${TMPDIR:-/tmp}/anyurl-bench-find}
out=${2:-$work/results.tsv}
mkdir -p "$work"
pin=(); command -v taskset >/dev/null && pin=(taskset -c 0)
files=()
for name in rfc html md changelog gosrc dense minjs cjk pkgindex; do [[ -s $corpora/$name.txt ]] && files+=("$corpora/$name.txt"); done
if [[ -n ${SAMPLE:-} ]]; then
  mkdir -p "$work/sample"
  for i in "${!files[@]}"; do
    file=${files[i]}; sample=$work/sample/${file##*/}; size=$(stat -c %s "$file")
    for k in {0..31}; do dd if="$file" bs=32768 skip=$((size / 32768 * k / 32)) count=1 status=none; echo; done >"$sample"
    files[i]=$sample
  done
fi

(cd "$here/.." && go build -o "$work/speed" ./find/speed && go build -tags purego -o "$work/speed-purego" ./find/speed)
(cd "$here/../.." && CGO_ENABLED=0 go build -o "$work/anyurl" ./cmd/anyurl) || echo "left out: the command" >&2

if [[ ! -x $work/rust/release/linkify-bench ]] && command -v cargo >/dev/null; then
  mkdir -p "$work/crates" "$work/cargo"
  (cd "$work/crates" && apt-get download -q librust-linkify-dev librust-memchr-dev >/dev/null 2>&1 && for d in ./*.deb; do dpkg-deb -x "$d" .; done) || true
  printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' "$work/crates/usr/share/cargo/registry" >"$work/cargo/config.toml"
  cp -r "$here/rust" "$work/src"
  (cd "$work/src" && CARGO_HOME="$work/cargo" cargo build -q --release --offline --target-dir "$work/rust") || true
fi
[[ -x $work/rust/release/linkify-bench ]] || echo "left out: the crate linkify" >&2
if [[ ! -d $work/node/node_modules/linkify-it ]] && command -v npm >/dev/null; then
  mkdir -p "$work/node" && (cd "$work/node" && npm install --silent --no-audit --no-fund linkify-it@5 >/dev/null 2>&1) || true
fi
[[ -d $work/node/node_modules/linkify-it ]] || echo "left out: linkify-it" >&2

: >"$out"
export GOMAXPROCS=1 # the collector's threads count as well
for file in "${files[@]}"; do
  for mode in schemed all; do
    # Two turns each, one after the other, so that what else the machine does falls on all.
    for _ in 1 2; do
      "${pin[@]}" "$work/speed" find $mode "$file"
      [[ -x $work/rust/release/linkify-bench ]] && "${pin[@]}" "$work/rust/release/linkify-bench" $mode "$file"
      "${pin[@]}" "$work/speed-purego" find $mode "$file" | sed 's/^find/find-purego/'
      "${pin[@]}" "$work/speed" scanner $mode "$file"
    done
    "${pin[@]}" "$work/speed" xurls $mode "$file"
    [[ -d $work/node/node_modules/linkify-it ]] && NODE_FOLDER=$work/node "${pin[@]}" node "$here/linkify-it.mjs" $mode "$file"
  done
  "${pin[@]}" "$work/speed" read schemed "$file"
  # The command on one processor, and as people run it; the rivals have one thread.
  [[ -x $work/anyurl ]] && "${pin[@]}" "$work/speed" command anyurl "$file" "$work/anyurl" find --format text "$file"
  [[ -x $work/anyurl ]] && env -u GOMAXPROCS "$work/speed" command anyurl-all "$file" "$work/anyurl" find --format text "$file"
  command -v rg >/dev/null && "${pin[@]}" "$work/speed" command ripgrep "$file" rg -j1 -oN '[a-z]+://[^\s<>"]+' "$file"
  grep -P a <<<a >/dev/null 2>&1 && "${pin[@]}" "$work/speed" command grep "$file" env LC_ALL=C grep -aoP '[a-z]+://[^\s<>"]+' "$file"
done >>"$out"

awk -F'\t' '
  { n = split($3, p, "/"); c = p[n]; sub(/\.txt$/, "", c); k = c "\t" $2; if ($5 > best[k, $1]) best[k, $1] = $5; links[k, $1] = $4; if (!(k in seen)) { seen[k] = 1; order[++m] = k } }
  END {
    printf "%-11s %-8s %8s %8s %8s %8s %8s %8s | %6s %6s %6s | %9s %9s\n", "corpus", "kinds", "find", "purego", "scanner", "linkify", "xurls", "lnkfy-it", "find/l", "pure/l", "/xurls", "matches", "linkify"
    for (i = 1; i <= m; i++) { k = order[i]; split(k, q, "\t"); if (q[2] == "command") continue
      l = best[k, "linkify-rs"]; f = best[k, "find"]; x = best[k, "xurls"]
      printf "%-11s %-8s %8.3f %8.3f %8.3f %8.3f %8.4f %8.4f | %6.2f %6.2f %6.0f | %9d %9d\n", q[1], q[2], f, best[k, "find-purego"], best[k, "scanner"], l, x, best[k, "linkify-it"], l ? f / l : 0, l ? best[k, "find-purego"] / l : 0, x ? f / x : 0, links[k, "find"], links[k, "linkify-rs"] }
    printf "\n%-11s %8s %8s %8s %8s | %s\n", "command", "anyurl", "all cpus", "ripgrep", "grep -P", "anyurl/ripgrep, all cpus/ripgrep"
    for (i = 1; i <= m; i++) { k = order[i]; split(k, q, "\t"); if (q[2] != "command") continue
      r = best[k, "ripgrep"]; all = best[k, "anyurl-all"]; printf "%-11s %8.3f %8.3f %8.3f %8.3f | %.2f %.2f\n", q[1], best[k, "anyurl"], all, r, best[k, "grep"], r ? best[k, "anyurl"] / r : 0, r ? all / r : 0 }
  }' "$out"
