#!/usr/bin/env bash
# Tries the walk-through of deploy/README.md on one computer: two network namespaces stand for two
# machines, joined by a virtual cable. A coordinator searches on the one, a worker helps from the other.
#
#     sudo deploy/two-machines.sh [FOLDER]
#
# FOLDER holds `banyan` and `banyan-worker`; by default target/release. Needs root, iproute2 and jq.
# Removes all that it made, and ends only what it started.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=${1:-$root/target/release}
tag=by$$
one=$tag-one two=$tag-two
address=10.213.37.1
work=$(mktemp -d)
started=()

fail() {
    echo "two-machines: $*" >&2
    exit 1
}

cleanup() {
    local status=$? process
    set +e
    for process in "${started[@]}"; do
        kill -KILL "$process" 2>/dev/null && wait "$process" 2>/dev/null
    done
    ip netns delete "$one" 2>/dev/null
    ip netns delete "$two" 2>/dev/null
    rm -rf "$work"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ "$(id -u)" = 0 ] || fail "making network namespaces needs root"
for program in ip jq; do
    command -v "$program" >/dev/null || fail "$program is not installed"
done
for program in banyan banyan-worker; do
    [ -x "$bin/$program" ] || fail "$bin/$program is missing: cargo build --release -p banyan -p banyan-worker"
done

ip netns add "$one"
ip netns add "$two"
ip link add "$tag-a" netns "$one" type veth peer name "$tag-b" netns "$two"
ip -n "$one" address add "$address/24" dev "$tag-a"
ip -n "$two" address add 10.213.37.2/24 dev "$tag-b"
for machine in "$one" "$two"; do
    ip -n "$machine" link set lo up
done
ip -n "$one" link set "$tag-a" up
ip -n "$two" link set "$tag-b" up

echo "machine one: banyan search --listen $address:7337 --min-workers 1"
ip netns exec "$one" "$bin/banyan" search --game go --size 9 --time 4s --json \
    --listen "$address:7337" --insecure --min-workers 1 --threads 0 \
    >"$work/answer.json" 2>"$work/coordinator.log" &
coordinator=$!
started+=("$coordinator")

echo "machine two: banyan-worker --join $address:7337"
ip netns exec "$two" "$bin/banyan-worker" --join "$address:7337" --threads 1 --name two \
    2>"$work/worker.log" &
worker=$!
started+=("$worker")

wait "$coordinator" || {
    cat "$work/coordinator.log" "$work/worker.log" >&2
    fail "the search failed"
}
jq -r '"best \(.best), value \(.value), \(.playouts) playouts in \(.seconds) s",
       (.nodes[] | "  \(.name): \(.playouts) playouts, \(.playouts_per_s) per second")' \
    "$work/answer.json"
jq -e '[.nodes[] | select(.name == "two") | .playouts] | add > 0' "$work/answer.json" >/dev/null ||
    fail "the worker of machine two did nothing"

# The coordinator is gone, the worker still dials: SIGTERM must end it, and well.
kill -TERM "$worker"
for _ in $(seq 100); do
    kill -0 "$worker" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$worker" 2>/dev/null && fail "the worker did not leave within 10 s of SIGTERM"
wait "$worker" || fail "the worker left with status $?"
echo "both machines worked, and both left well"
