"""Values: what is made once and never changes, as all data of a game is.

That nobody changes one is for the type checker to see. Python would look at each field while a value is
made, which takes five times as long, and a click makes some three hundred.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a class a dataclass of values: hashed by its fields, and without room but for them."""
    return dataclass(slots=True, unsafe_hash=True)(kind)
