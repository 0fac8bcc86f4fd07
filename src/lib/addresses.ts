import { BlockList, isIP } from 'node:net';

// Ranges that the IANA special-purpose registry (RFC 6890 and its successors) excludes from the public internet.
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host agent: a public number that answers inside a machine there
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4',
];

// Only 2000::/3 is allocated, so everything else (loopback, ULA, link-local, multicast) is special without an entry.
const SPECIAL_IPV6 = [
  '2001::/23', // Teredo, ORCHID, benchmarking
  '2001:db8::/32',
  '2002::/16', // 6to4, which may embed any IPv4 address
  '3fff::/20',
];

// Prefixes of addresses that embed an IPv4 address: IPv4-mapped, and NAT64 (RFC 6052).
const EMBEDDING = ['::ffff:', '64:ff9b::'];

const special4 = new BlockList();
const global6 = new BlockList();
const special6 = new BlockList();

const split = (prefix: string): [string, number] => {
  const [address = '', bits = ''] = prefix.split('/');
  return [address, Number(bits)];
};

global6.addSubnet('2000::', 3, 'ipv6');
for (const head of EMBEDDING) global6.addSubnet(`${head}0.0.0.0`, 96, 'ipv6');
for (const prefix of SPECIAL_IPV6) special6.addSubnet(...split(prefix), 'ipv6');
for (const prefix of SPECIAL_IPV4) {
  const [address, bits] = split(prefix);
  special4.addSubnet(address, bits, 'ipv4');
  for (const head of EMBEDDING) special6.addSubnet(`${head}${address}`, 96 + bits, 'ipv6');
}

/**
 * Whether an address belongs to the public internet, so that a check may connect to it at a user's request. False for
 * loopback, private, link-local, multicast, documentation and other reserved ranges, for IPv6 forms that embed one of
 * them, for zoned addresses, and for text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special4.check(address, 'ipv4');
  return version === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
