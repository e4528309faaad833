"""The wheel on its rail: its forces (`wheel`) and what they are computed from, one file each."""
