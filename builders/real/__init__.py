"""FlowBench-Real: moves that recorded videos show, measured and asked about (paper, "FlowBench-Real Construction")."""
