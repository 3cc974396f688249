// Boards of all games as SVG: lines for Go, Gomoku and Connect6, squares for Othello, hexagons for Hex.

import { make, short } from "./draw.js";

const ROW = Math.sqrt(3) / 2;

// Where points lie, and how large the picture is; one unit is the distance of two neighbours.
function geometry({ game, width, height }) {
  if (game === "hex") {
    return {
      at: (column, row) => [column + row / 2, row * ROW],
      box: [-2, -1.75, width + height / 2 + 2.6, (height - 1) * ROW + 3.5],
      outside: 1.45,
    };
  }
  return {
    at: (column, row) => [column, row],
    box: [-1.25, -1.25, width + 1.5, height + 1.5],
    outside: 0.92,
  };
}

function hexagon(x, y) {
  const corner = (k) => {
    const angle = (Math.PI / 3) * k + Math.PI / 6;
    return `${(x + Math.cos(angle) / Math.sqrt(3)).toFixed(3)},${(y + Math.sin(angle) / Math.sqrt(3)).toFixed(3)}`;
  };
  return [0, 1, 2, 3, 4, 5].map(corner).join(" ");
}

// Points that are marked on a board of lines.
function stars(width, height) {
  if (width !== height || width < 7) return [];
  const edge = width < 13 ? 2 : 3;
  const middle = (width - 1) / 2;
  const lines = [edge, width - 1 - edge];
  const points = lines.flatMap((x) => lines.map((y) => [x, y]));
  if (width % 2 === 1) {
    points.push([middle, middle]);
    if (width >= 15) for (const at of lines) points.push([at, middle], [middle, at]);
  }
  return points;
}

export class Goban {
  // `click` is told which point was clicked, `hover` which one the pointer is on, or null.
  constructor(svg, click, hover) {
    this.svg = svg;
    this.click = click;
    this.hover = hover;
    this.shape = "";
  }

  at(index) {
    const { width } = this.position;
    return this.geometry.at(index % width, Math.floor(index / width));
  }

  // Draws what stays, when the board is another.
  base(position) {
    this.position = position;
    const shape = `${position.game} ${position.width}x${position.height}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.geometry = geometry(position);
    this.svg.setAttribute("viewBox", this.geometry.box.join(" "));
    this.svg.replaceChildren();
    const layer = (name) => this.svg.appendChild(make("g", { class: name }));
    const ground = layer("ground");
    this.layers = {};
    for (const name of ["owners", "stones", "marks", "candidates"]) this.layers[name] = layer(name);
    this.layers.candidates.setAttribute("pointer-events", "none");
    this.layers.marks.setAttribute("pointer-events", "none");
    const hits = layer("hits");
    this.ground(ground);
    this.labels(ground);
    this.hits(hits);
  }

  ground(layer) {
    const { game, width, height } = this.position;
    if (game === "hex") return this.hexes(layer);
    const board = { x: -0.6, y: -0.6, width: width + 0.2, height: height + 0.2, rx: 0.12 };
    if (game === "othello") {
      layer.append(make("rect", { ...board, fill: "var(--felt)" }));
      const lines = [];
      for (let k = 0; k <= width; k++) lines.push(`M${k - 0.5} -.5V${height - 0.5}`);
      for (let k = 0; k <= height; k++) lines.push(`M-.5 ${k - 0.5}H${width - 0.5}`);
      layer.append(make("path", { d: lines.join(""), stroke: "var(--felt-line)", "stroke-width": 0.03 }));
      for (const x of [1.5, 5.5]) for (const y of [1.5, 5.5]) layer.append(make("circle", { cx: x, cy: y, r: 0.06, fill: "var(--felt-line)" }));
      return;
    }
    layer.append(make("rect", { ...board, fill: "var(--wood)" }));
    const lines = [];
    for (let k = 0; k < width; k++) lines.push(`M${k} 0V${height - 1}`);
    for (let k = 0; k < height; k++) lines.push(`M0 ${k}H${width - 1}`);
    layer.append(make("path", { d: lines.join(""), stroke: "var(--wood-line)", "stroke-width": 0.03, "stroke-linecap": "square" }));
    for (const [x, y] of stars(width, height)) layer.append(make("circle", { cx: x, cy: y, r: 0.09, fill: "var(--wood-line)" }));
  }

  // Black joins top and bottom, White left and right.
  hexes(layer) {
    const { width, height } = this.position;
    const [right, bottom] = this.geometry.at(width - 1, height - 1);
    const [left] = this.geometry.at(0, height - 1);
    const [a, b] = [[-1.05, -0.8], [width - 0.25, -0.8]];
    const [c, d] = [[right + 1.05, bottom + 0.8], [left - 0.75, bottom + 0.8]];
    const middle = [right / 2, bottom / 2];
    const side = (fill, ...corners) => {
      const points = [...corners, middle].map((corner) => corner.map((x) => x.toFixed(3)).join(",")).join(" ");
      layer.append(make("polygon", { points, fill, stroke: "var(--cell-line)", "stroke-width": 0.04 }));
    };
    side("#23272b", a, b);
    side("#23272b", d, c);
    side("#fdfdfb", a, d);
    side("#fdfdfb", b, c);
    for (let index = 0; index < width * height; index++) {
      const [x, y] = this.at(index);
      layer.append(make("polygon", { points: hexagon(x, y), fill: "var(--cell)", stroke: "var(--cell-line)", "stroke-width": 0.03 }));
    }
  }

  labels(layer) {
    const { columns, rows, width, height } = this.position;
    const { outside } = this.geometry;
    columns.forEach((text, column) => {
      for (const row of [-outside, height - 1 + outside]) {
        const [x, y] = this.geometry.at(column, row);
        layer.append(make("text", { x, y, class: "label" }, text));
      }
    });
    rows.forEach((text, row) => {
      for (const column of [-outside, width - 1 + outside]) {
        const [x, y] = this.geometry.at(column, row);
        layer.append(make("text", { x, y, class: "label" }, text));
      }
    });
  }

  name(index) {
    const { columns, rows, width } = this.position;
    return `${columns[index % width]}${rows[Math.floor(index / width)]}`;
  }

  hits(layer) {
    const { width, height } = this.position;
    for (let index = 0; index < width * height; index++) {
      const [cx, cy] = this.at(index);
      const hit = make("circle", { cx, cy, r: 0.5, class: "hit", "data-point": index, role: "button", "aria-label": this.name(index) });
      hit.addEventListener("click", () => this.click(index));
      hit.addEventListener("pointerenter", () => this.hover(index));
      hit.addEventListener("pointerleave", () => this.hover(null));
      layer.append(hit);
    }
  }

  // Stones, the last of them marked; `numbers` has a text for some points.
  stones(stones, last, numbers = {}) {
    const layer = this.layers.stones;
    layer.replaceChildren();
    this.layers.marks.replaceChildren();
    [...stones].forEach((letter, index) => {
      if (letter === ".") return;
      const [cx, cy] = this.at(index);
      const black = letter === "X";
      layer.append(make("circle", { cx, cy, r: 0.46, fill: black ? "#1d2023" : "#fbfbf8", stroke: black ? "#000" : "#8d8d88", "stroke-width": 0.03, "data-stone": letter, "data-at": index }));
      const ink = black ? "#fff" : "#111";
      if (numbers[index] !== undefined) {
        layer.append(make("text", { x: cx, y: cy, fill: ink, "font-size": 0.4, "text-anchor": "middle", "dominant-baseline": "central" }, numbers[index]));
      } else if (index === last) {
        this.layers.marks.append(make("circle", { cx, cy, r: 0.2, fill: "none", stroke: "#e0483e", "stroke-width": 0.08 }));
      }
    });
  }

  // Points that the side to move may play on, where that says something: Othello.
  dots(legal) {
    [...legal].forEach((may, index) => {
      if (may !== "1") return;
      const [cx, cy] = this.at(index);
      this.layers.marks.append(make("circle", { cx, cy, r: 0.09, fill: "#0006" }));
    });
  }

  // Who will hold each point, from -100 to 100: a square each, larger the surer.
  owners(owners) {
    const layer = this.layers.owners;
    layer.replaceChildren();
    owners.forEach((held, index) => {
      if (Math.abs(held) < 12) return;
      const [x, y] = this.at(index);
      const size = (0.9 * Math.abs(held)) / 100;
      layer.append(make("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, fill: held > 0 ? "#000" : "#fff", opacity: 0.42 }));
    });
  }

  // What a stone of each side would do on each point, a digit each: 1 builds, 2 threatens, 3 wins. Squares, the
  // larger behind.
  threats([black, white]) {
    const layer = this.layers.owners;
    layer.replaceChildren();
    [...black].forEach((digit, index) => {
      const both = [["#000", Number(digit)], ["#fff", Number(white[index])]];
      both.sort((a, b) => b[1] - a[1]);
      if (both[0][1] > 0 && both[0][1] === both[1][1]) both[1][1] -= 0.4;
      for (const [fill, much] of both) {
        if (much <= 0) continue;
        const [x, y] = this.at(index);
        const size = 0.08 + 0.26 * much;
        layer.append(make("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, fill, opacity: 0.18 + 0.14 * much, "data-threat": much }));
      }
    });
  }

  // Candidates with value and visits; the best stands out.
  candidates(candidates, chosen) {
    const layer = this.layers.candidates;
    layer.replaceChildren();
    const most = Math.max(...candidates.map((it) => it.visits), 1);
    const shown = candidates.filter((it) => it.point !== null && (it.visits > most / 200 || it.text === chosen));
    shown.slice(0, 12).forEach((it, rank) => {
      const [x, y] = this.at(it.point);
      const share = it.visits / most;
      const hue = rank === 0 ? 205 : 120 * share;
      layer.append(make("circle", { cx: x, cy: y, r: 0.46, fill: `hsl(${hue} 75% 52%)`, opacity: 0.35 + 0.55 * share, stroke: it.text === chosen ? "var(--bad)" : "none", "stroke-width": 0.07, "data-candidate": it.text }));
      const text = { x, "text-anchor": "middle", "dominant-baseline": "central", fill: "#081018" };
      layer.append(make("text", { ...text, y: y - 0.13, "font-size": 0.34, "font-weight": 600 }, Math.round(100 * it.value)));
      layer.append(make("text", { ...text, y: y + 0.2, "font-size": 0.24 }, short(it.visits)));
    });
  }
}
