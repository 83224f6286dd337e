"""Looks at a function or a class once, when a mind is made, so that a tick need not."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ._errors import TreemindError

# What a leaf of a kind is called with, if it is a class.
_METHODS = {
    "condition": "check",
    "action": "update",
    "service": "serve",
    "sensor": "sense",
    "event": "hear",
    "candidates": "list",
    "measure": "measure",
}


def find(leaves: object, name: str) -> Any:
    """The code of a leaf: from a mapping by its name, from any other object by an attribute with `_` for `-`."""
    if isinstance(leaves, Mapping):
        found = leaves.get(name)
        return leaves.get(name.replace("-", "_")) if found is None else found
    return getattr(leaves, name.replace("-", "_"), None)


def describe(name: str, kind: str, params: list[str], code: Any) -> tuple[str, Any, bool, list[str]]:
    """What it is (`function`, `generator` or `class`), what to call, whether that takes `me`, and which parameters."""
    if isinstance(code, type):
        return _class(name, kind, params, code)
    if not callable(code):
        raise TreemindError(f"{kind} `{name}`: {code!r} is neither a function nor a class")
    inner = code if inspect.isroutine(code) else getattr(code, "__call__", code)
    is_generator = inspect.isgeneratorfunction(inner)
    if inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner):
        raise TreemindError(f"{kind} `{name}`: `async` functions cannot be called by a tick; write a generator, which yields while it runs")
    # Candidates that are yielded are a list like any other.
    if is_generator and kind not in ("action", "candidates"):
        raise TreemindError(f"{kind} `{name}`: only an action can be a generator, and what lists candidates")
    takes_me, keywords = _asks(name, kind, params, code)
    return ("generator" if is_generator and kind == "action" else "function", code, takes_me, keywords)


def _asks(name: str, kind: str, params: list[str], code: Callable[..., Any]) -> tuple[bool, list[str]]:
    try:
        signature = inspect.signature(code)
    except (TypeError, ValueError):
        # A function written in C: it says nothing of itself.
        return (False, list(params))
    takes_me = False
    takes_all = False
    keywords: list[str] = []
    for place, asked in enumerate(signature.parameters.values()):
        if asked.kind is asked.VAR_KEYWORD:
            takes_all = True
        elif asked.name in params and asked.kind is not asked.POSITIONAL_ONLY:
            keywords.append(asked.name)
        elif place == 0 and asked.kind in (asked.POSITIONAL_ONLY, asked.POSITIONAL_OR_KEYWORD) and asked.default is asked.empty:
            takes_me = True
        elif asked.kind is not asked.VAR_POSITIONAL and asked.default is asked.empty:
            has = ", ".join(f"`{param}`" for param in params) or "none"
            raise TreemindError(f"{kind} `{name}`: its function asks for `{asked.name}`, but the document declares no such parameter; it has {has}")
    if takes_all:
        return (takes_me, list(params))
    missing = [param for param in params if param not in keywords]
    if missing:
        raise TreemindError(f"{kind} `{name}`: its function does not take the parameter `{missing[0]}`, which the document declares; add it, or `**params`")
    return (takes_me, keywords)


def _class(name: str, kind: str, params: list[str], code: type) -> tuple[str, Any, bool, list[str]]:
    method = _METHODS.get(kind)
    if method is None or not callable(getattr(code, method, None)):
        raise TreemindError(f"{kind} `{name}`: the class {code.__name__} needs a method `{method}(self, me)`")
    if inspect.getattr_static(code, "__init__") is not object.__init__ or dataclasses.is_dataclass(code):
        _, keywords = _asks(name, kind, params, code)
        return ("class", code, True, keywords)

    def make(**fields: Any) -> Any:
        made = code()
        for field, value in fields.items():
            setattr(made, field, value)
        return made

    make.made = code  # type: ignore[attr-defined]
    return ("class", make, True, list(params))
