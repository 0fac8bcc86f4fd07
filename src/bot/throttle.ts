const WINDOW_MS = 60_000;
const MOST = 20;
const MOST_CHATS = 10_000;

/** Whether a chat may be answered: `last`: this is the last one in this minute, and it is told so. */
export type Turn = 'yes' | 'last' | 'no';

/** Counts the messages of each chat in a minute, in memory: what is not answered costs nothing else. */
export function chatThrottle(now: () => number = Date.now): (chat: number) => Turn {
  const chats = new Map<number, { since: number; count: number }>();
  return (chat) => {
    const at = now();
    const known = chats.get(chat);
    if (!known || at - known.since > WINDOW_MS) {
      chats.delete(chat);
      // A map keeps the order of insertion: the oldest is dropped.
      if (chats.size >= MOST_CHATS)
        for (const oldest of chats.keys()) {
          chats.delete(oldest);
          break;
        }
      chats.set(chat, { since: at, count: 1 });
      return 'yes';
    }
    known.count += 1;
    if (known.count < MOST) return 'yes';
    return known.count === MOST ? 'last' : 'no';
  };
}
