const finalText = 0x81;
const finalBinary = 0x82;

/** Frames a message. Frames of a server are not masked, so the same buffer is sent to all clients. */
export function webSocketFrame(payload: Buffer, kind: 'text' | 'binary'): Buffer {
  const length = payload.length;
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(headerLength + length);
  frame[0] = kind === 'text' ? finalText : finalBinary;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, headerLength);
  return frame;
}
