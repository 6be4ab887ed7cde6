"""Rationales are read sentence by sentence, and what they say is held against the published run."""
