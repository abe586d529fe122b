"""peerbench's native.py, a case at a time: reads {"name", "prompt", "decode"} from a line, runs it, prints its times.

    python native.py PEERBENCH/peers/native.py ARGUMENT     as run.mjs calls it, with any cases in ARGUMENT
"""
import json, sys

script, argument = sys.argv[1:]
measured = {"__file__": script, "__name__": "__main__"}


def cases():
    """Cases for native.py. It stores the times of a case in these variables before it reads the next case."""
    for line in sys.stdin:
        yield real_loads(line)
        print(json.dumps({"prefill_ms": measured["pre"] * 1e3, "decode_ms": measured["dec"] * 1e3}), flush=True)


real_loads = json.loads
json.loads = lambda text: {**real_loads(text), "cold": False, "reps": 1, "cases": cases()}
sys.argv = [script, argument]
with open(script) as source:
    exec(compile(source.read(), script, "exec"), measured)
