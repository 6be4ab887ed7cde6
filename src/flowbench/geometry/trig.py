"""Sine and cosine from exactly rounded operations only, so that a yaw has the same bits on every machine.

The C library and numpy pick other code paths (FMA, AVX-512) on other CPUs, and may differ in the last bit.
"""

from __future__ import annotations

import math

# pi/2 in three parts of 33 bits each (Cody-Waite): k * part is exact for |k| < 2**20.
_PI_2_HIGH = 1.57079632673412561417e00
_PI_2_MIDDLE = 6.07710050630396597660e-11
_PI_2_LOW = 2.02226624879595063154e-21
# Taylor coefficients: on [-pi/4, pi/4] the first one left out contributes less than 1e-19.
_SIN = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(9))
_COS = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(10))


def sin_cos(angle: float) -> tuple[float, float]:
    """Sine and cosine of an angle in radians, |angle| < 1e6, within 2 units in the last place of 1."""
    quarter = math.floor(angle / (0.5 * math.pi) + 0.5)
    r = ((angle - quarter * _PI_2_HIGH) - quarter * _PI_2_MIDDLE) - quarter * _PI_2_LOW
    square = r * r
    s = 0.0
    for coefficient in reversed(_SIN):
        s = s * square + coefficient
    c = 0.0
    for coefficient in reversed(_COS):
        c = c * square + coefficient
    s *= r
    turns = int(quarter) % 4
    if turns == 0:
        return s, c
    if turns == 1:
        return c, -s
    if turns == 2:
        return -s, -c
    return -c, s


def sin(angle: float) -> float:
    """Sine of an angle in radians (see :func:`sin_cos`)."""
    return sin_cos(angle)[0]


def cos(angle: float) -> float:
    """Cosine of an angle in radians (see :func:`sin_cos`)."""
    return sin_cos(angle)[1]
