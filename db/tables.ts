import { dialect, select } from './index.ts';

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  // The table of the writers' last commits belongs to the connection, not to the schema.
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'writers'
    ORDER BY tablename COLLATE "C"`,
};

/** Returns the names of the tables that the open database has, in their order. */
export const tableNames = async (): Promise<string[]> =>
  (await select<{ name: string }>(TABLES[dialect()])).map(({ name }) => name);

/** Whether the open database has a table. */
export const hasTable = async (name: string): Promise<boolean> => (await tableNames()).includes(name);
