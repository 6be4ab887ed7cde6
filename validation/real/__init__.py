"""FlowBench-Real checked again: every measurement and answer from masks, depth, camera and ``meta.txt`` alone."""
