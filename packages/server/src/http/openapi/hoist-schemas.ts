import { isDeepStrictEqual } from 'node:util';
import { referenceMark, zeroMeansAbsent } from '@tocsin/contract';

type Json = { [member: string]: unknown };

/** The part of an OpenAPI document that this file uses. */
export type OpenApiDocument = {
  paths?: object;
  components?: object;
};

/**
 * Moves every schema that has a title to `components.schemas`, and puts a reference in its place. Two schemas with the
 * same title must be equal.
 */
export function hoistSchemas<Document extends OpenApiDocument>(document: Document): Document {
  const schemas = new Map<string, Json>();
  const paths = hoistIn(document.paths, schemas);
  const sorted = [...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, paths, components: { ...document.components, schemas: Object.fromEntries(sorted) } };
}

function hoistIn(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoistIn(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const hoisted = Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== zeroMeansAbsent && name !== referenceMark)
      .map(([name, member]) => [name, hoistIn(member, schemas)]),
  );
  const title = titleOf(hoisted);
  if (title === undefined) return hoisted;
  const known = schemas.get(title);
  if (known !== undefined && !isDeepStrictEqual(known, hoisted)) {
    throw new Error(`two different schemas have the title ${title}`);
  }
  schemas.set(title, hoisted);
  return { $ref: `#/components/schemas/${title}` };
}

/** A property named `title` is a schema, not a text. */
function titleOf(schema: Json): string | undefined {
  const { title } = schema as { title?: unknown };
  return typeof title === 'string' ? title : undefined;
}
