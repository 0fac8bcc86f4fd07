import { AsyncLocalStorage } from 'node:async_hooks';
import { readRequestId } from '../src/lib/tracing/request-id.ts';
import type { DoorName } from '../src/shared/audit/audit.ts';

/** The user that acts; an `id` of null: the command line on the host, or the schedule. */
export interface Asker {
  id: number | null;
  login: string;
}

/** Acts for nobody in particular. */
export const SYSTEM_ASKER: Asker = { id: null, login: 'system' };

/** Where a call came in. `call` is what was called there: a route, the words of a command, a job, a kind of operation. */
export interface Door {
  name: DoorName;
  call: string;
  /** The address of the caller, where it came over the network. */
  address?: string;
  /** The operation that does the work. */
  operation_id?: number;
  /** The id by which the lines of the log that belong together are found, from the door to the outside call. */
  request_id?: string;
}

/** The actor, and the door of the call. */
export interface Acting {
  user: Asker;
  door: Door;
}

const running = new AsyncLocalStorage<Acting>();
let always: Acting | undefined;

/** Runs the work of a call: what it writes is audited as `user`'s, through this door. */
export const acting = <T>(user: Asker, door: Door, work: () => Promise<T>): Promise<T> =>
  running.run({ user, door }, work);

/** Runs a part of the work in the name of another user, such as the one who has just signed in. */
export const actingAs = <T>(user: Asker, work: () => Promise<T>): Promise<T> =>
  running.run({ user, door: currentActing().door }, work);

/**
 * Sets who acts in this process wherever no `acting` runs, for a process with one caller: an AsyncLocalStorage slows every
 * promise on Node 20. Without arguments nobody does. Returns a function that sets what was before.
 */
export function actAlways(...given: [] | [user: Asker, door: Door]): () => void {
  const before = always;
  const [user, door] = given;
  always = user && door ? { user, door } : undefined;
  return () => {
    always = before;
  };
}

/** Returns who acts; undefined: nobody has said so. */
export const findActing = (): Acting | undefined => running.getStore() ?? always;

readRequestId(() => findActing()?.door.request_id);

/** Returns who acts. Throws where a door has forgotten to say so. */
export function currentActing(): Acting {
  const found = findActing();
  if (!found) throw new Error('a write outside acting(): its door has to say who acts');
  return found;
}
