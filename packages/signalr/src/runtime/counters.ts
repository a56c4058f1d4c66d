/** Counted since the start of the server. */
export type Counters = {
  negotiated: number;
  opened: number;
  closed: number;
  /** Clients disconnected because they did not keep up. */
  tooSlow: number;
  /** Messages received from clients. */
  received: number;
  /** Requests forwarded to the node that owns the connection. */
  forwarded: number;
  /** WebSockets accepted for connections that another node negotiated. */
  adopted: number;
};
