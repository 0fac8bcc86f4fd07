import { createHash } from 'node:crypto';
import type { Availability } from '../../providers/provider.ts';
import { factsOf, isRegistrarType } from '../../shared/accounts/registrar-types.ts';
import type { RegistrarRow } from '../../shared/accounts/tables.ts';
import { AppError } from '../../shared/errors.ts';
import { compileTemplate } from '../../shared/names/name-generator.ts';
import {
  MOST_CANDIDATES,
  type Choice,
  type LeftOut,
  type LeftOutReason,
  type NameMark,
  type Seller,
} from '../../shared/purchases/candidates.ts';
import { isCurrency, toMinor } from '../../shared/purchases/money.ts';
import { loginOf, registrarFor } from '../accounts/registrar-login.ts';
import { callOf, registrarFailure } from '../accounts/registrar-test.ts';
import { findTeamRow } from '../accounts/team.ts';
import { markNames } from './name-marks.ts';
import { KeptAnswers } from './shop.ts';

// Of a template with more names so many are looked at, at random: if none of them is left, hardly any is.
const MOST_TRIED = 20_000;
const BATCH = 1_000;
// The rest is not asked for once one of these can be bought.
const ASKED_AT_ONCE = 10;

/** Names that may be bought, and how many were left out for what; `zone`: the registrar does not sell their zone. */
export interface Candidates {
  names: string[];
  tried: number;
  left_out: Record<Exclude<NameMark, 'new'> | 'zone', number>;
}

interface DrawRequest {
  template: string;
  /** Equal texts give equal names in equal order, as long as the portfolio and the block list stay the same. */
  seed: string;
  /** Top-level domains that can't be bought. */
  excludes?: readonly string[];
  count?: number;
}

// 48 bits: a whole number that is exact.
const numberOf = (seed: string): number => createHash('sha256').update(seed).digest().readUIntBE(0, 6);

const zoneOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function* batchesOf(names: Iterator<string>, first: number): Generator<string[]> {
  let tried = 0;
  let size = first;
  while (tried < MOST_TRIED) {
    const batch: string[] = [];
    while (batch.length < size && tried + batch.length < MOST_TRIED) {
      const next = names.next();
      if (next.done) break;
      batch.push(next.value);
    }
    if (batch.length === 0) return;
    yield batch;
    tried += batch.length;
    size = BATCH;
  }
}

/**
 * Draws names of a template that nothing speaks against, each once, at most 50. Throws AppError `invalid` for a wrong template,
 * and `refused` where it gives no name at all, or 20,000 of them (all, if there are fewer) hold none that is left.
 */
export async function drawCandidates(request: DrawRequest): Promise<Candidates> {
  const { template, seed, excludes = [], count = MOST_CANDIDATES } = request;
  const wanted = Math.min(count, MOST_CANDIDATES);
  const drawn = compileTemplate(template).draw({ unique: true, seed: numberOf(seed) });
  const left_out = { held: 0, past: 0, related: 0, blocked: 0, invalid: 0, zone: 0 };
  const found: Candidates = { names: [], tried: 0, left_out };
  for (const batch of batchesOf(drawn, MOST_CANDIDATES)) {
    const marks = await markNames(batch);
    for (const [index, name] of batch.entries()) {
      const mark = marks[index] ?? 'invalid';
      found.tried += 1;
      if (mark !== 'new') left_out[mark] += 1;
      else if (excludes.includes(zoneOf(name))) left_out.zone += 1;
      else found.names.push(name);
      if (found.names.length === wanted) return found;
    }
  }
  if (found.tried === 0) throw new AppError('refused', 'candidates.no_name');
  if (found.names.length > 0) return found;
  throw new AppError('refused', 'candidates.none_left', { tried: found.tried, ...left_out });
}

/** The reason against an offer, or its price in the smallest unit. */
function priceOf({ state, price }: Availability, { type, highest_price }: Seller): LeftOutReason | number {
  if (state !== 'free') return state;
  const currency = isRegistrarType(type) ? factsOf(type).currency : '';
  if (price?.currency !== currency || !isCurrency(currency)) return 'unpriced';
  const minor = toMinor(price.amount, currency);
  if (minor === null) return 'unpriced';
  const highest = toMinor(highest_price ?? '', currency);
  return highest !== null && minor > highest ? 'dear' : minor;
}

const kept = new KeptAnswers<LeftOut>();

const unheard = (domain_name: string): Availability => ({ domain_name, state: 'unknown', price: null });

function cheapestOf(offers: readonly Availability[], seller: Seller): Choice {
  const left_out: LeftOut[] = [];
  let lowest = Infinity;
  let chosen: Choice['chosen'] = null;
  for (const offer of offers) {
    const { domain_name, price } = offer;
    const found = priceOf(offer, seller);
    if (typeof found === 'string' || !price) {
      left_out.push({ domain_name, reason: typeof found === 'string' ? found : 'unpriced', price });
    } else if (found < lowest) {
      lowest = found;
      chosen = { domain_name, price };
    }
  }
  return { chosen, left_out };
}

/**
 * Asks a registrar which of the names can be bought, ten by ten (where it is asked name by name: one by one), and returns the cheapest of the first ten that hold one; of equal
 * prices the first. Premium names and those dearer than the registrar's highest price are never chosen. Names that the last request, which ran
 * out of time, has found to be none are not asked again. Changes nothing. Throws
 * AppError `refused` for a registrar that can't sell, and its failures.
 */
export async function chooseName(row: RegistrarRow, names: readonly string[], signal: AbortSignal): Promise<Choice> {
  const { type } = row;
  const registrar = registrarFor(row);
  if (!isRegistrarType(type) || !registrar) throw new AppError('refused', 'registrars.type_unknown');
  if (!registrar.checkNames || !factsOf(type).sells)
    throw new AppError('refused', 'candidates.sells_nothing', { type });
  const login = loginOf(row);
  const left_out: LeftOut[] = names.flatMap((name) => kept.find(row.id, name) ?? []);
  const size = registrar.checksSingly ? 1 : ASKED_AT_ONCE;
  const left = names.filter((name) => kept.find(row.id, name) === undefined);
  for (let from = 0; from < left.length; from += size) {
    const asked = left.slice(from, from + size);
    const offers = await registrar.checkNames(login, asked, callOf(type, signal)).catch((error: unknown) => {
      if (!signal.aborted || left_out.length === 0) return registrarFailure(type, signal)(error);
      kept.keep(
        row.id,
        left_out.map((one) => [one.domain_name, one]),
      );
      const params = { type, n: left_out.length };
      throw new AppError('upstream', 'registrar.out_of_time', params, { code: 'provider_unavailable', cause: error });
    });
    const byName = new Map(offers.map((offer) => [offer.domain_name, offer]));
    const choice = cheapestOf(
      asked.map((name) => byName.get(name) ?? unheard(name)),
      row,
    );
    left_out.push(...choice.left_out);
    if (choice.chosen) return { chosen: choice.chosen, left_out };
  }
  return { chosen: null, left_out };
}

/** A template, the registrar at which one of its names is to be bought, and what its names are drawn by. */
export interface CandidateRequest {
  template: string;
  registrars_id: number;
  seed: string;
}

/**
 * Returns the name of a template that a registrar would sell now, and why others would not do. Throws as `drawCandidates` and
 * `chooseName`, and AppError `not_found` for an unknown registrar.
 */
export async function findCandidate(
  request: CandidateRequest,
  signal: AbortSignal,
): Promise<{ drawn: Candidates; choice: Choice }> {
  const row = await findTeamRow<RegistrarRow>('registrars', request.registrars_id);
  const excludes = isRegistrarType(row.type) ? factsOf(row.type).excludes : [];
  const drawn = await drawCandidates({ template: request.template, seed: request.seed, excludes });
  return { drawn, choice: await chooseName(row, drawn.names, signal) };
}
