// The vehicle in three dimensions: stored frames played in the browser, displacements magnified, forces as arrows.
import { css, cursor, onTheme, seriesColour, setCursor, unpack } from "/static/common.js";

const RAIL_HALF = 0.7535; // middle of the rail heads [m]
const FORCE = 2.8e-5; // length of an arrow per force [m/N]
const FRAMES = 6000;
const VIEWS = { follow: [0.9, 0.75, 0.55], side: [0, 1.35, 0.25], end: [1.25, 0, 0.3], wheel: [0.5, 0.35, 0.1], top: [0.01, 0.01, 1.5] };

const centreIsLow = (group, tops) => group.userData.home[2] < tops;

export default {
  template: `<div style="width:100%">
    <div class="k-scene" ref="scene"><div class="k-scale" ref="scale"></div></div>
    <div class="k-bar" style="margin-top:8px">
      <button type="button" @click="toggle" data-testid="play">{{ playing ? "Pause" : "Play" }}</button>
      <input type="range" min="0" max="1000" step="1" :value="place" @input="scrub" aria-label="time" style="flex:1;min-width:160px" data-testid="scrub">
      <span data-testid="clock" style="min-width:72px;text-align:right">{{ clock }}</span>
      <label>speed <select v-model.number="rate" aria-label="speed"><option v-for="r in [0.1, 0.2, 0.5, 1, 2]" :value="r">{{ r }}×</option></select></label>
      <label>displacements <select v-model.number="magnify" aria-label="magnification" data-testid="magnify"><option v-for="m in [1, 10, 20, 50, 100]" :value="m">×{{ m }}</option></select></label>
      <label>view <select v-model="view" aria-label="view"><option v-for="(_, name) in views" :value="name">{{ name }}</option></select></label>
      <label><input type="checkbox" v-model="arrows" data-testid="forces"> forces</label>
    </div>
  </div>`,
  props: { run: String, drawing: Object },
  data() { return { playing: false, place: 0, clock: "0.00 s", rate: 0.5, magnify: 20, view: "follow", views: VIEWS, arrows: true }; },
  async mounted() {
    this.three = await import("/static/vendor/three/three.bundle.js");
    const answer = await fetch(`/api/runs/${this.run}/frames?n=${FRAMES}`);
    if (!answer.ok) return;
    const { head, xs, ys } = unpack(await answer.arrayBuffer());
    if (!this.$refs.scene) return; // the page was left while the answer came
    this.head = head;
    this.times = xs;
    this.columns = new Map(head.series.map((one, k) => [one.name, ys[k]]));
    this.time = xs[0] || 0;
    this.frames = 0;
    this.prepare();
    this.$el.klingel = () => this.shown();
    this.observer = onTheme(this.$el, () => this.colour());
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.$refs.scene);
    this.follow = (event) => { if (event.detail.from !== "wagon" && !this.playing) this.go(event.detail.time); };
    cursor.addEventListener("time", this.follow);
    this.before = performance.now();
    this.loop = () => { this.handle = requestAnimationFrame(this.loop); this.tick(); };
    this.loop();
  },
  beforeUnmount() {
    cancelAnimationFrame(this.handle);
    this.observer?.disconnect();
    this.resizer?.disconnect();
    if (this.follow) cursor.removeEventListener("time", this.follow);
    this.controls?.dispose();
    this.renderer?.dispose();
  },
  watch: { view() { this.look(); }, magnify() { this.dirty = true; }, arrows() { this.dirty = true; } },
  methods: {
    prepare() {
      const T = this.three;
      this.renderer = new T.WebGLRenderer({ antialias: true });
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      this.$refs.scene.prepend(this.renderer.domElement);
      this.world = new T.Scene();
      this.camera = new T.PerspectiveCamera(38, 2, 0.05, 200);
      this.camera.up.set(0, 0, 1);
      this.controls = new T.OrbitControls(this.camera, this.renderer.domElement);
      this.controls.addEventListener("change", () => { this.dirty = true; });
      this.materials = {};
      for (const name of ["body", "steel", "text", "accent", "muted", "force"]) this.materials[name] = new T.MeshLambertMaterial();
      this.materials.body.transparent = true;
      this.materials.body.opacity = 0.4;
      this.materials.body.depthWrite = false; // what is inside is seen
      this.lineMaterial = new T.LineBasicMaterial();
      this.world.add(new T.HemisphereLight(0xffffff, 0x8090a0, 2.2));
      const sun = new T.DirectionalLight(0xffffff, 1.6);
      sun.position.set(5, 8, 12);
      this.world.add(sun);
      this.build();
      this.colour();
      this.resize();
      this.look();
    },
    build() {
      const T = this.three, drawing = this.drawing;
      const xs = drawing.wheels.map((wheel) => wheel.centre[0]);
      this.span = Math.max(2, Math.max(...xs, 0) - Math.min(...xs, 0));
      this.middle = xs.length ? (Math.max(...xs) + Math.min(...xs)) / 2 : 0;
      const ends = [...drawing.boxes, ...drawing.inertia].flatMap((box) => [box.low[0], box.high[0]]);
      this.whole = Math.max(this.span + 1, ...ends.map((x) => 2 * Math.abs(x - this.middle))); // length of all that is drawn
      this.bodies = new Map();
      for (const centre of drawing.centres) {
        const group = new T.Group();
        group.userData.home = centre.position;
        this.bodies.set(centre.name, group);
        this.world.add(group);
      }
      this.tops = Math.max(0, ...drawing.wheels.map((wheel) => 2 * wheel.radius + 0.08));
      const reach = new Map(drawing.boxes.map((box) => [box.name, box]));
      const boxes = new Map([...drawing.boxes, ...drawing.inertia].map((box) => [box.name, this.outline(box, reach.get(box.name))]));
      for (const box of boxes.values()) this.box(box);
      this.spinning = [];
      for (const wheel of drawing.wheels) this.wheel(wheel);
      this.$el.dataset.wheels = this.spinning.length;
      for (const axle of drawing.axles) this.axle(axle);
      this.points = drawing.points.map((point) => {
        const mesh = new T.Mesh(new T.SphereGeometry(0.035 * Math.cbrt(this.span), 10, 8), this.materials.accent);
        mesh.position.set(...point.position);
        this.world.add(mesh);
        return mesh;
      });
      const length = this.span + 14;
      for (const side of [-1, 1]) {
        const rail = new T.Mesh(new T.BoxGeometry(length, 0.072, 0.15), this.materials.steel);
        rail.position.set(this.middle, side * RAIL_HALF, -0.075);
        this.world.add(rail);
      }
      this.sleepers = [];
      for (let k = 0; k < Math.ceil(length / 0.6); k += 1) {
        const sleeper = new T.Mesh(new T.BoxGeometry(0.24, 2.5, 0.1), this.materials.muted);
        sleeper.position.set(0, 0, -0.21);
        this.sleepers.push(sleeper);
        this.world.add(sleeper);
      }
      this.length = length;
      this.forces = this.head.wheels.map((wheel) => {
        const mine = drawing.wheels.find((one) => wheel.startsWith(`${one.name}.`) && (wheel.endsWith("left") ? one.centre[1] > 0 : one.centre[1] < 0));
        if (!mine) return null;
        const arrow = this.arrow();
        const touch = new T.Mesh(new T.SphereGeometry(0.03, 10, 8), this.materials.accent);
        this.world.add(touch);
        return { wheel, arrow, touch, home: mine };
      }).filter(Boolean);
    },
    // the homogeneous box of a body, as long as its points reach; of running gear, no higher than its wheels, its points alone
    outline(box, points) {
      const centre = this.bodies.get(box.name)?.userData.home;
      if (!points || points === box || !centre) return box;
      if (centreIsLow(this.bodies.get(box.name), this.tops)) return points;
      const low = [Math.min(box.low[0], points.low[0]), box.low[1], box.low[2]], high = [Math.max(box.high[0], points.high[0]), box.high[1], box.high[2]];
      return { ...box, low, high };
    },
    box(box) {
      const T = this.three, group = this.bodies.get(box.name);
      if (!group) return;
      // a homogeneous box may reach below the wheels; a body is drawn above them
      const tops = centreIsLow(group, this.tops) ? -Infinity : this.tops;
      const low = [box.low[0], box.low[1], Math.min(Math.max(box.low[2], tops), Math.max(box.low[2], group.userData.home[2] - 0.15))];
      const size = box.high.map((high, k) => Math.max(high - low[k], 0.06));
      const geometry = new T.BoxGeometry(...size);
      const mesh = new T.Mesh(geometry, this.materials.body);
      const edges = new T.LineSegments(new T.EdgesGeometry(geometry), this.lineMaterial);
      const offset = box.high.map((high, k) => (high + low[k]) / 2 - group.userData.home[k]);
      mesh.position.set(...offset);
      edges.position.set(...offset);
      group.add(mesh, edges);
    },
    wheel(wheel) {
      const T = this.three, group = this.bodies.get(wheel.name);
      const out = Math.sign(wheel.centre[1]);
      const turning = new T.Group();
      const tread = new T.Mesh(new T.CylinderGeometry(wheel.radius, wheel.radius, 0.13, 40), this.materials.steel);
      const flange = new T.Mesh(new T.CylinderGeometry(wheel.radius + 0.028, wheel.radius + 0.028, 0.03, 40), this.materials.steel);
      tread.position.y = out * 0.065;
      flange.position.y = -out * 0.01;
      const mark = new T.Mesh(new T.BoxGeometry(0.05, 0.15, wheel.radius * 0.8), this.materials.text);
      mark.position.set(0, out * 0.07, wheel.radius * 0.45);
      turning.add(tread, flange, mark);
      turning.position.set(...wheel.centre.map((value, k) => value - group.userData.home[k]));
      turning.userData.radius = wheel.radius;
      this.spinning.push(turning);
      group.add(turning);
    },
    axle(axle) {
      const T = this.three, group = this.bodies.get(axle.name);
      const length = Math.abs(axle.end[1] - axle.start[1]) + 0.3;
      group.add(new T.Mesh(new T.CylinderGeometry(0.08, 0.08, length, 20), this.materials.steel));
    },
    // upwards, as long as 1; a line would be one pixel wide
    arrow() {
      const T = this.three, arrow = new T.Group();
      const shaft = new T.Mesh(new T.CylinderGeometry(0.045, 0.045, 1, 12), this.materials.force);
      const head = new T.Mesh(new T.CylinderGeometry(0, 0.12, 0.28, 16), this.materials.force);
      for (const part of [shaft, head]) part.rotation.x = Math.PI / 2;
      arrow.add(shaft, head);
      this.world.add(arrow);
      return arrow;
    },
    colour() {
      for (const [name, material] of Object.entries(this.materials)) material.color.set(name === "force" ? seriesColour(1) : css(`--${name}`));
      this.lineMaterial.color.set(css("--muted"));
      this.renderer.setClearColor(css("--ground"));
      this.dirty = true;
    },
    resize() {
      const { clientWidth: width, clientHeight: height } = this.$refs.scene;
      if (!width || !height) return;
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.dirty = true;
    },
    look() {
      const [x, y, z] = VIEWS[this.view], far = 0.74 * this.whole + 1.5;
      const near = this.view === "wheel", at = near ? this.drawing.wheels[1]?.centre ?? [0, 0, 0] : [this.middle, 0, 0.9];
      const reach = near ? 3.4 : far;
      this.camera.position.set(at[0] + x * reach, at[1] + y * reach, at[2] + z * reach);
      this.controls.target.set(...at);
      this.controls.update();
      this.dirty = true;
    },
    toggle() { if (!this.times) return; this.playing = !this.playing; this.before = performance.now(); if (this.playing && this.time >= this.end()) this.go(this.times[0]); },
    end() { return this.times[this.times.length - 1] || 0; },
    scrub(event) { if (!this.times) return; this.playing = false; this.go(this.times[0] + (event.target.value / 1000) * (this.end() - this.times[0])); setCursor(this.time, "wagon"); },
    go(time) { this.time = Math.min(Math.max(time, this.times[0] || 0), this.end()); this.dirty = true; },
    tick() {
      const now = performance.now();
      if (this.playing) {
        this.go(this.time + (this.rate * Math.min(now - this.before, 100)) / 1000);
        setCursor(this.time, "wagon");
        if (this.time >= this.end()) this.playing = false;
      }
      this.before = now;
      if (!this.dirty || !this.times.length) return;
      this.dirty = false;
      this.pose();
      this.renderer.render(this.world, this.camera);
      this.frames += 1;
      this.$el.dataset.frames = this.frames;
      this.clock = `${this.time.toFixed(2)} s`;
      this.place = Math.round((1000 * (this.time - this.times[0])) / (this.end() - this.times[0] || 1));
      this.$refs.scale.textContent = this.magnify > 1 ? `displacements ×${this.magnify}` : "true scale";
    },
    // what is drawn now, for scripts
    shown() {
      const bodies = Object.fromEntries([...this.bodies].map(([name, group]) => [name, {
        home: group.userData.home, position: group.position.toArray(), rotation: group.rotation.toArray().slice(0, 3),
      }]));
      const forces = this.forces.filter((one) => one.arrow.visible).map((one) => ({
        wheel: one.wheel, length: one.arrow.children[0].scale.y, tilt: one.arrow.rotation.x, at: one.touch.position.toArray(),
      }));
      return { time: this.time, dirty: this.dirty, magnify: this.magnify, bodies, forces };
    },
    index() {
      let low = 0, high = this.times.length - 1;
      while (high - low > 1) { const half = (low + high) >> 1; if (this.times[half] <= this.time) low = half; else high = half; }
      const width = this.times[high] - this.times[low];
      return [low, high, width > 0 ? (this.time - this.times[low]) / width : 0];
    },
    value(name, [low, high, part]) {
      const column = this.columns.get(name);
      return column ? column[low] + part * (column[high] - column[low]) : 0;
    },
    pose() {
      const at = this.index(), m = this.magnify;
      for (const [name, group] of this.bodies) {
        const home = group.userData.home, v = (word) => m * this.value(`${name}.${word}`, at);
        group.position.set(home[0] + v("x"), home[1] + v("y"), home[2] + v("z"));
        group.rotation.set(v("roll"), v("pitch"), v("yaw"), "ZYX");
      }
      const way = this.time * 6; // for the eye: the track passes slowly, whatever the speed
      for (const turning of this.spinning) turning.rotation.y = way / turning.userData.radius;
      this.sleepers.forEach((sleeper, k) => { sleeper.position.x = this.middle - this.length / 2 + ((((k * 0.6 - way) % this.length) + this.length) % this.length); });
      for (const { wheel, arrow, touch, home } of this.forces) {
        const Q = this.value(`${wheel}.Q`, at), Y = this.value(`${wheel}.Y`, at), size = Math.hypot(Q, Y);
        const rail = this.columns.has(`${wheel}.rail_y`) ? this.value(`${wheel}.rail_y`, at) : Math.sign(home.centre[1]) * RAIL_HALF;
        arrow.visible = this.arrows && FORCE * size > 0.08;
        touch.visible = this.arrows;
        touch.position.set(home.centre[0], rail, 0.01);
        arrow.position.set(home.centre[0], rail + 0.2 * Math.sign(home.centre[1]), 0); // beside the wheel, to be seen
        arrow.rotation.x = -Math.atan2(Y, Q);
        const length = Math.max(0.05, FORCE * size), [shaft, head] = arrow.children;
        shaft.scale.y = length;
        shaft.position.z = length / 2;
        head.position.z = length;
      }
    },
  },
};
