// Small helpers for SVG and for numbers.

const SVG = "http://www.w3.org/2000/svg";

export function make(name, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  return node;
}

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

// 1234567 is "1.23M": three digits that count.
export function short(count) {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (count >= size) return `${(count / size).toPrecision(3)}${unit}`;
  }
  return `${Math.round(count)}`;
}

// A curve without axes.
export function spark(svg, points) {
  const most = Math.max(...points, 1);
  const room = Math.max(points.length - 1, 1);
  const line = points.map((y, x) => `${((100 * x) / room).toFixed(1)},${(29 - (27 * y) / most).toFixed(1)}`);
  svg.setAttribute("viewBox", "0 0 100 30");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.replaceChildren();
  if (line.length < 2) return;
  svg.append(
    make("polygon", { points: `0,30 ${line.join(" ")} 100,30`, fill: "var(--accent)", opacity: 0.18 }),
    make("polyline", {
      points: line.join(" "),
      fill: "none",
      stroke: "var(--accent)",
      "stroke-width": 1.5,
      "vector-effect": "non-scaling-stroke",
    }),
  );
}
