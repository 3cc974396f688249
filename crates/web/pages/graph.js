// The win-rate graph of a game, and mistakes in it.

import { make, percent } from "./draw.js";

const SLIP = 0.08;
const BLUNDER = 0.2;

// For each ply what it cost who played it, 0 to 1, or null where nobody knows.
export function losses({ line, start }) {
  return line.map((ply, index) => {
    const before = index === 0 ? start : line[index - 1].value;
    if (before === null || ply.value === null) return null;
    return ply.side === "black" ? before - ply.value : ply.value - before;
  });
}

// "slip", "blunder", or nothing.
export function judged(loss) {
  if (loss === null || loss < SLIP) return "";
  return loss < BLUNDER ? "slip" : "blunder";
}

export function draw(svg, plies, go_to) {
  const { line, start, at } = plies;
  const values = [start, ...line.map((ply) => ply.value)];
  const room = Math.max(values.length - 1, 1);
  const x = (ply) => (200 * ply) / room;
  const y = (value) => 58 - 56 * value;
  svg.setAttribute("viewBox", "0 0 200 60");
  svg.setAttribute("preserveAspectRatio", "none");
  const thin = { "vector-effect": "non-scaling-stroke", fill: "none" };
  svg.replaceChildren(
    make("rect", { x: 0, y: 2, width: 200, height: 56, fill: "var(--line)", opacity: 0.4 }),
    make("path", { d: "M0 30H200", stroke: "var(--faint)", "stroke-dasharray": "3 3", ...thin }),
    make("path", { d: `M${x(at)} 0V60`, stroke: "var(--accent)", "stroke-width": 1.5, ...thin }),
  );
  const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== null);
  const points = known.map(([ply, value]) => `${x(ply).toFixed(2)},${y(value).toFixed(2)}`).join(" ");
  svg.append(make("polyline", { points, stroke: "var(--ink)", "stroke-width": 1.6, ...thin }));
  losses(plies).forEach((loss, index) => {
    const word = judged(loss);
    if (!word) return;
    const color = word === "slip" ? "var(--warn)" : "var(--bad)";
    const mark = make("path", { d: `M${x(index + 1)} ${y(line[index].value)}h.01`, stroke: color, "stroke-width": 8, "stroke-linecap": "round", class: word, ...thin });
    mark.append(make("title", {}, `${line[index].text} lost ${percent(loss, 0)}`));
    svg.append(mark);
  });
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * room);
    go_to(Math.min(ply, line.length));
  };
}
