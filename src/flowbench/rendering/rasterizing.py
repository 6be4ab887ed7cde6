"""Which face is seen where: homogeneous rasterization with a depth buffer.

A ray r through an image point meets the triangle (P0, P1, P2) (camera frame) where the signs of
(Pi x Pj) . r agree; 1/z along it is N . r / N . P0. Both are linear in the pixel and need no clipping, also
for triangles that reach behind the camera (Olano and Greer, "Triangle scan conversion using 2D homogeneous
coordinates", 1997). Since Pi x Pj = -(Pj x Pi) to the last bit, triangles that share an edge leave no crack.
Coverage and depth at a sample depend on nothing but the triangle and the sample; equal depths go to the
smaller face index. So the result does not depend on the order of faces, on bands or on threads.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel

Float = NDArray[np.float64]
Int = NDArray[np.int32]
Index = NDArray[np.int64]

NEAR = 0.02
"""Nothing nearer than this is drawn, metres."""

RECORD = 16
"""Columns of a triangle record: three edges (a, b, c) with a u + b v + c >= 0 inside, the plane of 1/z
(a, b, c), and the bounds u0, u1, v0, v1 in pixels."""

NOTHING = 2**31 - 1
"""Face index where nothing is hit: larger than any face, so that it loses every tie."""

_SLACK = 1e-6
"""Bounds are widened by this many pixels: they must never decide coverage, only save time."""


@kernel
def set_up(
    start: int,
    stop: int,
    visible: Int,
    first: Index,
    vertex_start: Index,
    face_start: Index,
    points: Float,
    faces: Int,
    pose: Float,
    lens: Float,
    margin: float,
    local: Float,
    pixels: Float,
    records: Float,
    face_of: Int,
    kept: Index,
) -> None:
    """Project the instances ``visible[start:stop]`` and make records of their front faces.

    Args:
        start, stop: the piece of ``visible``.
        visible: (K,) instances to draw.
        first: (K,) where each one's records begin.
        vertex_start, face_start, points, faces: see Scene.
        pose: (4, 4) ``camera_from_world``.
        lens: see :func:`lens`.
        margin: how far samples lie from pixel centres at most, pixels; faces that meet none are dropped.
        local, pixels: scratch (V, 3) camera coordinates and (V, 2) image points.
        records: out, (N, RECORD).
        face_of: out, (N,) face of each record.
        kept: out, (K,) how many records each instance got.
    """
    focal, centre_u, centre_v, width, height = lens[0], lens[1], lens[2], lens[3], lens[4]
    for k in range(start, stop):
        o = visible[k]
        for i in range(vertex_start[o], vertex_start[o + 1]):
            x, y, z = points[i, 0], points[i, 1], points[i, 2]
            px = pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z + pose[0, 3]
            py = pose[1, 0] * x + pose[1, 1] * y + pose[1, 2] * z + pose[1, 3]
            pz = pose[2, 0] * x + pose[2, 1] * y + pose[2, 2] * z + pose[2, 3]
            local[i, 0] = px
            local[i, 1] = py
            local[i, 2] = pz
            if pz >= NEAR:
                scale = focal / pz
                pixels[i, 0] = px * scale + centre_u
                pixels[i, 1] = py * scale + centre_v
        n = first[k]
        for f in range(face_start[o], face_start[o + 1]):
            i0, i1, i2 = faces[f, 0], faces[f, 1], faces[f, 2]
            z0, z1, z2 = local[i0, 2], local[i1, 2], local[i2, 2]
            if z0 < NEAR and z1 < NEAR and z2 < NEAR:
                continue
            if z0 >= NEAR and z1 >= NEAR and z2 >= NEAR:
                u0 = min(pixels[i0, 0], pixels[i1, 0], pixels[i2, 0])
                u1 = max(pixels[i0, 0], pixels[i1, 0], pixels[i2, 0])
                v0 = min(pixels[i0, 1], pixels[i1, 1], pixels[i2, 1])
                v1 = max(pixels[i0, 1], pixels[i1, 1], pixels[i2, 1])
            else:
                u0, u1, v0, v1 = 1e30, -1e30, 1e30, -1e30
                for j in range(3):
                    a = faces[f, j]
                    b = faces[f, (j + 1) % 3]
                    if local[a, 2] >= NEAR:
                        u0 = min(u0, pixels[a, 0])
                        u1 = max(u1, pixels[a, 0])
                        v0 = min(v0, pixels[a, 1])
                        v1 = max(v1, pixels[a, 1])
                    if (local[a, 2] >= NEAR) != (local[b, 2] >= NEAR):
                        t = (NEAR - local[a, 2]) / (local[b, 2] - local[a, 2])
                        u = (local[a, 0] + t * (local[b, 0] - local[a, 0])) / NEAR * focal + centre_u
                        v = (local[a, 1] + t * (local[b, 1] - local[a, 1])) / NEAR * focal + centre_v
                        u0 = min(u0, u)
                        u1 = max(u1, u)
                        v0 = min(v0, v)
                        v1 = max(v1, v)
            u0 = max(u0 - _SLACK, -0.5)
            u1 = min(u1 + _SLACK, width - 0.5)
            v0 = max(v0 - _SLACK, -0.5)
            v1 = min(v1 + _SLACK, height - 0.5)
            if math.ceil(u0 - margin) > math.floor(u1 + margin) or math.ceil(v0 - margin) > math.floor(v1 + margin):
                continue
            x0, y0 = local[i0, 0], local[i0, 1]
            x1, y1 = local[i1, 0], local[i1, 1]
            x2, y2 = local[i2, 0], local[i2, 1]
            ax, ay, az = x1 - x0, y1 - y0, z1 - z0
            bx, by, bz = x2 - x0, y2 - y0, z2 - z0
            nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            distance = nx * x0 + ny * y0 + nz * z0
            if not distance < 0.0:
                continue
            record = records[n]
            scale = -1.0 / focal
            ex, ey, ez = y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2
            record[0] = ex * scale
            record[1] = ey * scale
            record[2] = (ex * centre_u + ey * centre_v) / focal - ez
            ex, ey, ez = y2 * z0 - z2 * y0, z2 * x0 - x2 * z0, x2 * y0 - y2 * x0
            record[3] = ex * scale
            record[4] = ey * scale
            record[5] = (ex * centre_u + ey * centre_v) / focal - ez
            ex, ey, ez = y0 * z1 - z0 * y1, z0 * x1 - x0 * z1, x0 * y1 - y0 * x1
            record[6] = ex * scale
            record[7] = ey * scale
            record[8] = (ex * centre_u + ey * centre_v) / focal - ez
            scale = 1.0 / (distance * focal)
            record[9] = nx * scale
            record[10] = ny * scale
            record[11] = nz / distance - (nx * centre_u + ny * centre_v) * scale
            record[12] = u0
            record[13] = u1
            record[14] = v0
            record[15] = v1
            face_of[n] = f
            n += 1
        kept[k] = n - first[k]


@kernel
def count_bins(first: Index, kept: Index, records: Float, rows: int, bin_start: Index) -> int:
    """How many records touch each bin of ``rows`` pixel rows; returns the sum.

    Args:
        first, kept, records: what :func:`set_up` made.
        rows: height of a bin.
        bin_start: out, (B + 1,) running sums.
    """
    bins = len(bin_start) - 1
    bin_start[:] = 0
    for k in range(len(first)):
        for r in range(first[k], first[k] + kept[k]):
            low = max(math.floor(records[r, 14]), 0) // rows
            high = min(math.ceil(records[r, 15]) // rows, bins - 1)
            for b in range(low, high + 1):
                bin_start[b + 1] += 1
    for b in range(bins):
        bin_start[b + 1] += bin_start[b]
    return int(bin_start[bins])


@kernel
def fill_bins(first: Index, kept: Index, records: Float, rows: int, bin_start: Index, items: Int) -> None:
    """Write each bin's records, ascending, to ``items[bin_start[b]:bin_start[b + 1]]``."""
    bins = len(bin_start) - 1
    cursor = bin_start[:bins].copy()
    for k in range(len(first)):
        for r in range(first[k], first[k] + kept[k]):
            low = max(math.floor(records[r, 14]), 0) // rows
            high = min(math.ceil(records[r, 15]) // rows, bins - 1)
            for b in range(low, high + 1):
                items[cursor[b]] = r
                cursor[b] += 1


@kernel
def rasterize(
    items: Int,
    records: Float,
    face_of: Int,
    du: float,
    dv: float,
    row: int,
    stop: int,
    inverse_depth: Float,
    seen: Int,
) -> None:
    """Draw records at the samples (x + du, y + dv) of the pixel rows ``row..stop - 1``.

    Args:
        items: the records that may touch these rows.
        records, face_of: what :func:`set_up` made.
        du, dv: the sample's offset from the pixel centre, at most half a pixel.
        row, stop: the rows.
        inverse_depth: out, (>= stop - row, W) 1/z; line 0 is pixel row ``row``; 0 where nothing is hit.
        seen: out, the same shape, face index or NOTHING.
    """
    width = inverse_depth.shape[1]
    limit = 1.0 / NEAR
    for y in range(stop - row):
        for x in range(width):
            inverse_depth[y, x] = 0.0
            seen[y, x] = NOTHING
    for item in items:
        e = records[item]
        top = max(math.ceil(e[14] - dv), row)
        bottom = min(math.floor(e[15] - dv), stop - 1)
        left = max(math.ceil(e[12] - du), 0)
        right = min(math.floor(e[13] - du), width - 1)
        if top > bottom or left > right:
            continue
        f = face_of[item]
        a0, a1, a2, az = e[0], e[3], e[6], e[9]
        wide = right - left > 5
        if wide:
            r0 = 1.0 / a0 if a0 != 0.0 else 0.0
            r1 = 1.0 / a1 if a1 != 0.0 else 0.0
            r2 = 1.0 / a2 if a2 != 0.0 else 0.0
        for y in range(top, bottom + 1):
            v = y + dv
            c0 = e[1] * v + e[2]
            c1 = e[4] * v + e[5]
            c2 = e[7] * v + e[8]
            cz = e[10] * v + e[11]
            first, last = left, right
            if wide:
                # Solve for the span, widen it by a pixel against rounding, then trim by the exact test.
                low, high = float(left), float(right)
                if a0 > 0.0:
                    low = max(low, -c0 * r0 - du - 1.0)
                elif a0 < 0.0:
                    high = min(high, -c0 * r0 - du + 1.0)
                if a1 > 0.0:
                    low = max(low, -c1 * r1 - du - 1.0)
                elif a1 < 0.0:
                    high = min(high, -c1 * r1 - du + 1.0)
                if a2 > 0.0:
                    low = max(low, -c2 * r2 - du - 1.0)
                elif a2 < 0.0:
                    high = min(high, -c2 * r2 - du + 1.0)
                if low > high:
                    continue
                first, last = math.ceil(low), math.floor(high)
            while first <= last:
                u = first + du
                if a0 * u + c0 >= 0.0 and a1 * u + c1 >= 0.0 and a2 * u + c2 >= 0.0:
                    break
                first += 1
            while last > first:
                u = last + du
                if a0 * u + c0 >= 0.0 and a1 * u + c1 >= 0.0 and a2 * u + c2 >= 0.0:
                    break
                last -= 1
            depths = inverse_depth[y - row]
            owners = seen[y - row]
            for x in range(first, last + 1):
                z = az * (x + du) + cz
                if z >= depths[x] and z <= limit and (z > depths[x] or f < owners[x]):
                    depths[x] = z
                    owners[x] = f


@kernel
def rasterize_centres(
    start: int,
    stop: int,
    rows: int,
    bin_start: Index,
    items: Int,
    records: Float,
    face_of: Int,
    inverse_depth: Float,
    seen: Int,
) -> None:
    """Draw the bins ``start..stop - 1`` at pixel centres into whole-image buffers (H, W)."""
    height = inverse_depth.shape[0]
    for b in range(start, stop):
        low, high = b * rows, min((b + 1) * rows, height)
        part = items[bin_start[b] : bin_start[b + 1]]
        rasterize(part, records, face_of, 0.0, 0.0, low, high, inverse_depth[low:high], seen[low:high])


@kernel
def resolve_centres(
    start: int,
    stop: int,
    inverse_depth: Float,
    seen: Int,
    face_instance: Int,
    instance_ids: NDArray[np.uint16],
    depth: NDArray[np.float32],
    ids: NDArray[np.uint16],
) -> None:
    """Planar depth (H, W) and instance ids (H, W) of the rows ``start..stop - 1``."""
    known, instance_id = NOTHING, np.uint16(0)
    for y in range(start, stop):
        for x in range(depth.shape[1]):
            f = seen[y, x]
            if f != known:  # rows run along faces, so it seldom changes
                known = f
                instance_id = np.uint16(0) if f == NOTHING else instance_ids[face_instance[f]]
            ids[y, x] = instance_id
        for x in range(depth.shape[1]):
            inverse = inverse_depth[y, x]
            depth[y, x] = 1.0 / inverse if inverse > 0.0 else 0.0
