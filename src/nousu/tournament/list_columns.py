"""The columns of a list of people: its heading, and the meaning of its words.

The words are those of five languages and of the neighbours' (Dutch, Danish, Estonian).
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

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
    name, *Name* is the last name.
    """
    names: list[str] = []
    for cell in row:
        column = _COLUMN.get(_word(cell), "")
        if column in names and column not in ("", "other", "contact"):
            if column in ("name", "first", "last", "one", "two", "pair"):
                return []
            column = ""
        names.append(column)
    if "first" in names and "last" not in names and "name" in names:
        names[names.index("name")] = "last"
    known = set(names) - {""}
    people = known & ({"one", "two", "pair", "name"} if pairs else {"name", "first", "last"})
    if not people or not (len(known) > 1 or "name" in known or (pairs and "pair" in known)):
        return []
    return ["" if name in ("other", "contact") else name for name in names]


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
