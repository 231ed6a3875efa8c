"""Registration of the weekly report and the champion's role."""

from __future__ import annotations

from bot.app import Ribit
from bot.delivery.regular_posts import PostType
from bot.engine.translation import _
from bot.features import Feature
from cogs.weekly_report.champion_role import Champions, settings_buttons
from cogs.weekly_report.report import WEEKLY, WeeklyReport, next_sunday


async def setup(bot: Ribit) -> None:
    report = WeeklyReport(bot.display, bot.post_schedule)
    champions = Champions(bot, bot.database, bot.post_schedule, report.first_of)
    post = PostType(
        WEEKLY,
        report.content,
        next_sunday,
        lambda: _("Weekly report"),
        is_kept=True,
        follow=champions.follow,
    )
    await bot.add_feature(
        Feature(
            champions,
            posts=[post],
            in_settings=settings_buttons,
            status=champions.status,
            before_forgetting=champions.withdraw,
        )
    )
