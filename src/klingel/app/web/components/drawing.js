// A vehicle from the side and from above at one scale; names appear under the pointer.
import { escape } from "/static/common.js";

const WIDTH = 760, MARGIN = 14, AXIS = 26;
const VIEWS = [["from the side", 0, 2], ["from above", 0, 1]];
const TALLEST = 230; // of a picture
const TYRE = 0.13;

export default {
  template: `<div class="k-draw k-wide"><div v-for="view in pictures" :key="view.title">
    <svg :viewBox="'0 0 ${WIDTH} ' + view.height" role="img" :aria-label="view.title" v-html="view.content"></svg></div>
    <div class="k-note">grey: extent of the points of a body · dotted: homogeneous box of its mass and inertia · + centre of mass · dots: connections, strokes: directions of elements</div></div>`,
  props: { drawing: Object },
  computed: { pictures() { return VIEWS.map(([title, i, j]) => this.view(title, i, j)); } },
  methods: {
    view(title, i, j) {
      const d = this.drawing, corners = [];
      for (const box of [...d.boxes, ...d.inertia]) corners.push(box.low, box.high);
      for (const point of [...d.centres, ...d.points]) corners.push(point.position);
      for (const wheel of d.wheels) for (const s of [-1, 1]) corners.push([wheel.centre[0] + s * wheel.radius, wheel.centre[1] + s * TYRE, wheel.centre[2] + s * wheel.radius]);
      const low = [0, 1, 2].map((k) => Math.min(...corners.map((c) => c[k]))), high = [0, 1, 2].map((k) => Math.max(...corners.map((c) => c[k])));
      const length = Math.max(high[0] - low[0], 2.5);
      const scale = Math.min((WIDTH - 2 * MARGIN) / length, TALLEST / Math.max(high[1] - low[1], high[2] - low[2], 0.1)); // that of both views
      const height = (high[j] - low[j]) * scale + 2 * MARGIN + AXIS + 18;
      const left = (WIDTH - (high[0] - low[0]) * scale) / 2;
      const px = (x) => left + (x - low[0]) * scale, py = (y) => 18 + MARGIN + (high[j] - y) * scale;
      const parts = [`<text x="8" y="14" style="font-weight:600;font-size:12px">${title}</text>`];
      const rect = (box, style) => {
        const w = Math.max((box.high[i] - box.low[i]) * scale, 1.5), h = Math.max((box.high[j] - box.low[j]) * scale, 1.5);
        return `<rect x="${px(box.low[i])}" y="${py(box.high[j])}" width="${w}" height="${h}" style="${style}"><title>${escape(box.name)}</title></rect>`;
      };
      for (const box of d.boxes) parts.push(rect(box, "fill:var(--body);fill-opacity:.45;stroke:var(--muted)"));
      for (const box of d.inertia) parts.push(rect(box, "fill:none;stroke:var(--accent);stroke-dasharray:2 3"));
      if (j === 2) parts.push(`<line x1="0" x2="${WIDTH}" y1="${py(0)}" y2="${py(0)}" style="stroke:var(--text)" stroke-width="1.6"/>`);
      for (const wheel of d.wheels) {
        const [x, y, z] = wheel.centre;
        if (j === 2) parts.push(`<circle cx="${px(x)}" cy="${py(z)}" r="${wheel.radius * scale}" style="fill:none;stroke:var(--text)" stroke-width="1.2"><title>${escape(wheel.name)}</title></circle>`);
        else {
          const top = y > 0 ? y + TYRE : y;
          parts.push(`<rect x="${px(x - wheel.radius)}" y="${py(top)}" width="${2 * wheel.radius * scale}" height="${TYRE * scale}" style="fill:none;stroke:var(--text)"><title>${escape(wheel.name)}</title></rect>`);
        }
      }
      for (const line of d.arms) parts.push(`<line x1="${px(line.start[i])}" y1="${py(line.start[j])}" x2="${px(line.end[i])}" y2="${py(line.end[j])}" style="stroke:var(--line)"/>`);
      for (const line of d.axles) parts.push(`<line x1="${px(line.start[i])}" y1="${py(line.start[j])}" x2="${px(line.end[i])}" y2="${py(line.end[j])}" style="stroke:var(--text)" stroke-width="2"/>`);
      const axes = "xyz";
      for (const mark of d.marks) {
        const x = px(mark.position[i]), y = py(mark.position[j]), told = `<title>${escape(`${mark.name} (${mark.law}, ${mark.direction})`)}</title>`;
        if (mark.direction === axes[i]) parts.push(`<line x1="${x - 9}" x2="${x + 9}" y1="${y}" y2="${y}" style="stroke:var(--series-1)" stroke-width="2.5">${told}</line>`);
        else if (mark.direction === axes[j]) parts.push(`<line x1="${x}" x2="${x}" y1="${y - 9}" y2="${y + 9}" style="stroke:var(--series-1)" stroke-width="2.5">${told}</line>`);
        else if (!axes.includes(mark.direction)) parts.push(`<circle cx="${x}" cy="${y}" r="7" style="fill:none;stroke:var(--series-1)">${told}</circle>`);
      }
      for (const point of d.points) parts.push(`<circle cx="${px(point.position[i])}" cy="${py(point.position[j])}" r="3" style="fill:var(--series-1)"><title>${escape(point.name)}</title></circle>`);
      for (const centre of d.centres) parts.push(`<text x="${px(centre.position[i])}" y="${py(centre.position[j]) + 5}" text-anchor="middle" style="fill:var(--accent);font-size:16px">+<title>${escape(centre.name)}</title></text>`);
      const metre = height - 12;
      parts.push(`<line x1="${MARGIN}" x2="${MARGIN + scale}" y1="${metre}" y2="${metre}" style="stroke:var(--text)" stroke-width="2"/><text x="${MARGIN + scale + 6}" y="${metre + 4}">1 m</text>`);
      return { title, height: Math.round(height), content: parts.join("") };
    },
  },
};
