import Fastify, { type FastifySerializerCompiler } from 'fastify';
import { Type } from 'typebox';

type Serialize = ReturnType<FastifySerializerCompiler<object>>;

/** The compiler that Fastify uses by default, which only a server that is ready tells. */
async function defaultCompiler(): Promise<FastifySerializerCompiler<object>> {
  const app = Fastify();
  app.get('/', { schema: { response: { 200: Type.String() } } }, async () => '');
  await app.ready();
  const { serializerCompiler } = app;
  await app.close();
  if (!serializerCompiler) throw new Error('Fastify has no compiler of answers');
  return serializerCompiler;
}

const compile = await defaultCompiler();
const compiled = new WeakMap<object, Serialize>();

/**
 * Compiles each schema of an answer once, because routes share schemas, and servers in one process share routes. Not before
 * the first answer: compiling all of them takes an eighth of the start of a server.
 */
export const compileSerializer: FastifySerializerCompiler<object> = (route) => {
  const known = compiled.get(route.schema);
  if (known) return known;
  let compiledLater: Serialize | undefined;
  const serialize: Serialize = (answer) => (compiledLater ??= compile(route))(answer);
  compiled.set(route.schema, serialize);
  return serialize;
};
