import { pino, stdSerializers, type Logger } from 'pino';
import { AppError } from '../shared/errors.ts';
import type { Language } from '../shared/i18n/index.ts';
import { onMeasure } from './measures.ts';
import { redact } from './redact.ts';
import { currentRequestId } from './tracing/request-id.ts';
import { currentTrace } from './tracing/spans.ts';

export type { Logger };

const SECRET_KEYS = ['password', 'ssh_password', 'api_key', 'key', 'token', 'authorization', 'cookie', 'secret'];

const LEVELS: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** Formats a line for a terminal: time, level, message and the other fields. */
function readable(line: string): string {
  const {
    level,
    time,
    msg,
    pid: _pid,
    hostname: _hostname,
    err,
    ...rest
  } = JSON.parse(line) as Record<string, unknown>;
  const facts = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  return `${[clock, LEVELS[Number(level)] ?? '', msg, ...facts].filter(Boolean).join(' ')}\n${stack ? `${stack}\n` : ''}`;
}

// The ids of the request and of the trace that a line belongs to.
const mixin = (): { request?: string; trace_id?: string } => {
  const [request, trace] = [currentRequestId(), currentTrace()];
  return { ...(request !== undefined && { request }), ...(trace !== null && { trace_id: trace.split('-')[1] ?? '' }) };
};

/** Returns what replaces the sentences of AppErrors by those of a language, in an error and all that have caused it. */
function inLanguage(error: unknown, language: Language): (text: string) => string {
  const pairs: [string, string][] = [];
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if (at instanceof AppError) pairs.push([at.message, at.in(language)]);
  }
  return (text) => pairs.reduce((said, [from, to]) => said.replaceAll(from, () => to), text);
}

/** Serializes an error as pino does, with the sentences of AppErrors in a language. */
function errorIn(language: Language): (error: unknown) => unknown {
  return (error) => {
    if (!(error instanceof Error)) return error;
    const said = inLanguage(error, language);
    const told = stdSerializers.err(error);
    return { ...told, message: said(told.message), stack: said(told.stack) };
  };
}

/**
 * Creates the log on stderr: JSON lines unless stderr is a terminal. `language` is that of whoever runs the program: the lines are English, and what an
 * AppError says, in `err` and `reason`, is in it. Masks fields with known secret names down to a depth of
 * three, and values that `redact` recognises anywhere. Lines of a request, and of the work that it has asked for, have its id in `request`.
 */
export function createLog(level: string, language: Language = 'ru'): Logger {
  const paths = SECRET_KEYS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const serializers = {
    err: errorIn(language),
    reason: (reason: unknown) => (reason instanceof AppError ? reason.in(language) : reason),
  };
  const options = { level, base: null, redact: { paths, censor: '********' }, mixin, serializers };
  const stream = process.stderr.isTTY
    ? { write: (line: string) => void process.stderr.write(redact(readable(line))) }
    : { write: (line: string) => void process.stderr.write(redact(line)) };
  return pino(options, stream);
}

/**
 * Writes a line for each call to an outside service, where the log tells that much (`debug`): its service, how it ended and how long it
 * took, never an address. Call the returned function to end that.
 */
export function logCalls(log: Logger): () => void {
  if (!log.isLevelEnabled('debug')) return () => undefined;
  return onMeasure('call', ({ service, outcome, status, ms }) =>
    log.debug({ service, outcome, ...(status !== undefined && { status }), ms: Math.round(ms) }, 'outside call'),
  );
}
