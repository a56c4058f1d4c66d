import type { ColumnType } from 'kysely';

/** A jsonb column: written as text (the driver would turn a list into a PostgreSQL array), read as unknown. */
export type Json = ColumnType<unknown, string, string>;
