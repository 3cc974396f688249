// The board's page: shows the scenes that come, and asks for what people do.

import { percent, short } from "./draw.js";
import { Goban } from "./goban.js";
import * as graph from "./graph.js";
import { text_of } from "./text.js";
import { follow, post } from "./wire.js";

const WATCHED = "watched";
const element = (id) => document.getElementById(id);
const value = (id) => element(id).value;

let about;
let name;
let scene = null;
let goban;
let stop_following = () => {};
// What the pointer is on, which step of the best line is shown, and stones that are being edited.
let hovered = null;
let step = 0;
let edited = null;
let is_shown = false;

export async function begin(told) {
  about = told;
  goban = new Goban(element("goban"), clicked, (point) => {
    hovered = point;
    if (scene && !edited && step === 0) draw_board();
  });
  const option = ({ name, title }) => new Option(title, name);
  element("game").replaceChildren(...about.games.map(option));
  bind();
  if (!about.plays) return attach(WATCHED);
  const asked = location.hash.split("/")[1];
  const kept = asked ?? localStorage.getItem("board");
  if (!kept || !(await exists(kept))) return open("go");
  attach(kept);
}

// Opens a board of its own for a line of a book: points that were played on, null for a pass, which a board of
// Othello makes by itself.
export async function open_line({ game, width, height, komi, variant }, points) {
  const { board } = await post("/api/boards", { game });
  const order = (body) => post(`/api/boards/${board}`, body);
  await order({ do: "new", game, size: width, height, komi, rules: variant });
  const played = game === "othello" ? points.filter((point) => point !== null) : points;
  for (const point of played) await order({ do: "play", point });
  attach(board);
  location.hash = "board";
}

export function show(is_on) {
  is_shown = is_on;
}

const exists = async (board) => {
  try {
    const answer = await fetch(`/api/boards/${board}/game.sgf`, { method: "GET" });
    // The coordinator was started again, and asks for the token anew: so does the page as it begins.
    if (answer.status === 401) location.reload();
    return answer.ok || answer.status === 401;
  } catch {
    return true;
  }
};

async function open(game) {
  try {
    attach((await post("/api/boards", { game })).board);
  } catch (fault) {
    element("notice").textContent = fault.message;
  }
}

function attach(board) {
  name = board;
  stop_following();
  if (board !== WATCHED) localStorage.setItem("board", board);
  for (const [id, form] of [["save", "sgf"], ["save-ggf", "ggf"]]) {
    element(id).href = `/api/boards/${board}/game.${form}`;
  }
  for (const node of document.querySelectorAll(".mine")) node.hidden = board === WATCHED;
  element("status").textContent = board === WATCHED ? "no game is shown yet" : "";
  stop_following = follow(`/api/boards/${board}/events`, see, async () => {
    if (await exists(board)) return false;
    await open(scene?.position.game ?? "go");
    return true;
  });
}

// Asks for what may lead elsewhere than to a ply of the line: keys count on from there.
function ask(body) {
  wished = null;
  return send(body);
}

async function send(body) {
  try {
    await post(`/api/boards/${name}`, body);
  } catch (fault) {
    element("notice").textContent = fault.message;
  }
}

function see(next) {
  const before = scene;
  scene = next;
  if (!is_going && scene.plies.at === wished) wished = null;
  const shown = ({ position, plies }) => `${position.stones} ${position.side} ${plies.at}`;
  const is_other = !before || shown(before) !== shown(next);
  if (is_other) {
    step = 0;
    edited = null;
    element("editor").hidden = true;
  }
  if (before?.position.rules !== next.position.rules) {
    element("game").value = next.position.game;
    choose_game(next.position);
    element("owners-words").textContent = next.position.threats ? "threats" : "who holds what";
    element("save-ggf").hidden = next.position.game !== "othello";
  }
  draw();
}

// ---- drawing

function draw() {
  const { position, task, notice, thought } = scene;
  const side = position.side === "black" ? "Black" : "White";
  const doing = { idle: "", analysis: ", analyzing", move: ", thinking", review: ", reviewing" }[task];
  const over = position.over && position.over[0].toUpperCase() + position.over.slice(1);
  element("status").textContent = `${position.title}: ${over ?? `${side} to move${doing}`}`;
  element("notice").textContent = notice ?? "";
  element("analyze").classList.toggle("on", task === "analysis");
  document.querySelector('[data-ask="pass"]').disabled = !position.can_pass;
  document.querySelector('[data-ask="stop"]').disabled = task === "idle";
  const black = thought?.black ?? value_here();
  element("bar-black").style.height = `${100 * (black ?? 0.5)}%`;
  draw_wishes();
  draw_board();
  draw_thought();
  draw_line();
}

function value_here() {
  const { line, at, start } = scene.plies;
  return at === 0 ? start : line[at - 1].value;
}

function draw_board() {
  const { position, thought, plies } = scene;
  goban.base(position);
  const checked = (id) => element(id).checked;
  const pv = thought?.pv ?? [];
  if (edited) {
    goban.stones(edited.join(""), null);
    goban.owners([]);
    return goban.candidates([], null);
  }
  if (step > 0 && pv[step - 1]?.stones) {
    const numbers = {};
    pv.slice(0, step).forEach((it, k) => it.point !== null && (numbers[it.point] = k + 1));
    goban.stones(pv[step - 1].stones, null, numbers);
    goban.owners([]);
    return goban.candidates([], null);
  }
  const over = thought?.candidates.find((it) => it.point === hovered && it.point !== null && it.line.length > 1);
  if (over && checked("show-candidates")) return draw_hovered(over);
  const numbers = {};
  if (checked("show-numbers")) {
    plies.line.slice(0, plies.at).forEach((ply, k) => {
      const point = point_of(ply.text);
      if (point !== null) numbers[point] = k + 1;
    });
  }
  goban.stones(position.stones, position.last, numbers);
  if (position.game === "othello" && !position.over) goban.dots(position.legal);
  if (checked("show-owners") && position.threats) goban.threats(position.threats);
  else goban.owners(checked("show-owners") ? (thought?.owners ?? []) : []);
  goban.candidates(checked("show-candidates") ? (thought?.candidates ?? []) : [], null);
}

// The line through the candidate under the pointer, as numbered stones.
function draw_hovered(candidate) {
  const stones = [...scene.position.stones];
  const numbers = {};
  candidate.line.forEach((it, k) => {
    if (it.point === null || stones[it.point] !== ".") return;
    stones[it.point] = it.side === "black" ? "X" : "O";
    numbers[it.point] = k + 1;
  });
  goban.stones(stones.join(""), null, numbers);
  goban.candidates([], null);
}

function point_of(text) {
  const { columns, rows, width } = scene.position;
  const column = columns.indexOf(text[0]);
  const row = rows.indexOf(text.slice(1));
  return column < 0 || row < 0 ? null : row * width + column;
}

function draw_thought() {
  const { thought, position } = scene;
  const candidates = thought?.candidates ?? [];
  element("candidates").classList.toggle("no-scores", candidates.every((it) => it.score === null));
  const rows = candidates.map((it) => {
    const row = document.createElement("tr");
    const proof = it.proof ? ` ${it.proof}` : "";
    const score = it.score === null ? "" : (it.score > 0 ? "+" : "") + it.score.toFixed(1);
    const cells = [it.text, short(it.visits), percent(it.value) + proof, percent(it.prior), score];
    row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    const meter = document.createElement("td");
    const most = Math.max(thought.candidates[0].visits, 1);
    meter.innerHTML = `<span class="meter"><i style="width:${Math.min(100, (100 * it.visits) / most)}%"></i></span>`;
    row.append(meter);
    row.onpointerenter = () => {
      hovered = it.point;
      draw_board();
    };
    row.onpointerleave = () => {
      hovered = null;
      draw_board();
    };
    row.onclick = () => play(it.point);
    return row;
  });
  element("candidates").querySelector("tbody").replaceChildren(...rows);
  element("effort").textContent = thought ? effort(thought, position) : "nothing searched";
  const pv = thought?.pv ?? [];
  const words = pv.map((it, k) => {
    const word = document.createElement("span");
    word.textContent = it.text;
    word.classList.toggle("on", k + 1 === step);
    word.onclick = () => pv_to(k + 1 === step ? 0 : k + 1);
    return word;
  });
  element("pv").replaceChildren(...spaced(words));
}

// Words between which a line may break.
const spaced = (words) => words.flatMap((word) => [word, " "]);

function effort(thought, position) {
  const whose = `values for ${position.side === "black" ? "Black" : "White"}`;
  if (thought.module === "uct") {
    const rate = `${short(thought.rate)} ${thought.is_judged ? "evaluations" : "playouts"}/s`;
    return `${short(thought.visits)} visits, ${rate}, ${thought.seconds.toFixed(1)} s; ${whose}`;
  }
  const depth = thought.depth === null ? "" : ` to depth ${thought.depth}`;
  return `${thought.module}${depth}, ${short(thought.positions)} positions; ${whose}`;
}

function pv_to(next) {
  step = Math.max(0, Math.min(next, scene?.thought?.pv.length ?? 0));
  draw_board();
  draw_thought();
}

function draw_line() {
  const plies = with_thought(scene);
  const { line, at, branches } = plies;
  const losses = graph.losses(plies);
  const words = line.map((ply, index) => {
    const word = document.createElement("span");
    word.textContent = `${index + 1} ${ply.text}`;
    word.className = [graph.judged(losses[index]), index >= at ? "ahead" : "", ply.is_fork ? "fork" : ""].join(" ").trim();
    word.classList.toggle("on", index + 1 === at);
    if (ply.value !== null) word.title = `${percent(ply.value)} for Black after it`;
    word.onclick = () => go_to(index + 1);
    return word;
  });
  element("moves").replaceChildren(...spaced(words));
  // Within the list alone: the page stays where it is.
  const list = element("moves");
  const now = list.querySelector(".on");
  if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  const others = branches.length > 1 ? branches : [];
  const buttons = others.map((ply) => {
    const button = document.createElement("button");
    button.textContent = ply.text;
    button.onclick = () => ask({ do: "goto", node: ply.node });
    return button;
  });
  element("branches").replaceChildren(...(buttons.length ? ["variations: ", ...buttons] : []));
  graph.draw(element("graph"), plies, go_to);
}

// What is thought of the position shown counts at once, not only when it is searched to the end.
function with_thought({ plies, thought }) {
  if (!thought?.is_noted) return plies;
  const { line, at, start } = plies;
  const told = line.map((ply, index) => (index + 1 === at ? { ...ply, value: thought.black } : ply));
  return { ...plies, line: told, start: at === 0 ? thought.black : start };
}

// Selects say what is so, but not under a hand that is choosing.
function draw_wishes() {
  if (!scene.is_mine) return;
  const [black, white] = scene.sides;
  const sides = black && white ? "both" : black ? "black" : white ? "white" : "none";
  const { engine, leaf, judge, time_ms, playouts } = scene.wishes;
  const level = playouts ? `p${playouts}` : `t${time_ms}`;
  for (const [id, now] of Object.entries({ sides, engine, leaf, judge, level })) {
    if (document.activeElement !== element(id)) element(id).value = now;
  }
  for (const id of ["engine", "leaf"]) element(id).disabled = !scene.has_evaluation;
  element("judge").disabled = !scene.has_judge || engine !== "uct";
}

// ---- asking

function clicked(point) {
  if (edited) {
    edited[point] = document.querySelector('[name="stone"]:checked').value;
    return draw_board();
  }
  play(point);
}

function play(point) {
  if (!scene?.is_mine) return;
  if (step > 0) return pv_to(0);
  ask({ do: "play", point });
}

// The ply that was asked for, until it is shown or for so long, milliseconds: keys come faster than scenes do.
const WISHED_MAX = 1000;
let wished = null;
let forgetting;
let is_going = false;

const ply_now = () => wished ?? scene.plies.at;

async function go_to(ply) {
  wished = ply;
  clearTimeout(forgetting);
  if (is_going) return;
  is_going = true;
  for (let asked = null; wished !== null && asked !== wished; ) {
    asked = wished;
    const { line } = scene.plies;
    if (asked > line.length) break;
    await send({ do: "goto", node: asked === 0 ? 0 : line[asked - 1].node });
  }
  is_going = false;
  forgetting = setTimeout(() => (wished = null), WISHED_MAX);
}

const WAYS = {
  first: () => go_to(0),
  back: () => go_to(Math.max(0, ply_now() - 1)),
  forward: () => go_to(Math.min(scene.plies.line.length, ply_now() + 1)),
  last: () => go_to(scene.plies.line.length),
};

const ASKS = {
  move: () => ask({ do: "move" }),
  pass: () => ask({ do: "play", point: null }),
  undo: () => ask({ do: "undo" }),
  stop: () => ask({ do: "stop" }),
  review: () => ask({ do: "review" }),
  analyze: () => ask({ do: "analyze", on: scene.task !== "analysis" }),
};

function wish() {
  const [kind, amount] = [value("level")[0], Number(value("level").slice(1))];
  const limits = { time_ms: kind === "t" ? amount : null, playouts: kind === "p" ? amount : null };
  ask({ do: "settings", engine: value("engine"), leaf: value("leaf"), judge: value("judge"), ...limits });
}

// Fills the fields of a new game: by the position that is shown, or for the game that was chosen.
function choose_game(shown = null) {
  const game = about.games.find((it) => it.name === value("game"));
  element("size").value = shown?.width ?? game.side;
  if (typeof shown?.komi === "number") element("komi").value = shown.komi;
  if (shown?.variant) element("rules").value = shown.variant;
  element("size").disabled = game.name === "othello";
  for (const kind of ["go", "gomoku"]) {
    for (const node of document.querySelectorAll(`#opening .${kind}`)) node.hidden = game.name !== kind;
  }
}

function edit() {
  if (!scene.is_mine) return;
  edited = [...scene.position.stones];
  element("mover").value = scene.position.side;
  element("editor").hidden = false;
  draw_board();
}

function end_edit() {
  edited = null;
  element("editor").hidden = true;
  draw_board();
}

async function load(file) {
  ask({ do: "load", text: text_of(await file.arrayBuffer()) });
}

function bind() {
  for (const button of document.querySelectorAll("[data-go]")) button.onclick = WAYS[button.dataset.go];
  for (const button of document.querySelectorAll("[data-ask]")) button.onclick = ASKS[button.dataset.ask];
  element("analyze").onclick = ASKS.analyze;
  for (const id of ["level", "engine", "leaf", "judge"]) element(id).onchange = wish;
  element("sides").onchange = () => {
    const sides = value("sides");
    ask({ do: "sides", black: ["black", "both"].includes(sides), white: ["white", "both"].includes(sides) });
  };
  element("game").onchange = () => choose_game();
  element("new").onclick = () => {
    const game = value("game");
    const wrong = (game === "go" ? ["size", "komi"] : ["size"]).find((id) => element(id).validity.badInput);
    if (wrong) return element(wrong).reportValidity();
    // Nothing typed is the game's own; the coordinator says what is wrong with a number.
    const typed = (id) => (value(id) === "" ? null : Number(value(id)));
    const opening = { game, size: typed("size") };
    if (game === "go") opening.komi = typed("komi");
    if (game === "gomoku") opening.rules = value("rules");
    ask({ do: "new", ...opening });
  };
  for (const id of ["show-candidates", "show-owners", "show-numbers"]) element(id).onchange = () => scene && draw_board();
  element("edit").onclick = edit;
  element("edit-cancel").onclick = end_edit;
  element("edit-clear").onclick = () => {
    edited.fill(".");
    draw_board();
  };
  element("edit-done").onclick = () => {
    const [stones, side] = [edited.join(""), value("mover")];
    const { position, plies } = scene;
    // A game that begins so already goes on.
    if (plies.at === 0 && stones === position.stones && side === position.side) return end_edit();
    ask({ do: "setup", stones, side });
  };
  element("file").onchange = (event) => {
    if (event.target.files[0]) load(event.target.files[0]);
    // The same file may be chosen again.
    event.target.value = "";
  };
  bind_keys();
  bind_drop();
}

function bind_drop() {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("drop");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("drop"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("drop");
    const file = event.dataTransfer.files[0];
    if (file && scene?.is_mine) load(file);
  });
}

function bind_keys() {
  const flip = (id) => () => element(id).click();
  const keys = {
    ArrowLeft: () => (step > 0 ? pv_to(step - 1) : WAYS.back()),
    ArrowRight: () => (step > 0 ? pv_to(step + 1) : WAYS.forward()),
    Home: WAYS.first,
    End: WAYS.last,
    " ": ASKS.analyze,
    m: ASKS.move,
    p: ASKS.pass,
    u: ASKS.undo,
    v: () => pv_to(step + 1),
    e: edit,
    c: flip("show-candidates"),
    o: flip("show-owners"),
    n: flip("show-numbers"),
    Escape: () => (edited ? end_edit() : step > 0 ? pv_to(0) : ASKS.stop()),
  };
  addEventListener("keydown", (event) => {
    const is_typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    const key = keys[event.key];
    const is_pressing = event.target.tagName === "BUTTON" && event.key === " ";
    if (!is_shown || !scene || !key || is_typing || is_pressing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    key();
  });
}
