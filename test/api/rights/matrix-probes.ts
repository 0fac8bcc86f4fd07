// Calls of one user on objects of another, and the expected answers.
import { newName } from '../calls.ts';
import { pointing } from './matrix-objects.ts';
import { KEPT } from './matrix-outside.ts';
import type { Matrix } from './matrix-world.ts';

/** One call of the attacker. It must be refused unless `own`; the accepted ones show that the others fail for no other reason. */
export interface Probe {
  /** The relation of the object to those of the victim. */
  relation: string;
  path?: (number | string)[];
  query?: string;
  body?: unknown;
  status: number;
  code?: string;
  error?: string;
  /** The object belongs to the attacker and may change. */
  own?: true;
  /** The service is asked before the refusal, through an account that is the attacker's to use: its call is counted. */
  asks?: true;
  /** The expected counts of an import. */
  counts?: object;
  /** Text that the answer may contain, as it is part of a name of the attacker. */
  says?: string;
}

export type Decision = { none: string } | ((world: Matrix) => Probe[]);

export const NOT_FOUND = { status: 404, code: 'not_found' };
export const ABSENT = 999_999;

/** Ids of the victim in the path, and one that nobody has: all get the same answer. */
export const foreignIds = (ids: Record<string, number>, body?: unknown): Probe[] =>
  Object.entries({ ...ids, 'nobody’s': ABSENT }).map(([relation, id]) =>
    Object.assign({ relation, path: [id], body }, NOT_FOUND),
  );

export const foreignDomains = ({ kept: { zone, reserve, sibling, deep } }: Matrix) => ({
  'foreign domain': zone,
  'foreign reserve': reserve,
  'foreign sibling': sibling,
  'foreign child of one’s own': deep,
});

const ownDomains = ({ own }: Matrix) => ({ own: own.own, child: own.child, sibling: own.sibling, parent: own.parent });

/** A call on a domain: foreign ones are 404, one's own are 200 in any position. */
export const aboutDomain =
  (body?: () => unknown): Decision =>
  (world) => [
    ...foreignIds(foreignDomains(world), body?.()),
    ...Object.entries(ownDomains(world)).map(([relation, id]): Probe => ({
      relation,
      path: [id],
      body: body?.(),
      status: 200,
      own: true,
    })),
  ];

/** A call on the names of a domain in its zone: 404 below a foreign zone, 200 beside and above foreign names. */
export const aboutNames =
  (body?: () => unknown): Decision =>
  (world) => [
    ...foreignIds(foreignDomains(world), body?.()),
    { relation: 'child', path: [world.own.child], body: body?.(), status: 404, says: KEPT.zone },
    ...[world.own.own, world.own.sibling, world.own.parent].map((id): Probe => ({
      relation: 'own names',
      path: [id],
      body: body?.(),
      status: 200,
      own: true,
    })),
  ];

export const record = (name: string, more: object = {}) => ({
  type: 'A',
  name,
  content: '198.51.100.9',
  proxied: false,
  ...more,
});
export const saving = (...dns: object[]) => ({ dns, override: true });

/** Saves of records outside one's own names, in every spelling of a name. */
export const savings = (world: Matrix): Probe[] => [
  {
    relation: 'name of a sibling',
    asks: true,
    path: [world.own.sibling],
    body: saving(record(KEPT.sibling)),
    status: 404,
  },
  { relation: 'name above a sibling', asks: true, path: [world.own.sibling], body: saving(record('@')), status: 404 },
  {
    relation: 'wildcard over a sibling',
    asks: true,
    path: [world.own.sibling],
    body: saving(record('*')),
    status: 404,
  },
  { relation: 'name of a child', asks: true, path: [world.own.parent], body: saving(record('kept')), status: 404 },
  { relation: 'name below a child', asks: true, path: [world.own.parent], body: saving(record('a.kept')), status: 404 },
  { relation: 'name in a foreign zone', path: [world.own.child], body: saving(record(KEPT.zone)), status: 404 },
];

const NAME_REFUSED = { status: 422, error: 'Unknown domainName' };

/** Pointing and attaching: the whole zone of every name has to be one's own. */
export const pointings = ({ cdn, own }: Matrix): Probe[] => {
  const [account] = cdn.accounts;
  const names = {
    'foreign zone': KEPT.zone,
    'foreign reserve': KEPT.reserve,
    'name in a foreign zone that nobody has': `www.${KEPT.zone}`,
    child: `x.${KEPT.zone}`,
    'foreign sibling': KEPT.sibling,
    sibling: 'own.shared-zone.com',
    parent: 'later-zone.com',
    'foreign child': KEPT.deep,
  };
  return Object.entries(names)
    .flatMap(([relation, name]): Probe[] => [
      { relation, body: pointing(account, name), ...NAME_REFUSED },
      {
        relation: `${relation} attached`,
        body: pointing(account, 'own-zone.com', { pageRules: [name] }),
        ...NAME_REFUSED,
        error: 'Unknown pageRules',
      },
    ])
    .concat(own.own ? [{ relation: 'own', body: pointing(account, 'own-zone.com'), status: 200, own: true }] : []);
};

const moving = (sourceDomainId: number, targetDomainId: number) => ({ sourceDomainId, targetDomainId, force: true });

export const moves = ({ kept, own }: Matrix): Probe[] => [
  ...[kept.zone, ABSENT].map((id): Probe => ({
    relation: 'foreign source',
    body: moving(id, own.reserve),
    status: 422,
    error: 'Unknown sourceDomainId',
  })),
  ...[kept.reserve, ABSENT].map((id): Probe => ({
    relation: 'foreign target',
    body: moving(own.own, id),
    status: 422,
    error: 'Unknown targetDomainId',
  })),
  { relation: 'both foreign', body: moving(kept.zone, kept.reserve), status: 422, error: 'Unknown sourceDomainId' },
  {
    relation: 'target in a foreign zone',
    body: moving(own.own, own.child),
    status: 422,
    code: 'zone_not_yours',
    says: KEPT.zone,
  },
  {
    relation: 'source beside a foreign name',
    body: moving(own.sibling, own.reserve),
    status: 422,
    code: 'zone_not_yours',
  },
  {
    relation: 'source above a foreign name',
    body: moving(own.parent, own.reserve),
    status: 422,
    code: 'zone_not_yours',
  },
];

export const projects = ({ kept }: Matrix): Probe[] =>
  [kept.project, kept.deletedProject, ABSENT].map((project) => ({
    relation: 'foreign project',
    body: { project },
    status: 422,
    error: 'Unknown project',
  }));

/** Folders on the host of the victim, by the server row of the victim and by that of the attacker. */
const folders = ({ kept, own }: Matrix): object[] =>
  [kept.server, own.server].flatMap((server_id) =>
    [KEPT.folder, `${KEPT.folder}/`, `${KEPT.folder}/below`, '/srv/kept'].map((file_path) => ({
      server_id,
      file_path,
    })),
  );

/** Saves of a domain with foreign references: `base` are its other fields, `path` is the id of an existing domain. */
export function references(world: Matrix, base: () => object, path?: number[]): Probe[] {
  const probe = (relation: string, fields: object, answer: Pick<Probe, 'status' | 'code' | 'error'>): Probe =>
    Object.assign({ relation, body: { ...base(), ...fields } }, path && { path }, answer);
  return [
    ...[world.kept.project, world.kept.deletedProject, ABSENT].map((project_id) =>
      probe('foreign project', { project_id }, { status: 422, error: 'Unknown project_id' }),
    ),
    ...folders(world).map((folder) =>
      probe(`foreign folder ${JSON.stringify(folder)}`, folder, { status: 422, code: 'path_shared' }),
    ),
    probe('foreign name', { domain_name: KEPT.zone }, { status: 409, code: 'domain_taken' }),
  ];
}

export const deploys: Decision = (world) => [
  ...foreignIds(foreignDomains(world), {}),
  ...[world.own.sameFolder, world.own.belowFolder, world.own.aboveFolder].map((id): Probe => ({
    relation: 'row with a foreign folder, by the second server row',
    path: [id],
    body: {},
    status: 422,
    code: 'path_shared',
  })),
];

export const foreignOperations =
  (body?: unknown): Decision =>
  ({ kept: { operation, held, queued } }) =>
    foreignIds(
      { 'foreign operation': operation, 'held foreign operation': held, 'foreign work in the queue': queued },
      body,
    );

export const list: Decision = () => [{ relation: 'list', status: 200, own: true }];

/** Rows of the team: others see them but may not change them. */
export const team =
  (id: (world: Matrix) => number, body?: () => unknown): Decision =>
  (world) => [
    { relation: 'another’s', path: [id(world)], body: body?.(), status: 403, code: 'forbidden' },
    { relation: 'nobody’s', path: [ABSENT], body: body?.(), ...NOT_FOUND },
  ];

export const NOBODYS = { none: 'it names no object' };
export const ADMINS = { none: 'for admins, who see everything' };
export const login = () => ({ name: newName(), email: 'x@example.net', api_key: 'key-0123456789' });
export const host = () => ({ name: newName(), ssh_host: '203.0.113.10', ssh_user: 'root', ssh_password: 'x secret' });

export const IMPORTS: Probe[] = [
  {
    relation: 'foreign names',
    body: { text: `${KEPT.zone}\n${KEPT.reserve}`, mode: 'overwrite' },
    status: 200,
    own: true,
    counts: { error: 2, update: 0, create: 0 },
  },
  ...[KEPT.folder, `${KEPT.folder}/below`, '/srv/kept'].map((folder): Probe => ({
    relation: 'foreign folder for a row of one’s own on that host',
    body: { text: `domain;path\nown-zone.com;${folder}`, mode: 'overwrite' },
    status: 200,
    own: true,
    counts: { error: 1, update: 0, create: 0 },
  })),
];

/** Renewals of domains, of which one is another user's, or none's. */
export const renewing =
  (field: 'ids' | 'domains', bodyOf: (ids: number[]) => object) =>
  ({ kept, own }: Matrix): Probe[] =>
    [kept.zone, kept.reserve, ABSENT].map((id): Probe => ({
      relation: 'foreign domain beside one of one’s own',
      body: bodyOf([own.own, id]),
      status: 422,
      error: `Unknown ${field}`,
    }));
