"""What reaches a decision or a pixel is computed alike on every CPU and Python (schema.md, "Same bytes").

Additions, multiplications, divisions and square roots are exactly rounded everywhere. The C library's and
numpy's transcendental functions, BLAS and LAPACK are not; Python's ``sum`` of floats compensates from 3.12 on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from support.sources import Source, package_sources, within

CHECKED = tuple(
    f"flowbench.{n}" for n in ("builders", "cards", "geometry", "rendering", "marking", "encoding", "release", "schema")
)

_BLAS = "linalg dot vdot inner tensordot matmul einsum convolve correlate cov corrcoef polyfit"
_NUMPY = f"""{_BLAS} exp exp2 expm1 log log2 log10 log1p power float_power sin cos tan arcsin arccos arctan arctan2
    sinh cosh tanh arcsinh arccosh arctanh cbrt hypot logaddexp logaddexp2 logspace geomspace"""
_MATH = """exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh
    cbrt hypot dist gamma lgamma erf erfc"""
FUNCTIONS = (
    *(f"numpy.{name}" for name in _NUMPY.split()),
    *(f"math.{name}" for name in _MATH.split()),
    "pow",
    "scipy",
)
GLOBAL_STATE = (
    *("numpy.random.seed", "numpy.random.rand", "numpy.random.randn", "numpy.random.randint", "numpy.random.random"),
    *("numpy.random.RandomState", "random", "secrets", "uuid", "os.urandom", "hash", "id"),
    *("time.time", "time.time_ns", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today"),
    *("datetime.now", "datetime.utcnow", "date.today"),
)
METHODS = {"dot", "normal", "standard_normal", "multivariate_normal", "lognormal", "exponential", "gamma", "beta"}
IN_ORDER = ("sorted", "len", "set", "frozenset", "min", "max", "any", "all")

ALLOWED = {
    ("src/flowbench/rendering/mipmaps.py", "**"): "a power of two, integers",
    ("builders/crew.py", "secrets"): "names of environment variables",
    ("builders/guard/environment.py", "secrets"): "names of environment variables",
    ("builders/guard/child.py", "secrets"): "the name of a log",
    ("builders/guard/child.py", "secrets.token_hex"): "the name of a log",
    ("builders/engines/slurm.py", "secrets"): "the name of a private folder",
    ("builders/engines/slurm.py", "secrets.token_hex"): "the name of a private folder",
    ("builders/engines/ray.py", "secrets"): "the token of a cluster of our own",
    ("builders/engines/ray.py", "secrets.token_hex"): "the token of a cluster of our own",
    ("builders/passes.py", "sum((block.weight for block in some))"): "counts",
    ("builders/sim/planning.py", "sum((used[trait] for trait in _traits(item, preset)))"): "counts",
    ("builders/sim/positioning.py", "sum((sight.is_mover(item, preset) for item in band))"): "booleans",
}
"""(path, finding) that harm nothing, with the reason."""
INTEGERS = {"samples", "bytes", "num_bytes", "st_size"}
"""Names of attributes and keys that are counts wherever they occur."""


def _is_set(node: ast.expr) -> bool:
    """Whether an expression is a set, as far as can be seen."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return named or isinstance(node, ast.Set | ast.SetComp)


def _adds_integers(node: ast.Call) -> bool:
    """Whether a call of ``sum`` is seen to add no floats."""
    argument = node.args[0]
    if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
        return isinstance(argument, ast.Call) and ast.unparse(argument).startswith("map(len,")
    element = argument.elt
    if isinstance(element, ast.Call) and isinstance(element.func, ast.Name):
        return element.func.id in ("len", "int", "bool", "isinstance")
    if isinstance(element, ast.Attribute) and element.attr in INTEGERS:
        return True
    if isinstance(element, ast.Subscript) and isinstance(element.slice, ast.Constant):
        return element.slice.value in INTEGERS
    return isinstance(element, ast.Compare | ast.BoolOp) or (
        isinstance(element, ast.Constant) and isinstance(element.value, int)
    )


def _is_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _judge(source: Source, node: ast.AST) -> Iterator[str]:
    """What is wrong with one node of the syntax tree."""
    if isinstance(node, ast.BinOp | ast.AugAssign):
        if isinstance(node.op, ast.MatMult):
            yield "@"
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        if isinstance(node.op, ast.Pow) and not (_is_integer(left) and _is_integer(right)):
            yield "**"
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        name = source.dotted(node)
        if name in FUNCTIONS or name in GLOBAL_STATE or within(name, ("numpy.linalg", "random", "secrets", "scipy")):
            yield name
    elif isinstance(node, ast.Call):
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in METHODS
            and not source.dotted(node.func).startswith("numpy.")
        ):
            yield f".{node.func.attr}()"
        if isinstance(node.func, ast.Name) and node.func.id == "sum" and not _adds_integers(node):
            yield f"sum({ast.unparse(node.args[0])})"
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in ("list", "tuple", "enumerate", "iter", "next")
            and any(map(_is_set, node.args))
        ):
            yield "order of a set"
    elif isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter):
        yield "order of a set"


def findings(source: Source) -> set[tuple[str, str]]:
    """What a file uses of the forbidden, as (path, finding); lines are told by the failing test."""
    return {(source.path, what) for node in ast.walk(source.tree) for what in _judge(source, node)}


def located(source: Source, what: str) -> list[int]:
    """The lines of a finding."""
    return sorted({getattr(node, "lineno", 0) for node in ast.walk(source.tree) if what in _judge(source, node)})


def checked_sources() -> list[Source]:
    return [source for source in package_sources() if within(source.module, CHECKED)]


def test_only_exact_arithmetic_is_used() -> None:
    sources = {source.path: source for source in checked_sources()}
    found = sorted(pair for source in sources.values() for pair in findings(source) if pair not in ALLOWED)
    assert [f"{path}:{located(sources[path], what)} {what}" for path, what in found] == []


def test_no_permission_is_stale() -> None:
    found = {pair for source in checked_sources() for pair in findings(source)}
    assert set(ALLOWED) - found == set()


@pytest.mark.parametrize(
    "snippet",
    [
        "import numpy as np\nnp.linalg.norm(x)",
        "import numpy\nnumpy.dot(a, b)",
        "from numpy import linalg\nlinalg.inv(x)",
        "from numpy.linalg import norm\nnorm(x)",
        "import numpy as np\nf = np.exp",
        "import numpy as np\nnp.arctan2(y, x)",
        "from math import hypot\nhypot(1, 2)",
        "import math as m\nm.log(2)",
        "a.dot(b)",
        "a @ b",
        "a @= b",
        "x ** 0.5",
        "x ** 2",
        "10.0 ** -3",
        "x **= 2",
        "pow(x, 2)",
        "rng.normal(0, 1)",
        "rng.standard_normal()",
        "import random\nrandom.random()",
        "import numpy as np\nnp.random.seed(0)",
        "import time\ntime.time()",
        "from datetime import datetime\ndatetime.now()",
        "hash('x')",
        "sum(values)",
        "sum(x * y for x, y in pairs)",
        "for name in {'a', 'b'}: pass",
        "[x for x in set(names)]",
        "list(set(names))",
    ],
)
def test_inexact_arithmetic_would_be_found(snippet: str) -> None:
    assert len(findings(Source("builders/x.py", "flowbench.builders.x", snippet))) >= 1


@pytest.mark.parametrize(
    "snippet",
    [
        "2 ** 31 - 1",
        "import math\nmath.sqrt(x) + math.floor(y) + math.fsum(values)",
        "import numpy as np\nnp.sqrt(x) + np.cross(a, b)",
        "from flowbench.geometry import sin, cos\nsin(x) + cos(x)",
        "sum(1 for x in xs) + sum(len(x) for x in xs) + sum(x > 0 for x in xs)",
        "for name in sorted({'a', 'b'}): pass",
        "mesh.normals",
        "rng.uniform(0, 1)",
        "import time\ntime.monotonic()",
    ],
)
def test_exact_arithmetic_is_left_alone(snippet: str) -> None:
    assert findings(Source("builders/x.py", "flowbench.builders.x", snippet)) == set()
