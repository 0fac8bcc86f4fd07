import { z } from 'zod';
import { take, type Routes, type ZoneCall } from './call.ts';
import { refuse } from './reply.ts';
import type { Zone } from './state.ts';

const SWITCH = ['on', 'off'];

/** Settings by id: the default first, then the other values. */
const SETTINGS: Record<string, readonly unknown[]> = {
  always_online: ['off', 'on'],
  always_use_https: ['off', 'on'],
  automatic_https_rewrites: SWITCH,
  brotli: SWITCH,
  browser_cache_ttl: [14_400, 0, 1_800, 3_600, 7_200, 86_400, 604_800],
  browser_check: SWITCH,
  cache_level: ['aggressive', 'basic', 'simplified'],
  development_mode: ['off', 'on'],
  ech: SWITCH,
  email_obfuscation: SWITCH,
  http3: SWITCH,
  ipv6: SWITCH,
  min_tls_version: ['1.0', '1.1', '1.2', '1.3'],
  opportunistic_encryption: SWITCH,
  rocket_loader: ['off', 'on'],
  security_level: ['medium', 'off', 'essentially_off', 'low', 'high', 'under_attack'],
  ssl: ['full', 'off', 'flexible', 'strict'],
  tls_1_3: ['on', 'off', 'zrt'],
  websockets: SWITCH,
};

const valuesOf = (id: string): readonly unknown[] => SETTINGS[id] ?? refuse(400, 1006, `Unrecognized setting: ${id}`);

function toView(zone: Zone, id: string) {
  const [usual] = valuesOf(id);
  const stored = zone.settings[id];
  return { id, value: stored?.value ?? usual, editable: true, modified_on: stored?.modified_on ?? null };
}

function checkValue(zone: Zone, id: string, value: unknown): void {
  const allowed =
    valuesOf(id).includes(value) && !(id === 'security_level' && value === 'off' && zone.plan !== 'enterprise');
  if (!allowed) refuse(400, 1007, `Invalid value for zone setting ${id}`);
}

function set({ zone, store }: ZoneCall, id: string, value: unknown): void {
  zone.settings[id] = { value, modified_on: store.now() };
}

const One = z.object({ value: z.union([z.string(), z.number()]) });
const Several = z.object({ items: z.array(One.extend({ id: z.string() })).min(1) });

/** Zone settings, one by one and together. Setting the present value again succeeds. */
export const settings: Routes<ZoneCall> = {
  'GET /zones/:zone/settings': {
    needs: 'settings:read',
    run: ({ zone }) => ({ result: Object.keys(SETTINGS).map((id) => toView(zone, id)) }),
  },
  'PATCH /zones/:zone/settings': {
    needs: 'settings:edit',
    run: (call) => {
      const { items } = take(Several, call.body, 1004, 'Invalid settings');
      for (const { id, value } of items) checkValue(call.zone, id, value);
      for (const { id, value } of items) set(call, id, value);
      return { result: items.map(({ id }) => toView(call.zone, id)) };
    },
  },
  'GET /zones/:zone/settings/:setting': {
    needs: 'settings:read',
    run: ({ zone, params }) => ({ result: toView(zone, params['setting'] ?? '') }),
  },
  'PATCH /zones/:zone/settings/:setting': {
    needs: 'settings:edit',
    run: (call) => {
      const id = call.params['setting'] ?? '';
      valuesOf(id);
      const { value } = take(One, call.body, 1007, `Invalid value for zone setting ${id}`);
      checkValue(call.zone, id, value);
      set(call, id, value);
      return { result: toView(call.zone, id) };
    },
  },
};
