import { TABLES } from '../tables.ts';

// The blocklist is a file; the tables of machines among them are written by decisions, too.
const BESIDE = ['audit', 'blocklist', 'installation', 'notice_deliveries', 'notices', 'operations'];

/** Objects of audit rows: the tables of decisions, and a few beside. Each has its word in `log.object_…`. */
export const OBJECTS: readonly string[] = [
  ...BESIDE,
  ...[...TABLES.values()].flatMap(({ name, writes }) => ('machine' in writes ? [] : [name])),
];
