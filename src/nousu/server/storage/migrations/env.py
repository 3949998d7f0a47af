"""Alembic environment; `nousu.server.storage.migration` hands over the connection."""

from alembic import context

from nousu.server.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
