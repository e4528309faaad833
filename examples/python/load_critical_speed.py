"""A critical speed from its file."""

import klingel as kg

if __name__ == "__main__":
    bogie = kg.load_vehicle("cooperrider")
    kg.critical_speed(bogie, slowest=62.0, fastest=68.0, seeds=1, workers=1, out="critical.json")
    print(kg.load_critical_speed("critical.json").verdict)
