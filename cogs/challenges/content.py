"""Content of challenges' messages: the boards, the post in a channel, and the message to a friend.

A board is one of the short matches of a challenge.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _, ngettext
from bot.matches.commitment import SHORT, commitment_to
from bot.matches.duels import DRAWN, WON, duel_of, symbols
from bot.matches.leaderboard_rules import LeaderboardRow as Place
from bot.matches.match import Stage
from bot.messages import duel_match
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import (
    GOLD,
    Button,
    Content,
    Row,
    Text,
    UserMenu,
    layout,
    notice_content,
    row,
)
from bot.messages.custom_ids import PlainControl
from bot.messages.duel_match import in_words
from bot.messages.player_names import written_names
from bot.messages.table_view import TableView
from bot.messages.time_limits import when
from cogs.challenges.store import ANSWERED_SECONDS, BEGUN_SECONDS, MOST_OPEN, Challenge

MOST_SHOWN = 10
"""Maximum number of players that a post lists."""


@frozen
class BeginChallenge(PlainControl):
    """A button that begins a challenge in the server, or continues the user's unfinished one."""

    kind = "begin challenge"
    form = "cb:{0.game}"

    game: str


@frozen
class PlayChallenge(PlainControl):
    """A button that shows the user's next match of a challenge.

    After the last match, it shows the results.
    """

    kind = "play challenge"
    form = "cp:{0.challenge}"

    challenge: int


@frozen
class CloseChallenge(PlainControl):
    """A button that closes a challenge. If ``is_sure`` is 0, the bot asks for confirmation first."""

    kind = "close challenge"
    form = "cx:{0.challenge}:{0.is_sure}"

    challenge: int
    is_sure: int


@frozen
class PickFriend(PlainControl):
    """A menu in which a challenger picks a friend. The bot then mentions that friend."""

    kind = "challenge a friend"
    form = "cf:{0.challenge}"

    challenge: int
    friend: str


@frozen
class AnswerFriend(PlainControl):
    """A button for the friend whom a challenge has mentioned, for example to decline.

    ``how`` is ``decline`` or ``block`` (never mention the user again).
    """

    kind = "answer a friend"
    form = "ca:{0.challenge}:{0.how}"

    challenge: int
    how: str


@frozen
class ChallengePings(PlainControl):
    """A button with which users choose whether challenges mention them.

    ``how`` is ``open`` to show the current choice, ``block`` or ``allow``.
    """

    kind = "challenge pings"
    form = "cg:{0.how}"

    how: str


def begin_button(table: TableView) -> Button | None:
    """Return the button with which a user begins a challenge after a finished match.

    Return None if the match is unfinished or does not count, or if its game has no duels.
    """
    match, game = table.match, table.game
    if game.duel is None or match.stage is not Stage.FINISHED or not match.type.counts:
        return None
    return Button(BeginChallenge(game.info.key).custom_id, _("Challenge"), emoji="⚔️")


def board_content(
    table: TableView, path: tuple[str, ...] = (), look: Appearance = PLAIN
) -> Content | None:
    """Return the content of one match of a challenge. Return None for any other match."""
    match_type, game = table.match.type, table.game
    if not match_type.challenge:
        return None
    boards = duel_of(game).challenge_boards
    is_last = match_type.board + 1 == boards
    label = _("See the challenge") if is_last else _("Next board")
    go_on = Button(PlayChallenge(match_type.challenge).custom_id, label, Tone.GOOD)
    lines = [_("Board {n} of {all}").format(n=match_type.board + 1, all=boards)]
    if not match_type.board:
        words = _(
            "{n} boards against the strongest frog ({limits}), the same for everybody. One try "
            "counts. After the last board, your result appears in the channel."
        )
        lines.append(words.format(n=boards, limits=_(duel_of(game).limits)))
    return duel_match.board_content(table, path, look, "-# " + "\n-# ".join(lines), go_on)


def won_words(scores: str, boards: int) -> str:
    return _("{n} of {all}").format(n=scores.count(WON), all=boards)


def _boards(scores: str, look: Appearance) -> str:
    return in_words(scores) if look.as_text else symbols(scores)


def _standings(ranking: Sequence[tuple[Place, str]], look: Appearance) -> list[str]:
    """Return one line per player with the player's rank and the score of each match.

    Players with equally many wins and draws share a rank.
    """
    names = written_names([place.player for place, _scores in ranking])
    results = [(scores.count(WON), scores.count(DRAWN)) for _place, scores in ranking]
    return [
        f"**#{1 + sum(other > result for other in results)}** {_boards(scores, look)} **{name}**"
        f" · {won_words(scores, len(scores))}"
        for name, result, (_place, scores) in zip(names, results, ranking, strict=True)
    ]


def post_content(
    challenge: Challenge, ranking: Sequence[tuple[Place, str]], look: Appearance, now: int
) -> Content:
    """Return the content of a challenge's post in its channel.

    Args:
        challenge: The challenge.
        ranking: The players who have finished all boards, best first, with their scores.
        look: The custom emoji and colours.
        now: The current Unix time.
    """
    is_over = challenge.is_over(now)
    lines = ["### ⚔️ " + _title(challenge, ranking, is_over=is_over)]
    words = _("**{game}**: {n} boards against the strongest frog ({limits}).")
    limits = _(duel_of(challenge.game).limits)
    lines.append("-# " + words.format(game=challenge.game.info.name, n=challenge.boards, limits=limits))
    leaders = ranking[:MOST_SHOWN]
    lines += _standings(leaders, look)
    if hidden := len(ranking) - len(leaders):
        lines.append(ngettext("and {n} more", "and {n} more", hidden).format(n=hidden))
    if is_over:
        lines.append(_winners(challenge, leaders))
        return layout(Text("\n".join(lines)), _commitment(challenge), colour=GOLD)
    if challenge.is_answered:
        lines.append("-# " + _("Ends {when}.").format(when=when(challenge.ends_at)))
    else:
        words = _("Ends {when}, or {soon} if no one answers.")
        latest = when(challenge.posted_at + ANSWERED_SECONDS)
        lines.append("-# " + words.format(when=latest, soon=when(challenge.ends_at)))
    play = Button(PlayChallenge(challenge.id).custom_id, _("Play"), Tone.GOOD)
    close = Button(CloseChallenge(challenge.id, 0).custom_id, _("Close"))
    return layout(Text("\n".join(lines)), row(play, close), _commitment(challenge), colour=GOLD)


def _title(challenge: Challenge, ranking: Sequence[tuple[Place, str]], *, is_over: bool) -> str:
    host = next((entry for entry in ranking if entry[0].player_id == challenge.player_id), None)
    if host is None:  # the player no longer appears in the results
        return _("This challenge is over.") if is_over else _("Can you beat these boards?")
    place, scores = host
    [name] = written_names([place.player])
    if is_over:
        return _("{name}'s challenge is over.").format(name=name)
    words = _("{name} won {n} of {all} boards. Can you beat that?")
    return words.format(name=name, n=scores.count(WON), all=challenge.boards)


def _winners(challenge: Challenge, ranking: Sequence[tuple[Place, str]]) -> str:
    if challenge.state == "closed":
        return _("It was closed early.")
    if all(place.player_id == challenge.player_id for place, _scores in ranking):
        return _("No one has answered.")
    best_scores = sorted(ranking[0][1])
    names = written_names([place.player for place, scores in ranking if sorted(scores) == best_scores])
    winners = ", ".join(f"**{name}**" for name in names)
    return ngettext("🏆 {names} wins.", "🏆 A tie: {names}.", len(names)).format(names=winners)


def _commitment(challenge: Challenge) -> Text:
    words = _("🔏 Commitment to these boards: `{commitment}`")
    return Text("-# " + words.format(commitment=commitment_to(challenge.secret)[:SHORT]))


def result_content(
    challenge: Challenge,
    ranking: Sequence[tuple[Place, str]],
    own: str,
    look: Appearance,
    where: str,
    *,
    can_mention: bool,
) -> Content:
    """Return the results of a challenge for a player who has finished all its matches.

    Args:
        challenge: The challenge.
        ranking: The players who have finished all boards, best first, with their scores.
        own: The player's own scores.
        look: The custom emoji and colours.
        where: A sentence about the place of the challenge's post.
        can_mention: True to add a menu for mentioning a friend.
    """
    lines = [f"## ⚔️ {won_words(own, challenge.boards)} · {_boards(own, look)}"]
    lines += _standings(ranking[:MOST_SHOWN], look)
    lines.append(f"-# {where}")
    menu = UserMenu(PickFriend(challenge.id, "").custom_id, _("Challenge a friend"))
    return layout(Text("\n".join(lines)), *([Row((menu,))] if can_mention else []), colour=GOLD)


def hidden_words(challenge: Challenge) -> str:
    """Return a sentence for a challenger if the bot cannot write in the challenge's channel."""
    words = _("I can't write in {channel}, so the challenge isn't shown there.")
    return words.format(channel=f"<#{challenge.channel_id}>")


def waiting_words(challenge: Challenge, *, is_over: bool) -> str:
    """Return a sentence for a challenger whose result waits because too many challenges are open."""
    if is_over:
        words = _("The challenge wasn't posted, because this server had {n} open challenges.")
        return words.format(n=MOST_OPEN)
    words = _(
        "This server already has {n} open challenges. If one of them ends before {when}, I'll post "
        "yours in {channel}."
    )
    until = when(challenge.ends_at, BEGUN_SECONDS)
    return words.format(n=MOST_OPEN, when=until, channel=f"<#{challenge.channel_id}>")


def friend_content(challenge: Challenge, name: str) -> Content:
    """Return the message that mentions a friend of the challenger, with buttons to play or decline."""
    words = _("⚔️ <@{friend}>, {name} challenges you to {n} boards of {game}, played in private.")
    line = words.format(
        friend=challenge.friend_id, name=name, game=challenge.game.info.name, n=challenge.boards
    )
    return layout(
        Text(line),
        row(
            Button(PlayChallenge(challenge.id).custom_id, _("Play"), Tone.GOOD),
            Button(AnswerFriend(challenge.id, "decline").custom_id, _("Decline")),
            Button(AnswerFriend(challenge.id, "block").custom_id, _("Never ping me")),
        ),
    )


def pings_content(*, is_blocked: bool) -> Content:
    """Return the message in which users choose whether challenges mention them."""
    words = _("A friend who challenges you can ping you, once per challenge.")
    button = Button(ChallengePings("block").custom_id, _("Never ping me"))
    if is_blocked:
        words = _("Challenges won't ping you. You can change that in `/settings`.")
        button = Button(ChallengePings("allow").custom_id, _("Allow pings"))
    return notice_content(words, row(button))


def settings_buttons() -> Sequence[Button]:
    return (Button(ChallengePings("open").custom_id, _("Challenge pings"), emoji="⚔️"),)


def open_content(challenge: Challenge) -> Content:
    """Return an answer to a player who may not begin another challenge before this one is over.

    The player can close the challenge here, too, because a moderator may have deleted its post.
    """
    words = _("You have an open challenge in {channel}. It ends {when}.")
    words = words.format(channel=f"<#{challenge.channel_id}>", when=when(challenge.ends_at))
    return notice_content(words, row(Button(CloseChallenge(challenge.id, 0).custom_id, _("Close"))))


def close_content(challenge: Challenge) -> Content:
    question = _("Close this challenge for everybody? It ends without a winner.")
    button = Button(CloseChallenge(challenge.id, 1).custom_id, _("Close"), Tone.DANGER)
    return notice_content(question, row(button))
