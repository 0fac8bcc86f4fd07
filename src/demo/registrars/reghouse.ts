import { randomBytes } from 'node:crypto';
import { escapeXml, findAll, parseXml, type Element } from '../../providers/xml.ts';
import { Refusal, type Shop, type ShopDomain } from './shop.ts';
import { textOf, type Dialect, type ShopAnswer, type ShopCall } from './server.ts';

const QUEUED_MS = 3_000;
const NAMES: Partial<Record<Refusal['reason'], string>> = {
  taken: 'DOMAIN_EXISTS',
  no_money: 'NOT_ENOUGH_MONEY',
  absent: 'DOMAIN_NOT_FOUND',
};

const envelope = (call: string, inner: string): ShopAnswer => ({
  type: 'text/xml',
  body:
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:r="urn:RegbaseSoapInterface">' +
    `<SOAP-ENV:Body><r:${call}Response><return>${inner}</return></r:${call}Response></SOAP-ENV:Body></SOAP-ENV:Envelope>`,
});
const statusOf = (code: 0 | 1, name: string, message: string): string =>
  `<status><code>${code}</code><name>${escapeXml(name)}</name><message>${escapeXml(message)}</message></status>`;
const OK = statusOf(1, 'OK', 'OK');

/** The administrator of every domain of this service. */
const OWNER = 'CLIENT-R01';

const timeOf = (time: string): string =>
  new Date(Date.parse(time) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const rowOf = ({ name, expires_at, name_servers }: ShopDomain): string =>
  `<item><name>${name}</name><reg-till>${timeOf(expires_at)}</reg-till><nserver>${name_servers.join('\n')}</nserver><admin-o>${OWNER}</admin-o></item>`;

function list(shop: Shop, call: ShopCall): string {
  const [limit, page, wanted] = [Number(textOf(call, 'limit')), Number(textOf(call, 'page')), textOf(call, 'params')];
  const domains = shop.domains().filter(({ name }) => wanted === '' || name === wanted);
  const rows = domains.slice((page - 1) * limit, page * limit).map(rowOf);
  const pages = Math.ceil(domains.length / limit);
  const info = `<listinfo><total>${domains.length}</total><totalpages>${pages}</totalpages><limit>${limit}</limit><page>${page}</page></listinfo>`;
  return `${OK}<data>${info}<domainarray>${rows.join('')}</domainarray></data>`;
}

const task = (id: string): string => `${statusOf(1, 'OK', 'Task queued')}<taskid>${id}</taskid>`;

const CALLS: Record<string, (shop: Shop, call: ShopCall) => string> = {
  getDomains: list,
  checkDomainAvailable: (shop, call) =>
    `${OK}<available>${shop.offer(textOf(call, 'domain')).state === 'taken' ? 0 : 1}</available>`,
  addDomain: (shop, call) => {
    if (textOf(call, 'admin_o') === '') throw new Refusal('unknown', 'admin_o is not given');
    return task(shop.register(textOf(call, 'domain'), Number(textOf(call, 'years')), '', QUEUED_MS).id);
  },
  prolongDomain: (shop, call) =>
    task(shop.renew(textOf(call, 'domain'), Number(textOf(call, 'years')), '', QUEUED_MS).id),
  updateDomain: (shop, call) => {
    if (textOf(call, 'admin_o') !== OWNER) throw new Refusal('unknown', 'admin_o is another person');
    shop.setNameServers(textOf(call, 'domain'), textOf(call, 'nservers').split('\n'));
    return task('1');
  },
  checkTask: (shop, call) => {
    const charge = shop.account.charges.find(({ id }) => id === textOf(call, 'taskid'));
    if (!charge) throw new Refusal('absent', 'No such task');
    const isDone = (charge.done_at ?? '') <= shop.now().toISOString();
    return statusOf(1, 'OK', isDone ? 'TASK_SUCCESS' : 'TASK_QUEUED');
  },
};

function callIn(body: string): Element {
  const [element] = findAll(parseXml(body), 'Body').flatMap(({ children }) => children);
  if (!element) throw new Refusal('unknown', 'No call');
  return element;
}

/** R01's partner API, which reghouse.ru is taken to speak. */
export const reghouseDialect: Dialect = {
  read({ body, headers }, sessions) {
    const { name, children } = callIn(body);
    const input = Object.fromEntries(children.map((child) => [child.name, child.text]));
    if (name === 'logIn') {
      const session = randomBytes(16).toString('hex');
      const [login, password] = [input['login'] ?? '', input['password'] ?? ''];
      sessions.set(session, [login, password]);
      return { name, input: { session }, login, password };
    }
    const [, session = ''] = /SOAPClient=(\w+)/.exec(headers.cookie ?? '') ?? [];
    const [login, password] = sessions.get(session) ?? [];
    if (login === undefined || password === undefined) throw new Refusal('credentials', 'No session');
    return { name, input, login, password };
  },
  answer(shop, call) {
    if (call.name === 'logIn') return envelope('logIn', statusOf(1, 'OK', textOf(call, 'session')));
    const perform = CALLS[call.name];
    if (!perform) throw new Refusal('unknown', 'No such call');
    return envelope(call.name, perform(shop, call));
  },
  refuse: ({ reason, message }, call) =>
    envelope(call?.name ?? 'logIn', statusOf(0, NAMES[reason] ?? reason.toUpperCase(), message)),
};
