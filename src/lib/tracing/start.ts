// OpenTelemetry is switched on by its own variables: this file reads them, and loads it for who has set them.
import { useTracer } from './spans.ts';

type Tell = (message: string) => void;

// No collector has to be asked by gRPC: each that takes it takes HTTP as well, and its packages are as large as all others together.
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const isProtocol = (name: string): name is Protocol => (PROTOCOLS as readonly string[]).includes(name);

/** Returns how spans are sent, by OpenTelemetry's variables; null: they are not. `tell` gets what was asked for and can't be had. */
export function protocolOf(env: NodeJS.ProcessEnv, tell: Tell = () => undefined): Protocol | null {
  if (/^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '')) return null;
  const named = (env['OTEL_TRACES_EXPORTER'] ?? '').split(/[\s,]+/).filter(Boolean);
  const isAddressed = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const strange = named.filter((name) => name !== 'otlp' && name !== 'none');
  if (strange.length > 0) tell(`OTEL_TRACES_EXPORTER: ${strange.join(', ')} is not known, only otlp and none`);
  if (!(named.length === 0 ? isAddressed : named.includes('otlp'))) return null;
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || ('http/protobuf' as const);
  if (isProtocol(protocol)) return protocol;
  tell(`OTEL_EXPORTER_OTLP_PROTOCOL: ${protocol} is not known, only ${PROTOCOLS.join(' and ')}: no traces are sent`);
  return null;
}

/**
 * Starts the making of spans where OpenTelemetry's variables ask for it; else it reads a few variables and loads nothing. `tell` gets, once a
 * minute at most, why spans could not be sent. End it with `stopTracing`.
 */
export async function startTracing(version: string, tell: Tell = () => undefined): Promise<void> {
  const protocol = protocolOf(process.env, tell);
  if (protocol === null) return;
  const { openTracer } = await import('./opentelemetry.ts');
  useTracer(await openTracer(protocol, version, tell));
}
