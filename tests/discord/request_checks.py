"""Checks that the bot's requests comply with Discord's OpenAPI description and documented limits."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from simcord.components import walk_components
from simcord.types import HttpLogEntry

ENVIRONMENT_VARIABLE = "RIBIT_DISCORD_OPENAPI"
NAMED = os.environ.get(ENVIRONMENT_VARIABLE)
BESIDE_THE_PROJECT = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"

INSIDE_A_CARD = re.compile(r"[^\s\N{WORD JOINER}](?:<:|☀️|[🌙🌊🍃🐍🪢])")
"""Matches a card name in which a line can break between the rank and the suits."""

V2_FLAG = 1 << 15
BUTTON, TEXT, GALLERY, ROW, SELECT = 2, 10, 12, 1, 3
V2_KINDS = {9, 10, 11, 12, 13, 14, 17}
CONTENT, COMPONENTS, ROW_SIZE, OPTIONS, CUSTOM_ID, LABEL, ALT, TEXTS = (
    2000,
    40,
    5,
    25,
    100,
    80,
    1024,
    4000,
)


def description_path() -> Path | None:
    """Return the path of Discord's OpenAPI description, or None if it is missing."""
    path = Path(NAMED) if NAMED else BESIDE_THE_PROJECT
    return path if path.is_file() else None


def request_faults(requests: Iterable[HttpLogEntry]) -> list[str]:
    """Return a line for each fault in the bodies of some requests."""
    found = []
    for request in requests:
        if request.json is None:
            continue
        where = f"{request.method} {request.path}"
        found += [f"{where}: {words}" for words in undocumented_faults(body_message(request.json))]
        found += [f"{where}: {words}" for words in schema_faults(request)]
    return found


def body_message(body: Any) -> dict[str, Any]:
    """Return the message in a request's body.

    It is the body itself or, in an interaction's callback, the body's ``data``.
    """
    if not isinstance(body, dict):
        return {}
    data = body.get("data") if isinstance(body.get("type"), int) else body
    return data if isinstance(data, dict) else {}


def undocumented_faults(message: dict[str, Any]) -> Iterator[str]:
    """Yield each violation of a documented limit that Discord's OpenAPI description does not contain."""
    if not {"content", "components", "embeds", "attachments"} & message.keys():
        return
    content, components = message.get("content") or "", message.get("components") or []
    parts = list(walk_components(components))
    is_v2 = bool(int(message.get("flags") or 0) & V2_FLAG)
    if len(content) > CONTENT:
        yield "content too long"
    if not content and not parts and not message.get("embeds") and not message.get("attachments"):
        yield "empty message"
    if is_v2 and (content or message.get("embeds")):
        yield "content beside V2 components"
    if not is_v2 and any(part.get("type") in V2_KINDS for part in parts):
        yield "V2 components without the flag"
    if len(parts) > COMPONENTS:
        yield "too many components"
    yield from _control_faults(parts)
    texts = [part["content"] for part in parts if part.get("type") == TEXT]
    if sum(map(len, texts)) > TEXTS or "" in texts:
        yield "texts too long, or an empty one"
    for words in (*texts, *_overlong_labels(parts)):
        if INSIDE_A_CARD.search(words):
            yield f"a line could end inside a card: {words}"


def _overlong_labels(parts: list[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        yield part.get("label") or ""
        yield part.get("placeholder") or ""
        yield from (option.get("label") or "" for option in part.get("options") or ())


def _control_faults(parts: list[dict[str, Any]]) -> Iterator[str]:
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    if len(set(ids)) != len(ids):
        yield "a custom_id stands twice"
    if any(not 1 <= len(custom_id) <= CUSTOM_ID for custom_id in ids):
        yield "a custom_id is too long or empty"
    for part in parts:
        if part.get("type") == ROW and not 1 <= len(part["components"]) <= ROW_SIZE:
            yield "a row is too long or empty"
        if part.get("type") == BUTTON and len(part.get("label") or "") > LABEL:
            yield "a label is too long"
        if part.get("type") == SELECT and not 1 <= len(part["options"]) <= OPTIONS:
            yield "a menu is too long or empty"
        for item in part.get("items", ()) if part.get("type") == GALLERY else ():
            if not 1 <= len(item.get("description") or "") <= ALT:
                yield "an alt text is missing or too long"


def schema_faults(request: HttpLogEntry) -> Iterator[str]:
    """Yield each fault in a request's body according to Discord's OpenAPI description.

    Yield nothing if the description's file is missing.
    """
    path = description_path()
    if path is None:
        return
    validator = _body_validator(path, request.method.lower(), request.path)
    if validator is None:
        yield "Discord does not describe such a request"
        return
    for error in validator.iter_errors(request.json):
        yield f"{error.message} at {error.instance_path}"


@cache
def _adapted_description(path: Path) -> dict[str, Any]:
    """Return Discord's OpenAPI description, changed to allow integer IDs.

    discord.py sometimes sends IDs as integers.
    """
    described: dict[str, Any] = json.loads(path.read_text("utf-8"))
    schemas = described["components"]["schemas"]
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer"}]}
    return described


@cache
def _path_templates(path: Path, method: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the described paths of a method, each with a pattern of its requests' paths."""
    described = _adapted_description(path)["paths"]
    return [
        (template, re.compile(re.sub(r"\{[^}]+\}", "[^/]+", template)))
        for template in described
        if method in described[template]
    ]


@cache
def _matching_template(path: Path, method: str, request_path: str) -> str | None:
    """Return the path template in the description that matches a request's path, or None.

    If several templates match, return the one with the fewest parameters.
    """
    templates = _path_templates(path, method)
    fitting = [template for template, pattern in templates if pattern.fullmatch(request_path)]
    return min(fitting, key=lambda template: template.count("{"), default=None)


def _body_validator(path: Path, method: str, request_path: str) -> Any:
    template = _matching_template(path, method, request_path)
    return None if template is None else _compiled_validator(path, method, template)


@cache
def _compiled_validator(path: Path, method: str, template: str) -> Any:
    described = _adapted_description(path)
    body = described["paths"][template][method].get("requestBody")
    if body is None:
        return None
    schema = {**body["content"]["application/json"]["schema"], "components": described["components"]}
    return jsonschema_rs.Draft202012Validator(schema)
