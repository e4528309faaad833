// Both wheels on their rails at true scale; a slider and the arrow keys shift the wheelset, contact points follow and jump.
import { escape, round, seriesColour, ticks } from "/static/common.js";

const WIDTH = 460, HEIGHT = 250, SHOWN = 150; // pixels, and millimetres across one picture
const SCALE = WIDTH / SHOWN;

export default {
  template: `<div class="k-draw">
    <div style="display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:8px">
      <svg v-for="side in ['left', 'right']" :key="side" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" :aria-label="side + ' wheel on its rail'" v-html="picture(side)"></svg>
    </div>
    <div class="k-bar">
      <label for="shift">lateral shift</label>
      <input id="shift" type="range" :min="0" :max="last" step="1" v-model.number="k" @keydown="key" style="flex:1" data-testid="shift" aria-label="lateral shift">
      <b data-testid="shift-value" style="min-width:86px;text-align:right">{{ at(content.shift).toFixed(2) }} mm</b>
    </div>
    <div class="k-note">to the left positive; arrow keys move by one step, with Shift by ten. True scale, {{ shown }} mm across each picture, seen along the track; hollow: a second point within 10 µm of touching.</div>
    <table class="k-figures" style="margin-top:6px">
      <tr><th></th><th>left wheel</th><th>right wheel</th></tr>
      <tr><th>rolling radius</th><td v-for="s in sides" class="k-number">{{ at(content[s].radius).toFixed(3) }} mm</td></tr>
      <tr><th>contact angle</th><td v-for="s in sides" class="k-number">{{ at(content[s].angle).toFixed(3) }}°</td></tr>
      <tr><th>point on the rail</th><td v-for="s in sides" class="k-number">{{ at(content[s].y).toFixed(2) }} mm</td></tr>
      <tr><th>radius difference Δr</th><td colspan="2" data-testid="difference">{{ at(content.difference).toFixed(4).replace(/^-0.0000$/, "0.0000") }} mm</td></tr>
      <tr><th>roll</th><td colspan="2">{{ (1000 * at(content.roll)).toFixed(3).replace(/^-0.000$/, "0.000") }} mrad</td></tr>
    </table>
    <div style="display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:8px;margin-top:8px">
      <svg v-for="one in curves" :key="one.title" viewBox="0 0 360 210" role="img" :aria-label="one.title" v-html="curve(one)"></svg>
    </div>
  </div>`,
  props: { content: Object },
  data() { return { k: 0, sides: ["left", "right"], shown: SHOWN, theme: 0 }; },
  created() { this.k = Math.round(this.last / 2); },
  computed: {
    last() { return this.content.shift.length - 1; },
    curves() {
      const c = this.content, jumps = c.jumps.map((jump) => jump.shift);
      return [
        { title: "rolling radius difference Δr", unit: "mm", x: c.shift, lines: [c.difference], over: "lateral shift [mm]", mark: true, jumps },
        { title: "contact angle, left and right", unit: "deg", x: c.shift, lines: [c.left.angle, c.right.angle], over: "lateral shift [mm]", mark: true, jumps },
        { title: "point on the left rail", unit: "mm", x: c.shift, lines: [c.left.y], over: "lateral shift [mm]", mark: true, jumps: c.jumps.filter((j) => j.side === "left").map((j) => j.shift) },
        { title: "equivalent conicity", unit: "–", x: c.conicity.amplitude, lines: [c.conicity.conicity], over: "amplitude [mm]", jumps: [] },
      ];
    },
  },
  watch: { content() { this.k = Math.round(this.last / 2); } },
  methods: {
    at(values) { return values[Math.min(this.k, this.last)]; },
    key(event) {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      this.k = Math.min(this.last, Math.max(0, this.k + way * (event.shiftKey ? 10 : 1)));
    },
    picture(side) {
      const c = this.content, sign = side === "left" ? 1 : -1;
      const profile = c.profiles[side], roll = this.at(c.roll), shift = this.at(c.shift), height = this.at(c.height);
      const middle = sign * (c.arm - 3);
      // the wheel turns about the middle of the axle by the roll, positive when the left wheel rises
      const placed = profile.wheel[0].map((y, i) => {
        const z = profile.wheel[1][i];
        return [shift + y * Math.cos(roll) - z * Math.sin(roll), height + y * Math.sin(roll) + z * Math.cos(roll)];
      });
      const rail = profile.rail[0].map((y, i) => [y, profile.rail[1][i]]);
      const px = (y) => WIDTH / 2 - (y - middle) * SCALE; // y grows to the left, as seen along the track
      const py = (z) => HEIGHT * 0.55 - z * SCALE;
      const path = (points) => points.map(([y, z]) => `${px(y).toFixed(1)},${py(z).toFixed(1)}`).join(" ");
      const first = placed[0], end = placed[placed.length - 1];
      const wheel = `${path(placed)} ${px(end[0]).toFixed(1)},26 ${px(first[0]).toFixed(1)},26`;
      const low = rail[0], far = rail[rail.length - 1];
      const head = `${path(rail)} ${px(far[0]).toFixed(1)},${HEIGHT + 20} ${px(low[0]).toFixed(1)},${HEIGHT + 20}`;
      const bar = side === "left" ? 12 : WIDTH - 12 - 20 * SCALE; // on the field side, away from the flange
      const parts = [
        `<rect width="${WIDTH}" height="${HEIGHT}" style="fill:var(--ground)"/>`,
        `<polygon points="${head}" style="fill:var(--body);stroke:var(--text)" stroke-width="1.2"/>`,
        `<polygon points="${wheel}" style="fill:var(--steel);fill-opacity:.45;stroke:var(--text)" stroke-width="1.2"/>`,
        `<text x="8" y="16" style="font-size:13px;font-weight:600">${side} wheel, ${escape(c.wheel)} on ${escape(c.rail)}</text>`,
        `<line x1="${bar}" x2="${bar + 20 * SCALE}" y1="${HEIGHT - 14}" y2="${HEIGHT - 14}" style="stroke:var(--text)" stroke-width="2"/>`,
        `<text x="${bar + 10 * SCALE}" y="${HEIGHT - 19}" text-anchor="middle">20 mm</text>`,
      ];
      const one = c[side];
      parts.push(`<circle cx="${px(this.at(one.y))}" cy="${py(this.at(one.z))}" r="5" fill="${seriesColour(1)}" data-contact="${side}"/>`);
      if (this.at(one.second_y) !== null) parts.push(`<circle cx="${px(this.at(one.second_y))}" cy="${py(this.at(one.second_z))}" r="4" fill="none" stroke="${seriesColour(1)}" stroke-width="2"/>`);
      return parts.join("");
    },
    curve(one) {
      const W = 360, H = 210, L = 48, R = 8, T = 24, B = 36;
      const values = one.lines.flat().filter((v) => v !== null);
      if (!values.length) return `<text x="12" y="20">${one.title}: not defined here</text>`;
      let [y0, y1] = [Math.min(...values), Math.max(...values)];
      const room = Math.max(0.06 * (y1 - y0), 0.03 * Math.max(Math.abs(y0), Math.abs(y1))) || 1; // what is constant looks so
      [y0, y1] = [y0 - room, y1 + room];
      const x0 = one.x[0], x1 = one.x[one.x.length - 1];
      const px = (x) => L + ((x - x0) / (x1 - x0)) * (W - L - R), py = (y) => H - B - ((y - y0) / (y1 - y0)) * (H - T - B);
      const parts = [`<rect width="${W}" height="${H}" style="fill:var(--ground)"/>`];
      for (const t of ticks(x0, x1, 6)) parts.push(`<line x1="${px(t)}" x2="${px(t)}" y1="${T}" y2="${H - B}" style="stroke:var(--grid)"/><text x="${px(t)}" y="${H - B + 13}" text-anchor="middle">${round(t)}</text>`);
      for (const t of ticks(y0, y1, 4)) parts.push(`<line x1="${L}" x2="${W - R}" y1="${py(t)}" y2="${py(t)}" style="stroke:var(--grid)"/><text x="${L - 5}" y="${py(t) + 4}" text-anchor="end">${round(t)}</text>`);
      for (const jump of one.jumps) parts.push(`<line x1="${px(jump)}" x2="${px(jump)}" y1="${T}" y2="${H - B}" style="stroke:var(--muted)" stroke-dasharray="3 3"/>`);
      one.lines.forEach((line, s) => {
        let run = [];
        const flush = () => { if (run.length > 1) parts.push(`<polyline points="${run.join(" ")}" fill="none" stroke="${seriesColour(s)}" stroke-width="1.5"/>`); run = []; };
        line.forEach((y, i) => {
          if (y === null || (i && one.jumps.some((j) => one.x[i - 1] < j && j <= one.x[i]))) flush();
          if (y !== null) run.push(`${px(one.x[i]).toFixed(1)},${py(y).toFixed(1)}`);
        });
        flush();
      });
      if (one.mark) parts.push(`<line x1="${px(this.at(one.x))}" x2="${px(this.at(one.x))}" y1="${T}" y2="${H - B}" style="stroke:var(--accent)" stroke-width="2"/>`);
      parts.push(`<text x="8" y="14" style="font-weight:600;font-size:12px">${one.title} [${one.unit}]</text><text x="${(L + W - R) / 2}" y="${H - 6}" text-anchor="middle">${one.over}${one.jumps.length ? ", dashed: jumps" : ""}</text>`);
      return parts.join("");
    },
  },
};
