// The deliveries of a notice. They are rows before anything is sent.
import type { NoticeRow } from '../../shared/notices/tables.ts';
import type { DeliveryKind, PersonalChannel } from '../../shared/notices/notices.ts';
import { dueAt } from '../../shared/notices/preferences.ts';
import { personalRoutes } from './channels.ts';
import { insertDeliveries, listActiveWebhooks, listPassingOn, type NewDelivery } from './delivery-rows.ts';
import { isState } from './open-notice.ts';
import { allPeople, recipientsOf, type Person } from './recipients.ts';

const kindOf = ({ kind, closed_at, told_at }: NoticeRow): DeliveryKind => {
  if (closed_at !== null && isState(kind)) return 'closed';
  return told_at === null ? 'opened' : 'grown';
};

type Reached = Map<number, PersonalChannel[]>;

/** Returns over which channels each person is reached at all. */
async function reachedBy(people: readonly Person[]): Promise<Reached> {
  const reached: Reached = new Map();
  for (const { id } of people) {
    const channels: PersonalChannel[] = [];
    for (const [name, route] of personalRoutes()) if ((await route.addressOf(id)) !== null) channels.push(name);
    reached.set(id, channels);
  }
  return reached;
}

const iso = (time: number): string => new Date(time).toISOString();

/** The people who may be told, their channels, and the escalations that wait already (`notice user`, by id). */
interface Known {
  people: readonly Person[];
  reached: Reached;
  passingOn: ReadonlySet<string>;
}

/** Returns the deliveries of a notice to a person, and to whom it goes if he does not answer. */
function toPerson(
  notice: NoticeRow,
  person: Person,
  { people, reached, passingOn }: Known,
  now: number,
): NewDelivery[] {
  const { id: notice_id, level } = notice;
  const { preferences } = person;
  const kind = kindOf(notice);
  const channels = (reached.get(person.id) ?? []).filter((channel) => preferences.levels[channel].includes(level));
  const due = iso(dueAt(preferences, level, now));
  const own = channels.map((channel): NewDelivery => ({
    notice_id,
    kind,
    channel,
    user_id: person.id,
    webhook_id: null,
    due_at: due,
    for_user_id: null,
  }));
  const next = people.find(({ id }) => id === preferences.escalate_to);
  if (kind === 'closed' || level !== 'critical' || !next || passingOn.has(`${notice_id} ${person.id}`)) return own;
  const later = iso(now + preferences.escalate_after * 60_000);
  const escalated = (reached.get(next.id) ?? []).map((channel): NewDelivery => ({
    notice_id,
    kind: 'escalated',
    channel,
    user_id: next.id,
    webhook_id: null,
    due_at: later,
    for_user_id: person.id,
  }));
  return [...own, ...escalated];
}

/** Plans what is to be told of notices, by one statement. Only inside a transaction. */
export async function planDeliveries(notices: readonly NoticeRow[], now: Date): Promise<void> {
  if (notices.length === 0) return;
  const people = await allPeople();
  const ids = notices.map(({ id }) => id);
  const over = notices.filter((notice) => kindOf(notice) === 'closed').map(({ id }) => id);
  const recipients = await recipientsOf(ids, over, people);
  const passingOn = new Set((await listPassingOn(ids)).map(({ notice_id, user_id }) => `${notice_id} ${user_id}`));
  const known = { people, reached: await reachedBy(people), passingOn };
  const webhooks = await listActiveWebhooks();
  const time = now.getTime();
  const planned = notices.flatMap((notice) => [
    ...(recipients.get(notice.id) ?? []).flatMap((person) => toPerson(notice, person, known, time)),
    ...webhooks
      .filter(({ levels }) => (JSON.parse(levels) as string[]).includes(notice.level))
      .map(({ id }): NewDelivery => ({
        notice_id: notice.id,
        kind: kindOf(notice),
        channel: 'webhook',
        user_id: null,
        webhook_id: id,
        due_at: iso(time),
        for_user_id: null,
      })),
  ]);
  await insertDeliveries(planned, iso(time));
}
