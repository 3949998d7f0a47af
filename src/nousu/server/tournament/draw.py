"""Draw page: numbers by a seed or by cards, single players joined to pairs, people kept apart."""

from functools import partial

from starlette.responses import Response

from nousu.i18n.office import apart_words
from nousu.server.tournament.roles import DIRECTION
from nousu.server.tournament.setup import step_page
from nousu.server.tournament.visit import Page, Visit
from nousu.tournament.messages import Refusal
from nousu.tournament.model import APART, Entrant
from nousu.tournament.office import Office


def show(visit: Visit, *, typed: dict[int, str] | None = None, wrong: list[str] | None = None) -> Response:
    """Show the draw: ``/draw``. After a refusal with the numbers `typed` and its reasons."""
    state = visit.state
    numbers = {entrant: number for number, entrant in enumerate(state.numbers, 1)}
    people = state.active()
    picked = {} if numbers else state.picked
    values = {
        "people": [
            (entrant, (typed or {}).get(entrant.id, str(numbers.get(entrant.id, picked.get(entrant.id, "")))))
            for entrant in people
        ],
        "numbered": [(number, state.entrant(number)) for number in range(1, len(state.numbers) + 1)],
        "typed": typed or picked,
        "keeps": not state.format.everybody_meets,
        "teams": any(entrant.team for entrant in people),
        "kept": [
            (state.entrants[a - 1], state.entrants[b - 1], apart_words(how, visit.say))
            for (a, b), how in state.apart.items()
        ],
        "kept_teams": apart_words(state.apart_teams, visit.say) if state.apart_teams else "",
        "hows": [(how, apart_words(how, visit.say)) for how in APART],
        "late": any(slip.result is not None for slip in state.slips.values()),
        "wrong": wrong or [],
    }
    return step_page(visit, "/draw", values, 400 if wrong else 200)


async def draw(visit: Visit) -> Response:
    """Draw by a seed, take the numbers that were drawn by cards, or join lone players to pairs."""
    form = await visit.form()
    typed: dict[int, str] | None = None
    seed = str(form.get("seed", ""))[:200] or None
    people = visit.state.entrants
    try:
        match form.get("do"):
            case "pair":
                await visit.act(lambda office, by: office.pair_up(by, seed))
            case "cards":
                ids = [entrant.id for entrant in visit.state.active()]
                typed = {id: str(form.get(f"n{id}", "")).strip()[:6] for id in ids}
                drawn = {id: typed_number(text, people[id - 1]) for id, text in typed.items() if text}
                await visit.act(lambda office, by: office.number(by, drawn))
            case "pick":
                for entrant in visit.state.active():
                    number = typed_number(str(form.get(f"n{entrant.id}", "")), entrant)
                    if number != visit.state.picked.get(entrant.id, 0):
                        picked = partial(Office.act, do="picked", id=entrant.id, number=number)
                        await visit.act(picked)
            case _:
                await visit.act(lambda office, by: office.draw(by, seed))
    except Refusal as refusal:
        return await visit.render(show, visit, typed=typed, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/draw")


def typed_number(text: str, entrant: Entrant) -> int:
    """Number that somebody drew, as typed; 0 where nothing is. `Refusal` where it is no number."""
    text = text.strip()[:6]
    if not text or (text.isascii() and text.isdecimal()):
        return int(text or "0")
    raise Refusal(
        "{name}: {text} is not a number",
        values={"name": entrant.name, "text": text},
        clause="TU-ZK-I2",
        where="numbers",
    )


async def apart(visit: Visit) -> Response:
    """Keep two people apart, or all who share a team; or let them meet again."""
    form = await visit.form()
    how, one, other = (str(form.get(name, ""))[:100] for name in ("how", "one", "other"))
    try:
        if form.get("do") != "teams" and not (one and other):
            raise Refusal("name two people to keep apart", where="player")
        names = ("", "") if form.get("do") == "teams" else (one, other)
        await visit.act(lambda office, by: office.keep_apart(by, how, *names))
    except Refusal as refusal:
        return await visit.render(show, visit, wrong=visit.refusal_lines(refusal))
    return visit.redirect("/draw")


PAGES = (
    Page("/draw", show, DIRECTION),
    Page("/draw", draw, DIRECTION, "POST"),
    Page("/draw/apart", apart, DIRECTION, "POST"),
)
