import { describe, expect, test } from 'vitest';
import { classicTimings } from './classic-timings.ts';
import { agreedProtocol, negotiateAnswer } from './negotiation.ts';

describe('the protocol that is agreed on', () => {
  test.for([
    ['1.0', '1.2'],
    ['1.2', '1.2'],
    ['1.3', '1.3'],
    ['1.4', '1.4'],
    ['1.5', '1.5'],
    ['1.5.1', '1.5'],
    ['2.0', '2.0'],
    ['2.1', '2.0'],
    ['99.0', '2.0'],
    ['latest', '1.2'],
    ['-1.5', '1.2'],
    ['', '1.2'],
    [undefined, '1.2'],
  ])('for a client that speaks %s is %s', ([client, agreed]) => {
    expect(agreedProtocol(client)).toBe(agreed);
  });
});

test('a client is told all times in seconds, and that it may use WebSockets', () => {
  const answer = negotiateAnswer({
    url: '/plant/signalr',
    connectionToken: 'token',
    connectionId: 'id',
    clientProtocol: '1.5',
    timings: classicTimings,
  });
  expect(answer).toEqual({
    Url: '/plant/signalr',
    ConnectionToken: 'token',
    ConnectionId: 'id',
    KeepAliveTimeout: 20,
    DisconnectTimeout: 30,
    ConnectionTimeout: 110,
    TryWebSockets: true,
    ProtocolVersion: '1.5',
    TransportConnectTimeout: 5,
    LongPollDelay: 0,
  });
});
