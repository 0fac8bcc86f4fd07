import { renderMessage, type Render } from '../../src/shared/i18n/index.ts';

/** Puts the messages of services into English, as a door does for a reader. */
export const english: Render = (message) => renderMessage('en', message);
