import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSchema } from '../../tools/kubernetes/kubernetes-schemas.ts';
import { parseObjects, readManifests } from '../../tools/kubernetes/read-manifests.ts';
import { needPrograms, projectFolder, run } from '../harness/packaging/commands.ts';

const folder = join(projectFolder, 'deploy/kubernetes');

test('Kustomize renders the manifests as they are written, and each matches the schemas of Kubernetes', async () => {
  needPrograms({ kubectl: 'kubernetes-client' });
  const rendered = parseObjects(await run('kubectl', ['kustomize', folder]));
  const byName = (objects: typeof rendered) =>
    Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  expect(byName(rendered)).toEqual(byName(readManifests(folder)));
  expect(rendered.length).toBeGreaterThan(8);
  for (const object of rendered) checkSchema(object);
});
