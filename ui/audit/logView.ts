import { DOORS } from '../../src/shared/audit/audit.ts';

/** The log without filters, as it stands in the address. */
export const VIEW = { user: '', door: '', object: '', name: '', since: '', until: '' };
export type View = typeof VIEW;

const dayStart = (day: string, after = 0): string | undefined => {
  if (day === '') return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
};

/** Returns a view as the server takes it; its days are the reader's, both included. */
export function queryOf({ user, door, object, name, since, until }: View) {
  return {
    user: user || undefined,
    door: DOORS.find((one) => one === door),
    object: object || undefined,
    name: name || undefined,
    since: dayStart(since),
    until: dayStart(until, 1),
  };
}
