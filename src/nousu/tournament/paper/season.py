"""Paper of a season: the ranking list with the rule below it, and certificates for the best."""

from nousu.engine.messages import sentence
from nousu.tournament.messages import Refusal, Speech
from nousu.tournament.paper.results import BEST, Certificate, certificate_sheets, result_list
from nousu.tournament.print_language import day
from nousu.tournament.season import Season, figure, ranking, season_standings

SEASON_KINDS = ("ranking", "certificates")
"""Papers of a season."""


def season_paper(season: Season, kind: str, speech: Speech, paper: str = "a4") -> bytes:
    """A PDF of a season, one of `SEASON_KINDS`. `Refusal` says what cannot be printed."""
    if kind not in SEASON_KINDS:
        raise Refusal(
            "there is no paper called {kind}; there are {kinds}",
            values={"kind": kind, "kinds": ", ".join(SEASON_KINDS)},
            where="kind",
        )
    if not season.evenings:
        raise Refusal("no evening is in the season yet")
    last = day(season.evenings[-1].date, speech.say)
    if kind == "ranking":
        message = sentence("After {count} evening, up to {day}", "After {count} evenings, up to {day}")
        about = speech.say(message, count=len(season.evenings), day=last)
        return result_list(season_standings(season), season.name, about, speech, paper)
    won = [
        Certificate(row.name, row.rank, False, (f"{speech.column('points')}: {figure(row.total)}",))
        for row in ranking(season)
        if row.rank <= BEST and not (row.guest and season.rule.guests == "apart")
    ]
    return certificate_sheets(won, season.name, last, speech, paper)
