"""Shading: what each pixel's surfaces send to the eye.

One kernel does everything between visibility and bytes, since splitting it costs nearly half its speed. For
a band of rows it draws the four antialiasing samples, shades every distinct surface of a pixel once, and
averages the tone-mapped light. Nothing in it calls ``pow``, ``exp``, ``log`` or a trigonometric function.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from ..geometry import Camera
from .lamps import MIRROR, lamp_light, sun_light
from .mirror import mirrored
from .penumbra import lit_share
from .rasterizing import NOTHING, rasterize
from .scene import EMISSION, METALLIC, ROUGHNESS, SCALE, TEXTURE, TINT_B, TINT_G, TINT_R

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int32]
Index = NDArray[np.int64]
Bytes = NDArray[np.uint8]

SAMPLES = np.array([[-0.125, -0.375], [0.375, -0.125], [0.125, 0.375], [-0.375, 0.125]])
"""Antialiasing samples about the pixel centre: a 2x2 grid turned so that each has its own row and column."""

MATT = 0.85
"""From this roughness on lamps leave no highlight that could be told from the surface's own light."""

_STRIDE = 4
"""Pixels from one place on a flat face to the next at which lamps are asked for their light."""

_FOOT = 0.12
"""Distance at which a mirrored floor has half its light, metres."""

_SAME_DEPTH = 0.03
"""Samples of one patch whose depths differ by less than this fraction share their shading."""


def view_of(camera: Camera) -> Float:
    """(15,) focal length, principal point, eye, and the rotation ``world_from_camera`` row by row."""
    world = camera.world_from_camera
    return np.array([camera.focal, *camera.centre, *world[:3, 3], *world[:3, :3].ravel()])


@kernel
def shade(
    start: int,
    stop: int,
    rows: int,
    bin_start: Index,
    items: Int,
    records: Float,
    face_of: Int,
    inverse_depth: Float,
    seen: Int,
    half_depth: Float32,
    shares: Float32,
    points: Float,
    normals: Float32,
    uvs: Float32,
    faces: Int,
    face_material: Int,
    face_patch: Int,
    face_density: Float32,
    materials: Float,
    texels: Bytes,
    texture_starts: Index,
    texture_sizes: Index,
    texture_counts: Index,
    heights: Float32,
    highest: Float32,
    lowest: Float32,
    frame: Float,
    view: Float,
    light: Float,
    lamps: Float,
    encode: Bytes,
    rgb: Bytes,
) -> None:
    """Shade the bins ``start..stop - 1`` of ``rows`` pixel rows each.

    Args:
        bin_start, items, records, face_of: the triangles, see rasterizing.
        inverse_depth, seen: (H, W) what pixel centres see.
        half_depth, shares: half-resolution depth and what is open, see occlusion.
        points .. materials: see Scene.
        texels .. texture_counts: see TextureSet.
        heights .. frame: see ShadowMap.
        view: see :func:`view_of`.
        light, lamps: see lamps.light_of and lamps.lamps_of.
        encode: linear light to sRGB bytes.
        rgb: out, (H, W, 3).
    """
    height, width = seen.shape
    pixel, centre_u, centre_v = 1.0 / view[0], view[1], view[2]
    last_code = len(encode) - 1
    sample_depth = np.empty((4, rows, width))
    sample_seen = np.empty((4, rows, width), dtype=np.int32)
    colours = np.empty((5, 3))
    owner = np.empty(5, dtype=np.int64)
    lit_face, lit_row, right, near = NOTHING, 0, 0, 0
    here = there = 0
    lamplight = np.zeros((2, 6))
    for band in range(start, stop):
        low, high = band * rows, min((band + 1) * rows, height)
        part = items[bin_start[band] : bin_start[band + 1]]
        for s in range(4):
            rasterize(part, records, face_of, SAMPLES[s, 0], SAMPLES[s, 1], low, high, sample_depth[s], sample_seen[s])
        known = NOTHING
        for y in range(low, high):
            for x in range(width):
                # Which samples show the same surface? owner[k] is the first of them; 0 is the pixel centre.
                f0 = seen[y, x]
                plain = True
                for k in range(1, 5):
                    owner[k] = 0
                    plain = plain and sample_seen[k - 1, y - low, x] == f0
                if not plain:
                    for k in range(1, 5):
                        fk, dk = sample_seen[k - 1, y - low, x], sample_depth[k - 1, y - low, x]
                        owner[k] = k
                        for j in range(k):
                            fj = f0 if j == 0 else sample_seen[j - 1, y - low, x]
                            dj = inverse_depth[y, x] if j == 0 else sample_depth[j - 1, y - low, x]
                            if fj == fk or (
                                fj != NOTHING
                                and fk != NOTHING
                                and face_patch[fj] == face_patch[fk]
                                and abs(dj - dk) < _SAME_DEPTH * dk
                            ):
                                owner[k] = j
                                break
                for s in range(1 if plain else 5):
                    used = plain
                    for k in range(1, 5):
                        used = used or owner[k] == s
                    if not used:
                        continue
                    f, iz, du, dv = f0, inverse_depth[y, x], 0.0, 0.0
                    if s > 0:
                        f, iz = sample_seen[s - 1, y - low, x], sample_depth[s - 1, y - low, x]
                        du, dv = SAMPLES[s - 1, 0], SAMPLES[s - 1, 1]
                    if f == NOTHING:
                        colours[s, 0] = light[13]
                        colours[s, 1] = light[14]
                        colours[s, 2] = light[15]
                        continue
                    # The point in the world, its place in the triangle, interpolated normal and uv.
                    depth = 1.0 / iz
                    rx, ry = (x + du - centre_u) * pixel, (y + dv - centre_v) * pixel
                    qx = view[6] * rx + view[7] * ry + view[8]
                    qy = view[9] * rx + view[10] * ry + view[11]
                    qz = view[12] * rx + view[13] * ry + view[14]
                    wx, wy, wz = view[3] + depth * qx, view[4] + depth * qy, view[5] + depth * qz
                    if f != known:
                        # What holds for all of a face's pixels; rows run along faces, so it seldom changes.
                        known = f
                        i0, i1, i2 = faces[f, 0], faces[f, 1], faces[f, 2]
                        ox, oy, oz = points[i0, 0], points[i0, 1], points[i0, 2]
                        ax, ay, az = points[i1, 0] - ox, points[i1, 1] - oy, points[i1, 2] - oz
                        bx, by, bz = points[i2, 0] - ox, points[i2, 1] - oy, points[i2, 2] - oz
                        aa = ax * ax + ay * ay + az * az
                        ab = ax * bx + ay * by + az * bz
                        bb = bx * bx + by * by + bz * bz
                        # p - o has the coordinates t1, t2 along a and b: products with the dual edges.
                        shrink = 1.0 / (aa * bb - ab * ab)
                        aa, ab, bb = aa * shrink, ab * shrink, bb * shrink
                        ax, bx = bb * ax - ab * bx, aa * bx - ab * ax
                        ay, by = bb * ay - ab * by, aa * by - ab * ay
                        az, bz = bb * az - ab * bz, aa * bz - ab * az
                        nx0, ny0, nz0 = normals[i0, 0] + 0.0, normals[i0, 1] + 0.0, normals[i0, 2] + 0.0
                        nx1, ny1, nz1 = normals[i1, 0] - nx0, normals[i1, 1] - ny0, normals[i1, 2] - nz0
                        nx2, ny2, nz2 = normals[i2, 0] - nx0, normals[i2, 1] - ny0, normals[i2, 2] - nz0
                        flat = nx1 == ny1 == nz1 == nx2 == ny2 == nz2 == 0.0
                        nx, ny, nz = nx0, ny0, nz0
                        m = face_material[f]
                        texture = int(materials[m, TEXTURE])
                        repeat = materials[m, SCALE]
                        size = texture_sizes[texture]
                        levels = texture_counts[texture]
                        rough, metal = materials[m, ROUGHNESS], materials[m, METALLIC]
                        emission = materials[m, EMISSION]
                        tu0, tv0 = uvs[i0, 0] * repeat, uvs[i0, 1] * repeat
                        tu1, tv1 = uvs[i1, 0] * repeat - tu0, uvs[i1, 1] * repeat - tv0
                        tu2, tv2 = uvs[i2, 0] * repeat - tu0, uvs[i2, 1] * repeat - tv0
                        texels_square = face_density[f] * repeat * size * pixel
                        texels_square *= texels_square
                        tint0, tint1, tint2 = materials[m, TINT_R], materials[m, TINT_G], materials[m, TINT_B]
                        tint0, tint1, tint2 = tint0 / 65025.0, tint1 / 65025.0, tint2 / 65025.0
                        matt = 1.0 - metal
                        shiny = rough < MATT or metal > 0.0
                        mirrors = metal > 0.0 and light[MIRROR] >= 0.0
                    px, py, pz = wx - ox, wy - oy, wz - oz
                    t1 = min(max(px * ax + py * ay + pz * az, 0.0), 1.0)
                    t2 = min(max(px * bx + py * by + pz * bz, 0.0), 1.0)
                    if not flat:
                        nx = nx0 + t1 * nx1 + t2 * nx2
                        ny = ny0 + t1 * ny1 + t2 * ny2
                        nz = nz0 + t1 * nz1 + t2 * nz2
                        over = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-30)
                        nx *= over
                        ny *= over
                        nz *= over
                    over = 1.0 / math.sqrt(qx * qx + qy * qy + qz * qz)
                    vx, vy, vz = -qx * over, -qy * over, -qz * over
                    nv = max(nx * vx + ny * vy + nz * vz, 0.02)
                    # Texture: bilinear in the two nearest mip levels.
                    # Texels a pixel, squared: the geometric mean of the footprint's two sides.
                    span = (
                        texels_square * depth * depth / max(nv, 0.06) if repeat > 0.0 else size * pixel * size * pixel
                    )
                    level = 0
                    while span > 4.0 and level < levels - 1:
                        span *= 0.25
                        level += 1
                    # A level whose share is under an eighth is not read: no eye tells.
                    blend = min(max((span - 1.5) * 0.5, 0.0), 1.0)
                    if level == levels - 1:
                        blend = 0.0
                    tu = tu0 + t1 * tu1 + t2 * tu2
                    tv = tv0 + t1 * tv1 + t2 * tv2
                    if repeat == 0.0:
                        # A far view: the way round a diamond instead of an angle, and a curve of the elevation.
                        tu = vx / (abs(vx) + abs(vy) + 1e-9)
                        tu = uvs[i0, 0] + (tu if vy > 0.0 else 2.0 - tu)
                        tv = 0.5 - 0.49 * vz * (1.5 - 0.5 * vz * vz)
                    red = green = blue = 0.0
                    for step in range(2):
                        share = 1.0 - blend if step == 0 else blend
                        if share == 0.0:
                            continue
                        n = size >> (level + step)
                        first = texture_starts[texture, level + step]
                        gu, gv = tu * n - 0.5, tv * n - 0.5
                        left, top = math.floor(gu), math.floor(gv)
                        gu -= left
                        gv -= top
                        c0, c1 = left & (n - 1), (left + 1) & (n - 1)
                        r0, r1 = first + (top & (n - 1)) * n, first + ((top + 1) & (n - 1)) * n
                        k0, k1 = share * (1.0 - gu) * (1.0 - gv), share * gu * (1.0 - gv)
                        k2, k3 = share * (1.0 - gu) * gv, share * gu * gv
                        red += (
                            k0 * texels[r0 + c0, 0]
                            + k1 * texels[r0 + c1, 0]
                            + k2 * texels[r1 + c0, 0]
                            + k3 * texels[r1 + c1, 0]
                        )
                        green += (
                            k0 * texels[r0 + c0, 1]
                            + k1 * texels[r0 + c1, 1]
                            + k2 * texels[r1 + c0, 1]
                            + k3 * texels[r1 + c1, 1]
                        )
                        blue += (
                            k0 * texels[r0 + c0, 2]
                            + k1 * texels[r0 + c1, 2]
                            + k2 * texels[r1 + c0, 2]
                            + k3 * texels[r1 + c1, 2]
                        )
                    red *= red * tint0
                    green *= green * tint1
                    blue *= blue * tint2
                    d0, d1, d2 = red * matt, green * matt, blue * matt
                    s0 = 0.04 * matt + red * metal
                    s1 = 0.04 * matt + green * metal
                    s2 = 0.04 * matt + blue * metal
                    out0, out1, out2 = red * emission, green * emission, blue * emission
                    if repeat == 0.0:
                        d0 = d1 = d2 = 0.0
                        s0 = s1 = s2 = 0.04
                    # Occlusion, from the four half-resolution pixels around, those of like depth.
                    opened = reached = weight = 0.0
                    hy, hx = y >> 1, x >> 1
                    sy, sx = (1 if y & 1 else -1), (1 if x & 1 else -1)
                    tight = 20.0 * iz
                    for k in range(4):
                        ky = min(max(hy + (sy if k & 2 else 0), 0), half_depth.shape[0] - 1)
                        kx = min(max(hx + (sx if k & 1 else 0), 0), half_depth.shape[1] - 1)
                        w = (0.25 if k & 2 else 0.75) * (0.25 if k & 1 else 0.75)
                        w *= max(1.0 - abs(half_depth[ky, kx] - depth) * tight, 0.001)
                        opened += w * shares[ky, kx, 0]
                        reached += w * shares[ky, kx, 1]
                        weight += w
                    weight = 1.0 / weight
                    opened *= weight
                    reached *= weight
                    # Key light, with its shadow.
                    alpha = max(rough, 0.08)
                    alpha = alpha * alpha
                    gloss = alpha * alpha
                    g = 0.5 * alpha
                    facing = nx * light[0] + ny * light[1] + nz * light[2]
                    beam = shine = 0.0
                    if facing > 0.0 and light[3] + light[4] + light[5] + light[16] + light[17] + light[18] > 0.0:
                        lit = lit_share(wx, wy, wz, nx, ny, nz, facing, heights, highest, lowest, frame)
                        if lit > 0.0:
                            hx_, hy_, hz_ = light[0] + vx, light[1] + vy, light[2] + vz
                            hh = hx_ * hx_ + hy_ * hy_ + hz_ * hz_
                            nh = nx * hx_ + ny * hy_ + nz * hz_
                            d = nh * nh * (gloss - 1.0) + hh
                            spec = gloss * hh * hh * 0.0795775
                            spec /= d * d * (facing * (1.0 - g) + g) * (nv * (1.0 - g) + g)
                            lit *= facing
                            out0 += lit * light[3] * (d0 + s0 * spec)
                            out1 += lit * light[4] * (d1 + s1 * spec)
                            out2 += lit * light[5] * (d2 + s2 * spec)
                            beam, shine = lit, spec
                    # Lamps: on a flat face every few pixels, and what lies between from both sides.
                    on_flat = flat and s == 0
                    if on_flat and f == lit_face and y == lit_row and x < right:
                        along = (x - right) * (1.0 / _STRIDE) + 1.0
                    else:
                        along = 0.0
                        if on_flat and f == lit_face and y == lit_row and x == right:
                            near = 1 - near
                            here = there
                        else:
                            here = lamp_light(wx, wy, wz, nx, ny, nz, rough, shiny, view, lamps, near, lamplight)
                        lit_face, lit_row, right = NOTHING, y, x + _STRIDE
                        if on_flat and right < width and seen[y, right] == f:
                            far, rx = 1.0 / inverse_depth[y, right], rx + _STRIDE * pixel
                            qx = view[3] + far * (view[6] * rx + view[7] * ry + view[8])
                            qy = view[4] + far * (view[9] * rx + view[10] * ry + view[11])
                            qz = view[5] + far * (view[12] * rx + view[13] * ry + view[14])
                            there = lamp_light(qx, qy, qz, nx, ny, nz, rough, shiny, view, lamps, 1 - near, lamplight)
                            if here == there:  # no edge of a region lies between
                                lit_face = f
                    away = 1.0 - along
                    # They are dimmed in corners and behind things.
                    dimmed = (0.5 + 0.5 * opened) * (0.1 + 0.9 * reached)
                    out0 += dimmed * d0 * (lamplight[near, 0] * away + lamplight[1 - near, 0] * along)
                    out1 += dimmed * d1 * (lamplight[near, 1] * away + lamplight[1 - near, 1] * along)
                    out2 += dimmed * d2 * (lamplight[near, 2] * away + lamplight[1 - near, 2] * along)
                    if shiny:
                        out0 += dimmed * s0 * (lamplight[near, 3] * away + lamplight[1 - near, 3] * along)
                        out1 += dimmed * s1 * (lamplight[near, 4] * away + lamplight[1 - near, 4] * along)
                        out2 += dimmed * s2 * (lamplight[near, 5] * away + lamplight[1 - near, 5] * along)
                    sunny = sun_light(wx, wy, wz, lamps) if beam > 0.0 else 0.0
                    if sunny > 0.0:
                        sunny *= beam
                        out0 += sunny * light[16] * (d0 + s0 * shine)
                        out1 += sunny * light[17] * (d1 + s1 * shine)
                        out2 += sunny * light[18] * (d2 + s2 * shine)
                    # Ambient light and a soft reflection of the room; metal mirrors what is around, if that is known.
                    up = 0.5 + 0.5 * nz
                    rz = min(max((2.0 * nv * nz - vz + 0.5) * 0.8, 0.0), 1.0)
                    rz = rz * rz * (3.0 - 2.0 * rz)
                    rz = rz + (up - rz) * rough
                    edge = 1.0 - nv
                    edge = edge * edge * edge * edge * edge * (1.0 - rough)
                    dim = opened * (1.0 - 0.4 * rough) * 1.4
                    e0 = light[9] + (light[6] - light[9]) * up
                    e1 = light[10] + (light[7] - light[10]) * up
                    e2 = light[11] + (light[8] - light[11]) * up
                    # Light that bounces in a corner keeps a bright corner bright (two bounces).
                    b0, b1, b2 = d0 * (1.0 - opened), d1 * (1.0 - opened), d2 * (1.0 - opened)
                    out0 += d0 * e0 * opened * (1.0 + b0 + b0 * b0)
                    out1 += d1 * e1 * opened * (1.0 + b1 + b1 * b1)
                    out2 += d2 * e2 * opened * (1.0 + b2 + b2 * b2)
                    if mirrors:
                        turn = 2.0 * (nx * vx + ny * vy + nz * vz)
                        mx, my, mz = turn * nx - vx, turn * ny - vy, turn * nz - vz
                        row = int(light[MIRROR])
                        m0, m1, m2 = mirrored(
                            mx, my, mz, rough, row, texels, texture_starts, texture_sizes, texture_counts
                        )
                        mirror = 0.4 + 0.6 * opened
                        if mz < 0.0 and wz > 0.0:
                            # The floor z = 0: dark close by, where the body itself stands, and in shadows.
                            far = wz / max(-mz, 1e-6)
                            mirror *= far / (far + _FOOT)
                            if light[2] > 0.0:
                                mx, my = wx + far * mx, wy + far * my
                                lit = lit_share(mx, my, 0.0, 0.0, 0.0, 1.0, light[2], heights, highest, lowest, frame)
                                mirror *= 0.5 + 0.5 * lit
                        out0 += mirror * (s0 + (1.0 - s0) * edge) * m0
                        out1 += mirror * (s1 + (1.0 - s1) * edge) * m1
                        out2 += mirror * (s2 + (1.0 - s2) * edge) * m2
                    else:
                        out0 += dim * (s0 + (1.0 - s0) * edge) * (light[9] * 0.6 + light[6] * 1.1 * rz)
                        out1 += dim * (s1 + (1.0 - s1) * edge) * (light[10] * 0.6 + light[7] * 1.1 * rz)
                        out2 += dim * (s2 + (1.0 - s2) * edge) * (light[11] * 0.6 + light[8] * 1.1 * rz)
                    # Tone mapping (Narkowicz's fit of the ACES curve).
                    out0 *= light[12]
                    out1 *= light[12]
                    out2 *= light[12]
                    q0 = out0 * (2.43 * out0 + 0.59) + 0.14
                    q1 = out1 * (2.43 * out1 + 0.59) + 0.14
                    q2 = out2 * (2.43 * out2 + 0.59) + 0.14
                    over = 1.0 / (q0 * q1 * q2)
                    colours[s, 0] = out0 * (2.51 * out0 + 0.03) * (q1 * q2 * over)
                    colours[s, 1] = out1 * (2.51 * out1 + 0.03) * (q0 * q2 * over)
                    colours[s, 2] = out2 * (2.51 * out2 + 0.03) * (q0 * q1 * over)
                for c in range(3):
                    value = colours[owner[1], c] + colours[owner[2], c] + colours[owner[3], c] + colours[owner[4], c]
                    rgb[y, x, c] = encode[max(min(int(value * 0.25 * len(encode)), last_code), 0)]
