import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object of Kubernetes; its other members depend on its kind. */
export type KubernetesObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
};

/** The objects of a text with one or more documents. */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS() as KubernetesObject;
  });
}

/** The objects of the files that the kustomization in a folder lists, as long as it lists files only. */
export function readManifests(folder: string): KubernetesObject[] {
  const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    resources: string[];
  };
  return resources.flatMap((file) => parseObjects(readFileSync(join(folder, file), 'utf8')));
}
