import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { CertificateFault, HealthError } from '../../shared/checks/health.ts';
import type { Alarm, Clock } from './clock.ts';
import { headReader, type Head } from './head.ts';
import {
  type Stage,
  type Question,
  type Ear,
  openSocket,
  deaf,
  errorOf,
  NO_CERTIFICATE,
  certificateFault,
} from './socket.ts';

/** The head of an answer. */
export interface Answer extends Head {
  certificate: CertificateFault | null;
  /** The beginning of the body, if it was asked for. */
  body?: string;
  /** Its header `Refresh`, where the body was asked for. */
  refresh?: string;
}

/** A request without an answer, and how far it came. */
export interface Failure {
  error: HealthError;
  stage: Stage;
  /** The server aborted the handshake because it has no certificate for the name. */
  noCertificate?: boolean;
}

/** State shared by all requests: the open sockets, and the clock. Destroying a socket ends its request with `reset`. */
export interface Shared {
  open: Set<Socket>;
  clock: Clock;
  /** Certificate authority (PEM) that is trusted instead of the usual ones. */
  ca?: string | undefined;
}

/**
 * Requests a URL from an address and reads the head of the answer. The status is the verdict, so the body is not read unless
 * `bodyBytes` is given. Never rejects.
 */
export function ask(question: Question, { open, clock, ca }: Shared): Promise<Answer | Failure> {
  return new Promise((resolve) => {
    const started = clock.now();
    let stage: Stage = 'connect';
    const isHeadEnough = question.bodyBytes === undefined;
    const ear: Ear = { hear: (length, bytes) => read(length, bytes) };
    const socket = openSocket(question, ca, isHeadEnough ? ear : undefined);
    open.add(socket);
    const finish = (outcome: Answer | Failure) => {
      clock.alarms.delete(deadline);
      open.delete(socket);
      // Until a full garbage collection a closed socket stays in memory, with its listeners.
      ear.hear = deaf;
      socket.off('error', fail).off('close', closed).on('error', deaf);
      socket.destroy();
      resolve(outcome);
    };
    const fail = (error: NodeJS.ErrnoException) =>
      finish({ error: errorOf(error, stage), stage, noCertificate: NO_CERTIFICATE.test(error.code ?? '') });
    const deadline: Alarm = {
      moment: started + question.readyMs,
      ring: () => finish({ error: stage === 'connect' ? 'connect_timeout' : 'timeout', stage }),
    };
    clock.alarms.add(deadline);
    const answer = (head: Head & Pick<Answer, 'body' | 'refresh'>) =>
      finish({ ...head, certificate: certificateFault(socket) });
    // Created when bytes come: most hosts under way have not answered yet.
    let readHead: ReturnType<typeof headReader> | undefined;
    const read = (length: number, bytes: Uint8Array): boolean => {
      readHead ??= headReader();
      const head = readHead(bytes, length);
      if (head === 'bad') finish({ error: 'bad_answer', stage });
      else if (head === 'upgrade') finish({ error: 'reset', stage });
      else if (head !== 'more') answer(head);
      return true;
    };
    const send = () => {
      stage = 'answer';
      deadline.moment = started + question.totalMs;
      if (question.bodyBytes === undefined) {
        socket.write(headOf(question.url), 'latin1');
        return;
      }
      askForBody(question.url, question.bodyBytes, socket, answer, fail);
    };
    const closed = () => finish({ error: 'reset', stage });
    socket.on('error', fail);
    socket.on('close', closed);
    if (socket instanceof TLSSocket) {
      socket.once('connect', () => {
        stage = 'tls';
      });
      socket.once('secureConnect', send);
    } else {
      socket.once('connect', send);
    }
  });
}

/** Sends a request by Node's client, and reads up to `limit` bytes of the answer's body. */
function askForBody(
  url: URL,
  limit: number,
  socket: Socket,
  answer: (head: Head & Pick<Answer, 'body' | 'refresh'>) => void,
  fail: (error: Unparsed) => void,
): void {
  const req = request(requestOptions(url, socket));
  req.on('response', (message) => {
    const { statusCode = 0, headers } = message;
    const refresh = headers['refresh'];
    const head = { status: statusCode, location: headers.location, ...(typeof refresh === 'string' && { refresh }) };
    readBody(message, limit, (body) => answer({ ...head, body }));
  });
  req.on('error', (error: Unparsed) => {
    const head = readLoosely(error.rawPacket);
    if (head === null) fail(error);
    else answer(head);
  });
  req.end();
}

const charsetIn = (text: string | undefined): string | undefined => /charset=["']?([\w-]+)/i.exec(text ?? '')?.[1];

/** Decodes a body, by the charset of its head or of its own beginning. */
function textOf(bytes: Buffer, type: string | undefined): string {
  const charset = charsetIn(type) ?? charsetIn(bytes.subarray(0, 2_048).toString('latin1')) ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

/** Reads up to `limit` bytes of an answer's body. */
function readBody(message: IncomingMessage, limit: number, give: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const end = () => give(textOf(Buffer.concat(chunks).subarray(0, limit), message.headers['content-type']));
  message.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) end();
  });
  message.on('end', end);
}

const HEADERS = { 'User-Agent': 'Mozilla/5.0 (compatible; seo-admin)', Accept: '*/*', Connection: 'close' };

const HEADER_LINES = Object.entries(HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Writes the head of a request. The parts of a URL contain no line breaks. */
const headOf = (url: URL): string =>
  `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${HEADER_LINES}\r\n`;

const requestOptions = (url: URL, socket: Socket) => ({
  createConnection: () => socket,
  path: url.pathname + url.search,
  setHost: false,
  maxHeaderSize: 65_536,
  headers: { Host: url.host, ...HEADERS },
});

/** Node's error for an answer that its parser refuses: `rawPacket` is the data it was parsing. */
interface Unparsed extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

// Browsers show sites whose headers break the grammar (two lengths, a blank in a name). For those the status line counts, if
// it came in the same packet.
function readLoosely(packet: Buffer | undefined): Head | null {
  const [head = ''] = packet?.toString('latin1').split(/\r?\n\r?\n/, 1) ?? [];
  const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1];
  const location = /^location[ \t]*:[ \t]*(\S+)/im.exec(head)?.[1];
  return status === undefined ? null : { status: Number(status), location };
}
