"""A running Unity and its one scene: started with a time limit, asked, restarted after a crash or a hang.

Whatever goes wrong there ends as a :class:`~flowbench.builders.simulators.base.SceneError`, and Unity is started anew
for the next scene. Only a Unity that never once started is the user's to mend.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import warnings
from collections.abc import Mapping
from typing import Any, final

from flowbench.errors import UsageError

from ..base import SceneError
from .bindings import BrokenLineError, LineController, RestartError, UnityCrashException, platform_of
from .settings import PORT, Settings

_BROKEN = (
    *(BrokenLineError, RestartError, UnityCrashException, TimeoutError, OSError, RuntimeError, AssertionError),
    *(LookupError, TypeError, AttributeError),  # what the client meets with in metadata of another shape
)


@final
class Client:
    """One Unity process, or one that somebody else started.

    Attributes:
        starts: how often Unity came up; another number means another process.
    """

    def __init__(self, settings: Settings, **initialization: Any) -> None:
        """Nothing is started before :meth:`load`.

        Args:
            settings: where it is found.
            initialization: arguments of AI2-THOR's ``Initialize``, and ``width`` and ``height``.
        """
        self._settings = settings
        self._initialization = initialization
        self._controller: Any = None
        self._line: list[Any] = []
        self._loss: SceneError | None = None
        self.starts = 0

    @property
    def planes(self) -> tuple[float, float]:
        """Distances of the near and the far plane, metres."""
        server = self._running().server
        return float(server.camera_near_plane), float(server.camera_far_plane)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the pictures that Unity makes now."""
        event = self._running().last_event
        return int(event.screen_width), int(event.screen_height)

    def _running(self) -> Any:
        if self._controller is None:
            raise self._loss or SceneError("engine lost", "AI2-THOR's Unity is not running; load the scene again.")
        return self._controller

    def load(self, scene: str | Mapping[str, Any]) -> Any:
        """Load an iTHOR room by name or a house by its JSON; the event of the loaded scene.

        Raises:
            SceneError: it failed.
            UsageError: Unity cannot be started, or has no such scene.
        """
        try:
            event = self._start(scene) if self._controller is None else self._controller.reset(scene)
        except ValueError as error:
            told = " ".join(str(error).split())[:300]
            if isinstance(scene, Mapping):  # one house's fault; a room's name is wrong for all
                raise SceneError("engine refused it", f"AI2-THOR could not make the scene: {told}") from error
            raise UsageError(f"AI2-THOR refused the scene: {told}") from error
        except _BROKEN as error:
            raise self._lost("loading", error) from error
        if not event.metadata["lastActionSuccess"]:  # CreateHouse fails without an error
            told = " ".join(str(event.metadata["errorMessage"]).split())[:300]
            raise SceneError("engine refused it", f"AI2-THOR could not make the scene: {told}")
        return event

    def _start(self, scene: str | Mapping[str, Any]) -> Any:
        settings = self._settings
        where: dict[str, Any] = {"start_unity": settings.port is None, "host": settings.host}
        if settings.port is not None:
            where["port"] = settings.port
        elif settings.executable is not None:
            where["local_executable_path"] = shlex.quote(settings.executable)
            where["x_display"] = os.environ.get("DISPLAY") or ":0"  # builds that need none are told one as well
        else:
            where["platform"] = platform_of(settings.platform)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._controller = LineController(
                    self._line,
                    scene=scene,
                    server_timeout=settings.step_seconds,
                    server_start_timeout=settings.start_seconds,
                    **where,
                    **self._initialization,
                )
        except (Exception, SystemExit) as error:  # werkzeug exits where a port is taken
            answered = bool(self._line)
            self.close()
            if answered and isinstance(error, ValueError):
                raise
            if self.starts == 0:
                none = (
                    "no build exists" in str(error).lower()
                )  # neither downloaded earlier nor offered by AI2's servers
                told = "it is not on this machine and could not be downloaded" if none else _told(error)
                raise UsageError(f"AI2-THOR's Unity did not start: {told} ({self._advice()}).") from error
            raise self._lost("the start", error) from error
        self.starts += 1
        return self._controller.last_event

    def _advice(self) -> str:
        """What to do about a Unity that does not come."""
        if self._settings.port is not None:
            return f"{PORT} is {self._settings.port}: start Unity so that it connects there, one for each worker"
        return "run flowbench doctor, and see docs/thor.md"

    def ask(self, action: str, **arguments: Any) -> Any:
        """An action that must succeed; its event.

        Raises:
            SceneError: it did not, or Unity is gone.
        """
        event = self.attempt(action, **arguments)
        if not event.metadata["lastActionSuccess"]:
            told = " ".join(str(event.metadata["errorMessage"]).split())[:300]
            raise SceneError("engine refused an action", f"AI2-THOR's {action} failed: {told or 'without a reason'}")
        return event

    def attempt(self, action: str, **arguments: Any) -> Any:
        """An action that may fail; its event says whether it did.

        Raises:
            SceneError: Unity is gone, or does not know the action.
        """
        controller = self._running()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return controller.say(action, arguments)
        except ValueError as error:
            raise SceneError("action unknown", f"AI2-THOR does not know {action} as it was asked: {error}") from error
        except _BROKEN as error:
            raise self._lost(action, error) from error

    def _lost(self, during: str, error: BaseException) -> SceneError:
        """End Unity, which cannot be used any more, and say why."""
        self.close()
        self._loss = SceneError("engine lost", f"AI2-THOR's Unity {_told(error)} during {during}.")
        return self._loss

    def close(self) -> None:
        """End Unity; the next load starts it anew."""
        controller, self._controller = self._controller, None
        for line in self._line:
            process = line.unity_proc
            if process is not None and process.poll() is None:
                process.kill()
                with contextlib.suppress(Exception):
                    process.wait(5.0)
            with contextlib.suppress(Exception):
                line.end()
        self._line.clear()
        if controller is not None:
            with contextlib.suppress(Exception):
                controller._build.unlock()


def _told(error: BaseException) -> str:
    """The innermost reason that the client met with, in words that follow "Unity"."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, BrokenLineError):
            return str(seen)
        seen = seen.__cause__ or seen.__context__
    return f"met with {type(error).__name__}: {' '.join(str(error).split())[:300]}"
