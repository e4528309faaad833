// Bands of modes below charts: a line for each element that changes, a band while it is not in its mode of rest.
import { css, seriesColour } from "/static/common.js";

const ROW = 17, FRAME = 50; // height of a line, and of axis and label [px]

export const told = (name) => name.replaceAll("_", " ").replaceAll(".", ", ");

// wheels: darker the farther from the state in the middle of the track; others: a colour for each mode
function look(line, mode) {
  if (!line.wheel) return { colour: seriesColour(mode - 1 < 0 ? 7 : mode - 1), alpha: 0.85 };
  const most = Math.max(...line.spans.map(([, , m]) => Math.abs(m - line.base)), 1);
  return { colour: seriesColour(mode > line.base ? 4 : 6), alpha: 0.25 + (0.65 * Math.abs(mode - line.base)) / most };
}

export function legend(lines) {
  const words = new Map();
  for (const line of lines) if (!line.wheel) for (const [, , mode] of line.spans) words.set(`${line.words[mode]} ${mode}`, { word: line.words[mode], ...look(line, mode) });
  const parts = [...words.values()].map(({ word, colour }) => [colour, word]);
  if (lines.some((line) => line.wheel)) parts.push([seriesColour(4), "wheel: contact state beyond that of the middle, one way"], [seriesColour(6), "the other way"]);
  return parts;
}

export function buildBands(uPlot, found, { holder, width, left, range, zoom, hover, point }) {
  const { lines } = found;
  const axis = { stroke: css("--text"), grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--line") }, font: "12px Roboto", labelFont: "12px Roboto" };
  const draw = (u) => {
    const { ctx, bbox } = u, ratio = devicePixelRatio || 1, row = bbox.height / lines.length;
    ctx.save();
    ctx.font = `${11 * ratio}px Roboto, sans-serif`;
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    lines.forEach((line, k) => {
      const top = bbox.top + k * row;
      ctx.globalAlpha = 1;
      ctx.fillStyle = css("--text");
      ctx.fillText(told(line.name), bbox.left - 6 * ratio, top + row / 2, (left + 6) * ratio);
      ctx.fillStyle = css("--grid");
      ctx.fillRect(bbox.left, Math.round(top + row / 2), bbox.width, ratio);
      for (const [start, end, mode] of line.spans) {
        const { colour, alpha } = look(line, mode);
        const x0 = Math.max(u.valToPos(start, "x", true), bbox.left), x1 = Math.min(u.valToPos(end, "x", true), bbox.left + bbox.width);
        ctx.fillStyle = colour;
        ctx.globalAlpha = alpha;
        ctx.fillRect(x0, top + 0.14 * row, Math.max(x1 - x0, ratio), 0.72 * row);
      }
      ctx.globalAlpha = 1;
      ctx.fillStyle = css("--text");
      for (const time of line.instants) {
        ctx.beginPath();
        ctx.arc(u.valToPos(time, "x", true), top + row / 2, 2 * ratio, 0, 2 * Math.PI);
        ctx.fill();
      }
    });
    ctx.restore();
  };
  const under = (u) => {
    const { left: x, top: y } = u.cursor;
    if (x < 0 || y < 0) return;
    const line = lines[Math.min(lines.length - 1, Math.floor((y / u.over.clientHeight) * lines.length))];
    const time = u.posToVal(x, "x");
    const span = line.spans.find(([start, end]) => start <= time && time <= end);
    hover(span ? `${told(line.name)}: ${line.words[span[2]]} from ${span[0].toFixed(4)} to ${span[1].toFixed(4)} s` : `${told(line.name)}: ${line.words[line.base]}`);
    if (u.cursor.event) point(time);
  };
  return new uPlot({
    width, height: ROW * lines.length + FRAME, series: [{}, { show: true, stroke: "transparent", points: { show: false } }],
    scales: { x: { time: false, range: () => range }, y: { range: () => [0, 1] } },
    axes: [{ ...axis, label: "time [s]", labelSize: 18, size: 30 }, { ...axis, size: left + 18, values: () => [], splits: () => [], grid: { show: false }, ticks: { show: false } }],
    cursor: { sync: { key: "klingel" }, drag: { x: true, y: false, setScale: false }, points: { show: false } },
    legend: { show: false },
    hooks: {
      draw: [draw],
      setSelect: [(u) => { if (u.select.width > 4) zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")); }],
      setCursor: [under],
      ready: [(u) => u.over.addEventListener("dblclick", () => zoom(null, null))],
    },
  }, [range, [null, null]], holder);
}
