"""The lowest speed at which a bogie keeps hunting, or one line that says why there is no verdict."""

import klingel as kg

if __name__ == "__main__":  # other processes read this script again
    bogie = kg.load_vehicle("cooperrider")
    found = kg.critical_speed(bogie, slowest=62.0, fastest=68.0, seeds=1, workers=1)
    print(found.verdict, found.speed, found.reason)
