// Opening books: the tree of one, unfolded as people go, and the board after the line that is chosen.

import { open_line } from "./board.js";
import { percent } from "./draw.js";
import { Goban } from "./goban.js";
import { get } from "./wire.js";

const element = (id) => document.getElementById(id);

let about;
let books = [];
let number = 0;
let goban;
// The moves that are played out on the board, and what the book says there.
let line = [];
let leaf = null;
// Answers to what was asked before are not shown.
let asked = 0;

export async function begin(told) {
  about = told;
  if (!about.has_books) return;
  goban = new Goban(element("book-board"), choose_point, () => {});
  element("book").onchange = () => turn_to(Number(element("book").value));
  element("book-open").hidden = !about.plays;
  element("book-open").onclick = () => leaf && open_line(leaf.position, leaf.line).catch((fault) => say(fault.message));
  document.querySelector("#books nav").onclick = (event) => {
    const back = event.target.dataset.back;
    if (back !== undefined) choose(line.slice(0, Number(back)));
  };
}

export async function show(is_on) {
  if (!is_on || !about.has_books || books.length > 0) return;
  try {
    books = await get("/api/books");
  } catch (fault) {
    return say(fault.message);
  }
  const words = ({ title, rules, name, positions, error }) => `${title}: ${name}, ${rules}, ${error ?? `${positions} positions`}`;
  element("book").replaceChildren(...books.map((book, at) => new Option(words(book), at)));
  turn_to(0);
}

const counted = (count, word, many) => `${count} ${word}${count === 1 ? "" : many}`;

const say = (words) => (element("book-fault").textContent = words);

const ask = (moves) => get(`/api/books/${number}?moves=${encodeURIComponent(moves.join(" "))}`);

async function turn_to(book) {
  number = book;
  leaf = null;
  element("book-tree").replaceChildren();
  const root = await choose([]);
  if (root) element("book-tree").replaceChildren(...branches(root, []));
}

// Shows the board after these moves; what the book says there, unless something else was asked for meanwhile.
async function choose(moves) {
  const turn = ++asked;
  try {
    const found = await ask(moves);
    if (turn !== asked) return null;
    [line, leaf] = [moves, found];
    say("");
    draw();
    return found;
  } catch (fault) {
    if (turn === asked) say(fault.message);
    return null;
  }
}

function draw() {
  const { position, known, moves } = leaf;
  goban.base(position);
  goban.stones(position.stones, position.last);
  goban.candidates(moves.map((it) => ({ ...it, visits: it.visits + it.games })), null);
  const side = position.side === "black" ? "Black" : "White";
  const spare = known?.spare ? `, best move outside the book ${known.spare}` : "";
  const value = known && `${percent(known.value)} for ${side}, who is to move; ${counted(known.visits, "search", "es")} and ${counted(known.games, "game", "s")}${spare}`;
  element("book-value").textContent = value ?? "the book does not know this position";
  const steps = ["start", ...line].map((text, at) => {
    const step = document.createElement("button");
    step.textContent = text;
    step.dataset.back = at;
    step.classList.toggle("on", at === line.length);
    return step;
  });
  document.querySelector("#books nav").replaceChildren(...steps);
  for (const chosen of document.querySelectorAll("#book-tree .on")) chosen.classList.remove("on");
  element("book-tree").querySelector(`[data-line="${line.join(" ")}"]`)?.classList.add("on");
}

function choose_point(point) {
  const move = leaf?.moves.find((it) => it.point === point);
  if (move) choose([...line, move.text]);
}

// A branch for each move; what follows is asked for when it is unfolded.
function branches({ moves }, before) {
  return moves.map(({ text, value, visits, games }) => {
    const moves = [...before, text];
    const branch = document.createElement("details");
    const word = document.createElement("summary");
    const figures = Object.assign(document.createElement("small"), {
      textContent: [percent(value), counted(visits, "search", "es"), ...(games > 0 ? [counted(games, "game", "s")] : [])].join(", "),
    });
    word.append(Object.assign(document.createElement("b"), { textContent: text }), " ", figures);
    word.dataset.line = moves.join(" ");
    word.onclick = () => choose(moves);
    branch.append(word);
    branch.ontoggle = async () => {
      if (!branch.open || branch.children.length > 1) return;
      try {
        const found = branches(await ask(moves), moves);
        const end = Object.assign(document.createElement("p"), { textContent: "the book goes no further" });
        branch.append(...(found.length > 0 ? found : [end]));
      } catch (fault) {
        say(fault.message);
      }
    };
    return branch;
  });
}
