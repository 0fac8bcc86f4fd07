import type { RegistrarType } from '../shared/accounts/registrar-types.ts';
import { expiredDialect } from './registrars/expired.ts';
import { namecheapDialect } from './registrars/namecheap.ts';
import { porkbunDialect } from './registrars/porkbun.ts';
import { reghouseDialect } from './registrars/reghouse.ts';
import { regruDialect } from './registrars/regru.ts';
import { startShop, type Dialect, type ShopOptions, type ShopServer } from './registrars/server.ts';
import type { ShopState } from './registrars/shop.ts';

const DIALECTS: Readonly<Record<RegistrarType, Dialect>> = {
  'reghouse.ru': reghouseDialect,
  'expired.ru': expiredDialect,
  'reg.ru': regruDialect,
  'namecheap.com': namecheapDialect,
  'porkbun.com': porkbunDialect,
};

/** Starts the fake of a type. */
export const startRegistrar = (
  type: RegistrarType,
  state: ShopState,
  options: Pick<ShopOptions, 'latencyMs' | 'onChange'> = {},
): Promise<ShopServer> => startShop(DIALECTS[type], { state, ...options });

// One is slow.
const LATENCY_MS: Partial<Record<RegistrarType, number>> = { 'namecheap.com': 1_500 };

// One answers an order after whoever has sent it has given up; what was ordered is done at once.
const LATE: RegistrarType = 'reghouse.ru';
const LATE_CALLS = ['addDomain', 'prolongDomain'];
const LATE_MS = 100_000;

/** Starts the demo's registrars. `onChange` is awaited before the answer to a call that has changed an account. */
export async function startRegistrars(
  states: Readonly<Record<RegistrarType, ShopState>>,
  { lateMs = LATE_MS, ...on }: { onChange: () => Promise<void>; lateMs?: number },
): Promise<{ urls: Record<RegistrarType, string>; close: () => Promise<void> }> {
  const types = Object.keys(DIALECTS) as RegistrarType[];
  const started = await Promise.all(
    types.map(async (type) => {
      const latencyMs = LATENCY_MS[type] ?? 0;
      const shop = await startRegistrar(type, states[type], { latencyMs, ...on });
      if (type === LATE) {
        for (const name of LATE_CALLS) {
          shop.faults.push({ kind: 'delay', ms: lateMs, call: `* /${name}`, times: Number.POSITIVE_INFINITY });
        }
      }
      return [type, shop] as const;
    }),
  );
  return {
    urls: Object.fromEntries(started.map(([type, { url }]) => [type, url])) as Record<RegistrarType, string>,
    close: async () => {
      await Promise.all(started.map(([, shop]) => shop.close()));
    },
  };
}
