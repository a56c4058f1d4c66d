import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { checkSchema } from './kubernetes-schemas.ts';
import { type KubernetesObject, readManifests } from './read-manifests.ts';

const objects = readManifests(fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url)));
const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;
const named = (name: string) => {
  const found = objects.find((object) => nameOf(object) === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

/** The members of a pod that these tests read. */
const Probe = Type.Object({ httpGet: Type.Object({ path: Type.String(), port: Type.String() }) });
const Container = Type.Object({
  image: Type.String(),
  args: Type.Array(Type.String()),
  env: Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.String()) })),
  securityContext: Type.Unknown(),
  livenessProbe: Type.Optional(Probe),
  readinessProbe: Type.Optional(Probe),
  volumeMounts: Type.Array(Type.Object({ name: Type.String(), mountPath: Type.String() })),
});
const Pod = Type.Object({
  metadata: Type.Object({ labels: Type.Record(Type.String(), Type.String()) }),
  spec: Type.Object({
    automountServiceAccountToken: Type.Boolean(),
    securityContext: Type.Unknown(),
    terminationGracePeriodSeconds: Type.Optional(Type.Number()),
    containers: Type.Array(Container),
    volumes: Type.Array(
      Type.Object({ name: Type.String(), secret: Type.Optional(Type.Object({ secretName: Type.String() })) }),
    ),
  }),
});
type Pod = Static<typeof Pod>;
const Workload = Type.Object({ spec: Type.Object({ template: Pod }) });
const Selecting = Type.Object({
  spec: Type.Object({
    selector: Type.Optional(Type.Unknown()),
    podSelector: Type.Optional(Type.Object({ matchLabels: Type.Record(Type.String(), Type.String()) })),
  }),
});

const workloads = objects
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((object) => ({ name: nameOf(object), pod: Value.Parse(Workload, object).spec.template }));
const podOf = (name: string) => Value.Parse(Workload, named(name)).spec.template;
const setting = (pod: Pod, name: string) =>
  pod.spec.containers[0]?.env.find((one) => one.name === name)?.value;

test('the manifests have servers, a migration, and what protects them', () => {
  expect(objects.map(nameOf).toSorted()).toEqual([
    'ConfigMap tocsin-settings',
    'Deployment tocsin-api',
    'Deployment tocsin-dispatch',
    'Job tocsin-migrate',
    'NetworkPolicy tocsin-api',
    'NetworkPolicy tocsin-dispatch',
    'NetworkPolicy tocsin-migrate',
    'PodDisruptionBudget tocsin-api',
    'PodDisruptionBudget tocsin-dispatch',
    'Service tocsin',
    'ServiceAccount tocsin',
  ]);
});

describe('the schemas of Kubernetes', () => {
  test.for(objects.map((object) => [nameOf(object), object] as const))('accept %s', ([, object]) => {
    expect(() => checkSchema(object)).not.toThrow();
  });

  const deployment = named('Deployment tocsin-api');
  test.for([
    ['a number of servers that is a word', { ...deployment, spec: { replicas: 'two' } }, '/spec/replicas'],
    ['servers without a template', { ...deployment, spec: { replicas: 2 } }, 'template'],
    [
      'a service without its port',
      { ...named('Service tocsin'), spec: { ports: [{ name: 'http' }] } },
      'port',
    ],
    ['a kind that does not exist', { ...deployment, kind: 'Deploy' }, 'apps/v1 Deploy is not known'],
  ] as const)('refuse %s', ([, wrong, reason]) => {
    expect(() => checkSchema(wrong)).toThrow(reason);
  });
});

describe.for(workloads)('$name', ({ pod }) => {
  test('meets the restricted security standard: no root, no rights, nothing to write to', () => {
    expect(pod.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1_000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.spec.automountServiceAccountToken).toBe(false);
    expect(pod.spec.containers).toHaveLength(1);
    for (const { securityContext } of pod.spec.containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  test('runs a command and has settings that exist', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const help = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    for (const { args, env } of pod.spec.containers) {
      expect(help).toContain(`tocsin ${args.join(' ')}\n`);
      const names = env.map(({ name }) => name).filter((name) => name !== 'POD_IP');
      expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    }
  });
});

test.for(['tocsin-api', 'tocsin-dispatch'])(
  '%s is restarted when it is dead, and gets requests when it is ready',
  (name) => {
    const { spec } = podOf(`Deployment ${name}`);
    expect(spec.containers[0]).toMatchObject({
      livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
    });
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(28);
  },
);

test('every role is served, by servers of its own', () => {
  const roles = ['tocsin-api', 'tocsin-dispatch'].map((name) =>
    setting(podOf(`Deployment ${name}`), 'ROLES'),
  );
  expect(roles).toEqual(['api,hub', 'dispatch']);
});

test('only the migration has the password of the owner of the database', () => {
  const secrets = workloads.map(({ name, pod }) => [
    name,
    pod.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []),
  ]);
  expect(Object.fromEntries(secrets)).toEqual({
    'Job tocsin-migrate': ['tocsin-owner'],
    'Deployment tocsin-api': ['tocsin-server'],
    'Deployment tocsin-dispatch': ['tocsin-server'],
  });
});

test('every policy, budget and service selects pods that exist', () => {
  const labels = workloads.map(({ pod }) => pod.metadata.labels);
  const selecting = objects.filter(({ kind }) =>
    ['NetworkPolicy', 'PodDisruptionBudget', 'Service'].includes(kind),
  );
  expect(selecting).toHaveLength(6);
  for (const object of selecting) {
    const { selector, podSelector } = Value.Parse(Selecting, object).spec;
    const wanted = podSelector?.matchLabels ?? matchLabelsOf(selector);
    const found = labels.filter((own) => Object.entries(wanted).every(([key, value]) => own[key] === value));
    expect(found, nameOf(object)).toHaveLength(1);
  }
});

function matchLabelsOf(selector: unknown): Record<string, string> {
  const { matchLabels, ...plain } = selector as { matchLabels?: Record<string, string> } & Record<
    string,
    string
  >;
  return matchLabels ?? plain;
}
