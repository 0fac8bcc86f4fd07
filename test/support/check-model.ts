import type { CheckDayRow } from '../../src/shared/checks/tables.ts';

// A reference model of the check history, computed from the plain list of checks.

/** One check of a domain, at an ISO time. */
export interface PlainLook {
  domain_id: number;
  kind: 'http' | 'blocklist';
  verdict: string;
  code: number | null;
  ms: number | null;
  detail: string | null;
  at: string;
}

/** A period of equal results; `place` is the part of their detail that counts. */
export interface PlainStretch {
  verdict: string;
  place: string | null;
  since: string;
  checked_at: string;
  repeats: number;
}

/** Returns the part of a detail that counts: the origin of an address, but the whole entry of a list. */
export const placeOf = (kind: PlainLook['kind'], detail: string | null): string | null =>
  kind === 'http' && detail !== null ? new URL(detail).origin : detail;

/** Returns the periods of a domain, newest first. */
export function plainStretches(looks: readonly PlainLook[], id: number, kind: PlainLook['kind']): PlainStretch[] {
  const stretches: PlainStretch[] = [];
  for (const { verdict, detail, at } of looks.filter((look) => look.domain_id === id && look.kind === kind)) {
    const place = placeOf(kind, detail);
    const last = stretches.at(-1);
    if (last && last.verdict === verdict && last.place === place) {
      last.checked_at = at;
      last.repeats += 1;
    } else stretches.push({ verdict, place, since: at, checked_at: at, repeats: 1 });
  }
  return stretches.toReversed();
}

/** Returns the figures of each day of a domain, newest first. */
export function plainDays(looks: readonly PlainLook[], id: number): CheckDayRow[] {
  const days = new Map<string, PlainLook[]>();
  for (const look of looks.filter(({ domain_id, kind }) => domain_id === id && kind === 'http')) {
    const day = look.at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), look]);
  }
  return [...days].toReversed().map(([day, looks]) => {
    const ms = looks
      .flatMap(({ code, ms }) => (code === null || ms === null ? [] : [ms]))
      .toSorted((one, other) => one - other);
    const half = ms.length / 2;
    const middle = ms.length % 2 === 1 ? ms[half - 0.5] : ((ms[half - 1] ?? 0) + (ms[half] ?? 0)) / 2;
    return {
      domain_id: id,
      day,
      checks: looks.length,
      up: looks.filter(({ code }) => code !== null && code >= 200 && code < 300).length,
      median_ms: ms.length === 0 ? null : Math.round(middle ?? 0),
      worst_ms: ms.at(-1) ?? null,
    };
  });
}
