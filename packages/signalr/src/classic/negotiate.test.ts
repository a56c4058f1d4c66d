import { describe, expect, test } from 'vitest';
import { defaultClassicTimeouts } from './classic-limits.ts';
import { agreedProtocol, negotiateResponse } from './negotiate.ts';

describe('the negotiated protocol version', () => {
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
  ])('for a client of version %s is %s', ([client, agreed]) => {
    expect(agreedProtocol(client)).toBe(agreed);
  });
});

test('the response has all timeouts in seconds and allows WebSockets', () => {
  const response = negotiateResponse({
    url: '/plant/signalr',
    connectionToken: 'token',
    connectionId: 'id',
    clientProtocol: '1.5',
    timeouts: defaultClassicTimeouts,
  });
  expect(response).toEqual({
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
