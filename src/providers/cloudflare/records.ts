import { z } from 'zod';
import {
  formatUri,
  isProxiable,
  parseUri,
  quotedTxt,
  type DnsRecord,
  type EditableType,
} from '../../shared/dns/dns.ts';
import { asciiName } from '../../shared/hostname.ts';
import { ProviderError } from '../provider-error.ts';
import { isMissing, malformed, mustBe, NO_ROUTE } from './answers.ts';
import { path, type Client } from './client.ts';

/** The written fields of a record; a URI's content is as formatUri writes it. The default `ttl` is 1 (automatic). */
export interface RecordFields {
  type: EditableType;
  name: string;
  content: string;
  proxied?: boolean;
  ttl?: number;
  comment?: string | null;
  tags?: string[];
  settings?: Record<string, unknown> | undefined;
}

/** Changes of one zone, made in this order, all or none. A patch keeps fields that it does not name, a put resets them. */
export interface RecordChanges {
  deletes?: string[];
  patches?: ({ id: string; type: EditableType } & Partial<RecordFields>)[];
  puts?: ({ id: string } & RecordFields)[];
  posts?: RecordFields[];
}

/** Result of a batch: the deleted ids, and the records as they are now. */
export interface RecordResults {
  deletes: string[];
  patches: DnsRecord[];
  puts: DnsRecord[];
  posts: DnsRecord[];
}

/** Largest number of changes in a batch on the smallest plan; the limit of a zone's plan is not known in advance. */
export const BATCH_LIMIT = 200;

// Enough for a zone in one call, and far below the limit of an answer's size.
const RECORDS_PER_PAGE = 5_000;

const Fields = z.object({
  id: z.string().min(1),
  zone_id: z.string().nullish(),
  type: z.string().min(1),
  name: z.string().min(1).transform(asciiName),
  content: z.string().nullish(),
  proxied: z.boolean().nullish(),
  proxiable: z.boolean().nullish(),
  ttl: z.number(),
  priority: z.number().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
  comment: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  settings: z.record(z.string(), z.unknown()).nullish(),
  meta: z.object({ read_only: z.boolean().nullish() }).nullish(),
});
const Uri = z.object({ priority: z.number(), data: z.object({ weight: z.number(), target: z.string() }) });

const Answer = Fields.transform((answer) => ({ id: answer.id, zone_id: answer.zone_id, record: recordOf(answer) }));
const Answers = z
  .array(Answer)
  .nullish()
  .transform((answers) => answers ?? []);
const Deleted = z
  .array(z.object({ id: z.string() }))
  .nullish()
  .transform((deleted) => (deleted ?? []).map(({ id }) => id));
const BatchAnswer = z.object({ deletes: Deleted, patches: Answers, puts: Answers, posts: Answers });

/** The DNS records of a login's zones. */
export function recordsOf(client: Client) {
  return {
    /** Returns all records of a zone, of all types. */
    async listRecords(zoneId: string): Promise<DnsRecord[]> {
      const query = { per_page: RECORDS_PER_PAGE, order: 'name', direction: 'asc' };
      const answers = await client.getAll(path`/zones/${zoneId}/dns_records`, Answer, query);
      return recordsIn(zoneId, answers);
    },

    /**
     * Makes changes in one call, all or none; if the API has no such call, one by one. Throws `refused` for more than BATCH_LIMIT
     * changes; makes no call for none. Not idempotent: after `unavailable` and `malformed` list the records before a retry.
     */
    async batchRecords(zoneId: string, changes: RecordChanges): Promise<RecordResults> {
      const { deletes = [], patches = [], puts = [], posts = [] } = changes;
      const count = deletes.length + patches.length + puts.length + posts.length;
      if (count > BATCH_LIMIT) throw new ProviderError('refused', `${count} changes: a batch takes ${BATCH_LIMIT}`);
      if (count === 0) return { deletes: [], patches: [], puts: [], posts: [] };
      const body = {
        deletes: deletes.map((id) => ({ id })),
        patches: patches.map(bodyOf),
        puts: puts.map((record) => bodyOf({ ttl: AUTOMATIC, ...record })),
        posts: posts.map((record) => bodyOf({ ttl: AUTOMATIC, ...record })),
      };
      const answer = await sendBatch(client, zoneId, body);
      mustAnswer(deletes, answer.deletes);
      mustAnswer(ids(patches), ids(answer.patches));
      mustAnswer(ids(puts), ids(answer.puts));
      if (answer.posts.length !== posts.length) throw malformed('the batch created another number of records');
      return {
        deletes,
        patches: recordsIn(zoneId, answer.patches),
        puts: recordsIn(zoneId, answer.puts),
        posts: recordsIn(zoneId, answer.posts),
      };
    },
  };
}

const AUTOMATIC = 1;

type Body = ReturnType<typeof bodyOf>;
interface BatchBody {
  deletes: { id: string }[];
  patches: (Body & { id?: string })[];
  puts: (Body & { id?: string })[];
  posts: Body[];
}

// No such route, or not with this method: an API older than the batch, or a proxy that blocks it. A record or zone that is missing is
// another thing: the batch was refused as a whole.
const isUnknownCall = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.kind === 'refused' &&
  (error.status === 405 || (isMissing(error) && (error.code === undefined || error.code === NO_ROUTE)));

async function sendBatch(client: Client, zoneId: string, body: BatchBody): Promise<z.output<typeof BatchAnswer>> {
  try {
    return await client.send('POST', path`/zones/${zoneId}/dns_records/batch`, BatchAnswer, body);
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    return sendOneByOne(client, zoneId, body);
  }
}

// Codes: an A, AAAA or CNAME already exists at the name of the new record.
const CONFLICTS = new Set<unknown>([81_053, 81_054]);
const NOT_FOUND = 81_044;

type Done = z.output<typeof BatchAnswer>;

/** Makes the changes of a batch one by one. Throws `malformed` for a refusal after a first change: the batch was made in part. */
async function sendOneByOne(client: Client, zoneId: string, body: BatchBody): Promise<Done> {
  const done: Done = { deletes: [], patches: [], puts: [], posts: [] };
  try {
    await sendEach(client, path`/zones/${zoneId}/dns_records`, body, done);
  } catch (error) {
    const isBegun = Object.values(done).some(({ length }) => length > 0);
    if (!isBegun || !(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    throw new ProviderError('malformed', error.message, { code: error.code, status: error.status });
  }
  return done;
}

/** Makes new records first and deletions last, so that names keep an address if possible; notes each in `done`. */
async function sendEach(client: Client, list: string, body: BatchBody, done: Done): Promise<void> {
  const postponed: Body[] = [];
  for (const record of body.posts) {
    try {
      done.posts.push(await client.send('POST', list, Answer, record));
    } catch (error) {
      if (!(error instanceof ProviderError) || !CONFLICTS.has(error.code)) throw error;
      postponed.push(record);
    }
  }
  for (const { id = '', ...record } of body.patches) {
    done.patches.push(await client.send('PATCH', list + path`/${id}`, Answer, record));
  }
  for (const { id = '', ...record } of body.puts) {
    done.puts.push(await client.send('PUT', list + path`/${id}`, Answer, record));
  }
  for (const { id } of body.deletes) {
    try {
      await client.send('DELETE', list + path`/${id}`, z.unknown());
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== NOT_FOUND) throw error;
    }
    done.deletes.push(id);
  }
  for (const record of postponed) done.posts.push(await client.send('POST', list, Answer, record));
}

function recordOf(answer: z.output<typeof Fields>): DnsRecord {
  const { id, type, name, content, proxied, ttl, priority, data, proxiable, comment, tags, settings, meta } = answer;
  const uri = type === 'URI' ? Uri.safeParse(answer).data : undefined;
  return {
    id,
    type,
    name,
    content: uri === undefined ? (content ?? '') : formatUri({ priority: uri.priority, ...uri.data }),
    proxied: proxied ?? false,
    ttl,
    priority: priority ?? undefined,
    data: data ?? undefined,
    proxiable: proxiable ?? isProxiable(type),
    comment: comment ?? null,
    tags: tags ?? [],
    ...(settings && Object.keys(settings).length > 0 && { settings }),
    ...(meta?.read_only && { read_only: true as const }),
  };
}

function recordsIn(zoneId: string, answers: z.output<typeof Answers>): DnsRecord[] {
  for (const { zone_id } of answers) mustBe('zone', zoneId, zone_id ?? zoneId);
  return answers.map(({ record }) => record);
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function mustAnswer(asked: string[], answered: string[]): void {
  const isSame = asked.toSorted().join(' ') === answered.toSorted().join(' ');
  if (!isSame) throw malformed('the batch answered for other records');
}

// A URI is written as its parts, because its content is read-only. Types that can't go through the CDN have no `proxied`.
function bodyOf({ content, proxied, comment, ...fields }: Partial<RecordFields> & { type: EditableType }) {
  const common = {
    ...fields,
    ...(comment !== null && { comment }),
    ...(isProxiable(fields.type) && { proxied }),
  };
  if (fields.type === 'TXT' && content !== undefined) return { ...common, content: quotedTxt(content) };
  if (fields.type !== 'URI' || content === undefined) return { ...common, content };
  const uri = parseUri(content);
  if (uri === null) throw new ProviderError('refused', 'the content of a URI record is not readable');
  const { priority, weight, target } = uri;
  return { ...common, priority, data: { weight, target } };
}
