// What the history of checks has to say, by the plain list of looks.
import type { CheckDayRow } from '../../src/shared/checks/check-history.ts';

/** One look at a domain, at an ISO time. */
export interface PlainLook {
  domain_id: number;
  kind: 'http' | 'blocklist';
  verdict: string;
  code: number | null;
  ms: number | null;
  detail: string | null;
  at: string;
}

/** Equal looks in a row; `place` is what counts of their detail. */
export interface PlainStretch {
  verdict: string;
  place: string | null;
  since: string;
  checked_at: string;
  repeats: number;
}

/** What counts of a detail: of an address its scheme and host, of the list's entry all. */
export const placeOf = (kind: PlainLook['kind'], detail: string | null): string | null =>
  kind === 'http' && detail !== null ? new URL(detail).origin : detail;

/** The stretches of a domain, the newest first. */
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

/** The figures of each day of a domain, the newest first. */
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
