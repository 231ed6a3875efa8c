"""Immutable classes: made once and never changed, as all data of a game is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a class a dataclass of values: hashed by its fields, and without room but for them.

    A generic one has no slots: with them Python cannot make ``Kind[int](…)``.
    """
    return dataclass(frozen=True, slots=not getattr(kind, "__parameters__", ()))(kind)


class IdentityEnum(Enum):
    """An enum whose members are looked up by the hundred: Enum's own hash is of a name, and slower."""

    __hash__ = object.__hash__


def changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
