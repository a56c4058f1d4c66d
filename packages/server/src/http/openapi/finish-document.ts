import { bodyOptional } from './describe-operation.ts';

type Response = { content?: object } | { $ref: string };
type Operation = {
  requestBody?: { required: boolean };
  responses?: Record<string, Response>;
  [bodyOptional]?: boolean;
};
export type OpenApiDocument = {
  paths?: Record<string, Record<string, Operation>>;
  components?: object;
};

/** Moves shared answers to the components, and marks optional bodies. */
export function finishDocument({ paths = {}, components, ...document }: OpenApiDocument): OpenApiDocument {
  const shared = new Map<string, Response>();
  const finished = mapValues(paths, (operations) =>
    mapValues(operations, ({ [bodyOptional]: isOptional = false, ...operation }) => ({
      ...operation,
      // The plugin marks every body as required.
      ...(operation.requestBody && { requestBody: { ...operation.requestBody, required: !isOptional } }),
      responses: mapValues(operation.responses ?? {}, (response, status) => share(response, status, shared)),
    })),
  );
  const responses = Object.fromEntries([...shared].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return { ...document, paths: finished, components: { ...components, responses } };
}

/** The problem of a status is the same for all operations. */
function share(response: Response, status: string, shared: Map<string, Response>): Response {
  if (!('content' in response) || !Object.hasOwn(response.content ?? {}, 'application/problem+json')) {
    return response;
  }
  const name = `Problem${status}`;
  shared.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

function mapValues<From, To>(
  record: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
