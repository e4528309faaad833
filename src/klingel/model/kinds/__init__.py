"""Kinds of force elements, one file each: everything the model does with it (`registry` names the hooks).

Wheels and cones are kinds that act on bodies, not between them: `wheels`, `cone`. What several share: `affine`
(pieces with walls), `impacts` (of guides), `slow_path` (characteristics), `leaf_spring_after_step`
(turning points without events).
"""
