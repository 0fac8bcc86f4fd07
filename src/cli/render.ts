import { redact } from '../lib/redact.ts';
import { renderMessage, type Render } from '../shared/i18n/index.ts';
import type { Context } from './context.ts';

/** Returns what puts the messages of services into the language of a command's reader, without secrets. */
export const renderFor =
  ({ asked, program }: Pick<Context, 'asked' | 'program'>): Render =>
  (message) =>
    redact(renderMessage(asked.language, { ...message, params: { ...message.params, program } }));
