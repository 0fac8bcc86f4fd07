import type { Migration } from './index.ts';

/** Tasks at Arsenkin, what they have cost, and the source that a project has chosen. */
export const searchTasks: Migration = {
  name: '0027-search-tasks',
  statements: [
    `CREATE TABLE search_tasks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      operation_id INTEGER NOT NULL REFERENCES operations(id) ON DELETE CASCADE,
      tries INTEGER NOT NULL,
      arsenkin_id INTEGER NOT NULL,
      state TEXT NOT NULL,
      task_id TEXT,
      members TEXT NOT NULL,
      error TEXT,
      created_at TEXT NOT NULL
    )`,
    'CREATE INDEX search_tasks_operation ON search_tasks (operation_id)',
    `CREATE TABLE search_task_spending (
      project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
      day INTEGER NOT NULL,
      arsenkin_id INTEGER NOT NULL,
      requests INTEGER NOT NULL,
      limits INTEGER NOT NULL,
      PRIMARY KEY (project_id, day, arsenkin_id)
    )`,
    `ALTER TABLE position_settings ADD COLUMN source TEXT NOT NULL DEFAULT 'auto'`,
  ],
};
