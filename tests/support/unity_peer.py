"""A stand-in for AI2-THOR's Unity: speaks its protocol to the real client, serves homes of the embedded engine.

Run as an executable by the client, it finds the client by the environment, like Unity does. ``FAKE_UNITY`` names a
folder with ``faults.json`` (a list of {"action", "nth", "kind"}, each struck once and then removed, unless it says
"always") and the homes that scenes stand for: see :func:`home_behind`.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.unity_home import FAR, NEAR, UnityHome, pose_from, vector

SEED = 3
ROOMS = [f"FloorPlan{kind + number}_physics" for kind in (0, 200, 300, 400) for number in range(1, 31)]
Answer = tuple[bool, str, str, Any]
DONE: Answer = (True, "", "", None)


SMALL = {"homes_train": (17, 19, 6, 24), "homes_test": (31, 8, 15, 17)}
"""Homes of one or two rooms by pool."""


def home_behind(name: str) -> tuple[int, str, int]:
    """``FloorPlan223_physics`` -> (seed, pool, scene) of the home that it is."""
    number = int("".join(filter(str.isdigit, name.partition("_")[0])))
    pool = "homes_train" if 1 <= number % 100 <= 20 else "homes_test"
    return SEED, pool, SMALL[pool][((0, 2, 3, 4).index(number // 100) + number) % 4]


class Struck(Exception):  # noqa: N818
    """A fault that ends the peer."""


class Peer:
    """One Unity process: one scene, one agent."""

    def __init__(self, folder: Path | None, width: int = 300, height: int = 300) -> None:
        self.folder = folder
        self.width, self.height, self.fov = width, height, 90.0
        self.initialized: Mapping[str, Any] = {}
        self.home: UnityHome | None = None
        self.scene = "FloorPlan1_physics"
        self.counts: Counter[str] = Counter()
        self.strike = ""

    def act(self, action: Mapping[str, Any]) -> Answer:
        name = str(action.get("action") or "Pass")
        self.counts[name] += 1
        self.strike = self._fault(name)
        if self.strike == "crash":
            raise Struck("crash")
        if self.strike in ("hang", "late"):
            time.sleep(3600.0 if self.strike == "hang" else 1.5)
        if self.strike == "refuse":
            return False, "", "it was not to be", None
        method = getattr(self, "do_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(), None)
        if method is None:
            return False, "InvalidAction", f"Action: '{name}' is invalid", None
        answer: Answer = method(action)
        return answer

    def _fault(self, name: str) -> str:
        path = None if self.folder is None else self.folder / "faults.json"
        if path is None or not path.exists():
            return ""
        faults = json.loads(path.read_text())
        for fault in faults:
            if fault["action"] in (name, "*") and self.counts[name] >= fault.get("nth", 1):
                if not fault.get("always"):
                    path.write_text(json.dumps([other for other in faults if other is not fault]))
                return str(fault["kind"])
        return ""

    def do_pass(self, _: Mapping[str, Any]) -> Answer:
        return DONE

    do_pause_physics_auto_sim = do_change_quality = do_pass

    def do_reset(self, action: Mapping[str, Any]) -> Answer:
        self.scene = str(action["sceneName"])
        self.home = None if self.scene == "Procedural" else UnityHome(*home_behind(self.scene), procedural=False)
        return DONE

    def do_get_scenes_in_build(self, _: Mapping[str, Any]) -> Answer:
        return True, "", "", [*ROOMS, "Procedural"]

    def do_initialize(self, action: Mapping[str, Any]) -> Answer:
        self.initialized, self.fov = action, float(action.get("fieldOfView", 90.0))
        return True, "", "", {"cameraNearPlane": NEAR, "cameraFarPlane": FAR}

    def do_create_house(self, action: Mapping[str, Any]) -> Answer:
        home = action["house"].get("metadata", {}).get("home")
        if not action["house"].get("rooms") or home is None:
            return False, "", "ERROR: House has no rooms", None
        self.home = UnityHome(*home, procedural=True)
        return DONE

    def do_change_resolution(self, action: Mapping[str, Any]) -> Answer:
        self.width, self.height = int(action["x"]), int(action["y"])
        return DONE

    def do_change_f_o_v(self, action: Mapping[str, Any]) -> Answer:
        self.fov = float(action["fieldOfView"])
        return DONE

    def do_get_reachable_positions(self, _: Mapping[str, Any]) -> Answer:
        return True, "", "", self._home().reachable()

    def do_get_in_scene_asset_geometry(self, action: Mapping[str, Any]) -> Answer:
        found = self._home().geometry(action["objectId"])
        return (False, "", "Object not found in scene", None) if found is None else (True, "", "", found)

    def do_teleport_full(self, action: Mapping[str, Any]) -> Answer:
        home = self._home()
        home.agent = {k: float(np.float32(action["position"][k])) for k in "xyz"}
        home.turn, home.horizon = float(action["rotation"]["y"]), float(action["horizon"])
        return DONE

    def do_advance_physics_step(self, _: Mapping[str, Any]) -> Answer:
        self._home().advance()
        return DONE

    def do_set_object_poses(self, action: Mapping[str, Any]) -> Answer:
        wrong = self._home().set_poses(action["objectPoses"], bool(action["placeStationary"]))
        return DONE if wrong is None else (False, "", wrong, None)

    def do_teleport_object(self, action: Mapping[str, Any]) -> Answer:
        home = self._home()
        name = next((n for n in home.movable if home.ids[n] == action["objectId"]), None)
        if name is None:
            return False, "", f"Cannot find object with id {action['objectId']}", None
        before = home.sim.state(name)
        home.put(name, home._known(name, pose_from(action["position"], action["rotation"])), before.supporter)
        hit = home.collides(name)
        if hit is not None:
            home.put(name, before.pose, before.supporter)
            return False, "", f"{action['objectId']} is colliding with {hit} after teleport.", None
        return DONE

    def _home(self) -> UnityHome:
        assert self.home is not None
        return self.home

    def reply(self, action: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Metadata and frames after an action."""
        ok, code, message, returned = self.act(action)
        agent: dict[str, Any] = {
            "screenWidth": self.width, "screenHeight": self.height, "sceneName": self.scene, "agentId": 0,
            "lastAction": action.get("action"), "lastActionSuccess": ok, "errorCode": code, "errorMessage": message,
            "actionReturn": returned, "depthFormat": "Meters", "thirdPartyCameras": [], "isSceneAtRest": True,
            "fov": self.fov, "objects": [], "colors": [],
            "agent": {"position": vector((0, 0, 0)), "rotation": vector((0, 0, 0)), "cameraHorizon": 0.0},
            "cameraPosition": vector((0, 0, 0)),
        }  # fmt: skip
        files: dict[str, bytes] = {}
        if self.home is not None:
            self._tell(agent, self.home)
            if action.get("renderImage", True):
                files = self._frames(self.home)
        self._spoil(agent, files)
        answer = {"sequenceId": action.get("sequenceId", 0), "activeAgentId": 0, "agents": [agent]}
        return {**answer, "thirdPartyCameras": []}, files

    def _tell(self, agent: dict[str, Any], home: UnityHome) -> None:
        eye = {**home.agent, "y": float(np.float32(home.agent["y"] + home.eye_offset))}
        turn = {"x": 0.0, "y": home.turn, "z": 0.0}
        height = max(room.height for room in home.sim.rooms)
        named = {home.ids.get(name, name): color for name, color in home.colors().items()}
        agent |= {
            "agent": {"position": home.agent, "rotation": turn, "cameraHorizon": home.horizon},
            "cameraPosition": eye,
            "objects": Texts(home.text(item) for item in home.present()),
            "colors": [{"name": name, "color": color} for name, color in named.items()],
            "sceneBounds": {"center": vector((0, 0, height / 2)), "size": vector((99, 99, height))},
        }

    def _frames(self, home: UnityHome) -> dict[str, bytes]:
        rgb, depth, masks = home.draw(self.width, self.height, self.fov)
        if self.strike == "millimetres":
            depth = depth * np.float32(1000.0)
        if self.strike == "planes":
            depth = depth * np.float32((FAR - NEAR) / FAR)
        files = {"image": np.flipud(rgb).tobytes()}
        if self.initialized.get("renderDepthImage"):
            files["image_depth"] = np.flipud(depth.astype(np.float32)).tobytes()
        if self.initialized.get("renderInstanceSegmentation"):
            files["image_ids"] = np.flipud(masks).tobytes()
        return files

    def _spoil(self, agent: dict[str, Any], files: dict[str, bytes]) -> None:
        """Faults of what is sent."""
        if self.strike == "size" and files:
            files["image"] = files["image"][: len(files["image"]) // 2]
        if self.strike == "smaller":
            agent |= {"screenWidth": self.width // 2, "screenHeight": self.height}
            files["image"] = files["image"][: len(files["image"]) // 2]
            files["image_depth"] = files["image_depth"][: len(files["image_depth"]) // 2]
            files["image_ids"] = files["image_ids"][: len(files["image_ids"]) // 2]
        if self.strike == "colors":
            del agent["colors"]
        if self.strike == "no_depth":
            files.pop("image_depth", None)
        if self.strike == "vanish":
            agent["objects"] = Texts(agent["objects"][:-1])
        if self.strike == "nan":
            spoiled = json.loads(agent["objects"][-1])
            spoiled["position"]["x"] = float("nan")
            agent["objects"][-1] = json.dumps(spoiled)

    def serve(self, host: str, port: int, token: str) -> None:
        """Each POST tells what the last action did; its answer is the next one."""
        line = self._connect(host, port)
        action: dict[str, Any] = {}
        while True:
            metadata, files = self.reply(action)
            body, boundary = form(metadata, token, files)
            line.request("POST", "/train", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
            answer = line.getresponse()
            text = answer.read()
            if answer.status != 200:
                time.sleep(3600.0)  # Unity hangs then, too
            action = json.loads(text)
            if not action.get("action"):
                return

    def _connect(self, host: str, port: int) -> http.client.HTTPConnection:
        for _ in range(1000):
            line = http.client.HTTPConnection(host, port)
            try:
                line.connect()
            except OSError:
                time.sleep(0.02)
            else:
                return line
        raise Struck("nobody listens")


class Texts(list[str]):
    """JSON values that are text already."""


def dumped(metadata: Mapping[str, Any]) -> str:
    """The metadata as JSON; objects are put in as they are."""
    agent = metadata["agents"][0]
    objects = agent["objects"]
    bare = json.dumps({**metadata, "agents": [{**agent, "objects": "@objects"}]})
    return bare.replace('"@objects"', f"[{','.join(objects)}]")


def form(metadata: Mapping[str, Any], token: str, files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """A multipart body, and its boundary."""
    boundary = uuid.uuid4().hex
    parts = []
    text = 'text/plain; charset="utf-8"'
    fields = [("metadata", text, "", dumped(metadata).encode()), ("token", text, "", token.encode())]
    fields += [(name, "image/raw", f'; filename="{name}-0.raw"', data) for name, data in files.items()]
    for name, kind, file, data in fields:
        head = f'--{boundary}\r\nContent-Type: {kind}\r\nContent-disposition: form-data; name="{name}"{file}\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), boundary


def main() -> None:
    """As Unity is started: the client's address and token in the environment."""
    folder = Path(os.environ["FAKE_UNITY"]) if os.environ.get("FAKE_UNITY") else None
    if folder is not None and (folder / "never").exists():
        time.sleep(3600.0)
    where = os.environ
    try:
        Peer(folder).serve(where["AI2THOR_HOST"], int(where["AI2THOR_PORT"]), where.get("AI2THOR_CLIENT_TOKEN", ""))
    except (Struck, ConnectionError, http.client.HTTPException):
        os._exit(7)


def serve_in_thread(host: str, port: int, folder: Path | None = None) -> threading.Thread:
    """A peer in this process, which connects to whoever listens at that port."""

    def run() -> None:
        try:
            Peer(folder).serve(host, port, "")
        except (Struck, OSError, http.client.HTTPException, ValueError):
            return

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


if __name__ == "__main__":
    main()
