/** Top-level domains whose registry ends a registration at midnight in Moscow: the evening before in UTC. */
export const MOSCOW_ZONES = ['ru', 'su', 'xn--p1ai'] as const;
/** Moscow's offset from UTC in hours, all year round. */
export const MOSCOW_HOURS = 3;

const NAMED = [...MOSCOW_ZONES, 'рф'];

/** Returns how far the clock of a name's registry is ahead of UTC, in milliseconds. The name is punycode or Unicode. */
export const registryAhead = (domain_name: string): number =>
  NAMED.some((zone) => domain_name.endsWith(`.${zone}`)) ? MOSCOW_HOURS * 3_600_000 : 0;
