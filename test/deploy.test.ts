// The files by which others run the program. No container runtime here: what they say is compared with what the program has.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prometheus from 'prom-client';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildProgram } from '../src/cli/program.ts';
import { en } from '../src/cli/texts/en.ts';
import { loadConfig } from '../src/lib/config.ts';
import { findNginx } from './support/nginx.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

// oxlint-disable-next-line typescript/no-explicit-any -- documents of foreign programs
type Document = any;

/** A container of ours: the words after the program, its variables, the ports that it names, and where its health is asked. */
interface Container {
  name: string;
  words: string[];
  env: Record<string, string>;
  ports: number[];
  probes: string[];
}

const dockerfile = read('Dockerfile');
const lineOf = (word: string): string =>
  dockerfile
    .match(new RegExp(`^\\s*${word} (.*)$`, 'gm'))
    ?.at(-1)
    ?.trim() ?? '';
const after = (word: string): string => lineOf(word).slice(word.length + 1);
const listOf = (word: string): string[] => JSON.parse(after(word)) as string[];
const probesIn = (words: string[]): string[] =>
  words.flatMap((one) => [...one.matchAll(/127\.0\.0\.1:(\d+\/\w+)/g)].map(([, probe = '']) => probe));

const image: Container = {
  name: 'Dockerfile',
  words: [...dockerfile.matchAll(/^CMD (\[.*\])$/gm)].flatMap(([, list = '[]']) => JSON.parse(list) as string[]),
  env: Object.fromEntries(
    after('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  ) as Record<string, string>,
  ports: [4180],
  probes: probesIn([...dockerfile.matchAll(/^ +CMD (\[.*\])$/gm)].map(([, list = '']) => list)),
};

const compose: Document = parse(read('compose.yaml'), { merge: true });
const ENV = { POSTGRES_PASSWORD: 'a1', SEO_ADMIN_PUBLIC_URL: 'https://seo.example.com' } as Record<string, string>;
const filled = (value: string): string => value.replace(/\$\{(\w+)[^}]*\}/g, (_all, name: string) => ENV[name] ?? '?');

const composed = ['server', 'worker'].map((name): Container => {
  const { command, environment, healthcheck } = compose.services[name];
  return {
    name: `compose ${name}`,
    words: command,
    env: Object.fromEntries(Object.entries<string>(environment).map(([key, value]) => [key, filled(value)])),
    ports: [],
    probes: healthcheck ? probesIn(healthcheck.test) : image.probes,
  };
});

const kubernetes: Document[] = parseAllDocuments(read('deploy/kubernetes/seo-admin.yaml')).map((one) => {
  if (one.errors.length > 0) throw one.errors[0];
  return one.toJS();
});
const deployments = kubernetes.filter(({ kind }) => kind === 'Deployment');
const variables: Record<string, string> = kubernetes.find(({ kind }) => kind === 'ConfigMap').data;

const pods = deployments.map(({ metadata, spec }): Container => {
  const [{ args, env, ports, ...rest }] = spec.template.spec.containers;
  const numberOf = (port: string): number => ports.find((one: Document) => one.name === port)?.containerPort as number;
  return {
    name: metadata.name,
    words: args,
    env: { ...variables, ...Object.fromEntries(env.map((one: Document) => [one.name, 'postgres://seo@db/seo'])) },
    ports: ports.map((one: Document) => one.containerPort),
    probes: ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (probe) => `${numberOf(rest[probe].httpGet.port)}${rest[probe].httpGet.path}`,
    ),
  };
});

const containers = [image, ...composed, ...pods];
const program = await buildProgram(en, () => true);

test.each(containers)('$name: command, flags, ports and probes are those of the program', (container) => {
  const [noun = '', ...words] = container.words;
  const command = program.commands.find((one) => one.name() === noun);
  const known = [...(command?.options ?? []), ...program.options];
  const flags = words.filter((word) => word.startsWith('-'));
  expect(flags.length).toBeGreaterThan(0);
  expect(flags.filter((flag) => !known.some(({ long }) => long === flag))).toEqual([]);
  const port = words[words.indexOf(noun === 'serve' ? '--port' : '--metrics-port') + 1] ?? '';
  const host = words[words.indexOf(noun === 'serve' ? '--host' : '--metrics-host') + 1] ?? '';
  expect(host).toBe('0.0.0.0');
  expect(after('EXPOSE').split(' ')).toContain(port);
  expect(container.ports.filter((one) => one !== Number(port))).toEqual([]);
  expect(container.probes.length).toBeGreaterThan(0);
  expect(container.probes.filter((probe) => ![`${port}/livez`, `${port}/readyz`].includes(probe))).toEqual([]);
});

test.each(containers)('$name: the variables are those of the configuration', ({ env }) => {
  const config = loadConfig({}, { ...image.env, ...env });
  expect(config.dataDir).toBe('/data');
  expect(() => loadConfig({}, { ...env, SEO_ADMIN_PORT: 'tcp://10.0.0.1:80' })).toThrow('SEO_ADMIN_PORT');
});

test('compose runs two servers and three workers beside a proxy that they trust, and gives them time to stop', () => {
  const { server, worker, proxy, database } = compose.services;
  expect([server.deploy.replicas, worker.deploy.replicas]).toEqual([2, 3]);
  for (const one of [server, worker]) {
    expect(one).toMatchObject({ image: 'seo-admin', read_only: true, cap_drop: ['ALL'], volumes: ['data:/data'] });
    expect(Number.parseInt(one.stop_grace_period, 10)).toBeGreaterThan(25);
    expect(one.environment.SEO_ADMIN_TRUSTED_PROXIES).toBe(proxy.networks.inside.ipv4_address);
  }
  const { hostname, username, pathname } = new URL(filled(server.environment.DATABASE_URL));
  expect(compose.services[hostname]).toBe(database);
  expect([username, pathname.slice(1)]).toEqual([database.environment.POSTGRES_USER, database.environment.POSTGRES_DB]);
  const nginx = read('deploy/nginx.conf');
  const listening = [...nginx.matchAll(/listen (\d+)/g)].map(([, port]) => port);
  expect(proxy.ports.map((pair: string) => pair.split(':')[1])).toEqual(listening);
  expect(nginx).toContain('set $servers server;');
  expect(nginx).toContain(`proxy_pass http://$servers:${server.command.at(-1)};`);
});

// The major version of PostgreSQL's programs in a release of Debian.
const DEBIAN: Record<string, number> = { bookworm: 15, trixie: 17 };

test('the image has the programs that back PostgreSQL up, no older than the server of compose', () => {
  const [, release = ''] = /^ARG NODE=\d+-(\w+)-slim$/m.exec(dockerfile) ?? [];
  const [, server] = /^postgres:(\d+)-/.exec(compose.services.database.image) ?? [];
  expect(DEBIAN[release]).toBeGreaterThanOrEqual(Number(server));
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(/apt-get install .*\bpostgresql-client\b/);
});

test('the image and the pods run without rights on a tree that is read alone', () => {
  expect(after('USER')).toBe('1000:1000');
  expect(listOf('ENTRYPOINT')).toEqual(['node', '/app/bin/seo-admin.js']);
  expect(deployments.map(({ spec }) => spec.replicas)).toEqual([2, 3]);
  for (const { spec } of deployments) {
    const pod = spec.template.spec;
    expect(pod).toMatchObject({
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(25);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const mounted = pod.containers[0].volumeMounts.map(({ name }: Document) => name);
    expect(pod.volumes.map(({ name }: Document) => name)).toEqual(mounted);
    expect(variables['SEO_ADMIN_METRICS_TOKEN_FILE']).toMatch(
      new RegExp(`^${pod.containers[0].volumeMounts[2].mountPath}/`),
    );
  }
});

test('each measure of the dashboard, and each of its labels, is one that the program counts', () => {
  const dashboard: Document = JSON.parse(read('deploy/grafana/seo-admin.json'));
  const source = ['metrics', 'work'].map((file) => read(`src/services/system/metrics/${file}.ts`)).join('');
  const register = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register });
  const usual = register.getMetricsAsArray().map(({ name }) => name);
  register.clear();
  const counted = new Set([...[...source.matchAll(/'(seo_admin_\w+)'/g)].map(([, name = '']) => name), ...usual]);
  const queries: string[] = dashboard.panels.flatMap((panel: Document) =>
    panel.targets.map(({ expr }: Document) => expr),
  );
  expect(queries.length).toBeGreaterThan(20);
  const named = queries.flatMap((query) => query.match(/\b(?:seo_admin|process|nodejs)_\w+/g) ?? []);
  expect(named.filter((name) => !counted.has(name.replace(/_bucket$/, '')))).toEqual([]);
  // Every measure of the program's own is shown.
  expect([...counted].filter((name) => name.startsWith('seo_admin_') && !queries.join(' ').includes(name))).toEqual([]);
  const labels = new Set(
    queries.flatMap((query) => [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))),
  );
  labels.delete('le');
  const isCounted = (label: string): boolean => new RegExp(`\\b${label}\\b`).test(source);
  expect([...labels].filter((label) => !isCounted(label))).toEqual([]);
  expect(new Set(dashboard.panels.map(({ id }: Document) => id)).size).toBe(dashboard.panels.length);
});

const nginx = findNginx();
test.skipIf('missing' in nginx)('nginx takes its configuration', () => {
  if ('missing' in nginx) return;
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-proxy-'));
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=seo.example.com', ...files], {
    stdio: 'ignore',
  });
  const ours = read('deploy/nginx.conf').replaceAll('/etc/nginx/tls', folder);
  const whole = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${ours}\n}\n`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  const { status, stderr } = spawnSync(nginx.path, ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('test is successful') });
});
