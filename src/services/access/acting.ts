import { acting } from '../../../db/acting.ts';

/** Runs a call for its caller: what it writes is audited as his, through the door that he came in by. */
export const actFor = acting;

export type { Door } from '../../../db/acting.ts';
