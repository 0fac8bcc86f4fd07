import type { EventKind, Level } from '../../shared/notices/events.ts';

/** A cause that several subjects share; `key` is such as `server:3`. */
export interface Cause {
  key: string;
  name: string;
}

/** An event, and what could be the cause of it, the likeliest first. */
export interface Fact {
  id: number;
  kind: EventKind;
  level: Level;
  subject: string;
  domain_id: number | null;
  project_id: number | null;
  user_id: number | null;
  name: string;
  cause: string;
  params: string;
  at: string;
  causes: readonly Cause[];
}

// A project keeps its notice when it gets another name.
const OF_PROJECT: ReadonlySet<EventKind> = new Set<EventKind>(['no_reserve', 'reserve_ready']);

/** Returns what an event is about, the same at every event about it: a domain, a project, or a name of somebody's. */
export function subjectOf({
  domain_id,
  kind,
  project_id,
  user_id,
  name,
}: Pick<Fact, 'kind' | 'domain_id' | 'project_id' | 'user_id' | 'name'>): string {
  if (domain_id !== null) return `domain:${domain_id}`;
  if (project_id !== null) return OF_PROJECT.has(kind) ? `project:${project_id}` : `project:${project_id} ${name}`;
  return user_id === null ? `name:${name}` : `user:${user_id} ${name}`;
}

/** A subject that a notice has. `is_open`: it lasts; `notice_open`: its notice does. */
export interface Known {
  notice_id: number;
  kind: EventKind;
  flapping: boolean;
  subject: string;
  params: string;
  closed_at: string | null;
  is_open: boolean;
  notice_open: boolean;
}

/** A notice that is open. */
export interface OpenNotice {
  id: number;
  kind: EventKind;
  cause: string;
  flapping: boolean;
  level: Level;
  opened_at: string;
  acknowledged_at: string | null;
}

/** A subject that a notice gets; `closed_at` where it is over already. */
export type Opening = Fact & { flapping: boolean; closed_at: string | null };

/** A notice to be made. */
export interface Made {
  kind: EventKind;
  level: Level;
  cause: Cause;
  flapping: boolean;
  openings: Opening[];
}

/** The changes by events. `changed`: subjects that have ended, or (`closed_at` null) have begun again. */
export interface Grouped {
  made: Made[];
  joined: { notice_id: number; opening: Opening }[];
  changed: { notice_id: number; subject: string; at: string; closed_at: string | null }[];
  touched: { notice_id: number; at: string }[];
  /** Subjects of stored notices that are something else from now on. */
  left: { subject: string; at: string }[];
  /** Subjects of stored notices that begin anew in another one. */
  replaced: { notice_id: number; subject: string; at: string }[];
}
