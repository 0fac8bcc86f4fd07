import type { NewItem } from '../../operations/flow.ts';

/** The lane of an item, as `NewItem` has it. */
export type Lane = Required<Pick<NewItem, 'lane' | 'lane_id' | 'uses'>>;

/** Returns the lane of a CDN account: its items share a budget of calls, and stop together. */
export const accountLane = (id: number): Lane => ({
  lane: `cloudflare:${id}`,
  lane_id: id,
  uses: [{ kind: 'cloudflare_accounts', id }],
});

/** Returns the lane of a server. */
export const serverLane = (id: number): Lane => ({ lane: `ssh:${id}`, lane_id: id, uses: [{ kind: 'servers', id }] });

/** Returns the lane of a registrar. */
export const registrarLane = (id: number): Lane => ({
  lane: `registrar:${id}`,
  lane_id: id,
  uses: [{ kind: 'registrars', id }],
});
