import type { ColumnType } from 'kysely';

/** A jsonb column: written as text (the driver would make a PostgreSQL array of a list), read as unknown. */
export type Json = ColumnType<unknown, string, string>;
