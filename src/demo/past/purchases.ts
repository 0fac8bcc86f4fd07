import type { Message } from '../../shared/i18n/index.ts';
import { toDecimal } from '../../shared/purchases/money.ts';
import { DAY_MS } from '../../shared/time.ts';
import { BOUGHT, daysFrom } from '../domains.ts';
import { pricesAt } from '../shops.ts';
import { REGISTRARS } from '../team.ts';
import { workOn } from './people.ts';
import { before, HOUR_MS, iso, PAST_DAYS, pick, type Domain, type Row } from './time.ts';
import type { Numbered, Work, WorkItem } from './work.ts';

/** A purchase or renewal of the past; `error` says why nothing was bought. */
interface Purchase {
  kind: 'register' | 'renew';
  domain: Domain;
  name: string;
  at: number;
  error?: Message;
  work: Work;
}

const MOST_RENEWED = 14;
const YEAR_DAYS = 365;
// The registrars whose logins work and tell their prices: the third and those after it.
const FIRST_SELLER = 3;

const priceOf = ({ domain_name, registrars_id }: Domain, kind: Purchase['kind']) =>
  pricesAt(REGISTRARS[registrars_id - 1]?.type ?? 'reg.ru', domain_name, kind);

/** A name like that of a domain, which nobody has bought. */
const triedName = ({ domain_name }: Domain): string => domain_name.replace('.', '-shop.');

function order(kind: Purchase['kind'], domain: Domain, at: number, error?: Message): Purchase {
  const { id: domain_id, domain_name, project_id, registrars_id, user_id, expired_at } = domain;
  // A failed registration must not have the name of a domain in the portfolio.
  const name = error && kind === 'register' ? triedName(domain) : domain_name;
  const { amount, currency } = priceOf(domain, kind);
  const expires_before = expired_at === null ? null : daysFrom(new Date(expired_at), -YEAR_DAYS);
  const item: WorkItem = {
    kind: 'domain',
    name,
    lane: `registrar:${registrars_id}`,
    uses: { kind: 'registrars', id: registrars_id },
    data: {
      domain_name: name,
      project_id,
      holder: user_id,
      registrar_id: registrars_id,
      price: { amount: toDecimal(amount, currency), currency },
      ...(kind === 'renew' ? { domain_id, expires_before } : { group_id: 1, is_automatic: false }),
    },
    state: error ? 'failed' : 'done',
    acts: error
      ? [{ name: 'reserve', state: 'done' }]
      : [
          { name: 'reserve', state: 'done' },
          { name: 'send', state: 'done' },
          { name: 'resolve', state: 'noop' },
        ],
    ...(error && { error }),
  };
  const isNew = kind === 'register';
  const work = workOn(
    {
      kind: isNew ? 'buy_reserve' : 'renew',
      subject: isNew ? String(project_id) : name,
      user: user_id,
      door: 'ui',
      call: isNew ? 'POST /api/projects/:id/buy_reserve' : 'POST /api/domains/renew',
      input: {},
      at,
      seconds: 4,
    },
    [item],
    isNew && !error ? { message: { key: 'auto_buy.bought', params: { domain: name } } } : {},
  );
  return { kind, domain, name, at, work, ...(error && { error }) };
}

const DAYS_LEFT_AT_RENEWAL = 6;

/** Returns the purchases of the past: the reserves that were bought, names whose renewal shows in their date, and two that failed. */
export function purchasesOf(domains: readonly Domain[], now: Date): Purchase[] {
  const bought = BOUGHT.flatMap((index) => {
    const domain = domains[index];
    return domain && domain.registrars_id >= FIRST_SELLER
      ? [order('register', domain, Date.parse(domain.created_at))]
      : [];
  });
  const renewed = domains.flatMap((domain) => {
    if (domain.expired_at === null || domain.registrars_id < FIRST_SELLER || BOUGHT.includes(domain.id - 1)) return [];
    const at =
      Date.parse(domain.expired_at) - (YEAR_DAYS + DAYS_LEFT_AT_RENEWAL) * DAY_MS + pick(9, domain.id) * HOUR_MS;
    const isRecent = at > before(now, PAST_DAYS - 2) && at < before(now, 0.3);
    return isRecent && Date.parse(domain.created_at) < at ? [order('renew', domain, at)] : [];
  });
  const poor = domains.find(({ registrars_id }) => registrars_id === REGISTRARS.length);
  const late = domains.find(({ registrars_id }) => registrars_id === FIRST_SELLER);
  const failed = [
    ...(poor
      ? [
          order('register', poor, before(now, 19.2), {
            key: 'purchase.no_money',
            params: { balance: '0.12 USD', name: triedName(poor) },
          }),
        ]
      : []),
    ...(late
      ? [order('register', late, before(now, 47.4), { key: 'purchase.not_free', params: { name: triedName(late) } })]
      : []),
  ];
  return [...bought, ...renewed.slice(0, MOST_RENEWED), ...failed].toSorted((a, b) => a.at - b.at);
}

type Period = Row & { id: number; spent: number };

/** Makes the sums of what was spent on each day, by scope and currency. `add` returns the id of the sum's row. */
function daySums(): {
  add: (scope: string, scope_id: number, currency: string, day: string, spent: number) => number;
  rows: () => Period[];
} {
  const periods = new Map<string, Period>();
  return {
    add: (scope, scope_id, currency, day, spent) => {
      const key = `${scope} ${scope_id} ${currency} ${day}`;
      const found = periods.get(key) ?? {
        id: periods.size + 1,
        scope,
        scope_id,
        currency,
        day,
        cap: null,
        reserved: 0,
        spent: 0,
        beyond: 0,
      };
      periods.set(key, { ...found, spent: found.spent + spent });
      return found.id;
    },
    rows: () => [...periods.values()],
  };
}

/** Returns the ledger of purchases, and the sums of its days. The works are numbered. */
export function purchaseRows(purchases: readonly Purchase[]): Record<'purchases' | 'budget_periods', Row[]> {
  const sums = daySums();
  const rows = purchases.map(({ kind, domain, name, at, error, work }, index): Row => {
    const { registrars_id, project_id, user_id, expired_at } = domain;
    const { amount, currency } = priceOf(domain, kind);
    const day = iso(at).slice(0, 10);
    const spent = error ? 0 : amount;
    const scopes = [
      ['all', 0],
      ['registrar', registrars_id],
      ...(project_id === null ? [] : [['project', project_id] as const]),
      ['user', user_id],
    ] as const;
    const said: Message = error ?? { key: 'purchase.answered', params: { name } };
    return {
      id: index + 1,
      kind,
      domain_name: name,
      state: error ? 'released' : 'committed',
      registrar_id: registrars_id,
      registrar_type: REGISTRARS[registrars_id - 1]?.type,
      project_id,
      user_id,
      asker_id: user_id,
      asked_by: 'person',
      operation_id: (work as Numbered).id,
      domain_id: error && kind === 'register' ? null : domain.id,
      years: 1,
      currency,
      price: amount,
      cap: null,
      charged: error ? null : amount,
      periods: JSON.stringify(scopes.map(([scope, id]) => sums.add(scope, id, currency, day, spent))),
      day,
      reference: pick(2 ** 32, index, 1)
        .toString(16)
        .padStart(8, '0')
        .repeat(4),
      order_id: error ? null : String(10_000_000 + pick(80_000_000, index, 2)),
      expires_before: kind === 'renew' && expired_at !== null ? daysFrom(new Date(expired_at), -YEAR_DAYS) : null,
      balance_before: null,
      sent_at: error ? null : iso(at + 1_000),
      looks: 0,
      error: error ? JSON.stringify(error) : null,
      evidence: JSON.stringify([{ at: iso(at + 2_000), said }]),
      created_at: iso(at),
      changed_at: iso(at + 2_000),
    };
  });
  return { budget_periods: sums.rows(), purchases: rows };
}
