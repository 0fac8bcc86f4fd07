import { appendFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../lib/config.ts';
import { updateBlocklist } from '../services/checks/blocklist.ts';
import { domainAt, troubleOf } from './domains.ts';
import type { World } from './world.ts';

const EVERY_MS = 30_000;
const DOWN_FOR = 5;
const LISTED_EVERY = 20;
const LISTED_AT_MOST = 3;
// Coprime to the number of projects, so that all get their turn.
const STRIDE = 7;

/** Events of a demo's outside world, one step at a time. Only checks bring them into the database. */
export interface Events {
  step: () => Promise<void>;
}

/**
 * Makes the events of a demo: at every step a site goes down, and comes back five steps later; at every twentieth step a main
 * domain is listed as blocked, three times in all. Calls `changed` after each step.
 */
export function eventsOf(config: Config, { size, sites }: World, changed: () => void): Events {
  let steps = 0;
  const listed = new Set<string>();
  const indexOf = (step: number): number => (step * STRIDE) % size;
  const nameOf = (index: number): string => domainAt(index, new Date()).domain_name;
  const fall = (index: number): void => {
    sites[nameOf(index)] ??= { status: 502, error: null };
  };
  const rise = (index: number): void => {
    if (!troubleOf(index)) delete sites[nameOf(index)];
  };
  const list = async (from: number): Promise<void> => {
    const victim = Array.from({ length: size }, (_, offset) => domainAt((from + offset) % size, new Date())).find(
      ({ type, status, domain_name }) => type === 'main' && status === 'available' && !listed.has(domain_name),
    );
    if (!victim) return;
    await appendFile(fileURLToPath(config.blocklistUrl), `${victim.domain_name}\n`);
    await updateBlocklist(config.blocklistDir, { url: config.blocklistUrl });
    listed.add(victim.domain_name);
  };
  return {
    async step() {
      steps += 1;
      fall(indexOf(steps));
      if (steps > DOWN_FOR) rise(indexOf(steps - DOWN_FOR));
      if (steps % LISTED_EVERY === 0 && listed.size < LISTED_AT_MOST) await list(indexOf(steps));
      changed();
    },
  };
}

/** Runs a step every half minute. Errors of a step are ignored. */
export function startEvents(events: Events): { stop: () => void } {
  const timer = setInterval(() => void events.step().catch(() => undefined), EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
