// Maxima over the speed, as points arrive: downwards filled, upwards hollow; branches of periodic motions, solid where
// stable and dashed where not, with their special points; the set of rest as a band. A click tells which motion it was.
import { css, loadUplot, onTheme, seriesColour } from "/static/common.js";

const PACE = 700;
const REACH = 18; // of a click [px]
const NAMED = (special) => special.type !== "sequence"; // changes of the sequence of events get a small mark, no name

export default {
  template: `<div class="k-charts"><div ref="chart" class="k-panel"></div><div class="k-note" ref="note" data-testid="scatter-note"></div></div>`,
  props: { run: String, quantity: String, live: Boolean, branches: Array, rests: Array },
  emits: ["point"],
  async mounted() {
    this.points = [];
    this.lines = [];
    this.bands = [];
    this.uPlot = await loadUplot();
    if (!this.$refs.chart) return; // the page was left meanwhile
    this.observer = onTheme(this.$el, () => this.rebuild());
    this.resizer = new ResizeObserver(() => this.plot?.setSize({ width: this.width(), height: this.height() }));
    this.resizer.observe(this.$el);
    await this.beside();
    await this.look();
    this.watchLive();
  },
  beforeUnmount() { clearInterval(this.timer); this.observer?.disconnect(); this.resizer?.disconnect(); this.plot?.destroy(); },
  watch: {
    quantity: "rebuild", branches: "refresh", rests: "refresh",
    live() { this.watchLive(); this.look(); },
  },
  methods: {
    width() { return Math.max(280, this.$el.clientWidth); },
    height() { return Math.max(320, Math.min(520, window.innerHeight - 330)); },
    watchLive() { clearInterval(this.timer); if (this.live) this.timer = setInterval(() => this.look(), PACE); },
    async get(id, what) {
      const answer = await fetch(`/api/runs/${id}/${what}`);
      return answer.ok ? answer.json() : null;
    },
    async refresh() { await this.beside(); this.rebuild(); },
    async beside() {
      const found = await Promise.all((this.branches || []).map((id) => this.get(id, "branch")));
      this.lines = found.map((line, k) => line && { ...line, id: this.branches[k] }).filter((line) => line && line.parameter === "speed");
      this.bands = (await Promise.all((this.rests || []).map((id) => this.get(id, "rest")))).filter(Boolean);
    },
    async look() {
      const found = this.run ? await this.get(this.run, "points") : [];
      if (!found || !this.$refs.chart) return;
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
    // motions of all branches as points of the diagram, in their order
    motions() {
      return this.lines.map((line) => ({
        id: line.id, special: line.special,
        points: line.points.map((point) => ({ x: point.value, y: 1e3 * (point.maximum[this.quantity] ?? NaN), stable: point.stable, point })),
      })).filter((line) => line.points.some(({ y }) => Number.isFinite(y)));
    },
    rest() { return this.bands.map((band) => (band.rest_set ?? band.extent)[this.quantity]).filter((ends) => ends && !ends.includes(null)).map(([low, high]) => [1e3 * low, 1e3 * high]); },
    limits() {
      const all = [...this.rows, ...this.curves.flatMap((line) => line.points)].filter(({ y }) => Number.isFinite(y));
      const xs = all.map(({ x }) => x), ys = [...all.map(({ y }) => y), ...this.held.flat(), 0];
      const wide = (low, high, part) => { const room = part * (high - low) || 0.5; return [low - room, high + room]; };
      if (!xs.length) return { x: [0, 1], y: wide(Math.min(...ys), Math.max(...ys, 1), 0.05) };
      return { x: wide(Math.min(...xs), Math.max(...xs), 0.02), y: wide(Math.min(...ys), Math.max(...ys), 0.05) };
    },
    rebuild() {
      if (!this.uPlot || !this.$refs.chart) return;
      this.rows = this.table();
      this.curves = this.motions();
      this.held = this.rest();
      const limits = this.limits();
      const data = [this.rows.map((r) => r.x), this.rows.map((r) => (r.up ? null : r.y)), this.rows.map((r) => (r.up ? r.y : null))];
      this.$el.dataset.points = this.rows.length;
      this.$el.dataset.branches = this.curves.length;
      this.$el.dataset.rests = this.held.length;
      this.$refs.note.textContent = this.words();
      this.plot?.destroy();
      const angle = /\.(yaw|roll|pitch)$/.test(this.quantity || "");
      const axis = { stroke: css("--text"), grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--line") }, font: "12px Roboto", labelFont: "12px Roboto" };
      const dots = (colour, hollow) => ({ show: true, size: 7, width: 1.5, stroke: colour, fill: hollow ? css("--ground") : colour });
      this.plot = new this.uPlot({
        width: this.width(), height: this.height(),
        scales: { x: { time: false, range: (u, low, high) => (u.zoomed ? [low, high] : limits.x) }, y: { range: () => limits.y } },
        series: [
          { label: "speed [m/s]", value: (u, v) => (v == null ? "–" : `${v.toFixed(2)} (${(3.6 * v).toFixed(1)} km/h)`) },
          { label: "downwards (filled)", stroke: seriesColour(0), paths: () => null, points: dots(seriesColour(0), false), value: short },
          { label: "upwards (hollow)", stroke: seriesColour(1), paths: () => null, points: dots(seriesColour(1), true), value: short },
        ],
        axes: [{ ...axis, label: "speed [m/s]", labelSize: 18 }, { ...axis, label: `maxima of ${(this.quantity || "").replaceAll("_", " ")} [${angle ? "mrad" : "mm"}]`, labelSize: 18, size: 58 }],
        cursor: { drag: { x: true, y: false } },
        hooks: {
          setSelect: [(u) => { u.zoomed = u.select.width > 0; }],
          drawClear: [(u) => this.drawRest(u)],
          draw: [(u) => this.drawBranches(u)],
          ready: [(u) => {
            u.over.addEventListener("click", () => this.click(u));
            u.over.addEventListener("dblclick", () => { u.zoomed = false; u.setScale("x", { min: limits.x[0], max: limits.x[1] }); });
          }],
        },
      }, data, this.$refs.chart);
      // for scripts: where a point, or a motion of a branch, is on the screen
      const place = ({ x, y }) => { const box = this.plot.over.getBoundingClientRect(); return [box.x + this.plot.valToPos(x, "x"), box.y + this.plot.valToPos(y, "y")]; };
      this.$el.klingel = { place: (k) => place(this.rows[k]), motion: (k) => place(this.curves[0].points[k]), rest: this.held };
    },
    words() {
      const kinds = {};
      for (const point of this.points) kinds[point.kind] = (kinds[point.kind] || 0) + 1;
      const parts = [];
      if (this.points.length) parts.push(`${this.points.length} speeds: ${Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
      if (this.curves.length) parts.push(`${this.curves.length > 1 ? `${this.curves.length} branches` : "branch"} of periodic motions: solid stable, dashed unstable`);
      if (this.held.length) parts.push(`grey band: rest held by dry friction, ${this.held.map(([low, high]) => `${low.toPrecision(3)} to ${high.toPrecision(3)}`).join("; ")}`);
      return parts.length ? `${parts.map((words) => words[0].toUpperCase() + words.slice(1)).join(". ")}.${this.points.length || this.curves.length ? " Click a point for its motion." : ""}` : "The first points appear here.";
    },
    drawRest(u) {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.fillStyle = css("--muted");
      ctx.globalAlpha = 0.22;
      for (const [low, high] of this.held) {
        const top = u.valToPos(high, "y", true), foot = u.valToPos(low, "y", true);
        ctx.fillRect(bbox.left, top, bbox.width, Math.max(foot - top, 1));
      }
      ctx.restore();
    },
    drawBranches(u) {
      const { ctx, bbox } = u, ratio = devicePixelRatio || 1;
      const px = ({ x }) => u.valToPos(x, "x", true), py = ({ y }) => u.valToPos(y, "y", true);
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.lineWidth = 1.8 * ratio;
      this.curves.forEach((line, k) => {
        ctx.strokeStyle = ctx.fillStyle = seriesColour(2 + k);
        for (let i = 1; i < line.points.length; i += 1) {
          const one = line.points[i - 1], other = line.points[i];
          ctx.setLineDash(one.stable && other.stable ? [] : [6 * ratio, 4 * ratio]);
          ctx.beginPath();
          ctx.moveTo(px(one), py(one));
          ctx.lineTo(px(other), py(other));
          ctx.stroke();
        }
        ctx.setLineDash([]);
        for (const special of line.special) this.drawSpecial(ctx, special, line, px, py, bbox, ratio);
      });
      ctx.restore();
    },
    drawSpecial(ctx, special, line, px, py, bbox, ratio) {
      const near = line.points[Math.min(special.after, line.points.length - 1)];
      if (!near) return;
      const x = px({ x: special.value }), y = py(near), size = (NAMED(special) ? 4.5 : 2.5) * ratio;
      ctx.beginPath();
      ctx.arc(x, y, size, 0, 2 * Math.PI);
      ctx.fill();
      if (!NAMED(special)) return;
      ctx.font = `${12 * ratio}px Roboto, sans-serif`;
      const words = `${special.type} ${special.value.toPrecision(5)}`, wide = ctx.measureText(words).width, away = 8 * ratio, high = 14 * ratio;
      // beside the point, where the fewest motions lie, inside the picture
      const places = [[1, -1], [-1, -1], [1, 1], [-1, 1]].map(([sx, sy]) => {
        const left = sx > 0 ? x + away : x - away - wide, foot = sy < 0 ? y - 4 * ratio : y + high + 2 * ratio;
        const outside = left < bbox.left || left + wide > bbox.left + bbox.width || foot - high < bbox.top || foot > bbox.top + bbox.height;
        const hidden = line.points.filter((p) => px(p) > left - away && px(p) < left + wide && py(p) > foot - high && py(p) < foot + 4 * ratio).length;
        return { left, foot, cost: hidden + (outside ? 1000 : 0) };
      });
      const best = places.reduce((a, b) => (b.cost < a.cost ? b : a));
      ctx.textAlign = "left";
      ctx.fillText(words, best.left, best.foot);
    },
    click(u) {
      let best = null, near = REACH;
      const away = (row) => Math.hypot(u.valToPos(row.x, "x") - u.cursor.left, u.valToPos(row.y, "y") - u.cursor.top);
      for (const row of this.rows) if (away(row) < near) { near = away(row); best = { source: this.run, index: row.point.index, value: row.x, kind: row.point.kind, direction: row.point.direction }; }
      for (const line of this.curves) for (const row of line.points) if (away(row) < near) { near = away(row); best = { source: line.id, branch: true, index: row.point.index, value: row.x, kind: row.stable ? "stable" : "unstable", period: row.point.period }; }
      if (best) this.$emit("point", best);
    },
  },
};

const short = (u, v) => (v == null ? "–" : v.toPrecision(4));
