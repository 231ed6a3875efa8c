"""A player's own hand: shown here, and sent by DM."""

from __future__ import annotations

from bot.delivery.clicked import Clicked
from bot.delivery.clicks import action
from bot.delivery.routes import Delivery
from bot.delivery.slots import hand_slot
from bot.engine.words import _
from bot.messages.components import notice_content
from bot.messages.text_table import whole_content
from bot.messages.time_limits import when
from bot.services.table_opening import own_seat
from bot.sessions.errors import TableError
from bot.sessions.table import Table


@action("hand")
async def open_hand(clicked: Clicked, table: Table) -> None:
    """Show the player's hand."""
    await clicked.open_hand(table, own_seat(table, clicked.player_id))


@action("here", in_private=True)
async def show_here(clicked: Clicked, table: Table) -> None:
    """Have the hand in the DM whose button this is, and no more at the table."""
    await clicked.show_changed(table.match.id, in_public=False)


@action("hint")
async def hint(clicked: Clicked, table: Table) -> None:
    """Mark in the player's hand what a toad would do, and say why."""
    table = await clicked.services.hints.give(table.match.id, clicked.player_id)
    if clicked.is_private:
        await clicked.show(table, in_public=False)
    else:
        await clicked.open_hand(table, own_seat(table, clicked.player_id))


@action("words")
async def tell_everything(clicked: Clicked, table: Table) -> None:
    """Tell in private all that there is to see, the player's own hand with it."""
    seat = table.match.seat_of(clicked.player_id)
    await clicked.answer.whisper(whole_content(table, None if table.is_solo else seat))


@action("dms")
async def send_to_dms(clicked: Clicked, table: Table) -> None:
    """Try a player's DMs again, because the player asked for it."""
    seat, display = own_seat(table, clicked.player_id), clicked.services.display
    until = clicked.services.cooldown.until(clicked.player_id)
    if until is not None:
        words = _(
            "Your DMs were closed to me just now. I can try again {when}; until then, use **My hand**."
        )
        raise TableError(words.format(when=when(until)))

    slot = display.of(table.match.id).slots[hand_slot(seat)]
    slot.doubt()
    slot.want(await display.plans.hand(table, seat), table, slot.begin())
    delivery = await display.routes.show_in_dm(
        table, hand_slot(seat), slot, clicked.player_id, asked_for=True
    )
    if delivery is not Delivery.SENT:
        slot.give_up()
    if delivery is Delivery.FLAGGED:
        raise TableError(
            _("Discord doesn't let me write to you just now. Please go on with **My hand**.")
        )
    if delivery is not Delivery.SENT:
        clicked.services.cooldown.note(clicked.player_id)
        raise TableError(
            _(
                "Your DMs are still closed. Allow direct messages in this server's privacy "
                "settings, or go on with **My hand**."
            )
        )
    done = _("Done: your hand is now in your DMs.")
    if clicked.is_private:
        display.drop_panel(table.match.id, clicked.player_id)
        await clicked.answer.update(notice_content(done))
    else:
        await clicked.answer.tell(done)
