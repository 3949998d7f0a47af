"""Run by Alembic with the connection that `nousu.server.storage.store` hands over."""

from alembic import context

from nousu.server.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
