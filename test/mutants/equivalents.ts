// The mutants that no test can detect, because they change nothing observable: run.ts leaves them out.
import { INDEX_LOOKUP, INDEX_WHOLE } from './equivalents-index.ts';
import type { Equivalent, Mutant } from './mutate.ts';

const CRASH = 'Does nothing but where a test kills a process, which is one of its own and has no changes in it.';

const MOMENT = 'An item that is put back is due a millisecond later.';

/** By module. run.ts fails if an entry matches no mutant of its module. */
export const EQUIVALENTS: Record<string, Equivalent[]> = {
  'src/services/access/ownership.ts': [
    {
      source: '.map((row) => (row.id < 0 ? { ...row, claim: row.claim + 0.5 } : row))',
      change: 'row.id < 0 → (row.id) <= (0)',
      why: 'No id is 0.',
    },
    {
      source: '.map((row) => (row.id < 0 ? { ...row, claim: row.claim + 0.5 } : row))',
      change: '0 → (0 + 1)',
      why: 'No id is 0.',
    },
    {
      source:
        '.reduce<Holding | undefined>((best, one) => (best && best.name.length >= one.name.length ? best : one), undefined);',
      change: 'best.name.length >= one.name.length → (best.name.length) > (one.name.length)',
      why: 'Two names that are as long and lie above the same one are one name, which the portfolio has once.',
    },
    {
      source: 'const FEW = 8;',
      change: '8 → (8 + 1)',
      why: 'Many zones are read together and few one by one, with the same answer.',
    },
    {
      source: 'const all = asked.size > FEW ? await holdingsOf(asked) : null;',
      change: 'asked.size > FEW → (asked.size) >= (FEW)',
      why: 'Many zones are read together and few one by one, with the same answer.',
    },
  ],
  'src/services/transfers/gate.ts': [
    {
      source: 'if (fault && performance.now() + rules.everyMs > end) refuse(gate, fault);',
      change: 'performance.now() + rules.everyMs > end → (performance.now() + rules.everyMs) >= (end)',
      why: 'The limit is a millisecond shorter.',
    },
  ],
  'src/shared/transfers/transfer-pick.ts': [
    {
      source: 'if (best.length === 2) break;',
      change: '2 → (2 + 1)',
      why: 'A third one that is ready is looked for, which nobody asks about.',
    },
  ],
  'src/providers/blocklist/index-lookup.ts': INDEX_LOOKUP,
  'src/providers/blocklist/index-whole.ts': INDEX_WHOLE,
  'src/shared/positions/places.ts': [
    {
      source: 'known.set(sought, ids);',
      change: 'known.set(sought, ids); → (left out)',
      why: 'It is looked through again.',
    },
  ],
  'src/providers/search/serp-url.ts': [
    {
      source:
        "return url.href.length <= MOST_CHARACTERS ? url.href : url.href.slice(0, MOST_CHARACTERS).replace(/%.?$/, '');",
      change: 'url.href.length <= MOST_CHARACTERS → (url.href.length) < (MOST_CHARACTERS)',
      why: 'An address of that very length is cut at its end.',
    },
  ],
  'src/providers/search/serp-xml.ts': [
    {
      source: '(code >= 0x20 && code <= 0xd7_ff) ||',
      change: 'code >= 0x20 → (code) > (0x20)',
      why: 'A blank stands for a blank.',
    },
    {
      source: '(code >= 0x20 && code <= 0xd7_ff) ||',
      change: '0x20 → (0x20 + 1)',
      why: 'A blank stands for a blank.',
    },
  ],
  'src/services/access/throttle.ts': [
    {
      source: 'return (this.times.get(key)?.[0] ?? 0) + WINDOW_MS - Date.now();',
      change: '0 → (0 + 1)',
      why: 'Asked of a key alone that has used its tries up, so it has some.',
    },
    {
      source:
        "const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);",
      change: '0 → (0 + 1)',
      nth: 1,
      why: 'A ninth group behind the eight that are there; the first four are read.',
    },
    {
      source:
        "const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);",
      change: '0 → (0 + 1)',
      nth: 2,
      why: 'The eighth group is left out; the first four are read.',
    },
  ],
  'src/operations/item-acts.ts': [
    {
      source: 'return context.cancelled.aborted || (wait?.act === act.name && Date.parse(wait.until) <= Date.now());',
      change: 'Date.parse(wait.until) <= Date.now() → (Date.parse(wait.until)) < (Date.now())',
      why: 'A wait is a millisecond longer.',
    },
    {
      source: 'const notes = known.length > 0 && (await acts[0]?.isVoid?.()) ? [] : known;',
      change: 'known.length > 0 → (known.length) >= (0)',
      why: 'Where nothing is noted, nothing is left of it that is void.',
    },
    { source: "point('before-intent');", change: "point('before-intent'); → (left out)", why: CRASH },
    { source: "point('after-intent');", change: "point('after-intent'); → (left out)", why: CRASH },
    { source: "point('after-call');", change: "point('after-call'); → (left out)", why: CRASH },
    { source: "point('after-done');", change: "point('after-done'); → (left out)", why: CRASH },
    { source: "if (earlier) point('after-done');", change: "point('after-done'); → (left out)", why: CRASH },
  ],
  'src/operations/item-try.ts': [
    {
      source: 'export const STORAGE_PAUSE_MS = 1000;',
      change: '1000 → (1000 + 1)',
      why: 'A pause is a millisecond longer.',
    },
    { source: 'lane.again(row, 0);', change: '0 → (0 + 1)', nth: 1, why: MOMENT },
    { source: 'lane.again(row, 0);', change: '0 → (0 + 1)', nth: 2, why: MOMENT },
    { source: 'lane.again(row, 0);', change: '0 → (0 + 1)', nth: 3, why: MOMENT },
    { source: 'lane.again(row, 0);', change: '0 → (0 + 1)', nth: 4, why: MOMENT },
  ],
  'src/providers/health/head.ts': [
    { source: 'const LONGEST_END = 4;', change: '4 → (4 + 1)', why: 'A byte more is searched again.' },
    { source: 'const PIECE = 512;', change: '512 → (512 + 1)', why: 'The head is read in pieces of another size.' },
    {
      source: 'for (let start = 0; start < length; start += PIECE) {',
      change: 'start < length → (start) <= (length)',
      why: 'A piece of no bytes is read as well.',
    },
  ],
  'src/providers/health/resolve.ts': [
    {
      source: 'const resolver = new dns.Resolver({ timeout: 2_000, tries: 3 });',
      change: '2_000 → (2_000 + 1)',
      why: 'A try waits a millisecond longer.',
    },
    {
      source: "return addresses.length > 0 ? { addresses } : { error: 'dns_no_address' };",
      change: 'addresses.length > 0 → (addresses.length) >= (0)',
      why: 'c-ares fails with ENODATA where a name has no address, and gives no empty list.',
    },
  ],
  'src/services/sites/site-print.ts': [
    {
      source: 'least[bucket] = Math.min(least[bucket] ?? 0, hash.readUInt32BE(4));',
      change: '0 → (0 + 1)',
      why: 'Every bucket has a value from the beginning.',
    },
  ],
  'src/services/sites/site-likeness.ts': [
    {
      source: 'canonical: hosts.find((host) => !names.includes(host)) ?? hosts[0] ?? null,',
      change: '0 → (0 + 1)',
      why: 'A host that is one of the names says as much as none.',
    },
    {
      source: 'counts.set(shingle, (counts.get(shingle) ?? 0) + 1);',
      change: '1 → (1 + 1)',
      why: 'Where every run of words counts twice in both texts, what they share and what there is double alike.',
    },
  ],
  'src/services/portfolio/domains.ts': [
    {
      source: "return table && field in DomainInput.shape && field !== 'project_id'",
      change:
        "table && field in DomainInput.shape && field !== 'project_id' → (table && field in DomainInput.shape) || (field !== 'project_id')",
      why: 'The project is looked up a second time; no other field that is given has a number.',
    },
    {
      source: "return table && field in DomainInput.shape && field !== 'project_id'",
      change: 'table && field in DomainInput.shape → (table) || (field in DomainInput.shape)',
      why: 'No other field that is given has a number.',
    },
    {
      source:
        'await refuseFolder(actor, place, owner ?? (await findHolder(before.id)) ?? 0, file_path === before.file_path);',
      change: '0 → (0 + 1)',
      why: 'The domain was found in the same transaction, so it has a holder.',
    },
  ],
  'ui/dns/editor/dnsDraft.ts': [
    {
      source: "if ((one.name === '@') !== (other.name === '@')) return one.name === '@' ? -1 : 1;",
      change: '1 → (1 + 1)',
      nth: 1,
      why: 'A sort reads the sign of a comparison alone.',
    },
    {
      source: "if ((one.name === '@') !== (other.name === '@')) return one.name === '@' ? -1 : 1;",
      change: '1 → (1 + 1)',
      nth: 2,
      why: 'A sort reads the sign of a comparison alone.',
    },
    {
      source: 'const tally = { none: 0, added: 0, changed: 0, deleted: 0 };',
      change: '0 → (0 + 1)',
      nth: 1,
      why: 'What has not changed is counted and told to nobody.',
    },
  ],
};

/**
 * Returns the mutants of a module that its entries describe. Throws if an entry matches none, or several without `nth`.
 */
export function equivalentsAmong(module: string, mutants: readonly Mutant[]): Set<Mutant> {
  const known = (EQUIVALENTS[module] ?? []).map(({ source, change, nth }) => {
    const found = mutants.filter((mutant) => mutant.source === source && mutant.change === change);
    const mutant = found[(nth ?? 1) - 1];
    if (!mutant || (nth === undefined && found.length > 1)) {
      throw new Error(`${found.length} changes of ${module} read "${change}" in the line "${source}"`);
    }
    return mutant;
  });
  return new Set(known);
}
