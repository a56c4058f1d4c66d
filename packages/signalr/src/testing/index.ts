export { type Frame, negotiate, type RawClient } from '../classic/raw-client.fixture.ts';
export { createFanOut } from '../fan-out.ts';
