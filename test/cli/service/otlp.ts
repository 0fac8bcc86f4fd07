// A receiver of OTLP over HTTP, which keeps what it was sent.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON tells it, with its attributes as an object. */
export interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  facts: Record<string, unknown>;
  service: unknown;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}
interface OtlpBody {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: (Omit<SentSpan, 'facts'> & { attributes: OtlpAttribute[] })[] }[];
  }[];
}

export interface Receiver {
  url: string;
  spans: SentSpan[];
  /** Bodies in protobuf, as they came. */
  packed: Buffer[];
  headers: Record<string, unknown>[];
  close: () => Promise<void>;
}

const factsOf = (attributes: OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansIn = (body: OtlpBody): SentSpan[] =>
  body.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        facts: factsOf(attributes),
        service: factsOf(resource.attributes)['service.name'],
      })),
    ),
  );

/** Starts a receiver on a free port of loopback. */
export async function startReceiver(): Promise<Receiver> {
  const [spans, packed, headers]: [SentSpan[], Buffer[], Record<string, unknown>[]] = [[], [], []];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    headers.push(request.headers);
    if (request.headers['content-type'] === 'application/json')
      spans.push(...spansIn(JSON.parse(body.toString()) as OtlpBody));
    else packed.push(body);
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' }).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    packed,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
