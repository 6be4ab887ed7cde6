"""Crash isolation round a block of work: whatever a simulator does, the run goes on (scale.md).

A guard owns a long-lived child process, hands it one block after the other, and ends it, with all that it started,
when it dies, hangs or fails. Where that happens (a thread here, a Ray worker, a Slurm job) is an engine's business.
"""

from __future__ import annotations

from .environment import looks_secret, without_secrets
from .guards import Guards, end_children, run_block
from .messages import Refusal, Report, Spec

__all__ = ["Guards", "Refusal", "Report", "Spec", "end_children", "looks_secret", "run_block", "without_secrets"]
