// `node:net` brings Node's streams along, which takes as long as a look-up of ten names: it is loaded where an address is asked for.
const net = () => process.getBuiltinModule('node:net');

/** Returns 4 or 6 for an IP address, 0 for anything else. */
export const isIP = (text: string): number => net().isIP(text);

/** Whether a text is an IPv6 address. */
export const isIPv6 = (text: string): boolean => net().isIPv6(text);
