import type { Message, Render } from '../i18n/index.ts';

/** The layers between a visitor and a site, in the order in which they are asked. */
export const LAYERS = [
  'registrar',
  'delegation',
  'zone',
  'records',
  'edge_certificate',
  'edge',
  'origin',
  'origin_certificate',
  'redirect',
  'content',
  'blocklist',
  'index',
] as const;
export type Layer = (typeof LAYERS)[number];

/**
 * The end of a question: `unknown` could not be told, and the next layer is asked; `none` does not apply to the domain;
 * `not_asked` stands behind the broken layer.
 */
export type StepState = 'ok' | 'broken' | 'unknown' | 'none' | 'not_asked';

/** Acts by which a person mends a layer. */
export type Act =
  | 'renew'
  | 'registration'
  | 'name_servers'
  | 'dns'
  | 'account'
  | 'server'
  | 'domain'
  | 'transfer'
  | 'redirects';

/** A layer with its state, a sentence about it, and the act that mends it. `Text` is Message in services and text at the doors. */
export interface Step<Text = string> {
  layer: Layer;
  state: StepState;
  message: Text | null;
  act: Act | null;
}

/** Diagnosis of a domain: `message` is the sentence about the first broken layer, or about all of them. */
export interface Diagnosis<Text = string> {
  domain: string;
  asked_at: string;
  broken: Layer | null;
  message: Text;
  act: Act | null;
  steps: Step<Text>[];
}

/** Puts the messages of a diagnosis into words. */
export const renderDiagnosis = (render: Render, { message, steps, ...rest }: Diagnosis<Message>): Diagnosis => ({
  ...rest,
  message: render(message),
  steps: steps.map((step) => ({ ...step, message: step.message && render(step.message) })),
});

/** Returns the diagnosis that steps make. */
export function diagnosisOf(domain: string, asked_at: string, steps: Step<Message>[]): Diagnosis<Message> {
  const broken = steps.find(({ state }) => state === 'broken');
  const open = steps.filter(({ state }) => state === 'unknown');
  const unasked: Message[] = open.length === 0 ? [] : [{ key: 'why.some_unknown', params: { n: open.length } }];
  const message: Message = broken?.message ?? { key: 'why.all_well' };
  return {
    domain,
    asked_at,
    broken: broken?.layer ?? null,
    message: { ...message, also: [...(message.also ?? []), ...unasked] },
    act: broken ? broken.act : (open.find(({ act }) => act !== null)?.act ?? null),
    steps,
  };
}
