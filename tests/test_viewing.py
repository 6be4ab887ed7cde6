"""Flow, depth and segmentation as pictures."""

from __future__ import annotations

import numpy as np

from flowbench.viewing.depth import NO_DEPTH, depth_range, depth_scale, depth_to_rgb
from flowbench.viewing.flow import colour_wheel, flow_to_rgb, flow_wheel, largest_motion
from flowbench.viewing.segmentation import id_colour, ids_to_rgb


def test_the_colour_wheel_is_the_middlebury_one() -> None:
    wheel = colour_wheel()
    assert wheel.shape == (55, 3)
    assert wheel[[0, 15, 21, 25, 36, 49]].tolist() == [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]


def test_flow_directions_have_their_usual_colours() -> None:
    flow = np.array([[[5, 0], [0, 5], [0, -5], [0, 0], [3, 4]]], np.float32)
    image = flow_to_rgb(flow, np.array([[True, True, True, True, False]]))
    right, down, up, still, invalid = image[0].astype(int)
    assert right.tolist() == [255, 0, 0]
    assert down[0] > 200
    assert down[1] > 200
    assert down[2] < 60
    assert up[2] > 200
    assert up[1] < 60
    assert still.tolist() == [255, 255, 255]
    assert invalid.tolist() == [0, 0, 0]


def test_flow_scale_ignores_invalid_pixels_and_longer_vectors_are_darker() -> None:
    flow = np.array([[[4, 0], [400, 0]]], np.float32)
    valid = np.array([[True, False]])
    assert largest_motion(flow, valid) == 4.0
    assert flow_to_rgb(flow, valid)[0, 0].tolist() == [255, 0, 0]
    assert flow_to_rgb(flow, valid, 8.0)[0, 0].tolist() == [255, 127, 127]
    assert flow_to_rgb(flow, np.array([[True, True]]), 4.0)[0, 1].tolist() == [191, 0, 0]
    assert largest_motion(flow, np.zeros((1, 2), bool)) == 0.0
    assert (flow_to_rgb(np.full((2, 2, 2), np.nan, np.float32), np.zeros((2, 2), bool)) == 0).all()


def test_the_flow_legend_shows_the_same_colours() -> None:
    wheel = flow_wheel(101)
    assert wheel[50, 50].tolist() == [255, 255, 255]
    assert wheel[0, 0].tolist() == [255, 255, 255]
    assert wheel[50, 100].tolist()[0] == 255
    assert max(wheel[50, 100].tolist()[1:]) < 8


def test_near_is_brighter_than_far_and_no_depth_is_grey() -> None:
    depth = np.array([[0, 500, 2000, 4000]], np.uint16)
    near, far = depth_range(depth, np.array([[0, 6000]], np.uint16))
    assert (near, far) == (500, 6000)
    image = depth_to_rgb(depth, near, far)
    assert tuple(image[0, 0]) == NO_DEPTH
    brightness = image[0, 1:].astype(int).sum(axis=-1)
    assert (np.diff(brightness) < 0).all()
    scale = depth_scale(64, 4)
    assert scale.shape == (4, 64, 3)
    assert (scale[0, 0] == depth_to_rgb(np.array([[near]], np.uint16), near, far)[0, 0]).all()


def test_depth_without_any_depth() -> None:
    empty = np.zeros((2, 3), np.uint16)
    assert depth_range(empty) == (0, 0)
    assert (depth_to_rgb(empty, 0, 0) == np.array(NO_DEPTH)).all()


def test_ids_have_stable_distinct_colours() -> None:
    ids = np.array([[0, 7, 8], [65535, 7, 0]], np.uint16)
    image = ids_to_rgb(ids)
    assert image.dtype == np.uint8
    assert tuple(image[0, 1]) == tuple(image[1, 1]) == id_colour(7)
    assert tuple(image[0, 0]) == (0, 0, 0)
    assert tuple(image[1, 0]) == id_colour(65535)
    colours = {id_colour(i) for i in range(1, 200)}
    assert len(colours) > 190


def test_neighbouring_ids_are_far_apart_and_muted_ones_are_nearly_grey() -> None:
    for i in range(1, 300):
        step = np.abs(np.array(id_colour(i)) - np.array(id_colour(i + 1)))
        assert step.max() > 40
        assert np.ptp(id_colour(i, muted=True)) < 40
    assert tuple(ids_to_rgb(np.full((1, 1), 5, np.uint16), muted={5})[0, 0]) == id_colour(5, muted=True)
