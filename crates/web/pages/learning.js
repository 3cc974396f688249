// What a loop of learning has come to: its generations, each against the best before it.

import { make, percent } from "./draw.js";
import { Goban } from "./goban.js";
import { get } from "./wire.js";

const EVERY_MS = 5000;
// Between two plies of the game that is replayed, and after its last one.
const PLY_MS = 300;
const END_MS = 3000;
const Z = 1.96;
const element = (id) => document.getElementById(id);
let is_shown = false;
let goban;
// The game that is replayed, and how many of its plies are on the board.
let replay = null;
let ply = 0;

export function begin(about) {
  if (!about.learns) return;
  goban = new Goban(element("replay-board"), () => {}, () => {});
  setInterval(() => is_shown && !document.hidden && look(), EVERY_MS);
  step();
}

// Puts one ply more on the board; after the last one another game is asked for.
async function step() {
  const is_over = replay === null || ply === replay.plies.length;
  try {
    if (is_shown && !document.hidden) {
      if (is_over) await next();
      else ply += 1;
      show_ply();
      if (is_over) element("replay-fault").textContent = "";
    }
  } catch (fault) {
    element("replay-fault").textContent = fault.message;
  }
  setTimeout(step, replay === null || ply === replay.plies.length ? END_MS : PLY_MS);
}

async function next() {
  const seen = replay === null ? "" : `?seen=${encodeURIComponent(replay.name)}`;
  ply = 0;
  const found = await get(`/api/learning/game${seen}`);
  if (found.plies) replay = found;
}

function show_ply() {
  element("replay").hidden = replay === null;
  if (replay === null) return;
  const { position, plies, words } = replay;
  const now = plies[ply - 1];
  goban.base(position);
  goban.stones(now?.stones ?? position.stones, now?.point);
  element("replay-words").textContent = `${position.rules}; ${words}`;
  const value = now && now.black !== null ? `, ${percent(now.black)} for Black` : "";
  element("replay-ply").textContent = now ? `${ply} of ${plies.length}: ${now.text}${value}` : `${plies.length} plies`;
}

export function show(is_on) {
  is_shown = is_on;
  if (is_on) look();
}

const elo = (share) => Math.max(-999, Math.min(999, -400 * Math.log10(1 / share - 1)));

// Elo by games won, drawn and lost, and the ends of its 95 % interval (Wilson's, of the score).
function measured([wins, draws, losses]) {
  const games = wins + draws + losses;
  const score = (wins + draws / 2) / games;
  const spread = Z * Math.sqrt((score * (1 - score)) / games + (Z * Z) / (4 * games * games));
  const middle = score + (Z * Z) / (2 * games);
  const by = 1 + (Z * Z) / games;
  // By rounding an end may lie beyond 0 or 1.
  const ends = [(middle - spread) / by, (middle + spread) / by];
  return [score, ...ends.map((end) => Math.max(0, Math.min(1, end)))].map(elo);
}

async function look() {
  let found;
  try {
    found = await get("/api/learning");
  } catch (fault) {
    element("playing").textContent = fault.message;
    return;
  }
  const { generations, playing, shards } = found;
  element("playing").textContent = `generation ${playing} is being played: ${shards} files of games so far`;
  let sum = 0;
  const points = [];
  const rows = generations.map((it) => {
    const against = it.gate && measured(it.gate);
    if (against) points.push([it.number, ...against.map((elo) => sum + elo)]);
    if (against && it.is_published) sum += against[0];
    const words = against ? `${against[0].toFixed(0)} (${against[1].toFixed(0)} to ${against[2].toFixed(0)})` : "nothing before it";
    const cells = [it.number, it.games, it.player.slice(0, 8), it.policy_loss.toFixed(4), it.outcome_loss.toFixed(4), it.gate?.join(", ") ?? "", words, it.is_published ? "plays" : "not published"];
    const row = document.createElement("tr");
    row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    return row;
  });
  element("generations").querySelector("tbody").replaceChildren(...rows);
  draw(element("elo"), points);
}

// Elo over generations with its intervals, each over the sum of the steps that were published before.
function draw(svg, points) {
  svg.setAttribute("viewBox", "0 0 600 200");
  svg.replaceChildren();
  svg.toggleAttribute("hidden", points.length === 0);
  if (points.length === 0) return;
  const last = Math.max(...points.map((it) => it[0]), 1);
  const lows = Math.min(0, ...points.map((it) => it[2]));
  const highs = Math.max(1, ...points.map((it) => it[3]));
  const x = (generation) => 40 + (550 * generation) / last;
  const y = (elo) => 185 - (170 * (elo - lows)) / (highs - lows);
  svg.append(make("path", { d: `M40 ${y(0)}H590`, stroke: "var(--line)" }));
  for (const [generation, middle, low, high] of points) {
    svg.append(
      make("path", { d: `M${x(generation)} ${y(low)}V${y(high)}`, stroke: "var(--faint)", "stroke-width": 2 }),
      make("circle", { cx: x(generation), cy: y(middle), r: 4, fill: "var(--accent)" }),
    );
  }
  for (const elo of [lows, 0, highs]) {
    svg.append(make("text", { x: 2, y: y(elo) + 4, fill: "var(--faint)", "font-size": 11 }, elo.toFixed(0)));
  }
}
