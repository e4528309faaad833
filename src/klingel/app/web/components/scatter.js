// Maxima over the speed, as points arrive: downwards filled, upwards hollow, kinds of motion in words below the pointer.
import { css, loadUplot, onTheme, seriesColour } from "/static/common.js";

const PACE = 700;

export default {
  template: `<div class="k-charts"><div ref="chart" class="k-panel"></div><div class="k-note" ref="note" data-testid="scatter-note"></div></div>`,
  props: { run: String, quantity: String, live: Boolean },
  emits: ["point"],
  async mounted() {
    this.uPlot = await loadUplot();
    if (!this.$refs.chart) return; // the page was left meanwhile
    this.points = [];
    this.observer = onTheme(this.$el, () => this.rebuild());
    this.resizer = new ResizeObserver(() => this.plot?.setSize({ width: this.width(), height: this.height() }));
    this.resizer.observe(this.$el);
    await this.look();
    this.watchLive();
  },
  beforeUnmount() { clearInterval(this.timer); this.observer?.disconnect(); this.resizer?.disconnect(); this.plot?.destroy(); },
  watch: { quantity: "rebuild", live() { this.watchLive(); this.look(); } },
  methods: {
    width() { return Math.max(280, this.$el.clientWidth); },
    height() { return Math.max(320, Math.min(520, window.innerHeight - 330)); },
    watchLive() { clearInterval(this.timer); if (this.live) this.timer = setInterval(() => this.look(), PACE); },
    async look() {
      const answer = await fetch(`/api/runs/${this.run}/points`);
      if (!answer.ok) return;
      const found = await answer.json();
      if (!this.$refs.chart) return;
      if (found.length === this.points.length && this.plot) return;
      this.points = found;
      this.rebuild();
    },
    table() {
      const rows = [];
      for (const point of this.points) {
        const maxima = point.maxima[this.quantity] || [];
        const top = point.maximum[this.quantity];
        const values = maxima.length ? maxima : top === null || top === undefined ? [] : [top];
        for (const value of values) rows.push({ x: point.value, y: 1e3 * value, up: point.direction === "up", point });
      }
      return rows.sort((a, b) => a.x - b.x);
    },
    rebuild() {
      if (!this.uPlot || !this.$refs.chart) return;
      this.rows = this.table();
      const data = [this.rows.map((r) => r.x), this.rows.map((r) => (r.up ? null : r.y)), this.rows.map((r) => (r.up ? r.y : null))];
      this.$el.dataset.points = this.rows.length;
      const kinds = {};
      for (const point of this.points) kinds[point.kind] = (kinds[point.kind] || 0) + 1;
      const words = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`).join(", ");
      this.$refs.note.textContent = this.points.length ? `${this.points.length} speeds: ${words}. Click a point for its motion.` : "The first points appear here.";
      this.plot?.destroy();
      const angle = /\.(yaw|roll|pitch)$/.test(this.quantity || "");
      const axis = { stroke: css("--text"), grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--line") }, font: "12px Roboto", labelFont: "12px Roboto" };
      const dots = (colour, hollow) => ({ show: true, size: 7, width: 1.5, stroke: colour, fill: hollow ? css("--ground") : colour });
      this.plot = new this.uPlot({
        width: this.width(), height: this.height(),
        scales: { x: { time: false } },
        series: [
          { label: "speed [m/s]", value: (u, v) => (v == null ? "–" : `${v.toFixed(2)} (${(3.6 * v).toFixed(1)} km/h)`) },
          { label: "downwards (filled)", stroke: seriesColour(0), paths: () => null, points: dots(seriesColour(0), false), value: short },
          { label: "upwards (hollow)", stroke: seriesColour(1), paths: () => null, points: dots(seriesColour(1), true), value: short },
        ],
        axes: [{ ...axis, label: "speed [m/s]", labelSize: 18 }, { ...axis, label: `maxima of ${(this.quantity || "").replaceAll("_", " ")} [${angle ? "mrad" : "mm"}]`, labelSize: 18, size: 58 }],
        hooks: { ready: [(u) => u.over.addEventListener("click", () => this.click(u))] },
      }, data, this.$refs.chart);
      // for scripts: where a point is on the screen
      this.$el.klingel = { place: (k) => { const box = this.plot.over.getBoundingClientRect(); return [box.x + this.plot.valToPos(this.rows[k].x, "x"), box.y + this.plot.valToPos(this.rows[k].y, "y")]; } };
    },
    click(u) {
      let best = null, near = 18;
      this.rows.forEach((row) => {
        const away = Math.hypot(u.valToPos(row.x, "x") - u.cursor.left, u.valToPos(row.y, "y") - u.cursor.top);
        if (away < near) { near = away; best = row; }
      });
      if (best) this.$emit("point", { index: best.point.index, value: best.point.value, kind: best.point.kind, direction: best.point.direction });
    },
  },
};

const short = (u, v) => (v == null ? "–" : v.toPrecision(4));
