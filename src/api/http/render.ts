import { redact } from '../../lib/redact.ts';
import { renderMessage, type Language, type Render } from '../../shared/i18n/index.ts';

/** Returns what puts the messages of services into a language, without secrets. */
export const renderIn =
  (language: Language): Render =>
  (message) =>
    redact(renderMessage(language, message));
