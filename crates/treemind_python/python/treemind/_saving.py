"""What runs in Python, in a form that can be saved and read back without running code that a file brings."""

from __future__ import annotations

import json
from typing import Any

from ._errors import RestoreError, TreemindError


def dump(name: str, run: Any) -> str:
    """The fields of the object of a run."""
    fields = getattr(run, "__dict__", None)
    if fields is None:
        raise TreemindError(f"action `{name}`: objects of {type(run).__name__} have no `__dict__`, so their fields cannot be saved")
    try:
        text = json.dumps(fields)
        if json.loads(text) != fields:
            raise TypeError("some of them would come back as something else")
    except (TypeError, ValueError) as error:
        raise TreemindError(f"action `{name}`: the fields of {type(run).__name__} must be numbers, texts, lists and the like to be saved: {error}") from None
    return text


def load(make: Any, text: str) -> Any:
    """The object of a run with these fields."""
    kind = getattr(make, "made", make)
    try:
        fields = json.loads(text)
        made = kind.__new__(kind)
        made.__dict__.update(fields)
    except Exception as error:
        raise RestoreError(f"the saved fields do not fit {kind.__name__}: {error}") from None
    return made
