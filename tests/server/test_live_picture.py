"""Pictures are made once for all who see the same, and what is sent of them makes the whole picture."""

import json
import random
import re
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, StrictUndefined, Template

from live_page import LivePage
from nousu.i18n import LANGUAGES
from nousu.i18n.reader import Reader
from nousu.server.pages import render_table
from nousu.server.pages.table import chat, common, parts, whist
from nousu.server.pages.table.live_picture import LivePicture, ViewerClass, Viewings
from nousu.server.pages.table.live_region import announcement
from nousu.server.pages.table.parts import Fragment, news, whole
from nousu.server.pages.table.template_marks import each, each_now, items_now, named_now, now, once, part
from nousu.server.table import commands
from nousu.server.table.table import Change
from nousu.server.table.view_builder import view_of
from table_fixtures import Sitting

READER = Reader.of("fi")
_KEY = re.compile(r'(name="key" value=")[0-9a-f]+')


@pytest.mark.parametrize("events", [70, pytest.param(220, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen"])
def test_pieces_sent_make_the_whole_picture(preset: str, events: int) -> None:
    """Pages that see every change, and pages that miss some, all hold the whole present picture."""
    sitting = Sitting(preset, persons=4, options={"pace": "0", "window": "0"})
    rng, pages = random.Random(5), {}
    for session in ("p0", "p1", None):
        for misses in (0.0, 0.6):
            pages[session, misses] = LivePage()
    last: dict[tuple[str | None, float], LivePicture] = {}
    viewings = Viewings()
    classes = {}
    sent = whole = 0
    for _ in range(events):
        sitting.played(rng, 1)
        table = sitting.table
        for (session, misses), page in pages.items():
            if rng.random() < misses:
                continue
            who = ViewerClass(table.seats.seat_of(session), "fi", "http://x")
            viewing = classes.setdefault(who, viewings.enter(who))
            shown, before = viewing.picture(table, session, 0.0), last.get((session, misses))
            text = shown.message(before, None)
            message = page.heard(text)
            last[session, misses] = shown
            seen = view_of(table, session, 0.0, "fi")
            printed = render_table(seen, Reader.of("fi"), "http://x")
            assert _KEY.sub("", message["html"]) == _KEY.sub("", printed)
            if before is not None and before.view.seq != seen.seq:
                assert message["say"] == announcement(before.view, seen, READER)
            sent += sum(len(part) for part in message["parts"] if isinstance(part, str))
            whole += len(printed)
    assert sent < whole * 0.7, "what hardly changes is hardly sent"


def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be left of what was made for others."""
    for name in ("_ONCE", "_SHARED"):
        monkeypatch.setattr(parts, name, parts._Texts(64 * 1024))
    for cached in (common._plates, common._hand_cards, whist._plates_with_notes, chat._talk):
        cached.cache_clear()


def test_tables_share_the_texts_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    """What two tables show alike is one object, whoever printed it first and whatever else is kept (P2)."""
    one, two = (
        Sitting("tuppi", persons=4, options={"pace": "0", "window": "0"}).played(random.Random(1), 20).table
        for _ in range(2)
    )
    _forgotten(monkeypatch)  # it may be older than the table of equal texts remembers
    first = Viewings().enter(ViewerClass(0, "en", "http://x")).picture(one, "p0", 0.0).pieces
    _forgotten(monkeypatch)
    second = Viewings().enter(ViewerClass(0, "en", "http://x")).picture(two, "p0", 0.0).pieces
    held = {text: text for text in first}
    alike = [held[text] is text for text in second if text in held]
    assert len(alike) > len(second) / 2
    assert sum(alike) > 0.8 * len(alike), "all but single values, which are written anew"


def test_texts_shown_once_are_dropped() -> None:
    tracemalloc.start()
    try:
        for number in range(100_000):
            parts._same(f"a piece that was shown once: {number}")
        assert tracemalloc.get_traced_memory()[0] < 4_000_000, "so many texts are ten million bytes"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("preset", ["tuppi", "minnesota", "huutopussi", "tuppen_zk", "toepen"])
def test_texts_are_never_shown_to_other_viewers(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every seat, to spectators, and in every language, what all share is what would be made for one."""
    sitting = Sitting(preset, persons=4, options={"pace": "0", "window": "0"})
    rng, viewings = random.Random(8), Viewings()
    sessions = ("p0", "p1", "p2", "p3", None)
    shown: dict[ViewerClass, LivePicture] = {}
    for step in range(25):
        sitting.played(rng, 1 + step % 3)
        table = sitting.table
        for number, session in enumerate(sessions * 2):
            lang = LANGUAGES[(number + step * (number >= len(sessions))) % len(LANGUAGES)]
            who = ViewerClass(table.seats.seat_of(session), lang, "http://x", "low" if number == 3 else "")
            shown[who] = viewings.enter(who).picture(table, session, 0.0)
        with monkeypatch.context() as patch:
            _forgotten(patch)
            for who, one in shown.items():
                if one.view.seq != table.seq:
                    continue
                session = None if who.seat is None else table.seats.by_seat[who.seat].session
                seen = view_of(table, session, 0.0, who.lang)
                alone = render_table(seen, Reader.of(who.lang), who.origin, who.order)
                assert one.view == seen
                assert _KEY.sub("", whole(one.pieces)) == _KEY.sub("", alone)


def test_chat_is_shown_at_once() -> None:
    """What is kept of it from one state of a table to the next is what would be worked out anew."""
    sitting = Sitting("tuppi", persons=4)
    viewings, rng = Viewings(), random.Random(2)
    for step in range(12):
        sitting.played(rng, 1)
        if step % 3 == 1:
            for change in (
                commands.say(sitting.table, "p1", "thanks", "", f"say-{step:05}", 0.0),
                commands.mute(
                    sitting.table, "p0", sitting.table.seats.seat_of("p1") or 0, step % 2 == 0, 0.0
                ),
            ):
                if isinstance(change, Change) and change.event.seq == sitting.table.seq + 1:
                    sitting.add(change)
        table = sitting.table
        for session in ("p0", "p1", None):
            viewing = viewings.enter(ViewerClass(table.seats.seat_of(session), "en", ""))
            assert viewing.picture(table, session, 0.0).view == view_of(table, session, 0.0, "en")


def test_picture_is_made_once_for_viewers_alike() -> None:
    sitting = Sitting("tuppi").played(random.Random(1), 30)
    viewings = Viewings()
    who = ViewerClass(None, "en", "http://x")
    one, two = viewings.enter(who), viewings.enter(who)
    assert one is two
    first = one.picture(sitting.table, None, 0.0)
    assert two.picture(sitting.table, None, 0.0) is first
    assert first.message(None, None) is not None
    assert viewings.enter(who._replace(lang="fi")) is not one
    viewings.leave(one)
    assert len(viewings) == 2
    viewings.leave(one)
    assert len(viewings) == 1, "a class nobody is in keeps no picture"


class Model:
    """A picture of nothing but the given fields."""

    def __init__(self, **values: object) -> None:
        self.__dict__ |= values


def _compiled(template: str, **names: object) -> Template:
    """A template that may use the marks that make parts."""
    marks = Environment(autoescape=True, undefined=StrictUndefined)
    marks.globals |= {"part": part, "once": once, "each": each, "now": now}
    marks.globals |= {"named_now": named_now, "each_now": each_now, "items_now": items_now, **names}
    return marks.from_string(template)


def _fragment(template: str | Template, **names: object) -> Fragment:
    """What a template prints, by the parts it is made of."""
    compiled = _compiled(template, **names) if isinstance(template, str) else template
    return Fragment("en", lambda table: compiled.render(table=table, lang="en"))


def _noting() -> tuple[list[object], Callable[[object], str]]:
    """What a template has handed to ``note`` while it was printed, and that."""
    drawn: list[object] = []

    def note(one: object) -> str:
        drawn.append(one)
        return ""

    return drawn, note


def test_part_is_rendered_anew_when_a_value_changes() -> None:
    drawn, note = _noting()
    shown = _fragment(
        "{% call part('one') %}{{ note(table.a) }}{{ table.a }} {{ table.b if table.a }}{% endcall %}",
        note=note,
    )
    for a, b, text in ((0, 1, "0 "), (0, 2, "0 "), (1, 2, "1 2"), (1, 3, "1 3"), (1, 3, "1 3")):
        assert whole(shown.printed(Model(a=a, b=b))) == text
    assert drawn == [0, 1, 1], "b was not read while a was 0"


def test_inner_part_is_rendered_anew_within_an_unchanged_one() -> None:
    drawn, note = _noting()
    shown = _fragment(
        "{{ note('all') }}<{% call part('out') %}{{ note('out') }}{{ table.a }}("
        "{% call part('in') %}{{ note('in') }}{{ table.b }}{% endcall %}){% endcall %}>",
        note=note,
    )
    assert shown.printed(Model(a=1, b=2)) == ("<", "1(", "2", ")", ">")
    assert drawn == ["all", "out", "in"]
    assert whole(shown.printed(Model(a=1, b=3))) == "<1(3)>"
    assert drawn == ["all", "out", "in", "in"]
    assert whole(shown.printed(Model(a=2, b=3))) == "<2(3)>"
    assert drawn == ["all", "out", "in", "in", "out"]


def test_part_is_dropped_when_it_is_absent_twice() -> None:
    drawn, note = _noting()
    shown = _fragment(
        "{% call part('out') %}{{ table.a }}{% if table.a %}{% call part('in') %}{{ note('in') }}"
        "{{ table.b }}{% endcall %}{% endif %}{% endcall %}",
        note=note,
    )
    for a, b, text in ((1, 5, "15"), (0, 5, "0"), (2, 5, "25"), (0, 6, "0"), (1, 6, "16")):
        assert whole(shown.printed(Model(a=a, b=b))) == text
    assert drawn == ["in", "in"], "printed anew only once, when it had changed meanwhile"
    for a, text in ((0, "0"), ("", ""), (1, "16")):
        assert whole(shown.printed(Model(a=a, b=6))) == text
    assert drawn == ["in", "in", "in"], "left out twice, it is forgotten"


def test_part_restores_its_earlier_rendering() -> None:
    """As when bidding, play and result take turns; what stands within it is as it is by now."""
    drawn, note = _noting()
    shown = _fragment(
        "{% call part('out') %}{{ note('out') }}{{ table.a }}{% call part('in') %}{{ note('in') }}"
        "{{ table.b }}{% endcall %}{{ now('c') }}{% endcall %}",
        note=note,
    )
    for a, b, c, text in ((1, 1, 1, "111"), (2, 1, 1, "211"), (1, 1, 2, "112"), (2, 1, 3, "213")):
        assert whole(shown.printed(Model(a=a, b=b, c=c))) == text
    assert drawn == ["out", "in", "out"], "two faces, each printed once"
    assert whole(shown.printed(Model(a=1, b=2, c=3))) == "123"
    assert drawn.pop() == "in"
    for a, text in ((3, "323"), (2, "223")):
        assert whole(shown.printed(Model(a=a, b=2, c=3))) == text
    assert drawn == ["out", "in", "out", "out", "out"], "only the last but one is kept"


TANGLE = """
{% macro bold(one) %}<b>{{ one }}</b>{% endmacro %}
{% call part("out") %}{% if table.on %}{{ table.a }}
  {% call part("deep") %}{{ table.b }}
    {% call part("deeper") %}{{ once(bold, table.c) }}{% endcall %}{% endcall %}
{% endif %}{% endcall %}{% call part("twin") %}{{ table.c if table.a else table.b }}{% endcall %}
{{ each(bold, table.d) }}{{ now("b") }}{{ each_now("d", bold) }}
{% call part("alike", shared=true) %}
  {{ table.c if table.a else each(bold, table.d) }}{{ now("b") }}
{% endcall %}
{% call part("late") %}{% if table.on %}{{ now("c", bold) }}{{ now("b") }}{% endif %}{% endcall %}
"""
TANGLED = _compiled(TANGLE)


@given(
    st.lists(
        st.builds(
            Model,
            on=st.booleans(),
            a=st.integers(0, 1),
            b=st.integers(0, 2),
            c=st.integers(0, 2),
            d=st.lists(st.sampled_from("xyz"), unique=True).map(tuple),
        ),
        max_size=12,
    )
)
def test_parts_that_come_and_go_equal_a_fresh_rendering(pictures: list[Model]) -> None:
    shown = _fragment(TANGLED)
    for picture in pictures:
        assert whole(shown.printed(picture)) == whole(_fragment(TANGLED).printed(picture))


class Signed(NamedTuple):
    look: str
    words: tuple[str, ...]

    @property
    def apart(self) -> tuple[str, tuple[str, ...]]:
        return self.look, self.words


def test_named_value_is_cached_without_its_words() -> None:
    drawn, note = _noting()
    compiled = _compiled(
        "{% macro plate(look, name, letter) %}"
        "{{ note(look) }}<b>{{ letter }}</b>{{ name }}{{ look }}"
        "{% endmacro %}<{{ named_now('a', plate) }}>",
        note=note,
    )
    shown, other = _fragment(compiled), _fragment(compiled)
    aino = shown.printed(Model(a=Signed("red", ("Aino", "A"))))
    assert whole(aino) == "<<b>A</b>Ainored>"
    assert whole(other.printed(Model(a=Signed("red", ("<Eero>", "E"))))) == "<<b>E</b>&lt;Eero&gt;red>"
    eero = shown.printed(Model(a=Signed("red", ("<Eero>", "<"))))
    assert whole(eero) == "<<b>&lt;</b>&lt;Eero&gt;red>"
    assert [at for at, (one, two) in enumerate(zip(aino, eero, strict=True)) if one != two] == [2, 4]
    assert drawn == ["red"]
    assert whole(shown.printed(Model(a=None))) == "<>"
    assert whole(shown.printed(Model(a=Signed("blue", ("\x1d", "\x1c"))))) == "<<b>\x1c</b>\x1dblue>"
    assert drawn == ["red", "blue"]


def test_value_is_rendered_alone() -> None:
    drawn, note = _noting()
    shown = _fragment(
        "{% macro bold(one) %}<b>{{ one }}</b>{% endmacro %}"
        "{{ note('all') }}{{ now('a') }} {{ now('b', bold) }} {{ now('a') }}",
        note=note,
    )
    assert whole(shown.printed(Model(a="<1>", b=None))) == "&lt;1&gt;  &lt;1&gt;"
    assert whole(shown.printed(Model(a=2, b="x"))) == "2 <b>x</b> 2"
    assert whole(shown.printed(Model(a=2, b=None))) == "2  2"
    assert drawn == ["all"]
    secret = _fragment("{% macro card(one) %}{{ now('hand') }}{% endmacro %}{{ once(card, table.a) }}")
    with pytest.raises(RuntimeError, match="may not depend on 'hand'"):
        secret.printed(Model(a="unheard", hand="SA"))


def test_card_played_sends_no_chat_signals_or_rules() -> None:
    """Whose turn it is decides who may claim; that is one button, not the whole column."""
    sitting = Sitting("tuppi", persons=4, options={"pace": "0", "window": "0"})
    rng, viewings = random.Random(3), Viewings()
    viewing = viewings.enter(ViewerClass(0, "en", ""))
    last: LivePicture | None = None
    cards = 0
    for _ in range(60):
        sitting.played(rng, 1)
        table, session = sitting.table, sitting.table.seats.by_seat[0].session
        shown = viewing.picture(table, session, 0.0)
        sent = [part for part in json.loads(shown.message(last, None))["parts"] if isinstance(part, str)]
        if last is not None and last.view.view.phase == shown.view.view.phase == "play":
            cards += 1
            assert not any(
                'id="side"' in part or 'name="write"' in part or 'id="signals"' in part for part in sent
            )
            assert sum(map(len, sent)) < 6000
        last = shown
    assert cards > 10


def test_part_stands_once_and_in_no_loop() -> None:
    """It is printed again when the loop has long ended."""
    shown = _fragment("{% for one in table.many %}{% call part('a') %}{{ one }}{% endcall %}{% endfor %}")
    with pytest.raises(RuntimeError, match="part 'a' stands twice"):
        shown.printed(Model(many=(1, 2)))


def test_failed_picture_is_followed_by_a_whole_one() -> None:
    shown = _fragment(
        "{% call part('a') %}{{ table.a }}{% endcall %} {% call part('b') %}{{ 6 // table.b }}{% endcall %}"
    )
    assert whole(shown.printed(Model(a=1, b=2))) == "1 3"
    with pytest.raises(ZeroDivisionError):
        shown.printed(Model(a=2, b=0))
    assert whole(shown.printed(Model(a=3, b=3))) == "3 2"


def test_once_macro_may_not_read_the_picture() -> None:
    drawn, note = _noting()
    template = "{% macro card(one) %}{{ note(one) }}<b>{{ one }}</b>{% endmacro %}{{ once(card, table.a) }}"
    first, second = _fragment(template, note=note), _fragment(template, note=note)
    assert whole(first.printed(Model(a="<9>"))) == "<b>&lt;9&gt;</b>"
    assert whole(first.printed(Model(a="Q"))) == "<b>Q</b>"
    assert whole(first.printed(Model(a="<9>"))) == "<b>&lt;9&gt;</b>"
    assert drawn == ["<9>", "Q"]
    assert whole(second.printed(Model(a="Q"))) == "<b>Q</b>"
    secret = _fragment(
        "{% macro card(one) %}{{ one }}{{ table.hand }}{% endmacro %}{{ once(card, table.a) }}"
    )
    with pytest.raises(RuntimeError, match="may not depend on 'hand'"):
        secret.printed(Model(a="unheard", hand="SA"))


def test_text_cache_is_bounded_and_keeps_used_texts() -> None:
    """What a server keeps does not grow for ever, whether texts are many or long (P2)."""
    for letters in (10, 3000):
        kept: parts._Texts[str] = parts._Texts(100_000)
        kept.keep("asked for", "here", ("here",))
        for number in range(2000):
            text = str(number) + "x" * letters
            kept.keep(number, text, (text,))
            assert kept.get("asked for") == "here"
        assert kept.get(1999) == text and kept.get(0) is None
        held = [number for number in range(2000) if kept.get(number) is not None]
        assert 50 < len(held) * (letters + 460) / 1000 < 200, "about one generation, two at most"


def test_shared_part_is_rendered_once_for_equal_values() -> None:
    """Nobody is shown what stands in a picture that differs in anything the part reads."""
    drawn, note = _noting()
    template = (
        "{% call part('a', shared=true) %}{{ note(table.a) }}{{ table.a }}"
        "{{ table.b if table.a == 'own' }} {{ now('seq') }}{% endcall %}"
    )
    compiled = _compiled(template, note=note)
    shown = [_fragment(compiled) for _ in range(3)]
    for one, a, b, seq in (
        (0, "x", 1, 1),
        (1, "x", 2, 2),
        (2, "own", 1, 3),
        (1, "own", 2, 4),
        (0, "own", 1, 5),
    ):
        text = f"{a}{b} {seq}" if a == "own" else f"{a} {seq}"
        assert whole(shown[one].printed(Model(a=a, b=b, seq=seq))) == text
    assert drawn == ["x", "own", "own"]
    unread = _fragment("{% call part('u', shared=true) %}{{ table.u['k'] }}{% endcall %}")
    assert [whole(unread.printed(Model(u={"k": k}))) for k in "ab"] == ["a", "b"], (
        "what has no hash is printed"
    )
    nested = _fragment(
        "{% call part('n', shared=true) %}{% call part('m') %}{{ table.a }}{% endcall %}{% endcall %}"
    )
    with pytest.raises(RuntimeError, match="holds no other parts"):
        nested.printed(Model(a=1))


def test_list_items_keep_their_pieces_when_they_move() -> None:
    @dataclass
    class Thing:
        name: str
        at: int

        @property
        def item(self) -> tuple[str, tuple[object, ...]]:
            return f"<li style='--x:{self.at}'>", (self.name,)

    template = (
        "{% macro bold(one, end) %}<b>{{ one }}{{ end }}</b>{% endmacro %}{{ items_now('a', bold, 'b') }}"
    )
    shown = _fragment(template)
    two = (Thing("<", 1), Thing("y", 2))
    text = "<li style='--x:1'><b>&lt;!</b></li><li style='--x:2'><b>y!</b></li>"
    assert whole(shown.printed(Model(a=two, b="!"))) == text
    assert _compiled(template).render(table=Model(a=two, b="!"), lang="en") == text
    before = shown.printed(Model(a=two, b="!"))
    now = shown.printed(Model(a=(Thing("<", 3),), b="!"))
    assert news(before, now) == ["<li style='--x:3'>", [1, 1], [4, 1]]
    assert whole(shown.printed(Model(a=(), b="!"))) == ""


def test_news_refers_to_old_pieces() -> None:
    assert news((), ("a", "b")) == ["a", "b"]
    assert news(("a", "b", "c"), ("a", "b", "c")) == [[0, 3]]
    assert news(("a", "b", "c", "d"), ("a", "x", "c", "d")) == [[0, 1], "x", [2, 2]]
    assert news(("a", "b", "c"), ("c", "a", "b", "b")) == [[2, 1], [0, 2], [1, 1]]


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdefgh")))
def test_news_makes_the_present_pieces(before: list[str], now: list[str]) -> None:
    page = LivePage()
    page.heard(json.dumps({"parts": before}))
    assert page.heard(json.dumps({"parts": news(tuple(before), tuple(now))}))["html"] == "".join(now)
    assert page.parts == now
