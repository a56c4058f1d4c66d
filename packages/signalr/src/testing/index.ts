export { type Frame, negotiate, type RawClient } from '../classic/testing/raw-client.fixture.ts';
export { createFanOut } from '../runtime/fan-out.ts';
