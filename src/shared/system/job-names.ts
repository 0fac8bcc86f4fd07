/** The names of the jobs that people see, in the order of the screen. Alone in its file: the help of a command loads it. */
export const JOB_NAMES = [
  'check',
  'blocklist',
  'expiry',
  'indexation',
  'positions',
  'auto_transfer',
  'auto_buy',
  'backup',
  'drill',
  'purge',
  'heartbeat',
] as const;
export type JobName = (typeof JOB_NAMES)[number];
