// Panels below each other over one abscissa: linked cursors and zoom, events as marks, modes as bands, live while a run goes on.
import { buildBands, legend } from "/static/bands.js";
import { css, cursor, fetchSeries, loadUplot, onTheme, seriesColour, setCursor } from "/static/common.js";

const POINTS = 4000, LIVE_POINTS = 1500;
const PACE = 350; // least time between two looks at a run that goes on [ms]
const SHARE = 6; // a look takes at most one part of so many of the time, or pages would freeze on slow machines
const MOST_MARKS = 600;
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]]; // of the second, third ... run

export default {
  template: `<div class="k-charts"><div ref="panels"></div><div ref="bands" class="k-panel"></div><div class="k-note k-keys" ref="keys"></div><div class="k-note" ref="mode" data-testid="mode-note"></div><div class="k-note" ref="note" data-testid="chart-note"></div></div>`,
  props: { runs: Array, panels: Array, x: String, live: Boolean, marks: Boolean, bands: Boolean, height: Number },
  async mounted() {
    this.plots = [];
    this.window = null;
    this.uPlot = await loadUplot();
    if (this.gone) return;
    this.observer = onTheme(this.$el, () => this.repaint());
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.$el);
    this.follow = (event) => this.follows(event.detail);
    cursor.addEventListener("time", this.follow);
    await this.rebuild();
    if (this.live) this.schedule(PACE);
  },
  beforeUnmount() {
    clearTimeout(this.timer);
    this.gone = true;
    this.observer?.disconnect();
    this.resizer?.disconnect();
    cursor.removeEventListener("time", this.follow);
    this.plots.forEach((plot) => plot.destroy());
    this.bandPlot?.destroy();
  },
  watch: {
    panels: "rebuild", x: "rebuild", runs: "rebuild", marks: "rebuild", bands: "rebuild",
    live(now) {
      clearTimeout(this.timer);
      if (now) this.schedule(PACE);
      else this.rebuild();
    },
  },
  methods: {
    async fetchPanel(names) {
      const parts = await Promise.all(this.runs.map((run) => fetchSeries(run.id, names, this.x, this.live ? LIVE_POINTS : POINTS, this.range())));
      const tables = parts.map((part) => [part.xs, ...part.ys]);
      return { parts, data: tables.length === 1 ? tables[0] : this.uPlot.join(tables) };
    },
    range() { return this.x === "time" && this.window ? this.window : null; },
    async rebuild() {
      if (!this.uPlot || !this.$refs.panels) return;
      const turn = (this.turn = (this.turn || 0) + 1);
      let found;
      try {
        found = await Promise.all(this.panels.map((names) => this.fetchPanel(names)));
        if (this.$refs.note) this.$refs.note.textContent = "";
      } catch (error) {
        if (this.$refs.note) this.$refs.note.textContent = String(error.message || error);
        return;
      }
      if (turn !== this.turn || !this.$refs.panels) return;
      this.plots.forEach((plot) => plot.destroy());
      this.$refs.panels.replaceChildren();
      this.plots = found.map((panel, k) => this.build(panel, k === found.length - 1));
      this.expose(found);
      await this.mark();
      await this.drawBands();
    },
    // in the colours of another theme: the same lines, nothing is fetched
    repaint() {
      this.plots.forEach((plot) => plot.redraw(false));
      if (this.bandPlot) this.drawBands();
    },
    // one dot of the screen while a run goes on: without a graphics card wider lines take thirty times as long
    lineWidth() { return this.live ? Math.min(1, 1 / (devicePixelRatio || 1)) : 1; },
    left() { return this.showsBands() ? 150 : 62; },
    showsBands() { return this.bands && this.x === "time" && this.runs.length === 1 && !this.live; },
    // what changed its mode in view, when and to which; too much of it asks for a shorter part
    async drawBands() {
      const { bands, keys, mode } = this.$refs;
      if (!this.showsBands()) {
        this.bandPlot?.destroy();
        this.bandPlot = null;
        for (const place of [keys, mode]) place?.replaceChildren();
        return;
      }
      const turn = this.turn, query = this.window ? `?t0=${this.window[0]}&t1=${this.window[1]}` : "";
      const answer = await fetch(`/api/runs/${this.runs[0].id}/modes${query}`);
      const found = answer.ok ? await answer.json() : { lines: [], count: 0 };
      if (turn !== this.turn || !this.$refs.bands) return;
      this.bandPlot?.destroy();
      this.bandPlot = null;
      keys.replaceChildren();
      this.$el.dataset.bands = found.lines.length;
      if (!found.lines.length) {
        mode.textContent = found.count ? `${found.count} changes of mode: drag over a shorter part to see the bands` : "no element changes its mode in view";
        return;
      }
      const { min, max } = this.plots[0].scales.x;
      this.bandPlot = buildBands(this.uPlot, found, {
        holder: bands, width: this.width(), left: this.left(), range: [min, max], zoom: (low, high) => this.zoom(low, high),
        hover: (words) => { if (this.$refs.mode) this.$refs.mode.textContent = words; }, point: (time) => setCursor(time, "charts"),
      });
      for (const [colour, word] of legend(found.lines)) {
        const key = document.createElement("span"), patch = document.createElement("i");
        patch.style.background = colour;
        key.append(patch, word);
        keys.append(key);
      }
      mode.textContent = found.left_out ? `${found.left_out} more elements change; a shorter part shows fewer` : "point at a band for its mode";
    },
    build({ parts, data }, last) {
      const holder = document.createElement("div");
      holder.className = "k-panel";
      this.$refs.panels.append(holder);
      const heads = parts[0].head.series;
      const first = heads[0];
      const several = parts.length > 1;
      const shared = new Set(heads.map((head) => head.owner)).size === 1;
      const colours = [0]; // of the abscissa, which has no line, and of each series
      const series = [{ label: `${parts[0].head.x.word} [${parts[0].head.x.unit}]`, value: (u, v) => (v == null ? "–" : v.toFixed(3)) }];
      parts.forEach((part, r) => heads.forEach((head, k) => {
        colours.push(heads.length === 1 && several ? r : k);
        const told = [shared && heads.length > 1 ? head.word : head.owner || head.name, several ? this.runs[r].label : ""].filter(Boolean).join(", ");
        series.push({
          label: told, stroke: (u, at) => seriesColour(colours[at]), width: this.lineWidth(), dash: DASHES[r % 4], spanGaps: several,
          points: { show: false }, value: (u, v) => (v == null ? "–" : `${v.toPrecision(4)} ${head.unit}`),
        });
      }));
      const alike = heads.every((head) => head.unit === first.unit);
      const words = [...new Set(heads.map((head) => head.word))];
      const what = words.length === 1 ? first.word : alike ? words.slice(0, 2).join(", ") : "quantities";
      const axis = { stroke: () => css("--text"), grid: { stroke: () => css("--grid"), width: 1 }, ticks: { stroke: () => css("--line") }, font: "12px Roboto", labelFont: "12px Roboto" };
      const options = {
        width: this.width(), height: this.panelHeight(last), series,
        scales: { x: { time: false }, y: { range: (u, low, high) => padded(low, high) } },
        axes: [
          { ...axis, label: last ? series[0].label : undefined, labelSize: 18, size: last ? 30 : 24 },
          { ...axis, label: `${what} [${alike ? first.unit : "mixed"}]`, labelSize: 18, space: 26, size: this.left() },
        ],
        cursor: { sync: { key: "klingel" }, drag: { x: true, y: false, setScale: false }, focus: { prox: 16 } },
        legend: { live: true, markers: { stroke: (u, at) => `var(--series-${colours[at] % 8})` } },
        hooks: {
          setSelect: [(u) => { if (u.select.width > 4) this.zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")); }],
          setCursor: [(u) => { if (u.cursor.event && u.cursor.left >= 0 && this.x === "time") setCursor(u.posToVal(u.cursor.left, "x"), "charts"); }],
          draw: [(u) => this.drawMarks(u)],
          ready: [(u) => u.over.addEventListener("dblclick", () => this.zoom(null, null))],
        },
      };
      return new this.uPlot(options, data, holder);
    },
    width() { return Math.max(260, this.$el.clientWidth || 600); },
    panelHeight(last) { return (this.height || (this.panels.length > 3 ? 150 : this.panels.length > 1 ? 190 : 340)) + (last ? 24 : 0); },
    resize() {
      this.plots.forEach((plot, k) => plot.setSize({ width: this.width(), height: this.panelHeight(k === this.plots.length - 1) }));
      this.bandPlot?.setSize({ width: this.width(), height: this.bandPlot.height });
    },
    async zoom(low, high) {
      this.window = low === null ? null : [low, high];
      if (this.x === "time") await this.rebuild();
      else this.plots.forEach((plot) => (low === null ? plot.setData(plot.data) : plot.setScale("x", { min: low, max: high })));
      this.$emit("zoomed", this.window);
    },
    schedule(wait) { if (!this.gone && this.live) this.timer = setTimeout(() => this.look(), wait); },
    async look() {
      if (this.window || document.hidden) return this.schedule(PACE);
      const before = performance.now();
      try {
        const found = await Promise.all(this.panels.map((names) => this.fetchPanel(names)));
        if (found.length === this.plots.length) found.forEach((panel, k) => this.plots[k].setData(panel.data));
        else await this.rebuild();
        this.expose(found);
      } catch { /* no rows yet: the next look will find some */ }
      requestAnimationFrame(() => this.schedule(Math.max(PACE, SHARE * (performance.now() - before)))); // what was drawn counts too
    },
    expose(found) {
      const panels = found.map((panel) => ({ names: panel.parts[0].head.series.map((head) => head.name), points: panel.parts[0].head.points, rows: panel.parts[0].head.rows, span: panel.parts[0].head.span }));
      this.$el.klingel = { panels, runs: this.runs.length, window: this.window };
      this.$el.dataset.points = panels.reduce((sum, panel) => sum + panel.points, 0);
      this.$el.dataset.last = found[0]?.parts[0].head.span?.[1] ?? "";
    },
    async mark() {
      this.events = null;
      if (!this.marks || this.x !== "time" || this.runs.length !== 1 || this.live) return;
      const query = this.window ? `?t0=${this.window[0]}&t1=${this.window[1]}` : "";
      const answer = await fetch(`/api/runs/${this.runs[0].id}/events${query}`);
      if (!answer.ok) return;
      const found = await answer.json();
      if (!this.$refs.note) return; // the page was left while the answer came
      const many = found.count > MOST_MARKS;
      this.$refs.note.textContent = many ? `${found.count} changes of mode in view: drag over a short part to see each` : `${found.count} changes of mode in view`;
      this.events = many ? null : found;
      this.plots.forEach((plot) => plot.redraw(false));
    },
    drawMarks(u) {
      if (!this.events) return;
      const { ctx, bbox } = u;
      ctx.save();
      ctx.globalAlpha = 0.35;
      ctx.strokeStyle = css("--muted");
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (const time of this.events.time) {
        const x = Math.round(u.valToPos(time, "x", true)) + 0.5;
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
      }
      ctx.stroke();
      ctx.restore();
    },
    follows({ time, from }) {
      if (from === "charts" || this.x !== "time") return;
      for (const plot of [...this.plots, ...(this.bandPlot ? [this.bandPlot] : [])]) plot.setCursor({ left: plot.valToPos(time, "x"), top: plot.bbox.height / devicePixelRatio / 2 }, false);
    },
  },
};

// some room above and below; what rests is a straight line, not its rounding
function padded(low, high) {
  if (low === null || high === null) return [0, 1];
  const least = 2.2e-3;
  const room = Math.max(0.06 * (high - low), 0.5 * (least - (high - low)), 0);
  return [low - room, high + room];
}
