import type { Message } from '../../shared/i18n/index.ts';
import { LAYERS, type Layer, type Step } from '../../shared/why/diagnosis.ts';
import { isTold, type Verdict } from './facts.ts';
import {
  judgeEdge,
  judgeEdgeCertificate,
  judgeOrigin,
  judgeOriginCertificate,
  judgeRedirect,
  type Way,
} from './judge-answer.ts';
import { judgeBlocklist, judgeContent, judgeIndex } from './judge-content.ts';
import { judgeDelegation, judgeRecords, judgeRegistrar, judgeZone } from './judge-name.ts';
import type { Scene } from './scene.ts';

/** The family of a domain: the names of its project, and those that were attached to it. */
type Family = () => Promise<ReadonlySet<string>>;

/** Returns the questions of a scene, by layer. */
function rungsOf(scene: Scene, family: Family): Record<Layer, () => Promise<Verdict>> {
  const { domain, registered } = scene;
  const { domain_name: name, release } = domain;
  const way = async (): Promise<Way> => {
    const hasCdn = domain.cloudflare_account_id !== null;
    return { domain: name, hasCdn, hasOrigin: (await scene.address()) !== null, now: Date.now() };
  };
  return {
    registrar: async () => {
      const [registry, account] = await Promise.all([scene.registry(), scene.account()]);
      return judgeRegistrar({ domain: name, expired_at: domain.expired_at, registry, account, now: Date.now() });
    },
    delegation: async () => {
      const [registry, account, zone] = await Promise.all([scene.registry(), scene.account(), scene.zone()]);
      return judgeDelegation(registered, { registry, account }, zone);
    },
    zone: async () => judgeZone(registered, await scene.zone()),
    records: async () => {
      const zone = await scene.zone();
      const isRead = isTold(zone) && zone.kind === 'zone';
      return judgeRecords(name, zone, {
        address: await scene.address(),
        place: isRead ? null : await scene.place(),
      });
    },
    edge_certificate: async () => {
      const [certificate, visit] = await Promise.all([scene.certificate(), scene.visit()]);
      return judgeEdgeCertificate(await way(), certificate, visit);
    },
    edge: async () => judgeEdge(await way(), await scene.visit()),
    origin: async () => judgeOrigin(await way(), await scene.visit(), await scene.origin()),
    origin_certificate: async () => judgeOriginCertificate(await way(), await scene.visit(), await scene.origin()),
    redirect: async () => judgeRedirect(await way(), await scene.visit(), await family()),
    content: async () => {
      const visit = await scene.visit();
      return judgeContent({ domain: name, visit, release, marker: await scene.marker() });
    },
    blocklist: async () => judgeBlocklist(name, domain.type, await scene.listed()),
    index: async () => judgeIndex(name, domain),
  };
}

const OUT_OF_TIME: Message = { key: 'why.out_of_time' };

/**
 * Asks layer by layer, and nothing more behind the first broken one. Once `signal` has fired, nothing more is asked, and what was
 * not told by then is unknown.
 */
export async function climb(scene: Scene, family: Family, signal: AbortSignal): Promise<Step<Message>[]> {
  const rungs = rungsOf(scene, family);
  const steps: Step<Message>[] = [];
  const over = new Promise<Verdict>((resolve) => {
    const end = (): void => resolve({ state: 'unknown', message: OUT_OF_TIME });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  let isBroken = false;
  for (const layer of LAYERS) {
    if (isBroken) {
      steps.push({ layer, state: 'not_asked', message: null, act: null });
      continue;
    }
    // Nothing more is begun of which nobody waits for the end.
    const { state, message, act = null } = await (signal.aborted ? over : Promise.race([rungs[layer](), over]));
    steps.push({ layer, state, message, act });
    isBroken = state === 'broken';
  }
  return steps;
}
