import type { Migration } from './index.ts';

/** When jobs run: what people have set, and how far each job is. */
export const schedules: Migration = {
  name: '0030-schedules',
  statements: [
    `CREATE TABLE schedules (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      active INTEGER NOT NULL,
      cron TEXT,
      interval_minutes INTEGER,
      zone TEXT NOT NULL,
      jitter_seconds INTEGER NOT NULL,
      quiet_from TEXT,
      quiet_until TEXT,
      keep INTEGER,
      heartbeat TEXT,
      updated_at TEXT NOT NULL
    )`,
    `CREATE TABLE schedule_runs (
      name TEXT PRIMARY KEY,
      rule TEXT NOT NULL,
      next_at TEXT,
      lease_owner TEXT,
      lease_until TEXT,
      slot_at TEXT,
      tries INTEGER NOT NULL DEFAULT 0,
      started_at TEXT,
      ended_at TEXT,
      result TEXT,
      message TEXT,
      operation_id INTEGER,
      heartbeat_at TEXT,
      heartbeat_error TEXT
    )`,
  ],
};
