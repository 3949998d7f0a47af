"""Run by Alembic with the connection that `nousu.server.store` hands over."""

from alembic import context

from nousu.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
