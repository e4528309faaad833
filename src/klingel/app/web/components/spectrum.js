// Power densities over the frequency, one panel for each unit; several runs over each other. Drag to zoom.
import { css, loadUplot, onTheme, seriesColour } from "/static/common.js";

const DECADES = 7, DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export default {
  template: `<div class="k-charts"><div ref="panels"></div><div class="k-note" ref="note" data-testid="spectrum-note"></div></div>`,
  props: { runs: Array, names: Array, window: Array },
  async mounted() {
    this.plots = [];
    this.uPlot = await loadUplot();
    if (!this.$refs.panels) return;
    this.observer = onTheme(this.$el, () => this.draw());
    this.resizer = new ResizeObserver(() => this.plots.forEach((plot) => plot.setSize({ width: this.width(), height: 340 })));
    this.resizer.observe(this.$el);
    await this.load();
  },
  beforeUnmount() { this.observer?.disconnect(); this.resizer?.disconnect(); this.plots?.forEach((plot) => plot.destroy()); },
  methods: {
    width() { return Math.max(260, this.$el.clientWidth || 600); },
    async load() {
      const query = new URLSearchParams({ names: this.names.join(",") });
      if (this.window) { query.set("t0", this.window[0]); query.set("t1", this.window[1]); }
      const answers = await Promise.all(this.runs.map((run) => fetch(`/api/runs/${run.id}/spectrum?${query}`)));
      const found = await Promise.all(answers.map((answer) => answer.json()));
      if (!this.$refs.note) return; // the page was left meanwhile
      const bad = answers.findIndex((answer) => !answer.ok);
      if (bad >= 0) { this.$refs.note.textContent = found[bad].error; return; }
      this.curves = found.flatMap((list, r) => list.map((one, k) => ({ ...one, run: r, colour: k })));
      this.draw();
    },
    draw() {
      if (!this.curves || !this.$refs.panels) return;
      this.plots.forEach((plot) => plot.destroy());
      this.$refs.panels.replaceChildren();
      const moving = this.curves.filter((one) => one.power);
      const units = [...new Set(moving.map((one) => one.unit))];
      this.plots = units.map((unit) => this.build(unit, moving.filter((one) => one.unit === unit)));
      this.$el.dataset.count = moving.length;
      const several = this.runs.length > 1, name = (one) => `${one.owner || one.name}${several ? `, ${this.runs[one.run].label}` : ""}`;
      const peaks = this.curves.map((one) => `${name(one)} ${one.strongest ? `${one.strongest.toPrecision(4)} Hz` : one.power ? "no clear peak" : "at rest"}`).join(", ");
      const first = this.curves[0];
      const how = first ? ` From ${first.window[0].toPrecision(4)} to ${first.window[1].toPrecision(4)} s; ${first.segments} segment${first.segments > 1 ? "s" : ""} of ${first.segment.toPrecision(3)} s (Welch, Hann window).` : "";
      this.$refs.note.textContent = `Strongest: ${peaks}.${how}`;
    },
    build(unit, curves) {
      const holder = document.createElement("div");
      holder.className = "k-panel";
      this.$refs.panels.append(holder);
      const top = Math.max(...curves.flatMap((one) => one.power));
      const peaks = curves.map((one) => one.strongest || 0);
      const end = Math.min(Math.max(10, 6 * Math.max(...peaks)), Math.max(...curves.flatMap((one) => one.frequency)));
      const tables = curves.map((one) => [one.frequency, one.power.map((value) => Math.max(value, 1e-30))]);
      const axis = { stroke: css("--text"), grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--line") }, font: "12px Roboto", labelFont: "12px Roboto" };
      const plain = unit.includes("/") ? `(${unit})` : unit;
      const several = this.runs.length > 1;
      const series = curves.map((one) => ({
        label: [one.owner || one.name, several ? this.runs[one.run].label : ""].filter(Boolean).join(", "), stroke: seriesColour(one.colour), width: 1.3,
        dash: DASHES[one.run % 4], spanGaps: true, points: { show: false }, value: (u, v) => (v == null ? "–" : v.toExponential(2)),
      }));
      const plot = new this.uPlot({
        width: this.width(), height: 340,
        scales: { x: { time: false }, y: { distr: 3, range: () => [top * 10 ** -DECADES, 10 * top] } },
        series: [{ label: "frequency [Hz]", value: (u, v) => (v == null ? "–" : v.toFixed(3)) }, ...series],
        axes: [
          { ...axis, label: "frequency [Hz]", labelSize: 18 },
          { ...axis, label: `power density [${plain}²/Hz]`, labelSize: 18, size: 62, values: (u, list) => list.map((v) => (v == null ? null : power(v))) },
        ],
        cursor: { drag: { x: true, y: false } },
        hooks: { ready: [(u) => u.over.addEventListener("dblclick", () => requestAnimationFrame(() => u.setScale("x", { min: 0, max: end })))] },
      }, tables.length === 1 ? tables[0] : this.uPlot.join(tables), holder);
      plot.setScale("x", { min: 0, max: end });
      return plot;
    },
  },
};

// only whole powers of ten get a label
function power(value) {
  const digits = Math.log10(value), whole = Math.round(digits);
  if (Math.abs(digits - whole) > 1e-6) return null;
  return `10${String(whole).replace(/[-\d]/g, (c) => ({ "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" })[c])}`;
}
