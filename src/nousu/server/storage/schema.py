"""The schema: sessions, tables, the events that tables are folded from, and rows of people."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of the token, in hex"),
    Column("name", Text, nullable=False),
    Column("lang", String(8), nullable=False, comment="empty: what the browser likes best"),
    Column("secret", LargeBinary, nullable=False, comment="of the next table this session opens"),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False, comment="when last, to within a day"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("preset", Text, nullable=False, comment="preset+option=value"),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False, comment="JSON: window, pace"),
    Column("secret", LargeBinary, nullable=False, comment="where all its shuffles come from"),
    Column("created", Float, nullable=False),
    Column("over", Boolean, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("place", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("key", String(64), nullable=True, comment="idempotency key; unique at a table"),
    Column("print", String(64), nullable=True),
    Column("at", Float, nullable=False, comment="seconds since 1970, for people only"),
    sqlite_with_rowid=False,
)

seats = Table(
    "seats",
    metadata,
    Column("session", String(64), primary_key=True),
    Column("table_id", String(32), primary_key=True),
    Column("since", Float, nullable=False, comment="when this person came first, seconds since 1970"),
    Column("result", Text, nullable=False, comment="JSON, once the match is over; empty: not known yet"),
)

devices = Table(
    "devices",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of a further token of a session, in hex"),
    Column("session", String(64), nullable=False),
    Column("created", Float, nullable=False),
)

codes = Table(
    "codes",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of the code, in hex"),
    Column("session", String(64), nullable=False),
    Column("until", Float, nullable=False, comment="seconds since 1970"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
    Column("table_id", String(32), nullable=False),
    Column("session", String(64), nullable=False),
    Column("body", Text, nullable=False, comment="JSON, see nousu.server.people.reports"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column(
        "hand", Integer, primary_key=True, autoincrement=False, comment="its place among the finished ones"
    ),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("seen", Boolean, primary_key=True, comment="speaks of all cards"),
    Column("session", String(64), nullable=False, comment="who made the choices; empty: a computer player"),
    Column("version", Integer, nullable=False, comment="of how reviews are worked out"),
    Column("body", Text, nullable=False, comment="JSON, see nousu.review.codec"),
    Column("at", Float, nullable=False, comment="seconds since 1970"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, nullable=False, comment="the last event folded in"),
    Column("state", LargeBinary, nullable=False, comment="see nousu.server.live.loading"),
    Column("seal", String(64), nullable=False, comment="hash of state, last event and program"),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of the endpoint, in hex"),
    Column("session", String(64), nullable=False),
    Column("device", String(64), nullable=False, comment="SHA-256 of the token it came with, in hex"),
    Column("lang", String(8), nullable=False, comment="of the page, where the session has none"),
    Column("endpoint", Text, nullable=False, comment="the browser's address at its push service"),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("created", Float, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False, comment="a private key, PKCS 8 in DER"),
)

friends = Table(
    "friends",
    metadata,
    Column("session", String(64), primary_key=True),
    Column("other", String(64), primary_key=True),
    Column("id", String(32), nullable=False, comment="names the row on pages, and nobody"),
    Column("hands", Integer, nullable=False, comment="finished together"),
    Column("last", Float, nullable=False, comment="seconds since 1970"),
    Column("preset", Text, nullable=False, comment="of the last hand"),
    Column("seen", String(64), nullable=False, comment="table and hand counted last"),
)

unlisted = Table(
    "unlisted", metadata, Column("session", String(64), primary_key=True, comment="is on no list of friends")
)

standing = Table(
    "standing",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("preset", Text, nullable=False),
    Column("weekday", Integer, nullable=False, comment="0: Monday"),
    Column("minute", Integer, nullable=False, comment="of the day, in its zone"),
    Column("zone", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("table_id", String(32), nullable=False, comment="of the evening `date`; empty: none yet"),
    Column("date", String(10), nullable=False),
    Column("reminded", String(10), nullable=False, comment="the evening that notices were sent for"),
)

standing_people = Table(
    "standing_people",
    metadata,
    Column("standing", String(32), primary_key=True),
    Column("session", String(64), primary_key=True),
    Column("sat", Boolean, nullable=False, comment="has sat at this table once"),
    Column("date", String(10), nullable=False, comment="of the answer"),
    Column("answer", String(8), nullable=False),
)

daily = Table(
    "daily",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("session", String(64), primary_key=True),
    Column("act", String(120), nullable=False, comment="the first answer, as records write it"),
    Column("good", Boolean, nullable=False),
)

Index("whose_friend", friends.c.other)
Index("whose_standing", standing_people.c.session)
Index("whose_reviews", reviews.c.session)
Index("whose_subscriptions", subscriptions.c.session)
Index("one_key_a_table", events.c.table_id, events.c.key, unique=True)
