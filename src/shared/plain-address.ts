const IPV6 = /^[\da-f:.]*:[\da-f:.]*$/i;
const MAPPED = /^::ffff:([\da-f]+):([\da-f]+)$/;

/**
 * Returns an address in its one form: an IPv6 address in short, and an IPv4 one that is written as IPv6 (`::ffff:192.0.2.1`, as a
 * socket of both kinds does) as IPv4. Other text is returned as it is.
 */
export function plainAddress(text: string): string {
  const [bare = '', ...zone] = text.split('%');
  if (!IPV6.test(bare) || !URL.canParse(`http://[${bare}]/`)) return text;
  // The URL parser writes an IPv6 address in its one short form.
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const mapped = MAPPED.exec(short)?.slice(1);
  if (mapped === undefined) return [short, ...zone].join('%');
  return mapped.flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 0xff]).join('.');
}
