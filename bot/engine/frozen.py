"""Helpers for immutable data classes and enums."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Turn a class into a frozen dataclass with slots. Its instances are hashed by their fields.

    Generic classes get no slots, because with slots ``Kind[int](…)`` would fail.
    """
    return dataclass(frozen=True, slots=not getattr(kind, "__parameters__", ()))(kind)


class IdentityEnum(Enum):
    """An enum whose members are hashed by identity.

    Python's ``Enum`` hashes members by name, which is too slow for frequent lookups.
    """

    __hash__ = object.__hash__


def replace_item(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
