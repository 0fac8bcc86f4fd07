import type { Flow, ItemWork, NewItem } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { askedBefore, enqueue } from '../../operations/queue.ts';
import type { Money } from '../../providers/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { RenewalInput } from '../../shared/purchases/renewals.ts';
import { actorOf, guarded } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { registrarLane } from '../accounts/lanes.ts';
import { purchaseActs } from './acts.ts';
import { quotesOf, type Quote } from './renewal-quotes.ts';
import { listRenewable, type Renewable } from './renewal-rows.ts';
import { tellPurchases } from './holds.ts';
import { openShop, type Shop } from './shop.ts';

/** The data of an item: the order, as it was quoted when it was queued. */
interface Renewal {
  domain_id: number;
  domain_name: string;
  project_id: number | null;
  holder: number;
  registrar_id: number;
  price: Money;
  expires_before: string;
}

function itemOf({ id, domain_name, project_id, holder, registrars_id }: Renewable, quote: Quote): NewItem {
  if (registrars_id === null || quote.expires_at === null) throw new Error(`${domain_name} has no quote`);
  return {
    ...itemOn({ kind: 'domain', name: domain_name }),
    ...registrarLane(registrars_id),
    data: {
      domain_id: id,
      domain_name,
      project_id,
      holder,
      registrar_id: registrars_id,
      price: { amount: quote.price ?? '', currency: quote.currency ?? '' },
      expires_before: quote.expires_at,
    } satisfies Renewal,
  };
}

const KIND = 'renew';

const subjectOf = (domains: readonly Pick<Renewable, 'domain_name'>[]): string =>
  domains.map(({ domain_name }) => domain_name).join(' ');

/** Returns the renewals that a client has started by this key before; null: none. Throws AppError `conflict` where they were of other domains. */
async function startedBy(actor: Actor, ids: readonly number[], idem_key: string | undefined): Promise<number | null> {
  if (idem_key === undefined) return null;
  const asked = await askedBefore({ kind: KIND, user_id: actor.id, idem_key });
  if (!asked) return null;
  if (asked.subject !== subjectOf(await listRenewable(actor, ids))) {
    throw new AppError('conflict', 'operation.key_reused');
  }
  return asked.id;
}

/**
 * Queues renewals for a year through the ledger; those that `idem_key` has started before are returned, though they are paid by now.
 * Each price and date is asked for again. Throws AppError `refused` with the
 * reason of the first that can't be renewed, `conflict` (`plan_stale`) where a price or a date is not the one that was shown,
 * `busy` where one of the domains is being worked on.
 */
export async function startRenewals(
  actor: Actor,
  { domains: shown }: RenewalInput,
  { idem_key, here = false }: { idem_key?: string | undefined; here?: boolean } = {},
): Promise<{ id: number; started: boolean }> {
  const ids = shown.map(({ id }) => id);
  const before = await startedBy(actor, ids, idem_key);
  if (before !== null) return { id: before, started: false };
  const { domains, quotes } = await quotesOf(actor, ids, 'domains');
  const items = domains.map((domain) => {
    const quote = quotes.find(({ id }) => id === domain.id)!;
    const { refusal, price, currency, expires_at } = quote;
    if (refusal) throw new AppError('refused', refusal.key, refusal.params, { code: 'not_renewable' });
    const one = shown.find(({ id }) => id === domain.id);
    if (one?.price !== price || one.currency !== currency || one.expires_at !== expires_at) {
      throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
    }
    return itemOf(domain, quote);
  });
  return enqueue(
    {
      kind: KIND,
      subject: subjectOf(domains),
      user_id: actor.id,
      input: {},
      message: { key: 'renewal.renewing', params: { n: domains.length } },
      items,
      idem_key,
    },
    here,
  );
}

/** Throws AppError where the domain is not the asker's any more, is at another registrar, or has a date in doubt by now. */
async function requireSame(user_id: number | null, { domain_id, domain_name, registrar_id }: Renewal): Promise<void> {
  const [domain] = await listRenewable(await actorOf(user_id), [domain_id]);
  if (domain?.registrars_id !== registrar_id || domain.domain_name !== domain_name) {
    throw new AppError('conflict', 'renewal.moved', { name: domain_name });
  }
  if (domain.suspect_date !== null) throw new AppError('conflict', 'renewal.in_doubt', { name: domain_name });
}

const renewalWork: ItemWork<Shop, Renewal> = {
  open: (_lane, items) => openShop(items[0]?.lane_id ?? 0),
  // One at a time: a service refuses a second payment while one runs.
  atOnce: 1,
  acts: ({ operation_id, data, user_id }, shop) => {
    const { domain_name, project_id, holder, registrar_id, price, expires_before } = data;
    const check = (): Promise<void> => requireSame(user_id, data);
    const [reserve, ...rest] = purchaseActs(
      {
        kind: 'renew',
        domain_name,
        project_id,
        user_id: holder,
        asker_id: user_id,
        asked_by: 'person',
        operation_id,
        years: 1,
        expires_before,
        registrar_id,
        offer: { state: 'free', price },
      },
      shop,
      check,
    );
    return [...guarded(reserve ? [reserve] : [], check), ...rest];
  },
};

/** The flow that renews domains. */
export const renewalFlow: Flow = { ...itemFlow(KIND, renewalWork), tells: tellPurchases };
