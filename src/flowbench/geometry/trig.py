"""Sine, cosine and angle from exactly rounded operations only, so that a yaw has the same bits on every machine.

The C library and numpy pick other code paths (FMA, AVX-512) on other CPUs, and may differ in the last bit.
"""

from __future__ import annotations

import math

# pi/2 in three parts of 33 bits each (Cody-Waite): k * part is exact for |k| < 2**20.
_PI_2_HIGH = 1.57079632673412561417e00
_PI_2_MIDDLE = 6.07710050630396597660e-11
_PI_2_LOW = 2.02226624879595063154e-21
_MAX_ANGLE = 1e6
# Taylor coefficients: on [-pi/4, pi/4] the first one left out contributes less than 1e-19.
_SIGNS = (1.0, -1.0)
_SIN = tuple(_SIGNS[k % 2] / math.factorial(2 * k + 1) for k in range(9))
_COS = tuple(_SIGNS[k % 2] / math.factorial(2 * k) for k in range(10))
# On [0, tan(pi/16)] the first one left out contributes less than 1e-19.
_ATAN = tuple(_SIGNS[k % 2] / (2 * k + 1) for k in range(13))


def sin_cos(angle: float) -> tuple[float, float]:
    """Sine and cosine of an angle in radians, each within 2 units in the last place of 1.

    Raises:
        ValueError: the angle is not finite, or beyond 1e6 either way.
    """
    if not abs(angle) < _MAX_ANGLE:
        raise ValueError(f"angle of {angle} radians, expected one between -1e6 and 1e6; is it in radians?")
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
    turns = quarter % 4
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


def atan2(y: float, x: float) -> float:
    """Angle of the direction (x, y) in radians, in [-pi, pi], within 4 units in the last place of 1.

    0 for the null vector. The quadrant's rules are those of :func:`math.atan2`, but zeros have no sign.

    Raises:
        ValueError: x or y is not finite.
    """
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"direction ({x}, {y}), expected finite components; is the point it looks at known?")
    low, high = sorted((abs(x), abs(y)))
    if high == 0.0:
        return 0.0
    t = low / high
    for _ in range(2):  # tan(a / 2) from tan(a): twice brings pi/4 down to pi/16
        t = t / (1.0 + math.sqrt(1.0 + t * t))
    square = t * t
    series = 0.0
    for coefficient in reversed(_ATAN):
        series = series * square + coefficient
    angle = 4.0 * t * series
    if abs(y) > abs(x):
        angle = 0.5 * math.pi - angle
    if x < 0.0:
        angle = math.pi - angle
    return -angle if y < 0.0 else angle
