/**
 * The state of a registration, as a person has to act on it: `not_delegated` the zone has no name servers · `hold` it was taken out
 * of the zone · `redemption` it has ended, and its owner can still have it back · `pending_delete` it is about to be free ·
 * `free` nobody has it.
 */
export const REGISTRY_STATES = ['ok', 'not_delegated', 'hold', 'redemption', 'pending_delete', 'free'] as const;
export type RegistryState = (typeof REGISTRY_STATES)[number];

// Letters alone: RDAP writes `pending delete`, EPP `pendingDelete`, others `PENDING-DELETE`. The first that matches counts, because
// a name in redemption is pending delete as well.
const BY_STATUS: readonly [pattern: RegExp, state: RegistryState][] = [
  [/^(?:redemption(?:period)?|pendingrestore|quarantine|inquarantine)$/, 'redemption'],
  [/^(?:pendingdelete|pendingpurge|pendingdeletescheduled|todelete)$/, 'pending_delete'],
  [/^(?:client|server|registrar|registry)?hold$|^(?:onhold|suspended|serversuspended)$/, 'hold'],
  [/^(?:notdelegated|inactive|nodelegation)$/, 'not_delegated'],
];

/** Returns the state that a registry's own words mean. */
export function registryStateOf({
  state,
  statuses,
}: {
  state: 'registered' | 'free';
  statuses: readonly string[];
}): RegistryState {
  if (state === 'free') return 'free';
  const words = statuses.map((status) => status.toLowerCase().replaceAll(/[^a-z]/g, ''));
  return BY_STATUS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? 'ok';
}
