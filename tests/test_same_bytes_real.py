"""Measured pairs, their questions and samples have the same bytes whatever the CPU offers (schema.md, "Same bytes")."""

from __future__ import annotations

import pytest
from support.cpu_variation import assert_same_under_cpu_variation
from support.sources import ROOT

SAMPLES = f"""
    import hashlib, sys
    sys.path.insert(0, {str(ROOT / "tests")!r})
    import numpy as np
    from support.measured import measured, scene
    from flowbench.builders.real.annotating import Published, annotate
    from flowbench.builders.real.asking import ask
    from flowbench.builders.real.measuring.plane import apply, fit_plane
    from flowbench.builders.real.presets import preset_named
    from flowbench.builders.real.recording import Origin

    digest = hashlib.sha256()
    for name in ("balanced", "paper"):
        facts, drafts = ask(measured(scene(can=(120, 280, 1.0))), preset_named(name))
        published, origin = Published(facts, None), Origin(name, "by hand", "1", "drawn", "{{}}")
        for k, draft in enumerate(drafts[:4]):
            made = annotate(f"{{name}}-{{k}}", published, draft, 0, origin)
            for column, data in sorted(getattr(made, "members", {{}}).items()):
                digest.update(column.encode() + data)
    rng = np.random.default_rng(2)
    places = [tuple(each) for each in rng.uniform(-0.3, 0.3, (40, 2)).tolist()]
    pixels = [apply([[900.0, 40.0, 320.0], [-30.0, 500.0, 300.0], [0.05, 0.4, 1.0]], *each) for each in places]
    digest.update(fit_plane(pixels, places, (319.5, 239.5), np.random.default_rng(1)).tobytes())
    print(digest.hexdigest())
"""


@pytest.mark.slow
def test_samples_of_a_pair_have_the_same_bytes() -> None:
    assert_same_under_cpu_variation(
        SAMPLES, ["numpy without AVX2 and FMA", "C library without AVX2 and FMA", "kernels for any x86-64"]
    )
