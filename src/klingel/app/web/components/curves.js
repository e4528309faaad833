// Closed curves, one small picture each: loops of force over deformation, a quantity over another.
import { escape, fetchSeries, round, seriesColour, ticks } from "/static/common.js";

const WIDTH = 300, HEIGHT = 215, LEFT = 52, RIGHT = 10, TOP = 26, BOTTOM = 38;

export default {
  template: `<div class="k-xy" ref="root"></div>`,
  props: { curves: Array, runs: Array, pairs: Array, window: Array },
  mounted() { this.draw(); },
  watch: { curves: "draw", pairs: "draw", window: "draw" },
  methods: {
    async draw() {
      const shown = this.pairs ? await this.fetched() : this.curves || [];
      if (!this.$refs.root) return;
      this.$refs.root.replaceChildren(...shown.map(picture));
      this.$el.dataset.count = shown.length;
    },
    async fetched() {
      return Promise.all(this.pairs.map(async ([x, y]) => {
        const parts = await Promise.all(this.runs.map((run) => fetchSeries(run.id, [y], x, 3000, this.window)));
        const { head } = parts[0];
        return {
          name: head.series[0].owner, places: [], xWord: head.x.word, yWord: head.series[0].word, x: head.x.unit, y: head.series[0].unit,
          curves: parts.map((part) => ({ x: Array.from(part.xs), y: Array.from(part.ys[0]) })),
        };
      }));
    },
  },
};

function picture(loop) {
  const xs = loop.curves.flatMap((curve) => curve.x), ys = loop.curves.flatMap((curve) => curve.y);
  const [x0, x1] = wide(Math.min(...xs), Math.max(...xs)), [y0, y1] = wide(Math.min(...ys), Math.max(...ys));
  const px = (x) => LEFT + ((x - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const py = (y) => HEIGHT - BOTTOM - ((y - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const parts = [];
  for (const t of ticks(x0, x1, 4)) parts.push(line(px(t), TOP, px(t), HEIGHT - BOTTOM), text(px(t), HEIGHT - BOTTOM + 13, round(t), "middle"));
  for (const t of ticks(y0, y1, 4)) parts.push(line(LEFT, py(t), WIDTH - RIGHT, py(t)), text(LEFT - 5, py(t) + 4, round(t), "end"));
  loop.curves.forEach((curve, k) => {
    const points = curve.x.map((x, i) => `${px(x).toFixed(1)},${py(curve.y[i]).toFixed(1)}`).join(" ");
    parts.push(`<polyline points="${points}" fill="none" stroke="${seriesColour(k)}" stroke-width="1.3"${k ? ' stroke-dasharray="5 3"' : ""}/>`);
  });
  const places = loop.places || [];
  const where = places.length > 2 ? `, ${places.length} of them` : places.length ? `, ${places.join(", ")}` : "";
  parts.push(text(8, 15, cut(`${loop.name}${where}`, 46), "start", "font-weight:600;font-size:12px"));
  parts.push(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 7, `${loop.xWord || "deformation"} [${loop.x}]`, "middle"));
  const word = `${loop.yWord || (loop.y === "kNm" ? "moment" : "force")} [${loop.y}]`;
  parts.push(`<text transform="translate(12 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escape(word)}</text>`);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${loop.name}: ${word} over deformation`);
  svg.innerHTML = parts.join("");
  return svg;
}

function wide(low, high) {
  const room = 0.06 * (high - low) || 0.5 * Math.abs(low) || 1;
  return [low - room, high + room];
}
const cut = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);
const line = (x0, y0, x1, y1) => `<line x1="${x0}" y1="${y0}" x2="${x1}" y2="${y1}" style="stroke:var(--grid)"/>`;
const text = (x, y, words, anchor, style = "") => `<text x="${x}" y="${y}" text-anchor="${anchor}" style="${style}">${escape(words)}</text>`;
