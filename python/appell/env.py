# SPDX-License-Identifier: Apache-2.0
"""Robots as environments for learning, in the manner of Gymnasium (which is not needed)."""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from ._base import Array
from .model import Model
from .state import State
from .system import System

Step = Tuple[Array, float, bool, bool, Dict[str, Any]]


class Env:
    """A robot with `reset` and `step` as Gymnasium has them; actions are its inputs u (efforts, or aims of
    servos), held over each period [s] and cut to `action_limits`.

    `observe(state)` makes the observation (q and v without it), `reward(state, action)` the reward (0), `done(state)`
    tells the end (never), and after `horizon` steps an episode is truncated. `perturb(state, random)` may change the
    start values. Other options are those of System.

        env = appell.Env(appell.load("models/diff-drive.yaml"), period=0.02, horizon=100)
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step([0.1, 0.2])

        >>> env = appell.Env(model, period=0.01, reward=lambda state, action: -abs(state.q[0]))
        >>> observation, info = env.reset(seed=1)
        >>> observation.round(4)
        array([0.5236, 0.    ])
    """

    def __init__(self, model: Model, period: float, *, horizon: Optional[int] = None,
                 observe: Optional[Callable[[State], Any]] = None,
                 reward: Optional[Callable[[State, Array], float]] = None,
                 done: Optional[Callable[[State], bool]] = None,
                 perturb: Optional[Callable[[State, np.random.Generator], None]] = None, **options: Any):
        if model.nu == 0:
            raise ValueError(f"{model.path}: the robot has no inputs, so there is nothing that an action could do; give "
                             "joints motors with appell.load(path, actuators=\"effort\") (or \"position\") for a URDF with effort limits, "
                             "or write `inputs` in the model file")
        if not period > 0:
            raise ValueError(f"a period must be positive, not {period!r}")
        self.model, self.period, self.horizon = model, period, horizon
        self._observe, self._reward, self._done, self._perturb = observe, reward, done, perturb
        self._options = options
        self._random = np.random.default_rng()
        self._steps = 0
        self.system: Optional[System] = None

    @property
    def state(self) -> State:
        """The robot as it is now."""
        if self.system is None:
            raise RuntimeError("reset() comes first")
        return self.system.state

    @property
    def action_limits(self) -> Array:
        """Least and greatest value of each number of an action: efforts of motors, or of servos the limits of their joints;
        infinite where nothing bounds it.

            >>> env.action_limits.shape
            (1, 2)
        """
        return self.model.input_limits

    def reset(self, *, seed: Optional[int] = None, options: Any = None) -> Tuple[Array, Dict[str, Any]]:
        """Back to the start; the same seed gives the same episode.

            >>> observation, info = env.reset(seed=1)
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.system = System(self.model, **self._options)
        self.system.release()
        self._steps = 0
        if self._perturb is not None:
            self._perturb(self.state, self._random)
        return self._observation(), {"time": 0.0}

    def step(self, action: Any) -> Step:
        """Hold the inputs at `action` for one period.

            >>> observation, reward, terminated, truncated, info = env.step([0.0])
            >>> terminated, truncated
            (False, False)
        """
        state = self.state
        u = np.asarray(action, float)
        if u.shape != state.u.shape:
            raise ValueError(f"an action has {state.u.size} numbers ({', '.join(self.model.inputs)}), got {u.size}")
        state.u[:] = u
        assert self.system is not None
        self.system.step(self.period)
        self._steps += 1
        reward = 0.0 if self._reward is None else float(self._reward(state, u))
        terminated = self._done is not None and bool(self._done(state))
        truncated = self.horizon is not None and self._steps >= self.horizon
        return self._observation(), reward, terminated, truncated, {"time": self.system.time}

    def _observation(self) -> Array:
        if self._observe is not None:
            return np.asarray(self._observe(self.state), float)
        return np.concatenate([self.state.q, self.state.v])

    def close(self) -> None:
        """Nothing is open."""
