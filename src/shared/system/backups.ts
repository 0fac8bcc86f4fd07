import type { Message } from '../i18n/index.ts';

/** Parts of the backups, each with a state: the backup itself, its trial restore, and the places for its copies. */
export type BackupPart = 'backup' | 'drill' | 'folder' | 'sftp' | 's3';

/** How a part stands. `late`: it went well, but too long ago; `never`: it has not gone well yet. */
export type BackupState = 'failed' | 'never' | 'late' | 'running' | 'ok';

/** A part of the backups. `good_at` is when it last went well; `message` is why it failed since. */
export interface BackupRow<Text = Message> {
  part: BackupPart;
  state: BackupState;
  /** Where it is, without secrets; null for the drill. */
  address: string | null;
  good_at: string | null;
  message: Text | null;
  /** Of a copy: when one was last fetched back and restored. */
  proved_at: string | null;
  /** The size of the newest backup. */
  bytes: number | null;
}

/** The backups of the installation: what asks for a person first. `notes` are what is not set up. */
export interface BackupsView<Text = Message> {
  rows: BackupRow<Text>[];
  notes: Text[];
  /** How many backups are kept, and their size together. */
  kept: number;
  bytes: number;
}
