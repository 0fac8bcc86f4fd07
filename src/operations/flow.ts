import type { NewEvent } from '../../db/events.ts';
import { inSpan } from '../lib/tracing/spans.ts';
import type { Key, Message } from '../shared/i18n/index.ts';
import type { OperationItemRow, OperationRow } from '../shared/operations/tables.ts';
import type { Held, StoredAct } from '../shared/operations.ts';
import type { Lock } from './locks.ts';

/** A step's view of its operation while it runs. Progress is saved at intervals, not at every call. */
export interface StepContext {
  operation: OperationRow;
  /** Fires when the work must stop at once: the process ends, another process has taken over, or work not `byItems` is cancelled. */
  signal: AbortSignal;
  /** Fires when somebody cancels: no further acts begin, and acts under way are brought to a known end. */
  cancelled: AbortSignal;
  /** Fires `cancelled` at once, for a step that finds the cancellation before the next heartbeat does. */
  giveUp: () => void;
  /** Adds to the counts of the operation; failed items count in `done`, too. */
  advance: (done: number, failed?: number) => void;
  /** Passes a result to the caller that runs the operation in the foreground. */
  item: (item: object) => void;
}

/** Outcome of a step; empty for success. After an `error` the other steps still run; `held` waits for a person; `note` is for people to know of a success. */
export interface StepOutcome {
  error?: Message;
  held?: Held;
  note?: Message;
}

/** One step of a flow. It may run again after a crash and must skip what it has already done. */
export interface FlowStep {
  name: string;
  /** Runs even after a cancellation, to bring our own rows in line with what was done. */
  always?: true;
  /** Where it has failed it can be tried again, though all items are done. */
  again?: true;
  run: (context: StepContext) => Promise<StepOutcome>;
}

/** A kind of long work. `steps` and `total` are called when a run begins; `finished` returns the final message, one sentence. */
export interface Flow {
  kind: string;
  steps: (operation: OperationRow) => FlowStep[];
  total: (operation: OperationRow) => Promise<number>;
  finished: (operation: OperationRow) => Message | Promise<Message>;
  /** The final message of cancelled work; without it the message gives the counts of items. */
  cancelled?: (operation: OperationRow) => Promise<Message>;
  /** Returns what people are told of the end, instead of the operation's name and state; null: those. Called in the transaction that stores it. */
  tells?: (operation: OperationRow) => Promise<NewEvent[] | null>;
  /** The first step works items: on a cancellation it brings acts under way to a known end and is not aborted. */
  byItems?: true;
  /** The work on one item; without it, or without its `undo`, operations of this kind cannot be restored. */
  items?: ItemWork;
  /** Work that was interrupted more than so many hours ago is not resumed. */
  forgottenHours?: number;
  /** Does not wait behind other work: a site may be down. */
  urgent?: true;
  /** Waits for the paces of outside services, perhaps for hours: it takes no room from other work. */
  slow?: true;
}

/** An account by its table and its id. */
export interface Use {
  kind: string;
  id: number;
}

/**
 * An item to queue: `item` names it for people (`dns example.com`), `lane` the outside account whose budget its calls use.
 * No other running operation may have its `lock`; without one that is its name alone.
 */
export interface NewItem {
  item: string;
  lock?: Lock;
  lane: string;
  /** The id of the account that the lane stands for. */
  lane_id?: number | null;
  /** The accounts that its work uses: none of them is deleted meanwhile. */
  uses?: readonly Use[];
  data: object;
}

/** An item as a flow gets it back. */
export interface Item<D = unknown> {
  operation_id: number;
  item: string;
  lane: string;
  lane_id: number | null;
  data: D;
  acts: readonly StoredAct[];
  /** The user who asked for the work; null: the command line on the host. */
  user_id: number | null;
}

/** A difference between the outside state and the one before the work. `stays`: an undo never restores it. */
export interface Difference {
  name: string;
  was: unknown;
  is: unknown;
  stays?: true;
}

/**
 * A change to make outside, as found just now. `perform` makes one attempt and never retries. Where it is refused as too early it may
 * throw Waiting, with the refusal as its cause; LeftAlone where it has found that it is not to be made.
 */
export interface Change extends Images {
  perform: () => Promise<void>;
  /** For the last act of a restore: what it has found is left on purpose. `perform` only notes it. */
  stays?: true;
}

/**
 * One act on an item. Its class tells how a begun act with an unknown end is handled:
 * `read` only looks, and throws if the item cannot go on ·
 * `set` establishes a wanted state, which `look` compares before every attempt, so it may be repeated ·
 * `unsafe` must never be performed twice: once begun and not ended it waits for a person, unless it `isRecorded`.
 */
export interface Act {
  name: string;
  class: 'read' | 'set' | 'unsafe';
  /** Of an unsafe act: a row of ours, written right before its call, tells its `look` whether it was begun: then it finds no change. */
  isRecorded?: true;
  /** Of the first act: tells whether what the item's acts have done is void, so that all of them begin anew. Only in another try may it be. */
  isVoid?: () => Promise<boolean>;
  /** Of a `read`: it tells how the acts before it have ended, so that it is looked at after a cancellation, too. `soon`: unless a limit holds it up for long. */
  tellsEnd?: true | 'soon';
  /**
   * Looks outside and returns the change to make; null if the state is as wanted. Throws Waiting if it is too early to tell,
   * unless `isOver`: the time limit of the wait has passed, or the work was cancelled.
   */
  look: (isOver?: boolean) => Promise<Change | null>;
  /** A row of ours that belongs to the act, written in the transaction that notes it as done. */
  record?: (before: unknown, after: unknown) => OwnRow;
  /** The same for what the act has found as wanted before it was begun. */
  recordSeen?: () => OwnRow;
  /**
   * A row of ours that keeps what the act is about to replace, written in the transaction that notes the intent; and again
   * with `isBegun` false if the act turns out not to have taken effect.
   */
  keep?: (before: unknown, after: unknown, isBegun: boolean) => OwnRow | undefined;
  /** Joins the images of an earlier try, which may have taken effect in part, with those of the change that is left. */
  merge?: (earlier: Images, left: Images) => Images;
  /** For an undo act that looks at each of many parts: those that later work has made in the same words are left alone, the others given back. */
  parts?: Parts;
  /** For an undo act: reads the outside state again and returns its differences from the state before the work. */
  differs?: () => Promise<Difference[]>;
}

/** The parts of what an act has changed: `of` names those of a stored act, one named as `also` before a colon included; `without` undoes all but some. */
export interface Parts {
  also?: string;
  of: (act: StoredAct) => readonly string[];
  without: (parts: ReadonlySet<string>) => Act;
}

/** The outside state before an act, and the one that it establishes. */
export interface Images {
  before: unknown;
  after: unknown;
  /** Id of the outside object, if its name could mean another object later. */
  on?: string;
}

/** A row and the function that writes rows of its kind. Rows with the same `save` in one commit are written by one call. */
export interface OwnRow {
  save: (rows: never[]) => Promise<void>;
  row: object;
}

/**
 * Work on single items. `open` prepares a lane once per run: credentials and lists that its items share. `input` is the
 * operation's input.
 */
export interface ItemWork<L = unknown, D = unknown, I = unknown> {
  open: (lane: string, items: readonly Item<D>[], signal: AbortSignal) => Promise<L>;
  /** Releases what `open` holds, such as a connection. */
  close?: (lane: L) => Promise<void>;
  acts: (item: Item<D>, lane: L, input: I) => Act[];
  /** Returns the acts that restore an item; `item.acts` are the acts that were done or begun, newest first. */
  undo?: (item: Item<D>, lane: L) => Act[];
  /** Rolls an item back that cannot go on, where half done is worse than not begun. */
  rollback?: Rollback<L, D>;
  /** Locks of an item besides its own: nothing earlier on them is given back once the item has changed something. */
  locks?: (item: Item<D>) => readonly Lock[];
  /** Names besides that of its lock under whose locks other work may have changed the same things. */
  names?: (item: Item<D>) => readonly string[];
  /** The message for what is not given back because later work of this kind has changed it, in place of `operation.changed_since`. */
  keeps?: Key;
  /** Returns why its user may work on an item no more, by the item's name. Asks our own rows alone. */
  refused?: (items: readonly Item<D>[]) => Promise<ReadonlyMap<string, Message>>;
  /** Locks that the restore of an item has besides the item's own. */
  undoLocks?: (item: Item<D>) => readonly Lock[];
  /** A cancellation aborts acts under way instead of waiting for them: they take long, and a partial effect does no harm. */
  isCut?: true;
  /** Number of items of a lane worked on at once. */
  atOnce?: number;
  /** Number of tries of an item, and the pauses between them. */
  patience?: Patience;
}

/** Rollback of an item, newest act first. Once the act `until` is done there is none, even on a cancellation: the item waits for another try. */
export interface Rollback<L = unknown, D = unknown> {
  until: string;
  /** Returns the act that undoes a stored one; null if there is nothing to undo. */
  undo: (item: Item<D>, lane: L, act: StoredAct) => Act | null;
}

/** Number of tries, and their pauses: these double from the first to the longest. */
export interface Patience {
  attempts: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** Parses an item's row for a flow; `user_id` is the operation's. */
export const itemOf = (row: OperationItemRow, user_id: number | null): Item => ({
  user_id,
  operation_id: row.operation_id,
  item: row.item,
  lane: row.lane,
  lane_id: row.lane_id,
  data: JSON.parse(row.data),
  acts: JSON.parse(row.acts) as StoredAct[],
});

/**
 * Returns a step whose runs are a span each in the trace of its operation, with how many of its things were done and failed: a span for each
 * of thousands would cost more than the thing itself.
 */
export const inStepSpan = (name: string, step: FlowStep): FlowStep => ({
  ...step,
  run: (context) =>
    inSpan({ name, partOnly: true }, async (span) => {
      const { operation } = context;
      const { done, failed } = operation;
      try {
        const outcome = await step.run(context);
        span.set({ 'seo_admin.held': outcome.held !== undefined });
        if (outcome.error) {
          span.set({ 'error.type': outcome.error.key });
          span.fail();
        }
        return outcome;
      } finally {
        span.set({ 'seo_admin.done': operation.done - done, 'seo_admin.failed': operation.failed - failed });
      }
    }),
});
