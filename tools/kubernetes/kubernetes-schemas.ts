import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { KubernetesObject } from './read-manifests.ts';

type Model = new (data: never) => { validate(): void };

/** The kinds that we use, by their version. */
const models: Readonly<Record<string, Model>> = {
  'apps/v1 Deployment': Deployment,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 ConfigMap': ConfigMap,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
};

/** Throws if the object does not match the schema that Kubernetes publishes for its kind. */
export function checkSchema(object: KubernetesObject): void {
  const kind = `${object.apiVersion} ${object.kind}`;
  const model = models[kind];
  if (model === undefined)
    throw new Error(`${kind} is not known: add it to the models of kubernetes-schemas.ts`);
  new model(object as never).validate();
}
