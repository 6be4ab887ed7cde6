"""FlowBench-Sim: positioning, planning, querying, annotating."""
