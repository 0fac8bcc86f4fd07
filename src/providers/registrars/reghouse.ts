import { registrarTypes } from '../../shared/accounts/registrar-types.ts';
import { beforeSending, type ProviderError } from '../provider-error.ts';
import { defineRegistrar, type Availability, type Call, type Login, type TakenOrder } from '../provider.ts';
import { escapeXml, find, findAll, parseXml, textIn, type Element } from '../xml.ts';
import { exchangeOf, type Exchange, type Service } from './exchange.ts';
import { domainsIn, endOfDay, money, nameIn } from './values.ts';

/**
 * reghouse.ru publishes no API. It appears to sell through R01, so this speaks the partner API of R01: SOAP 1.1, a session in a
 * cookie, writes queued as tasks. Nobody has verified it against the live service. The service tells no prices: the price of a
 * year is a setting, without which nothing is bought.
 */

const SERVICE: Service = { id: 'reghouse.ru', url: '', pace: { calls: 1, seconds: 1, atOnce: 1 } };
const PAGE = 1_000;
const CURRENCY = 'RUB';

const { fields: FIELDS } = registrarTypes['reghouse.ru'];
type Account = Login<typeof FIELDS>;

const DONE = '1';
const REFUSED = '0';
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

interface Client {
  exchange: Exchange;
  /** Logs in before the first call. Returns what the call returned. */
  ask: (name: string, parameters?: Record<string, string | number>, pays?: boolean) => Promise<Element>;
  /** Reads the state of a task; one that is not known keeps it pending. */
  readTask: (id: string) => Promise<TakenOrder['state']>;
}

const envelopeOf = (call: string, parameters: Record<string, string | number>): string => {
  const fields = Object.entries(parameters).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`);
  return (
    `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="${SOAP}" xmlns:r="urn:RegbaseSoapInterface">` +
    `<SOAP-ENV:Body><r:${call}>${fields.join('')}</r:${call}></SOAP-ENV:Body></SOAP-ENV:Envelope>`
  );
};

function open({ login, password, base_url }: Account, call: Call): Client {
  const exchange = exchangeOf({ ...SERVICE, url: base_url, isTyped: true }, login, [password], call);
  let session: Promise<string> | undefined;

  const send = async (name: string, parameters: Record<string, string | number>, cookie: string, pays: boolean) => {
    const headers = {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: `urn:RegbaseSoapInterface#${name}`,
      ...(cookie !== '' && { cookie: `SOAPClient=${cookie}` }),
    };
    const answer = await exchange.send({ method: 'POST', body: envelopeOf(name, parameters), headers, pays });
    const document = parseXml(answer.text);
    const fault = find(document, 'Fault');
    if (fault) throw exchange.error(pays ? 'malformed' : 'refused', textIn(fault, 'faultstring'));
    return document;
  };

  const logIn = async (): Promise<string> => {
    const status = find(await send('logIn', { login, password }, '', false), 'status');
    if (!status) throw exchange.error('malformed', 'no session');
    if (!/^[\w-]{1,128}$/.test(textIn(status, 'message')) || textIn(status, 'code') !== DONE) {
      throw exchange.error('credentials', textIn(status, 'message'));
    }
    return textIn(status, 'message');
  };

  const perform = async (name: string, parameters: Record<string, string | number>, pays: boolean) =>
    send(name, parameters, await beforeSending((session ??= logIn())), pays);

  const expectDone = (document: Element): void => {
    const status = find(document, 'status');
    const code = status ? textIn(status, 'code') : '';
    // A task that can't be queued has charged nothing, whatever its reason.
    if (status && code === REFUSED) throw refusalOf(exchange, status);
    if (code !== DONE) throw exchange.error('malformed', 'an answer that is not documented');
  };

  return {
    exchange,
    async ask(name, parameters = {}, pays = false) {
      const document = await perform(name, parameters, pays);
      expectDone(document);
      return document;
    },
    async readTask(id) {
      const document = await perform('checkTask', { taskid: id }, false);
      const state = taskState(document);
      if (state === undefined) expectDone(document);
      return state ?? 'pending';
    },
  };
}

function refusalOf(exchange: Exchange, status: Element): ProviderError {
  const code = textIn(status, 'name');
  const reason = /EXISTS/.test(code) ? 'taken' : /MONEY|BALANCE/.test(code) ? 'no_money' : undefined;
  return exchange.error('refused', `${textIn(status, 'message')} (${code})`, { code, reason });
}

// `2027-02-14 00:00:00`, `14-02-2027` or `14.02.2027`.
function lastDayIn(text: string): string {
  const [, day, month, year] = /^(\d\d)[-.](\d\d)[-.](\d{4})/.exec(text) ?? [];
  return day === undefined ? text.slice(0, 10) : `${year}-${month}-${day}`;
}

/** Returns the rows of the account's list, all pages of it; of one name, if it is given. */
async function readRows({ ask, exchange }: Client, wanted?: string): Promise<Element[]> {
  const rows: Element[] = [];
  for (let page = 1; ; page++) {
    const answer = await ask('getDomains', {
      params: wanted ?? '',
      strict: wanted === undefined ? 0 : 1,
      sort_field: 'name',
      sort_dir: 'asc',
      limit: PAGE,
      page,
    });
    const list = find(answer, 'domainarray');
    if (!list) throw exchange.error('malformed', 'no list of domains');
    rows.push(...list.children);
    const pages = textIn(answer, 'totalpages');
    const isCut = list.children.length === 0 && page < Number(pages);
    if (!/^\d+$/.test(pages) || isCut) throw exchange.error('malformed', 'a list of domains that is not whole');
    if (page >= Number(pages)) return rows;
  }
}

async function readOwn(client: Client, name: string): Promise<Element | null> {
  const rows = await readRows(client, name);
  return rows.find((row) => nameIn(textIn(row, 'name')) === name) ?? null;
}

// An order that is not registered yet may be listed, without a date.
const isRegistered = (row: Element): boolean => textIn(row, 'state') !== 'N' || textIn(row, 'reg-till') !== '';

/** Returns the state of a task, which stands in one of several elements; it may be told with the code of a refusal. */
function taskState(answer: Element): TakenOrder['state'] | undefined {
  const texts = ['name', 'message', 'return', 'state', 'result'].flatMap((name) => findAll(answer, name));
  const words = new Set(texts.map(({ text }) => text.trim()));
  if (words.has('TASK_FAILURE')) return 'rejected';
  if (words.has('TASK_SUCCESS')) return 'done';
  return words.has('TASK_QUEUED') ? 'pending' : undefined;
}

const hostsIn = (text: string): string[] =>
  text.split(/[\n,]/).flatMap((line) => {
    const [host = ''] = line.trim().split(/\s+/);
    return host === '' ? [] : [host.toLowerCase().replace(/\.$/, '')];
  });

/** Queues a task and returns its number. */
async function queue(client: Client, name: string, parameters: Record<string, string | number>, pays: boolean) {
  const id = textIn(await client.ask(name, parameters, pays), 'taskid');
  if (!/^\d+$/.test(id)) throw client.exchange.error('malformed', `${name} has queued no task`);
  return id;
}

const AVAILABLE: Readonly<Record<string, Availability['state']>> = { '1': 'free', '0': 'taken' };

/** reghouse.ru. */
export const reghouse = defineRegistrar({
  id: 'reghouse.ru',
  currency: CURRENCY,
  fields: FIELDS,
  async testLogin(account, call) {
    await open(account, call).ask('getDomains', {
      params: '',
      strict: 0,
      sort_field: 'name',
      sort_dir: 'asc',
      limit: 10,
      page: 1,
    });
  },
  async listDomains(account, call) {
    const rows = await readRows(open(account, call));
    return domainsIn(
      rows.filter(isRegistered).map((row) => ({
        name: textIn(row, 'name'),
        expires_at: (name) => endOfDay(lastDayIn(textIn(row, 'reg-till')), name),
      })),
    );
  },
  async readDomain(account, name, call) {
    const row = await readOwn(open(account, call), name);
    if (!row || !isRegistered(row)) return null;
    const expires_at = endOfDay(lastDayIn(textIn(row, 'reg-till')), name);
    return { domain_name: name, expires_at, name_servers: hostsIn(textIn(row, 'nserver')), locked: false };
  },
  async checkNames(account, names, call) {
    const { ask } = open(account, call);
    const price = account.price === '' ? null : money(account.price, CURRENCY);
    const checked: Availability[] = [];
    for (const domain_name of names) {
      const available = textIn(await ask('checkDomainAvailable', { domain: domain_name }), 'available');
      checked.push({ domain_name, state: AVAILABLE[available] ?? 'unknown', price });
    }
    return checked;
  },
  async register(account, { domain_name, years }, call) {
    const client = open(account, call);
    if (account.contact === '')
      throw client.exchange.error('refused', 'the contact (admin_o) is not set', { code: 'contact' });
    const id = await queue(
      client,
      'addDomain',
      { domain: domain_name, nservers: '', admin_o: account.contact, check_whois: 1, years, dont_test_ns: 1 },
      true,
    );
    return { state: 'pending', id, charged: null };
  },
  async renew(account, { domain_name, years }, call) {
    const id = await queue(open(account, call), 'prolongDomain', { domain: domain_name, years }, true);
    return { state: 'pending', id, charged: null };
  },
  async readOrder(account, { domain_name }, id, call) {
    const client = open(account, call);
    if (id !== null) {
      return { state: await client.readTask(id), id, charged: null };
    }
    const own = await readOwn(client, domain_name);
    return own && isRegistered(own) ? { state: 'done', id: domain_name, charged: null } : null;
  },
  async setNameServers(account, name, nameServers, call) {
    const client = open(account, call);
    const own = await readOwn(client, name);
    if (!own) throw client.exchange.error('refused', `${name} is not in this account`, { reason: 'absent' });
    // The call writes the administrator as well: the domain keeps the one that it has, who may be a client of the account.
    const owner = textIn(own, 'admin-o');
    if (owner === '') throw client.exchange.error('refused', `the list tells no administrator (admin-o) of ${name}`);
    const descr = textIn(own, 'descr');
    const parameters = {
      domain: name,
      nservers: nameServers.join('\n'),
      admin_o: owner,
      ...(descr !== '' && { descr }),
      need_replace: 1,
      dont_test_ns: 1,
    };
    await queue(client, 'updateDomain', parameters, false);
  },
});
