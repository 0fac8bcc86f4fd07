/** A person with an account at Telegram; the private chat with the bot has the same number. */
export interface FakePerson {
  id: number;
  first_name: string;
  username?: string;
  language_code?: string;
}

/** A message that the bot has sent, as it stands now. */
export interface SentMessage {
  chat_id: number;
  message_id: number;
  text: string;
  at: string;
  buttons: { text: string; callback_data?: string; url?: string }[];
}

/**
 * A fault of the next calls of a method: it answers with an error (`retry_after` and `migrate_to` are its parameters), `lost` does
 * the work and closes the connection, `hang` never answers, `echo` answers 500 with the address that was called.
 */
export interface TelegramFault {
  method: string;
  kind: 'error' | 'lost' | 'hang' | 'echo';
  code?: number;
  description?: string;
  retry_after?: number;
  migrate_to?: number;
  times: number;
}

/** Telegram's state of one bot. Updates wait until they are confirmed. */
export interface TelegramState {
  token: string;
  username: string;
  nextUpdate: number;
  nextMessage: number;
  updates: { update_id: number }[];
  sent: SentMessage[];
  /** Messages of people in their chats. */
  written: Pick<SentMessage, 'chat_id' | 'message_id' | 'text' | 'at'>[];
  /** Chats whose user has blocked the bot. */
  blocked: number[];
  /** Groups that have become another chat. */
  migrated: Record<string, number>;
}

/** A running fake of Telegram's Bot API. */
export interface TelegramFake {
  url: string;
  state: TelegramState;
  faults: TelegramFault[];
  /** The methods that were called, in their order. */
  calls: string[];
  /** A person writes to the bot; `more` overrides fields of the message, such as its chat. */
  write: (person: FakePerson, text: string, more?: object) => number;
  /** A person presses a button of a message. */
  press: (
    person: FakePerson,
    message: Pick<SentMessage, 'chat_id' | 'message_id'>,
    data: string,
    more?: object,
  ) => number;
  /** Puts any update into the queue. */
  push: (update: object) => number;
  /** Gives an update once more, which may be confirmed; one that is not is given again anyway. */
  repeat: (update_id: number) => void;
  close: () => Promise<void>;
}

/** Makes the state of a bot that nobody has written to. */
export const newTelegram = (token: string, username: string): TelegramState => ({
  token,
  username,
  nextUpdate: 900_001,
  nextMessage: 1,
  updates: [],
  sent: [],
  written: [],
  blocked: [],
  migrated: {},
});
