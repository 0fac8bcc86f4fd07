// The global setup of the project `postgres`: one server for all its files, with a migrated database to copy.
import type { TestProject } from 'vitest/node';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import { TEMPLATE } from './template.ts';
import { startPostgres } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const server = startPostgres({ databases: [TEMPLATE] });
  try {
    await openDatabase(server.address(TEMPLATE));
    await migrate();
    await closeDatabase();
  } catch (error) {
    server.close();
    throw error;
  }
  project.provide('postgres', server.address('postgres'));
  return server.close;
}
