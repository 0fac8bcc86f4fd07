import { once } from 'node:events';
import { createServer as createHttp, type ServerResponse } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';

/** A name at the fake registry; null expiry: the registry tells none. */
export interface RegistryName {
  expires_at: string | null;
  registrar: string;
  statuses: string[];
  name_servers: string[];
}

/** Options of the fake registry. */
export interface RegistryOptions {
  /** Registered names; it is read at each query, and others are free. */
  find: (name: string) => RegistryName | undefined;
  /** Refuses a query where it returns true. */
  isTooMuch?: (name: string) => boolean;
  answerAfterMs?: number;
  /** It never answers about these. */
  isSilent?: (name: string) => boolean;
  /** The zones in its list of RDAP services; each has an address of its own there. */
  rdapZones?: readonly string[];
  /** Told of each query as it arrives, and as it is answered: the server is named as by its zone, `whois.nic.de` or `rdap com`. */
  onQuery?: (server: string, name: string) => void;
  onAnswer?: (server: string, name: string) => void;
}

/** A running fake registry: WHOIS as TCI writes it for .ru, .su and .рф, IANA's referrals, and RDAP for the rest. */
export interface RegistryServer {
  /** `host:port`. */
  whois: string;
  rdap: string;
  /** The address of its list of RDAP services, written as IANA's. */
  bootstrap: string;
  queries: string[];
  close: () => Promise<void>;
}

const OF_TCI = /\.(?:ru|su|xn--p1ai)$/;

const tciAnswer = (name: string, { expires_at, registrar, statuses, name_servers }: RegistryName): string[] => [
  '% TCI Whois Service. Terms of use:',
  '% https://tcinet.ru/documents/whois_ru_rf.pdf (in Russian)',
  '',
  `domain:        ${name.toUpperCase()}`,
  ...name_servers.map((server) => `nserver:       ${server}.`),
  `state:         ${statuses.join(', ')}`,
  'person:        Private Person',
  `registrar:     ${registrar}`,
  `paid-till:     ${expires_at?.replace('.000Z', 'Z') ?? ''}`,
  'source:        TCI',
];

const gtldAnswer = (name: string, { expires_at, registrar, statuses, name_servers }: RegistryName): string[] => [
  `Domain Name: ${name.toUpperCase()}`,
  ...(expires_at === null ? [] : [`Registry Expiry Date: ${expires_at}`]),
  `Registrar: ${registrar}`,
  ...statuses.map((status) => `Domain Status: ${status} https://icann.org/epp#${status}`),
  ...name_servers.map((server) => `Name Server: ${server.toUpperCase()}`),
];

const nameIn = (query: string): string => query.replace(/^domain |^-T dn,ace |\/e$/g, '');

function whoisServerOf(name: string): string {
  if (!name.includes('.')) return 'whois.iana.org';
  return OF_TCI.test(name) ? 'whois.tcinet.ru' : `whois.nic.${name.slice(name.lastIndexOf('.') + 1)}`;
}

function answerWhois(name: string, { find, isTooMuch }: RegistryOptions): string {
  if (isTooMuch?.(name)) return '% You have exceeded allowed connection rate.\r\n';
  if (!name.includes('.')) return `domain: ${name.toUpperCase()}\r\nrefer: whois.nic.${name}\r\n`;
  const found = find(name);
  if (!found) return 'No entries found for the selected source(s).\r\n';
  return [...(OF_TCI.test(name) ? tciAnswer : gtldAnswer)(name, found), ''].join('\r\n');
}

const answerRdap = (name: string, { expires_at, registrar, statuses, name_servers }: RegistryName): object => ({
  objectClassName: 'domain',
  ldhName: name.toUpperCase(),
  status: statuses,
  events: expires_at === null ? [] : [{ eventAction: 'expiration', eventDate: expires_at }],
  entities: [
    {
      objectClassName: 'entity',
      handle: '376',
      roles: ['registrar'],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', registrar],
        ],
      ],
    },
  ],
  nameservers: name_servers.map((ldhName) => ({ objectClassName: 'nameserver', ldhName })),
});

function sendRdap(response: ServerResponse, name: string, { find, isTooMuch }: RegistryOptions): void {
  const found = find(name);
  const status = isTooMuch?.(name) ? 429 : found ? 200 : 404;
  response.writeHead(status, {
    'content-type': 'application/rdap+json',
    ...(status === 429 && { 'retry-after': '1' }),
  });
  response.end(JSON.stringify(status === 200 && found ? answerRdap(name, found) : { errorCode: status }));
}

const BOOTSTRAP = '/dns.json';

const servicesOf = ({ rdapZones = [] }: RegistryOptions, host = ''): object => ({
  services: rdapZones.map((zone) => [[zone], [`http://${host}/${zone}/`]]),
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts the fake registry on two free ports. */
export async function startRegistry(options: RegistryOptions): Promise<RegistryServer> {
  const queries: string[] = [];
  const whois = createTcp((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      const query = data.toString().trim();
      queries.push(query);
      const name = nameIn(query);
      options.onQuery?.(whoisServerOf(name), name);
      if (options.isSilent?.(name)) return;
      setTimeout(() => {
        options.onAnswer?.(whoisServerOf(name), name);
        socket.end(answerWhois(name, options));
      }, options.answerAfterMs ?? 0);
    });
  });
  const rdap = createHttp((request, response) => {
    if (request.url === BOOTSTRAP) {
      response.end(JSON.stringify(servicesOf(options, request.headers.host)));
      return;
    }
    const [, zone = '', name = ''] = /^(?:\/([^/]+))?\/domain\/([^/]+)$/.exec(request.url ?? '') ?? [];
    queries.push(name);
    options.onQuery?.(`rdap ${zone}`, name);
    if (options.isSilent?.(name)) return;
    setTimeout(() => {
      options.onAnswer?.(`rdap ${zone}`, name);
      sendRdap(response, name, options);
    }, options.answerAfterMs ?? 0);
  });
  const [whoisPort, rdapPort] = [await listen(whois), await listen(rdap)];
  return {
    whois: `127.0.0.1:${whoisPort}`,
    rdap: `http://127.0.0.1:${rdapPort}`,
    bootstrap: `http://127.0.0.1:${rdapPort}${BOOTSTRAP}`,
    queries,
    close: async () => {
      rdap.closeAllConnections();
      for (const server of [whois, rdap]) {
        server.close();
        await once(server, 'close');
      }
    },
  };
}
