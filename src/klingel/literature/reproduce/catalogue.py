"""All studies, in the order of the literature; a module is imported only when the list is asked for.

Modules keep what needs compiled kernels inside their functions, so that listing claims stays quick.
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module

from klingel._errors import InputError
from klingel.literature.reproduce.claim import Study

PACKAGE = "klingel.literature"
MODULES: tuple[str, ...] = (
    "contact_geometry",
    "hoffmann.contact_patch",
    "leaf_spring.claims",
    "links.claims",
    "hoffmann.integrator",
    "hoffmann.oscillators",
    "constrained_wheelset.claims",
    "other_sources",
    "nonsmooth_bogies.claims",
    "nonsmooth_bogies.friction_claims",
    "hoffmann.wagon_data",
    "hoffmann.wagon_hunting",
    "hoffmann.wagon_ends",
    "hoffmann.wagon_estimates",
    "hoffmann.wagon_resonance",
    "hoffmann.wagon_roll",
    "hoffmann.wagon_rest",
    "hoffmann.wagon_attractors",
    "hoffmann.wagon_chaos",
    "hoffmann.wagon_irregular",
    "hoffmann.wagon_contact_table",
    "hoffmann.wagon_curve",
    "hoffmann.wagon_braking",
    "hoffmann.wagon_springs",
    "hoffmann.wagon_kbps_g69",
)  # each has STUDIES


def all_studies() -> tuple[Study, ...]:
    found: list[Study] = []
    for name in MODULES:
        found += import_module(f"{PACKAGE}.{name}").STUDIES
    return tuple(found)


def choose(studies: Sequence[Study], names: Sequence[str] = (), only_fast: bool = False) -> tuple[Study, ...]:
    """Studies that answer the named claims (ids) or studies; of a study asked by id, only the claims asked for."""
    known = {study.name for study in studies} | {claim.id for study in studies for claim in study.claims}
    for name in names:
        if name not in known:
            raise InputError("ID", name, "must be an id or study of `klingel reproduce --list`")
    chosen: list[Study] = []
    for study in studies:
        if only_fast and not study.fast:
            continue
        claims = study.claims
        if names and study.name not in names:
            claims = tuple(claim for claim in claims if claim.id in names)
        if claims:
            chosen.append(replace(study, claims=claims))
    return tuple(chosen)
