import pLimit from 'p-limit';

const AT_ONCE = 4;

/**
 * Runs what asks the outside world and may take many seconds: a check, a diagnosis, the plan or the start of a transfer. Four of
 * all chats run at once; the others wait for their turn, and their updates stay open at Telegram meanwhile.
 */
export const slowly = pLimit(AT_ONCE);
