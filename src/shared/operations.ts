import type { Message, Render } from './i18n/index.ts';

/** State of an operation. The last four are final. */
export const OPERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'partial', 'cancelled'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** Beginning of the commands in a text; the command line replaces it by its own, with its `--data-dir`. */
export const PROGRAM = 'seo-admin';

export const isFinal = (state: OperationState): boolean => state !== 'queued' && state !== 'running';

/** One step of an operation, in order; `Text` as in OperationView. */
export interface OperationStep<Text = string> {
  name: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'held';
  error?: Text;
  /** For people to know of a step that went well. */
  note?: Text;
}

/** A step as it is stored: with its own counts, so that a resumed run knows them. */
export interface StoredStep {
  name: string;
  state: OperationStep['state'];
  done: number;
  failed: number;
  error?: Message;
  note?: Message;
  /** Where it has failed it can be tried again. */
  again?: true;
}

/**
 * A check result that waits for a person, because within seven days `count` of `total` domains would have become blocked, or
 * `count` of the `total` blocked ones free. A row of an earlier version has no `change`: it means `blocked`.
 */
export interface Held {
  change?: 'blocked' | 'freed';
  count: number;
  total: number;
  list_version: string;
}

/**
 * An operation as every door shows it; `Text` is Message in services and text at the doors. `done` counts all items or results
 * worked on, `failed` those of them that failed.
 */
export interface OperationView<Text = string> {
  id: number;
  kind: string;
  state: OperationState;
  total: number;
  done: number;
  failed: number;
  steps: OperationStep<Text>[];
  message: Text;
  held: Held | null;
  counts: ItemTally;
  /** The state before it can be restored. */
  restorable: boolean;
  /** It has failed or unfinished items, or a failed step, that can be tried again; or a person has stopped it, and it can go on. */
  retryable: boolean;
  /** It has not ended, and nobody has cancelled it. */
  cancellable: boolean;
  /** Until when its calls wait for the limit of an outside service; null: they don't, or it is stopping. */
  waits_until: string | null;
  /** Which way a switch of Under Attack mode or TLS 1.3 turns; null for other work. */
  turns: 'on' | 'off' | null;
  created_at: string;
  finished_at: string | null;
}

/** Number of items by their end; `queued` counts those that have not ended. All 0 for an operation without items. */
export interface ItemTally {
  done: number;
  noop: number;
  failed: number;
  cancelled: number;
  queued: number;
}

/** State of one item of an operation. `intent`: an act was begun and its end is not known yet. */
export const ITEM_STATES = ['queued', 'intent', 'done', 'noop', 'failed', 'cancelled'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/**
 * One act on an item, as it is stored: the state before it, and the one that it puts there. `undoing` and `undone`: the item
 * could not go on, and this act is being, or was, undone; or it was given back.
 */
export interface StoredAct {
  name: string;
  state: 'intent' | 'done' | 'noop' | 'undoing' | 'undone';
  before?: unknown;
  after?: unknown;
  /** Id of the outside object, if the act noted it. */
  on?: string;
  /** When it has ended, or was begun (ISO in UTC, by the clock of the process); absent in rows of earlier versions. */
  at?: string;
  /** The fence of the operation at the time: by it acts of different operations are in order. Absent in rows of earlier versions. */
  fence?: number;
}

/** The wait of an item: its act, the message, and the time limit (ISO in UTC). */
export interface StoredWait {
  act: string;
  until: string;
  /** The pause until it is looked at again, in ms; absent in rows of earlier versions. */
  pauseMs?: number;
  said: Message;
  /** The act that waits tells how those before it have ended. */
  tellsEnd?: boolean;
}

/** An item as every door shows it, without secrets; `Text` as in OperationView. */
export interface OperationItemView<Text = string> {
  id: number;
  item: string;
  lane: string;
  state: ItemState;
  error: Text | null;
  acts: StoredAct[];
  changed_at: string;
}

/** Returns an operation with its messages as text. */
export const renderOperation = (render: Render, view: OperationView<Message>): OperationView => ({
  ...view,
  steps: view.steps.map(({ error, note, ...step }) => ({
    ...step,
    ...(error && { error: render(error) }),
    ...(note && { note: render(note) }),
  })),
  message: render(view.message),
});

/** Returns an item with its error as text. */
export const renderItem = (render: Render, item: OperationItemView<Message>): OperationItemView => ({
  ...item,
  error: item.error && render(item.error),
});

/** Returns a plan with the reasons of its failed items as text. */
export const renderPlan = <Plan extends { failed: { item: string; error: Message }[] }>(
  render: Render,
  { failed, ...plan }: Plan,
) => ({ ...plan, failed: failed.map(({ item, error }) => ({ item, error: render(error) })) });

/** Answer to a call that starts long work. */
export interface Started {
  message: string;
  operation: { id: number };
}
