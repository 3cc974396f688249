// The cluster's page: nodes, searches, what happened, what limits it.

import { make, percent, short, spark } from "./draw.js";
import { follow, post } from "./wire.js";

const element = (id) => document.getElementById(id);
let is_shown = false;
let latest = null;

let stop_following = null;

export function begin() {
  document.addEventListener("visibilitychange", look);
  look();
}

// Tabs that nobody sees do not follow: a browser has six connections to a coordinator over plain HTTP, for all tabs.
function look() {
  if (document.hidden) {
    stop_following?.();
    stop_following = null;
  } else {
    stop_following ??= follow("/api/cluster/events", see);
  }
}

function see(picture) {
  latest = picture;
  element("crew").textContent = crew(picture);
  if (is_shown) draw(picture);
}

export function show(is_on) {
  is_shown = is_on;
  if (is_on && latest) draw(latest);
}

// Who searches, in a line for the board's page.
function crew({ nodes, searches, rate }) {
  const present = nodes.filter((node) => node.is_present);
  if (present.length === 0) return "no node is there";
  if (searches.length === 0) return `${present.length} ${present.length === 1 ? "node waits" : "nodes wait"}: ${present.map((node) => node.name).join(", ")}`;
  const parts = present.map((node) => `${node.name} ${percent(node.share, 0)}`);
  return `${short(rate)} ${unit(nodes)}/s by ${parts.join(", ")}`;
}

// What the nodes that are there count.
function unit(nodes) {
  const present = nodes.filter((node) => node.is_present);
  return present.length > 0 && present.every((node) => node.is_judging) ? "evaluations" : "playouts";
}

function cell(content, name = "") {
  const td = document.createElement("td");
  td.className = name;
  td.append(content);
  return td;
}

function meter(share) {
  const span = document.createElement("span");
  const bar = Object.assign(document.createElement("span"), { className: "meter" });
  const inner = document.createElement("i");
  inner.style.width = `${100 * Math.min(share, 1)}%`;
  bar.append(inner);
  span.append(percent(share, 0), " ", bar);
  return span;
}

function tag(text, kind = "") {
  return Object.assign(document.createElement("span"), { className: `tag ${kind}`, textContent: text });
}

function order(node, action, words) {
  const button = Object.assign(document.createElement("button"), { textContent: action });
  button.onclick = async () => {
    if (!confirm(words)) return;
    try {
      await post(`/api/workers/${node.id}/${action}`, {});
    } catch (fault) {
      alert(fault.message);
    }
  };
  return button;
}

// - `counted`: what the column of rates counts.
function node_row(node, counted) {
  const row = document.createElement("tr");
  row.classList.toggle("gone", !node.is_present);
  row.dataset.node = node.name;
  const name = document.createElement("span");
  name.append(node.name);
  if (node.is_local) name.append(tag("this process"));
  if (!node.is_present) name.append(tag(node.quarantined ? "put out" : "gone", node.quarantined ? "bad" : ""));
  if (node.is_present && node.is_draining) name.append(tag("draining", "warn"));
  if (node.is_present && !node.is_trusted) name.append(tag("on probation", "warn"));
  if (node.quarantined) name.title = node.quarantined;
  const graph = make("svg");
  spark(graph, node.graph);
  const buttons = document.createElement("span");
  if (node.is_present && !node.is_local) {
    buttons.append(
      order(node, "drain", `${node.name} gets no more work, finishes what it holds and leaves. Drain it?`),
      " ",
      order(node, "ban", `${node.name} is put out at once and not let in again. Ban it?`),
    );
  }
  const [median, worst] = node.round_trip;
  row.append(
    cell(name),
    cell(node.threads),
    cell(node.work, "text"),
    cell(node.is_judging && counted === "playouts" ? `${short(node.rate)} evaluations/s` : short(node.rate)),
    cell(graph),
    cell(meter(node.capacity)),
    cell(meter(node.share)),
    cell(node.is_present ? percent(node.busy, 0) : ""),
    cell(node.is_local ? "" : `${median.toFixed(1)} / ${worst.toFixed(1)} ms`),
    cell(node.is_present ? `${short(node.in_flight)} of ${short(node.window)}` : ""),
    cell(buttons),
  );
  return row;
}

function clock(seconds) {
  const pad = (part) => String(part).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

function draw(picture) {
  const counted = unit(picture.nodes);
  element("rate").textContent = short(picture.rate);
  element("rate-unit").textContent = `${counted} a second`;
  element("node-rate-unit").textContent = `${counted}/s`;
  spark(element("rate-graph"), picture.graph);
  element("threads").textContent = picture.threads;
  element("search-busy").textContent = percent(picture.search_busy, 0);
  element("cluster-busy").textContent = percent(picture.cluster_busy, 0);
  element("total").textContent = short(picture.totals.playouts);
  element("limit").textContent = picture.limit ? `What limits it: ${picture.limit}.` : "Nothing is searched now.";
  // A button under the pointer stays where it is.
  if (!element("nodes").matches(":has(button:hover)")) {
    element("nodes").querySelector("tbody").replaceChildren(...picture.nodes.map((node) => node_row(node, counted)));
  }
  const searches = picture.searches.map((search) => {
    const row = document.createElement("tr");
    row.append(cell(`${search.session}: ${search.game}`, "words"), cell(search.purpose), cell(search.weight), cell(percent(search.part, 0)), cell(short(search.open_playouts)));
    return row;
  });
  element("searches").querySelector("tbody").replaceChildren(...searches);
  const { leases, lost, again, dropped, audited, disputed } = picture.totals;
  const totals = {
    "leases": short(leases),
    "lost with a worker that went, was silent or late": short(lost),
    "lent again": short(again),
    "tallies that came too late": short(dropped),
    "batches played again and compared": short(audited),
    "of these not equal": short(disputed),
    "not let in again": short(picture.liars),
    "workers that joined": short(picture.joined),
    "front ends attached": short(picture.attached),
    "connections refused": short(picture.refused),
  };
  const rows = Object.entries(totals).map(([words, count]) => {
    const row = document.createElement("tr");
    row.append(cell(words, "words"), cell(count));
    return row;
  });
  element("totals").querySelector("tbody").replaceChildren(...rows);
  const events = picture.events.map(({ at, kind, text }) => {
    const item = document.createElement("li");
    item.className = kind;
    item.append(Object.assign(document.createElement("time"), { textContent: clock(at) }), text);
    return item;
  });
  element("events").replaceChildren(...events);
}
