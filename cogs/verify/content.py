"""Messages that prove a fair deal: the commitment during a match, and the verification after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from discord.utils import format_dt, snowflake_time

from bot.engine.frozen import frozen
from bot.engine.translation import _, ngettext
from bot.matches.commitment import DealTerms, commitment_to, interactions_of, opened_record
from bot.matches.match import Match
from bot.messages.components import Button, Content, Separator, Text, layout, row
from bot.messages.computer_player_controls import strengths
from bot.messages.custom_ids import PlainControl
from cogs.verify.check import CheckReport
from cogs.verify.record_file import Record


@frozen
class DownloadRecord(PlainControl):
    """A button that sends a finished match's record as a file."""

    kind = "download record"
    form = "dr:{0.match_id}"

    match_id: str


def dealt_content(match: Match, tomorrow: str = "", *, omits_frogs: bool = False) -> Content:
    """Return a message that explains how a match's cards were dealt, without revealing the secret.

    Args:
        match: The match.
        tomorrow: The commitment to tomorrow's daily deal. Empty if it should not be shown.
        omits_frogs: Whether to leave out the computer players' strengths, which the table already shows.
    """
    frogs = [] if omits_frogs else strengths(match)
    head = _("### 🔏 How was this dealt?")
    if match.secret is None:
        return layout(Text("\n".join((head, uncommitted_words(match), *frogs))))
    commitment = _("Commitment (SHA-256):") + f"\n```\n{commitment_to(match.secret)}\n```"
    if match.type.challenge:
        explanation = _(
            "A secret decides the boards of a challenge. Below the challenge, you can see a "
            "commitment to this secret. Once nobody can play these boards any more, I reveal the "
            "secret, and `/verify match:{id}` checks it."
        )
        rest = ""
    elif match.type.any_day:
        explanation = _(
            "This is a deal of the day. Its cards come from a secret, and I posted a commitment "
            "to it the day before. I reveal the secret a day after the deal's day is over. Then "
            "`/verify match:{id}` checks it."
        )
        rest = _("For tomorrow's deal:") + f"\n```\n{tomorrow}\n```" if tomorrow else ""
    else:
        explanation = _(
            "At the start, I chose a secret and posted a commitment to it. The cards come from "
            "that secret and from Discord's IDs for the clicks and commands that seated the "
            "players and started the match. So no player can choose the cards, and nobody can "
            "change them after the start. When the match is over, I reveal the secret, and "
            "`/verify match:{id}` checks everything."
        )
        rest = _interactions(interactions_of(match))
    compare = "" if match.seed is None else _compare(opened_record(match))
    below = "\n".join(filter(None, (commitment, compare, rest, *frogs)))
    return layout(Text(f"{head}\n{explanation.format(id=match.id)}"), Separator(), Text(below))


def uncommitted_words(match: Match | Record) -> str:
    if match.started_by and match.type.deal:
        return _(
            "This deal was chosen by its number. The same number always gives the same cards, so "
            "there was no secret to commit to, and nothing proves who chose it."
        )
    if match.type.is_repeat:
        return _("This match picks up from the middle of another one, so it has no commitment.")
    return _("This match was dealt before I started posting commitments, so it doesn't have one.")


def _interactions(ids: Iterable[int]) -> str:
    listed = "\n".join(
        f"`{interaction_id}` {format_dt(snowflake_time(interaction_id), 'T')}" for interaction_id in ids
    )
    return _("Interactions:") + f"\n{listed}" if listed else ""


def _compare(record: DealTerms) -> str:
    return _("Compare this with the 🔏 at the table's start:") + f" 🔏 `{record.digest}`"


def moments(record: Record) -> Iterator[str]:
    """Yield a line for each interaction ID from which the deal was computed, with the ID's time.

    A player can compare the times with those of their own clicks.
    """
    seats = ((f"seat {n}", seat.interaction) for n, seat in enumerate(record.seats))
    for what, interaction_id in (("opened", record.opened_by), *seats, ("started", record.started_by)):
        if interaction_id:
            at = snowflake_time(interaction_id).isoformat(" ", "milliseconds")
            yield f"{what}: {interaction_id}, {at}"


def verified_content(record: Record, report: CheckReport | None) -> Content:
    """Return a message with the result of verifying a match, and the evidence for it.

    If ``report`` is None, the message says that the verification took too long.
    """
    head = _("### 🔏 How was match {id} dealt?").format(id=record.match_id)
    words = _("A full check takes too long here. Download the match, and check it yourself.")
    if report is not None:
        words = report_words(record, report)
    sections = [f"{head}\n{words}"]
    if record.secret is not None:
        sections.append(_compare(record))
        parts = ((_("Commitment (SHA-256):"), record.commitment), (_("Secret:"), record.secret.hex()))
        sections.append("\n".join(f"{label}\n```\n{digits}\n```" for label, digits in parts))
        sections.append(_interactions(record.interactions))
    sections.append(
        _(
            "-# **Download** gives you a file that anyone can check, with `python -m bot verify "
            "FILE` or without Ribit."
        )
    )
    download = row(Button(DownloadRecord(record.match_id).custom_id, _("Download")))
    return layout(*(Text(section) for section in sections if section), download)


def report_words(record: Record, report: CheckReport) -> str:
    if report.fault is not None:
        found = _(report.fault.value).format(about=report.about[:60], n=report.n)
        return "❌ " + found
    sentences = [_head(record) + _origin(record)]
    if report.chosen:
        sentences.append(
            _("I checked every shuffle, every move and every frog's choice again. All match.")
        )
        if simple := sum(move.is_simple for move in record.moves):
            words = ngettext(
                "{n} frog move was a quick one, because no people were left or thinking took too long.",
                "{n} frog moves were quick ones, because no people were left or thinking took too long.",
                simple,
            )
            sentences.append(words.format(n=simple))
    else:
        sentences.append(_("I checked every shuffle and every move again. All match."))
        if any(move.lot for move in record.moves):
            sentences.append(
                _("The frogs in this match are from an older version, so I didn't check their choices.")
            )
    return " ".join(sentences)


def _head(record: Record) -> str:
    """Return the line that states what a successful verification proves.

    The line claims more if the deal depends on at least two interactions. If it depends on only one, the
    bot knew that interaction's ID before it chose the secret, so the bot's host could have chosen a
    different secret. In any case, a host who knows the secret can choose among several deals by changing
    the low bits of the start's interaction ID.
    """
    if record.secret is None:
        return "➖ "
    if record.interactions[1:]:
        words = _(
            "Fair: nobody could change the cards once **Start** was pressed, and no player could "
            "choose them."
        )
    else:
        words = _("Fair: nobody could change these cards once they were dealt.")
    return f"✅ {words}\n"


def _origin(record: Record) -> str:
    if record.secret is None:
        return uncommitted_words(record)
    if record.type.challenge:
        text = _("The secret matches the commitment, and the cards come from it.")
    elif not record.interactions:
        text = _("The secret matches the day's commitment, and the cards come from it.")
    else:
        text = _(
            "The secret matches the commitment. The cards come from it and from the interactions below."
        )
    if number := record.type.deal:
        text += " " + _("The seed gives deal {number}.").format(number=number)
    return text
