import { openChannels } from '../../notifier/notifier.ts';
import { viewOf } from '../../services/notices/content.ts';
import { sendTest } from '../../services/notices/delivery-log.ts';
import { acknowledgeNotice, listNotices } from '../../services/notices/notices.ts';
import { namesMissing } from '../../shared/errors.ts';
import type { Level } from '../../shared/notices/events.ts';
import type { NoticeView, PersonalChannel } from '../../shared/notices/notices.ts';
import { usageError, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { renderFor } from '../render.ts';

const COLUMNS = columnsOf<NoticeView>({
  id: true,
  level: true,
  title: true,
  cause: true,
  opened_at: true,
  closed_at: true,
  acknowledged_at: true,
  kind: false,
  subjects: false,
  open_subjects: false,
  domain_id: false,
  path: false,
});

interface ListFlags {
  open?: boolean;
  level?: Level;
  limit: number;
  offset: number;
}

/** `notice list`: the newest first. */
export async function list(context: Context, flags: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const render = renderFor(context);
  const { notices, waiting } = await listNotices(actor, flags);
  const items = notices.map((row) => {
    const view = viewOf(row);
    return Object.assign(view, { title: render(view.title) });
  });
  return { items, columns: COLUMNS, summary: { waiting } };
}

/** `notice ack`: nobody is told of it on the caller's behalf any more. */
export async function ack(context: Context, _flags: object, id: number): Promise<Result> {
  const { actor } = await context.open();
  await acknowledgeNotice(actor, id).catch(namesMissing('notice', id));
  return { data: { id }, text: context.say('notices.acknowledged') };
}

/** `notice test`: queues a test, which the server sends. */
export async function test(context: Context, _flags: object, channel: PersonalChannel): Promise<Result> {
  const { actor } = await context.open();
  if (actor.id === null) throw usageError('notices.as_whom');
  openChannels();
  await sendTest(actor.id, channel);
  return { data: { channel }, text: context.say('notices.test_sent') };
}
