import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const Service = Type.Object({
  image: Type.Optional(Type.String()),
  build: Type.Optional(
    Type.Union([Type.String(), Type.Object({ args: Type.Record(Type.String(), Type.String()) })]),
  ),
  user: Type.Optional(Type.String()),
  entrypoint: Type.Optional(Type.Array(Type.String())),
  command: Type.Optional(Type.Array(Type.String())),
  cap_drop: Type.Optional(Type.Array(Type.String())),
  cap_add: Type.Optional(Type.Array(Type.String())),
  security_opt: Type.Optional(Type.Array(Type.String())),
  read_only: Type.Optional(Type.Boolean()),
  tmpfs: Type.Optional(Type.Array(Type.String())),
  privileged: Type.Optional(Type.Boolean()),
  environment: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  secrets: Type.Optional(Type.Array(Type.String())),
  ports: Type.Optional(Type.Array(Type.String())),
  healthcheck: Type.Optional(Type.Object({ test: Type.Array(Type.String()) })),
  stop_grace_period: Type.Optional(Type.String()),
});
export type Service = Static<typeof Service>;

const Compose = Type.Object({ services: Type.Record(Type.String(), Service) });

/** The services of a compose file. */
export const readServices = (file: string | URL): Record<string, Service> =>
  Value.Parse(Compose, parse(readFileSync(file, 'utf8'))).services;
