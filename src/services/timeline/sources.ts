import type { Message } from '../../shared/i18n/index.ts';
import { isKey } from '../../shared/i18n/index.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import { dayOf } from '../../shared/positions/places.ts';
import { isCurrency, toDecimal } from '../../shared/purchases/money.ts';
import type { TimelineKind, Tone } from '../../shared/timeline/timeline.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import * as rows from './timeline-rows.ts';

/** An entry without its name and its kind. */
export interface Told {
  row: number;
  at: string;
  tone: Tone;
  text: Message;
  who: string | null;
  operation_id: number | null;
}

/** Whose timeline of which domain. */
export interface Asked {
  actor: Actor;
  domain: DomainDetail;
}

/** A source of entries of one kind, by one statement. Its place in the list is part of cursors. */
export interface Source {
  kind: TimelineKind;
  list: (asked: Asked, place: rows.Before) => Promise<Told[]>;
}

// The places of a year ago belong to the screen of positions: here each page would read them all.
const PLACES_DAYS = 60;

const NOBODY = { who: null, operation_id: null };

/** Returns an outcome of a check in words: a code, or why there was none. */
function answerOf({ verdict, http_status_code: code, ms }: rows.ChangeRow): Message {
  const key = `health.${verdict}`;
  if (code === null) return isKey(key) ? { key } : { key: 'timeline.no_answer' };
  return { key: 'timeline.answered', params: { code: String(code), ms: ms ?? 0 } };
}

function checkOf(row: rows.ChangeRow & { row: number; at: string }): Told {
  const { http_status_code: code, former } = row;
  const isWell = code !== null && code >= 200 && code <= 299;
  const text = answerOf(row);
  return { row: row.row, at: row.at, tone: !isWell ? 'bad' : former === null ? 'plain' : 'good', text, ...NOBODY };
}

function blockOf({ row, at, verdict, detail }: rows.ChangeRow & { row: number; at: string }): Told {
  if (verdict !== 'blocked') return { row, at, tone: 'good', text: { key: 'timeline.unblocked' }, ...NOBODY };
  const text: Message =
    detail === null
      ? { key: 'timeline.blocked' }
      : { key: 'timeline.blocked_by', params: { entry: toUnicode(detail) } };
  return { row, at, tone: 'bad', text, ...NOBODY };
}

/** Returns the entry of a move; for a domain, or of a whole project where `id` is null. */
export function moveOf(id: number | null, move: rows.MoveRow & { row: number; at: string }): Told {
  const { row, at, main_domain_id, main_domain_name, transfer_domain_name, action, login, operation_id } = move;
  const { outcome, redirect_seen_at } = move;
  const params = { main: toUnicode(main_domain_name), transfer: toUnicode(transfer_domain_name) };
  const key = id === null ? 'timeline.moved' : main_domain_id === id ? 'timeline.moved_away' : 'timeline.became_main';
  const also: Message[] = [
    ...(action === 'auto' ? [{ key: 'timeline.moved_itself' } as const] : []),
    ...(outcome !== 'done_with_warning'
      ? []
      : [{ key: redirect_seen_at === null ? 'timeline.redirect_unseen' : 'timeline.protection_left' } as const]),
  ];
  const tone = outcome === 'done_with_warning' ? 'doubtful' : 'plain';
  return { row, at, tone, text: { key, params, also }, who: login, operation_id };
}

function workOf(work: rows.WorkRow & { row: number; at: string }): Told {
  const { row, at, kind, state, error, login, operation_id } = work;
  const name = `operation.kind_${kind}`;
  const what = isKey(name) ? name : 'timeline.work';
  const isDone = state === 'done';
  // Of a move it may say that the site has moved all the same.
  const also = !isDone && error !== null && { also: [JSON.parse(error) as Message] };
  const text: Message = { key: isDone ? 'timeline.work_done' : 'timeline.work_failed', words: { what }, ...also };
  return { row, at, tone: isDone ? 'plain' : 'bad', text, who: login, operation_id };
}

/** Returns the entry of a purchase or a renewal. */
export function boughtOf(bought: rows.BoughtRow & { row: number; at: string }): Told {
  const { row, at, kind, state, registrar_type, currency, price, charged, login, operation_id } = bought;
  const sum = isCurrency(currency) ? `${toDecimal(charged ?? price, currency)} ${currency}` : currency;
  const params = { registrar: registrar_type, sum };
  if (state === 'committed') {
    const key = kind === 'renew' ? 'timeline.renewed' : 'timeline.bought';
    return { row, at, tone: 'good', text: { key, params }, who: login, operation_id };
  }
  const key = kind === 'renew' ? 'timeline.renewing' : 'timeline.buying';
  const tone = state === 'released' ? 'bad' : state === 'unknown' ? 'doubtful' : 'plain';
  return {
    row,
    at,
    tone,
    text: { key, params, words: { state: `purchases.state_${state}` } },
    who: login,
    operation_id,
  };
}

function indexOf({ row, at, engine, indexed, former }: rows.IndexRow & { row: number; at: string }): Told {
  const isIn = indexed === 1;
  const key = isIn ? 'timeline.indexed' : former === null ? 'timeline.not_indexed' : 'timeline.dropped';
  const tone = isIn ? 'good' : former === null ? 'plain' : 'bad';
  return { row, at, tone, text: { key, words: { engine: `positions.${engine}` } }, ...NOBODY };
}

function placesOf({ row, at, engine, rose, fell, top }: rows.PlacesRow & { row: number; at: string }): Told {
  const text: Message = {
    key: 'timeline.places',
    params: { rose, fell, top },
    words: { engine: `positions.${engine}` },
  };
  return { row, at, tone: fell > rose ? 'doubtful' : 'plain', text, ...NOBODY };
}

/** Returns the names of the columns that a decision has changed. */
function changedIn(after: string | null): string {
  const changed: unknown = after === null ? null : JSON.parse(after);
  return typeof changed === 'object' && changed !== null ? Object.keys(changed).slice(0, 6).join(', ') : '';
}

function logOf({ row, at, action, login, after, outcome }: rows.LogRow & { row: number; at: string }): Told {
  const fields = action === 'create' ? '' : changedIn(after);
  const text: Message = {
    key: fields === '' ? 'timeline.decided' : 'timeline.decided_fields',
    params: { fields },
    words: { action: `log.action_${action}` },
  };
  return { row, at, tone: outcome === 'failed' ? 'bad' : 'plain', text, who: login, operation_id: null };
}

const ENDED = ['done', 'failed'] as const;
const DNS_KINDS = ['dns', 'rule', 'tls', 'under_attack'];

/**
 * Every source, each with its own number from its place here. Operations are shown to whom they belong, as everywhere; the log to
 * administrators alone. Names may have been another's before: what was done before a domain was added is not told.
 */
export const SOURCES: readonly Source[] = [
  {
    kind: 'log',
    list: async ({ actor, domain }, place) =>
      isAdmin(actor) ? (await rows.listLogRows(domain.id, place)).map(logOf) : [],
  },
  {
    kind: 'checks',
    list: async ({ domain }, place) => (await rows.listChanges(domain.id, 'http', place)).map(checkOf),
  },
  {
    kind: 'positions',
    list: async ({ domain: { id, project_id } }, place) =>
      project_id === null
        ? []
        : (await rows.listPlaceRows(id, project_id, dayOf(Date.now()) - PLACES_DAYS, place)).map(placesOf),
  },
  {
    kind: 'positions',
    list: async ({ domain }, place) => (await rows.listIndexRows(domain.id, place)).map(indexOf),
  },
  {
    kind: 'purchases',
    list: async ({ actor, domain }, place) => (await rows.listBought(actor, domain.id, place)).map(boughtOf),
  },
  {
    kind: 'site',
    list: async ({ actor, domain: { domain_name: name, created_at: since } }, place) => {
      const worked = { kinds: ['site'], name, part: '', since, states: ENDED };
      return (await rows.listWork(actor, worked, place)).map(workOf);
    },
  },
  {
    kind: 'dns',
    list: async ({ actor, domain: { domain_name, created_at: since } }, place) => {
      const name = zoneNameOf(domain_name);
      const part = name === domain_name ? '' : domain_name;
      const worked = { kinds: DNS_KINDS, name, part, since, states: ENDED };
      return (await rows.listWork(actor, worked, place)).map(workOf);
    },
  },
  {
    kind: 'moves',
    // Moves that were made have a row of their own.
    list: async ({ actor, domain: { domain_name: name, created_at: since } }, place) => {
      const worked = { kinds: ['transfer'], name, part: '', since, states: ['failed'] as const };
      return (await rows.listWork(actor, worked, place)).map(workOf);
    },
  },
  {
    kind: 'moves',
    list: async ({ actor, domain }, place) =>
      (await rows.listMoveRows(actor, domain.id, place)).map((move) => moveOf(domain.id, move)),
  },
  {
    kind: 'blocks',
    list: async ({ domain }, place) => (await rows.listChanges(domain.id, 'blocklist', place)).map(blockOf),
  },
];
