"""*Track and contact*: straight or curve, rails, and the wheelset on them under a slider."""

from typing import Any

from nicegui import events, ui

from klingel._errors import InputError
from klingel.app.web import forms, layout
from klingel.app.web.answers import equivalent
from klingel.app.web.components.contact import Contact
from klingel.app.web.draft import draft, plain, set_change
from klingel.app.web.workbench import LARGEST_TEXT, Workbench
from klingel.io.units import read_quantity
from klingel.track.spectrum import SPECTRA

STRAIGHT, CURVE, FILE = "straight", "curve", "own file"
RAILS, WHEELS = ["UIC60"], ["S1002"]
PROFILE_FILES = ".prw .prr .whl .ban .whe .rai or two columns; a rail for the track, a wheel for this page"
WORDS = (
    ("radius", "Radius, to the left positive"), ("cant", "Cant of the outer rail"),
    ("transition", "Each transition"), ("length", "Length of the arc"),
)  # fmt: skip
SMOOTH, OWN = "smooth", "of the track file"
RANDOM: dict[str, Any] = {
    "kind": "random", "spectrum": "", "seed": 1.0, "length": "500 m", "start": "50 m", "factor": 1.0,
}  # fmt: skip
ROUGH = {
    "length": ("Length of irregular track", "length"),
    "seed": ("Seed", "number"),
    "factor": ("Factor", "number"),
}
USUAL = {"radius": "1000 m", "cant": "0.1 m", "transition": "100 m", "length": "300 m"}


def register(bench: Workbench) -> None:
    @layout.page("/contact")
    async def contact() -> None:
        with layout.frame(bench, "/contact", "Track and contact"), ui.element("div").classes("k-page"):
            page = Page(bench, ui.column().classes("k-side"), ui.column().classes("k-main"))
            await page.build()


class Page:
    def __init__(self, bench: Workbench, side: ui.column, main: ui.column):
        self.bench, self.side, self.main = bench, side, main
        self.wheel, self.radius, self.back = "S1002", 0.46, 1.36
        self.fitted, self.profile_names = "", []
        self.curve = dict(USUAL)

    async def build(self) -> None:
        ready = await layout.getting_ready(self.bench, self.main)
        await self.wheels()
        track = draft().get("track", {})
        known = curve_of(track)
        kind = CURVE if known else FILE if track.get("stage") else STRAIGHT
        self.curve = known or self.curve
        with self.side:
            ui.label("Track of the next run").classes("k-group")
            self.kind = ui.toggle([STRAIGHT, CURVE, FILE], value=kind, on_change=lambda e: self.choose(e.value))
            self.kind.props(
                "dense no-caps unelevated padding='4px 10px' toggle-color=primary data-testid=track-kind"
            )
            self.told = ui.label().classes("k-small")
            self.place = ui.column().classes("w-full gap-2")
            self.irregularity(track)
            ui.label("Rails").classes("k-group")
            forms.quantity(
                "Inclination", track.get("inclination", "1/40"), "number", self.put("inclination"), "not negative"
            ).props("data-testid=inclination")
            forms.quantity("Gauge", track.get("gauge", "1435 mm"), "length", self.put("gauge"), "positive")
            self.rail = ui.select(self.profiles(RAILS, track.get("rail")), value=track.get("rail", "UIC60"),
                                  label="Rail profile", on_change=lambda e: self.set_rail(e.value))  # fmt: skip
            self.rail.props("dense outlined options-dense")
            ui.label("Wheel shown").classes("k-group")
            self.wheel_select = ui.select(
                self.profiles(WHEELS, self.wheel), value=self.wheel, label="Wheel profile",
                on_change=lambda e: self.set_wheel(e.value),
            )  # fmt: skip
            self.wheel_select.props("dense outlined options-dense data-testid=wheel")
            self.use = ui.button("Use it on the vehicle", icon="check", on_click=self.use_wheel).props(
                "outline dense data-testid=use-wheel"
            )
            self.use.visible = False
            forms.upload("Measured profile", self.upload_profile, LARGEST_TEXT, self.tell).props(
                "data-testid=upload-profile"
            )
            ui.label(PROFILE_FILES).classes("k-muted k-small")
            self.trouble = ui.label().classes("k-error k-small").props("data-testid=trouble")
        self.fields(kind)
        await self.load()
        if ready is not None and not ready.is_deleted:
            ready.delete()

    def profiles(self, named: list[str], own: str | None) -> dict[str, str]:
        found = {name: name for name in named}
        if own and own not in found:
            found[own] = own
        return found

    async def wheels(self) -> None:
        """Those of the vehicle that is chosen."""
        try:
            view = await self.bench.previews.call("summary", plain(draft()["vehicle"]), self.bench.uploads)
        except InputError:
            return
        if view["contact"]:
            self.wheel, self.radius, self.back = (view["contact"][k] for k in ("wheel", "radius", "back_to_back"))
        self.fitted = self.wheel
        self.profile_names = view["profiles"]

    def put(self, name: str):
        def keep(text: str) -> None:
            track = draft().setdefault("track", {})
            if track.get(name) != text:
                track[name] = text
                ui.timer(0, self.load, once=True)

        return keep

    def set_rail(self, name: str) -> None:
        draft().setdefault("track", {})["rail"] = name
        ui.timer(0, self.load, once=True)

    def set_wheel(self, name: str) -> None:
        self.wheel = name
        self.use.visible = bool(self.profile_names) and name != self.fitted
        ui.timer(0, self.load, once=True)

    def use_wheel(self) -> None:
        """The wheel shown becomes that of every wheelset: a changed value like any other."""
        for name in self.profile_names:
            set_change(name, self.wheel)
        self.fitted, self.use.visible = self.wheel, False
        ui.notify("wheel profile of the vehicle changed")

    def choose(self, kind: str) -> None:
        track = draft().setdefault("track", {})
        if kind == STRAIGHT:
            for key in ("stage", "start"):
                track.pop(key, None)
        if kind == CURVE:
            self.set_curve()
        self.fields(kind)

    def fields(self, kind: str) -> None:
        self.place.clear()
        track = draft().get("track", {})
        stages = len(track.get("stage", []))
        self.told.text = f"{stages} curve elements" if stages else "straight and level"
        with self.place:
            if kind == CURVE:
                for name, word in WORDS:
                    forms.quantity(word, self.curve[name], "length", lambda t, n=name: self.bend(n, t))
            if kind == FILE:
                forms.upload("Track file (TOML)", self.upload_track, LARGEST_TEXT, self.tell, ".toml")

    def irregularity(self, track: dict[str, Any]) -> None:
        """Random irregularity of a known spectrum; others come with a track file."""
        ui.label("Irregularity").classes("k-group")
        sources = track.get("irregularity", [])
        own = sources and not _is_random(sources)
        words = {SMOOTH: SMOOTH, **{name: name for name in SPECTRA}, **({OWN: OWN} if own else {})}
        chosen = OWN if own else sources[0]["spectrum"] if sources else SMOOTH
        self.random = dict(sources[0]) if sources and not own else dict(RANDOM)
        select = ui.select(words, value=chosen, label="Spectrum", on_change=lambda e: self.roughen(e.value))
        select.props("dense outlined options-dense data-testid=spectrum-of-track")
        self.rough = ui.column().classes("w-full gap-2")
        self.rough_fields(chosen)

    def rough_fields(self, chosen: str) -> None:
        self.rough.clear()
        if chosen in (SMOOTH, OWN):
            return
        with self.rough:
            for name, (word, dimension) in ROUGH.items():
                forms.quantity(word, self.random[name], dimension, lambda t, n=name: self.rough_value(n, t),
                               "not negative" if name == "seed" else "positive")  # fmt: skip

    def roughen(self, chosen: str) -> None:
        track = draft().setdefault("track", {})
        if chosen == SMOOTH:
            track.pop("irregularity", None)
        elif chosen != OWN:
            self.random["spectrum"] = chosen
            track["irregularity"] = [dict(self.random)]
        self.rough_fields(chosen)
        ui.timer(0, self.load, once=True)

    def rough_value(self, name: str, text: str) -> None:
        value: Any = text if name == "length" else float(text)
        if self.random[name] != value:
            self.random[name] = value
            draft().setdefault("track", {})["irregularity"] = [dict(self.random)]
            ui.timer(0, self.load, once=True)

    def bend(self, name: str, text: str) -> None:
        self.curve[name] = text
        self.set_curve()

    def set_curve(self) -> None:
        """Straight, transition, arc, transition, straight: as `Track.curve` has them."""
        curve = self.curve
        radius = read_quantity(curve["radius"], "length")
        cant = read_quantity(curve["cant"], "length")
        signed = f"{cant if radius > 0 else -cant:.12g} m"
        track = draft().setdefault("track", {})
        track["start"] = "50 m"
        track["stage"] = [
            {"length": curve["transition"], "radius": curve["radius"], "cant": signed},
            {"length": curve["length"]},
            {"length": curve["transition"], "radius": "inf", "cant": "0 m"},
        ]
        self.told.text = "straight, transition, arc, transition, straight"
        ui.timer(0, self.load, once=True)

    def tell(self, text: str) -> None:
        self.trouble.text = text

    async def upload_track(self, e: events.UploadEventArguments) -> None:
        try:
            text = (await e.file.read()).decode("utf-8")
            found = await self.bench.previews.call("uploaded", text, e.file.name, self.bench.uploads, timeout=20.0)
            if found["kind"] != "track":
                raise InputError(e.file.name, "a vehicle file", "must be a track")
        except (InputError, UnicodeDecodeError) as error:
            self.trouble.text = str(error)
            return
        draft()["track"] = found["tables"]
        ui.navigate.reload()

    async def upload_profile(self, e: events.UploadEventArguments) -> None:
        try:
            path = self.bench.keep_upload(e.file.name, await e.file.read())
            body = await self.bench.previews.call("profile", str(path))
            name = path.name
        except InputError as error:
            self.trouble.text = str(error).replace(self.bench.uploads, "")
            return
        if body == "rail":
            self.rail.set_options(self.profiles(RAILS, name), value=name)
        else:
            self.wheel_select.set_options(self.profiles(WHEELS, name), value=name)

    async def load(self) -> None:
        track = draft().get("track", {})
        try:
            await self.bench.previews.call("request", plain(draft()), self.bench.uploads)
            given: list[Any] = [
                self.wheel, track.get("rail", "UIC60"), read_quantity(track.get("inclination", "1/40"), "number"),
                read_quantity(track.get("gauge", "1.435 m"), "length"), self.radius, self.back,
            ]  # fmt: skip
            found = await self.bench.previews.call("contact", *map(self.bench.located, given[:2]), *given[2:])
        except InputError as error:
            self.trouble.text = str(error)
            return
        self.trouble.text = ""
        self.main.clear()
        with self.main, ui.column().classes("k-card"):
            ui.label(f"{self.wheel} on {given[1]}").classes("k-title")
            Contact({**found, "wheel": self.wheel, "rail": given[1]})
        with self.main, ui.column().classes("k-card"):
            tilt = track.get("inclination", "1/40")
            command, python = equivalent.contact(given[0], given[1], str(tilt), *given[3:])
            layout.code("Command", command, "command")
            layout.code("Python", python, "python")


def _is_random(sources: list[Any]) -> bool:
    """One source, as this page makes it."""
    return len(sources) == 1 and isinstance(sources[0], dict) and set(sources[0]) == set(RANDOM)


def curve_of(track: dict[str, Any]) -> dict[str, str] | None:
    """The fields of a curve as this page makes it; None for any other track."""
    stages = track.get("stage", [])
    if len(stages) != 3 or set(stages[1]) != {"length"} or stages[2].get("radius") != "inf":
        return None
    first, arc = stages[0], stages[1]
    if set(first) != {"length", "radius", "cant"} or stages[2].get("length") != first["length"]:
        return None
    cant = read_quantity(first["cant"], "length")
    size = f"{abs(cant):.12g} m"
    return {"radius": first["radius"], "cant": size, "transition": first["length"], "length": arc["length"]}
