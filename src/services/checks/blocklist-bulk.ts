import { LISTED } from '../../providers/blocklist/index-layout.ts';
import { hasMasks, maskOf } from '../../providers/blocklist/index-lookup.ts';
import { MAX_NAME } from '../../providers/blocklist/names.ts';
import { packNames, type PackedNames } from '../../providers/blocklist/packed-names.ts';
import { openFresh } from './blocklist.ts';

/**
 * Verdicts of many names. `itemsJson` is a JSON array of `{domain, ...Verdict}` whose parts are built as they are read;
 * `summary` counts the names by status.
 */
interface BulkVerdicts {
  itemsJson: Iterable<Buffer>;
  summary: { total: number; blocked: number; free: number; unknown: number };
}

/**
 * Looks up a text of one name a line, each name once, working on bytes: for hundreds of thousands of names, strings and
 * objects would take longer than all else. Returns null where a line is not a plain name, or the list gives no
 * verdicts: `checkBlocklist` then says why. Overwrites the text.
 */
export async function checkBlocklistText(dir: string, text: Buffer, now = new Date()): Promise<BulkVerdicts | null> {
  const list = openFresh(dir, now);
  if (list === null) return null;
  try {
    const loading = list.load();
    // While the list is being read.
    const names = packNames(text);
    const findingsOf = await loading;
    if (findingsOf === null || names === null || names.count === 0) return null;
    const findings = findingsOf(names);
    const total = names.count;
    const blocked = findings.reduce((sum, finding) => sum + (isBlocked(finding) ? 1 : 0), 0);
    return {
      itemsJson: itemsOf(names, findings, hasMasks(list.meta) ? BY_MASK : BY_PARENT),
      summary: { total, blocked, free: total - blocked, unknown: 0 },
    };
  } finally {
    list.close();
  }
}

const isBlocked = (finding: number): boolean => (finding & LISTED.exact) !== 0 || maskOf(finding) >= 0;

// The JSON of an item, in parts. The names and entries between them need no escaping. Each end has the next item's beginning,
// because writing a part takes a call, and that longer than its bytes.
const FIRST = Buffer.from('[{"domain":"');
const NEXT = '},{"domain":"';
const LAST = '}]';
const FREE = endsOf('","status":"free","reason":null,"entry":null');
const BY_DOMAIN = Buffer.from('","status":"blocked","reason":"domain","entry":"');
const BY_MASK = Buffer.from('","status":"blocked","reason":"mask","entry":"*.');
const BY_PARENT = Buffer.from('","status":"blocked","reason":"parent","entry":"');
const BLOCKED = endsOf('"');
const LONGEST = BY_MASK.length + FREE.listed.length + MAX_NAME * 2;
const PART_BYTES = 1 << 20;

function endsOf(text: string): { listed: Buffer; unlisted: Buffer } {
  const [listed, unlisted] = [true, false].map((isListed) => Buffer.from(`${text},"url_listed":${isListed}${NEXT}`));
  return { listed: listed!, unlisted: unlisted! };
}

function* itemsOf(names: PackedNames, findings: Int32Array, byParent: Buffer): Generator<Buffer> {
  for (let from = 0; from < names.count;) {
    const part = Buffer.allocUnsafeSlow(PART_BYTES);
    const { length, next } = writeItems(part, names, findings, { from, byParent });
    const isLast = next === names.count;
    const end = isLast ? length - NEXT.length + part.write(LAST, length - NEXT.length) : length;
    yield part.subarray(0, end);
    from = next;
  }
}

/** Writes as many items as fit into `json`, from `from` on; `next` is the first that did not fit. `byParent` names what blocks from above. */
function writeItems(
  json: Buffer,
  { bytes, starts, ends, count }: PackedNames,
  findings: Int32Array,
  { from, byParent }: { from: number; byParent: Buffer },
): { length: number; next: number } {
  let at = from === 0 ? put(json, 0, FIRST) : 0;
  let i = from;
  for (; i < count && at + LONGEST <= json.length; i++) {
    const finding = findings[i]!;
    const start = starts[i]!;
    const end = ends[i]!;
    at = putName(json, at, bytes, start, end);
    let rest = FREE;
    if (isBlocked(finding)) {
      const isExact = (finding & LISTED.exact) !== 0;
      at = put(json, at, isExact ? BY_DOMAIN : byParent);
      at = putName(json, at, bytes, isExact ? start : start + maskOf(finding), end);
      rest = BLOCKED;
    }
    at = put(json, at, (finding & LISTED.url) === 0 ? rest.unlisted : rest.listed);
  }
  return { length: at, next: i };
}

// Both return the offset of the next part.
function put(json: Buffer, at: number, part: Buffer): number {
  json.set(part, at);
  return at + part.length;
}

// Byte by byte: a view of each name would take longer.
function putName(json: Buffer, at: number, names: Buffer, start: number, end: number): number {
  let to = at;
  for (let i = start; i < end; i++, to++) json[to] = names[i]!;
  return to;
}
