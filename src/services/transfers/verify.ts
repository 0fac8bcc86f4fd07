import type { TransferHistoryRow } from '../../shared/transfers/tables.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { messageFor } from '../../operations/failure.ts';
import { Waiting } from '../../operations/waiting.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { gateRules } from './gate.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';
import { updateOutcome } from './rows.ts';
import { seenAt } from './seen.ts';
import { unsetSettings } from './settings.ts';

/** The outcome of a redirect check; `warning` tells a person what to do. */
interface Verdict {
  seen: string;
  outcome: NonNullable<TransferHistoryRow['outcome']>;
  warning: Message | null;
  /** Absent in acts that an earlier version has begun. */
  isSeen?: boolean;
}

/**
 * Returns why the CDN does not forward the source: its zone is not active, or its record is not proxied. Null: neither
 * is seen, or the account fails.
 */
async function obstacleOf({ source, target }: Move, lane: MoveLane): Promise<Message | null> {
  const names = { source: source.name, target: target.name };
  try {
    const zone = await lane.source.zone(source.zone);
    if (zone.status !== 'active') {
      const params = { ...names, zone: source.zone, ns: zone.name_servers.join(', ') };
      return { key: 'transfer.redirect_zone', params };
    }
    const records = await lane.source.client.listRecords(zone.id);
    const isProxied = records.some(({ name, proxied }) => name === source.name && proxied);
    return isProxied ? null : { key: 'transfer.redirect_grey', params: names };
  } catch (error) {
    // The site has moved already: an account that fails now does not fail the transfer.
    if (!messageFor(error)) throw error;
    return null;
  }
}

interface Row extends Verdict {
  source: number;
  target: number;
}

async function saveVerdicts(rows: Row[]): Promise<void> {
  for (const { source, target, outcome, warning, isSeen = outcome === 'done' } of rows) {
    await updateOutcome(
      { source, target },
      {
        outcome,
        warning: warning && JSON.stringify(warning),
        redirect_seen_at: isSeen ? new Date().toISOString() : null,
      },
    );
  }
}

/**
 * Returns the act that asks the source from outside until it answers 301 to the reserve and visitors get a page there,
 * for a quarter of an hour at most. If that was not seen, or a switch has not set what the move has left to it, it ends with a warning.
 */
export function verifyAct(item: Item<Move>, lane: MoveLane): Act {
  const move = item.data;
  const { source, target } = move;
  const names = { source: source.name, target: target.name };
  return {
    name: 'verify',
    class: 'read',
    look: async (isOver = false) => {
      const { seen, forwards, fault } = await seenAt(source.name, target.name, lane.signal);
      lane.signal.throwIfAborted();
      const obstacle = forwards ? null : await obstacleOf(move, lane);
      const isSeen = forwards && fault === null;
      if (!isSeen && !obstacle && !isOver) {
        const say = (until: string): Message => {
          const params = { ...names, until: until.slice(11, 16) };
          if (fault === null) return { key: 'transfer.waits_redirect', params };
          return { key: 'transfer.waits_page', params: { ...params, what: fault } };
        };
        throw new Waiting(say, gateRules().redirect);
      }
      const unseen: Message =
        fault === null
          ? { key: 'transfer.redirect_unseen', params: { ...names, seen } }
          : { key: 'transfer.redirect_broken', params: { ...names, what: fault } };
      const [first, ...also] = [...(isSeen ? [] : [obstacle ?? unseen]), ...(await unsetSettings(item, lane))];
      const warning = first ? { ...first, ...(also.length > 0 && { also }) } : null;
      const after: Verdict = { seen, outcome: first ? 'done_with_warning' : 'done', warning, isSeen };
      return { before: null, after, perform: async () => undefined };
    },
    record: (_before, after) => ({
      save: saveVerdicts,
      row: { source: source.id, target: target.id, ...(after as Verdict) } satisfies Row,
    }),
  };
}
