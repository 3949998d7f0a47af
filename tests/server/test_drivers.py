"""What the drivers of ``bench`` make of pages: a driver that overlooks something proves nothing."""

from bench._lines import Page

_GIVE = '<button name="act" value="give {} to W" data-act="give {} to W"\n data-many="2">'


def _card(card: str) -> str:
    return f'<button type="button" data-choose="{card}" data-card="{card}">'


def test_a_page_that_wants_several_cards_is_answered() -> None:
    page = Page()
    cards = ["SA", "H10", "D7"]
    page.heard({"seq": 4, "parts": ["<p>", *map(_card, cards), _GIVE]})
    (act,) = page.acts
    give, one, other, *rest = act.split()
    assert (give, rest) == ("give", ["to", "W"])
    assert one != other and {one, other} <= set(cards)
    page.heard({"seq": 5, "parts": [[0, 4], '<button data-act="play SA">']})
    assert page.acts == ["play SA"], "nothing is given once the button is gone"
