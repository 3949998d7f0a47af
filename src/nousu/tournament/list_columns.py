"""The columns of a list of people: its heading, and the meaning of its words.

The words are those of five languages and of the neighbours' (Dutch, Danish, Estonian).
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from nousu.tournament.messages import Refusal

Row = tuple[int, Sequence[str]]
"""The number of a row, as its program shows it, and its cells."""

MOST_KEPT = 12
"""Greatest number of columns that are kept as they are."""
MOST_LETTERS = 40
"""Greatest number of letters of their headings."""
_SEARCHED = 10
"""Number of written rows in which the heading is looked for."""

_WORDS = {
    "name": """name | names | full name | player | players | participant | participants | member | entrant
        | spieler | spielerin | spieler/in | spieler/innen | teilnehmer | teilnehmerin |
        teilnehmer/in | teilnehmende | mitglied | namen | vor- und nachname | vor- und zuname | nimi
        | nimet | koko nimi | pelaaja | pelaajat | osallistuja | osallistujat | jäsen | namn |
        spelare | deltagare | medlem | navn | spiller | spillere | deltaker | deltakere | deltager |
        deltagere | naam | speler | deelnemer | deelnemers | mängija | osaleja""",
    "first": """vorname | rufname | etunimi | kutsumanimi | förnamn | fornavn | firstname | first name |
        forename | given | given name | first | voornaam | eesnimi""",
    "last": """nachname | familienname | zuname | sukunimi | efternamn | etternavn | efternavn | lastname |
        last name | surname | family name | last | achternaam | perekonnanimi""",
    "one": """player 1 | player1 | participant 1 | pelaaja 1 | osallistuja 1 | spelare 1 | deltagare 1 |
        spiller 1 | deltaker 1 | deltager 1 | spieler 1 | teilnehmer 1 | speler 1 | deelnemer 1""",
    "two": """player 2 | player2 | participant 2 | pelaaja 2 | osallistuja 2 | spelare 2 | deltagare 2 |
        spiller 2 | deltaker 2 | deltager 2 | spieler 2 | teilnehmer 2 | speler 2 | deelnemer 2 |
        partner""",
    "pair": "pair | pari | par | paar | makkerpar",
    "team": """team | club | seura | klubb | klub | klubi | verein | vereniging | joukkue | lag | hold |
        mannschaft | förening | forening | yhdistys""",
    "number": """no | nr | # | id | number | numero | nro | nummer | n:o | lfd nr | lfd. nr | lfd | startnr |
        start-nr | startnummer | start no | startnumero | pos""",
    "other": """paid | payment | fee | entry fee | bezahlt | startgeld | startgebühr | maksettu | maksanut |
        maksu | osallistumismaksu | betalt | betalat | avgift | startavgift | betaald | inleg |
        makstud | remarks | bemerkung | bemerkungen | huom | anmärkning | merknad | opmerking""",
    "contact": """email | e-mail | mail | sähköposti | e-post | epost | telefon | phone | puhelin |
        handy | mobil | mobile""",
}
_PEOPLE = frozenset(
    f"{column}{again}" for column in ("name", "first", "last", "one", "two", "pair") for again in ("", " 2")
)
"""Columns that say who somebody is."""
_WAYS = tuple(
    frozenset(column for column in _PEOPLE if column.removesuffix(" 2") in way)
    for way in ({"one", "two"}, {"pair"}, {"first", "last"}, {"name"})
)
"""Ways in which a row names people, those of pairs first."""
_PAID = frozenset(
    {"paid", "bezahlt", "gezahlt", "maksettu", "maksanut", "betalt", "betalat", "betaald", "makstud"}
)
"""Headings of marks for having paid."""
_UNPAID = frozenset({"", "0", "-", "–", "no", "nein", "ei", "nej", "nei", "nee", "open", "offen", "n"})
_COLUMN = {" ".join(word.split()): column for column, words in _WORDS.items() for word in words.split("|")}
_SUM = re.compile(
    r"(sum|sums|summe|summa|total|totals|totalt|totaal|gesamt|insgesamt|anzahl|yhteensä|yht|määrä|i alt"
    r"|antal|antall|aantal|samlet|kokku|count|gesamtzahl|osallistujia|teilnehmer|deltagare|deltakere"
    r"|participants|people|players)"
    r"[\s:.=]*\d*"
)


def columns_of(row: Sequence[str], *, pairs: bool = False) -> list[str]:
    """The columns that a heading names, an empty text for each other one; none if the row is no heading.

    One word alone is a heading only if it says name or player: somebody may be called Par. Beside a first
    name, *Name* is the last name; of two columns for a name the second is ``name 2``. What names nobody
    where people are named already, such as a partner in an event of single people, is an other column.
    """
    names: list[str] = []
    for cell in row:
        column = _COLUMN.get(_word(cell), "")
        if column in names and column not in ("", "other", "contact"):
            column = f"{column} 2" if column in _PEOPLE else ""
        names.append(column)
    if "first" in names and "last" not in names and "name" in names:
        names[names.index("name")] = "last"
    if pairs and "one" not in names and {"name 2", "two"} & set(names):
        names = [{"name": "one", "name 2": "two"}.get(name, name) for name in names]
    known = set(names) - {""}
    ways = _WAYS if pairs else _WAYS[::-1]
    people: frozenset[str] = next((way & known for way in ways if way & known), frozenset())
    if not people or not (len(known) > 1 or "name" in known or (pairs and "pair" in known)):
        return []
    unused = (_PEOPLE - people) | {"other", "contact"}
    return ["" if name in unused else name for name in names]


def check_columns(heads: Sequence[str], columns: Sequence[str], where: str, *, pairs: bool) -> None:
    """Refuse a heading that does not tell which person its column names."""
    for head, column in zip(heads, columns, strict=False):
        if column.endswith(" 2") and not (pairs and column in ("first 2", "last 2")):
            raise Refusal(
                "the heading has the column {column} twice; call them first name and last name, or give each "
                "a heading of its own",
                values={"column": head},
                where=where,
            )
        if column in ("one", "two", "pair") and not pairs:
            raise Refusal(
                "the heading names two people in a line, and this event is for single people", where=where
            )


def free_columns(heads: Sequence[str], columns: Sequence[str]) -> dict[int, str]:
    """The columns that are kept as they are, by their position: headed, unknown, and no address or phone."""
    kept: dict[int, str] = {}
    for at, head in enumerate(heads):
        known = columns[at] if at < len(columns) else ""
        name = " ".join(head.split())
        wanted = name and not known and _COLUMN.get(_word(head)) != "contact"
        if wanted and len(name) <= MOST_LETTERS and name not in kept.values() and len(kept) < MOST_KEPT:
            kept[at] = name
    return kept


def is_paid(head: str, cell: str) -> bool:
    """Whether a cell marks a person as having paid."""
    return _word(head) in _PAID and _word(cell) not in _UNPAID


def find_heading(rows: Iterable[Row], *, pairs: bool = False) -> int:
    """The number of the row that is the heading, among the first ten written ones; 0 if there is none.

    A heading with rows above it names two known columns or follows an empty row.
    """
    above, empty = 0, False
    written = ((number, [cell.strip() for cell in cells]) for number, cells in rows)
    for number, row in islice(written, 3 * _SEARCHED):
        if not any(row):
            empty = True
            continue
        columns = columns_of(row, pairs=pairs)
        if columns and (not above or empty or len(set(columns) - {""}) > 1):
            return number
        above, empty = above + 1, False
        if above == _SEARCHED:
            break
    return 0


def is_sum(row: Sequence[str]) -> bool:
    """Whether a row at the foot of a list counts or adds up: a word for it, or only a number."""
    cells = [cell.casefold() for cell in row if cell]
    words = [cell for cell in cells if not re.fullmatch(r"[\d.,\s]+(€|eur|kr)?", cell)]
    if len(words) != 1:
        return False
    counted = len(words) < len(cells) or any(sign.isdecimal() for sign in words[0])
    before = re.fullmatch(r"\d+\s+(.*)", words[0])
    return bool(_SUM.fullmatch(before[1] if before else words[0])) and (counted or words[0][-1:] in ":=")


def _word(cell: str) -> str:
    """A cell of a heading in the form of the listed words: small letters, no brackets, no sign at the end."""
    return " ".join(re.sub(r"\(.*?\)", "", cell).casefold().split()).rstrip(" .:*")
