import { zeroMeansAbsent } from '@tocsin/contract';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { faultMessage } from './fault-message.ts';
import { type Rename, renameFor } from './member-names.ts';

type PropertySchema = { type?: string; default?: unknown; [zeroMeansAbsent]?: boolean };

const validators = new WeakMap<TSchema, Validator>();

/**
 * Compiles each schema once, because routes share schemas, and servers in one process share routes. Not before the first
 * request: a server that starts need not wait for the schemas of all routes.
 */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/**
 * TypeBox validates bodies, queries and paths. Names match in any case. In queries and paths decimal digits become a
 * number if the schema requires one; nothing else is coerced.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const fromText = httpPart === 'querystring' || httpPart === 'params';
  const properties = ('properties' in schema ? schema.properties : {}) as Record<string, PropertySchema>;
  const rename: Rename = renameFor(schema) ?? ((value) => value);
  return (input: unknown) => {
    const validator = validatorOf(schema);
    const named = rename(input);
    const value = fromText ? readText(named, properties) : named;
    if (validator.Check(value)) return { value };
    const fault = validator.Errors(value)[0];
    const pointer = fault === undefined ? '' : faultPointer(fault);
    const message = fault === undefined ? 'does not match' : faultMessage(fault, schema);
    const error = Object.assign(new Error(message), { pointer, httpPart });
    return { error };
  };
};

function faultPointer({ instancePath, params }: { instancePath: string; params?: unknown }): string {
  const missing = (params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0];
  return missing === undefined ? instancePath : `${instancePath}/${missing}`;
}

/** Unknown names are ignored, and never an error. */
function readText(input: unknown, properties: Record<string, PropertySchema>): Record<string, unknown> {
  const given = (input ?? {}) as Record<string, unknown>;
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const text = Object.hasOwn(given, name) ? given[name] : undefined;
    if (text === undefined) {
      if (property.default !== undefined) value[name] = property.default;
    } else {
      const read = typeof text === 'string' ? readValue(text, property) : text;
      if (read !== 0 || property[zeroMeansAbsent] !== true) value[name] = read;
    }
  }
  return value;
}

function readValue(text: string, { type }: PropertySchema): unknown {
  if (type === 'integer') return /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
  // PostgreSQL cannot store NUL in text.
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
