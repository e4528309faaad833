// What all components share: colours of the theme, the binary format of series, the size of ticks.
export const css = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();
export const seriesColour = (k) => css(`--series-${k % 8}`);

export async function fetchSeries(id, names, x = "time", n = 4000, window_ = null) {
  const query = new URLSearchParams({ names: names.join(","), x, n });
  if (window_) { query.set("t0", window_[0]); query.set("t1", window_[1]); }
  const answer = await fetch(`/api/runs/${id}/series?${query}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  return unpack(await answer.arrayBuffer());
}

export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let place = 4 + length;
  const xs = new Float64Array(buffer, place, head.points);
  place += 8 * head.points;
  const ys = head.series.map((_, k) => new Float32Array(buffer, place + 4 * head.points * k, head.points));
  return { head, xs, ys };
}

export function onTheme(element, rebuild) {
  const observer = new MutationObserver(() => rebuild());
  observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  return observer;
}

// about `count` round numbers between low and high
export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(Number((k * step).toPrecision(12)));
  return found;
}

// names come from files of anybody: they are text, never markup
export const escape = (words) => String(words).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

export const round = (value) => Number(value.toPrecision(4)).toString();

let library = null;
export function loadUplot() {
  if (!library) {
    library = new Promise((done, fail) => {
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = "/static/vendor/uplot/uPlot.min.css";
      document.head.append(style);
      const script = document.createElement("script");
      script.src = "/static/vendor/uplot/uPlot.iife.min.js";
      script.onload = () => done(window.uPlot);
      script.onerror = fail;
      document.head.append(script);
    });
  }
  return library;
}

// the moment shown everywhere: charts set it, the animation follows, and the other way round
export const cursor = new EventTarget();
export function setCursor(time, from) {
  cursor.time = time;
  cursor.dispatchEvent(new CustomEvent("time", { detail: { time, from } }));
}
