/** Work of operations: each stands for the kinds of operation of an area. */
export const OPERATION_WORK = ['checks', 'dns', 'sites', 'transfers', 'purchases', 'positions'] as const;

/** Kinds of background work of a process, as people name them: operations, jobs at set times, notices, the Telegram bot. */
export const WORK_KINDS = [...OPERATION_WORK, 'schedule', 'notices', 'bot'] as const;

export type OperationWork = (typeof OPERATION_WORK)[number];
export type WorkKind = (typeof WORK_KINDS)[number];

export const isWorkKind = (word: string): word is WorkKind => WORK_KINDS.some((kind) => kind === word);
