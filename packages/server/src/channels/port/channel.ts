import type { Medium } from '@tocsin/contract';
import type { Logger } from 'pino';
import type { Static, TObject } from 'typebox';
import type { Egress } from '../network/egress.ts';
import type { Message, MessageAlarm } from './message.ts';
import type { ChannelOutcome, LegReference, ReportLeg, ReportReply } from './outcome.ts';
import type { Telephony } from './telephony.ts';

export type MediumKind = Medium['kind'];

export type Health = { readonly works: true } | { readonly works: false; readonly reason: string };

/**
 * A way to reach people. It reports the outcome and never retries by itself: the escalation decides what follows. None of
 * its functions throws.
 */
export type Channel = {
  /**
   * Whether an address has the form that this channel expects; absent if all channels of its medium expect the same.
   */
  understands?(address: string): boolean;
  /**
   * Sends a message or places a call. Resolves as soon as the provider has taken it, or cannot. What happens to a call
   * afterwards is reported; `report` is absent when nobody waits for it.
   */
  place(message: Message, signal: AbortSignal, report?: ReportLeg): Promise<ChannelOutcome>;
  /** Tells a person whose call rings or goes on of further alarms. Returns false if the call cannot take them any more. */
  announce?(leg: LegReference, alarms: readonly MessageAlarm[]): Promise<boolean>;
  /** Ends a call, with a last sentence if somebody listens. Does nothing if there is no call. */
  hangUp?(leg: LegReference, signal: AbortSignal, farewell?: Farewell): Promise<void>;
  /** Reads the outcome of an attempt from the provider; undefined if the provider does not know it. */
  query?(leg: LegReference, signal: AbortSignal): Promise<ChannelOutcome | undefined>;
  /** Reads an HTTP call-back of the provider: checks its signature and says what to answer. */
  receive?(request: CallbackRequest): CallbackReading;
  /**
   * Holds a connection that brings replies and receipts until the signal is aborted. One server at a time does so for a
   * channel. Throws when the connection fails; it is then called again.
   */
  listen?(signal: AbortSignal): Promise<void>;
  /** Calls live in this process: they end with it, and only this process can hang them up. */
  readonly callsLiveHere?: boolean;
  /** The calls that the channel can carry at once, and that it carries now. */
  capacity?(): { readonly lines: number; readonly inUse: number };
  /** Checks whether the provider answers, without calling a person. */
  check(signal: AbortSignal): Promise<Health>;
  /** Closes connections, and ends calls that live in this process. */
  close?(): void | Promise<void>;
};

/** Why a call is hung up: somebody has taken the alarm, or it is over. */
export type Farewell = ({ readonly kind: 'taken'; readonly by: string } | { readonly kind: 'over' }) & {
  /** Of the person, as BCP 47; for channels that do not remember in which language they speak. */
  readonly language?: string;
};

export type CallbackRequest = {
  /** The URL as the provider called it, with its query: some providers sign it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The unparsed body, because that was signed. */
  readonly body: string;
  readonly now: Date;
};

/** Empty if the provider expects no content. */
export type CallbackResponse = { readonly contentType: string; readonly body: string };

export type CallbackReading =
  | {
      readonly kind: 'report';
      /** The provider's id of this report. A second report with the same id is a repetition or a replay. */
      readonly callbackId: string;
      readonly incoming: Incoming;
      /** What the provider expects as an answer. */
      readonly response: CallbackResponse;
      /** The answer when it depends on the server's reply, such as a sentence that is spoken to the caller. */
      readonly responseTo?: (reply: ReportReply) => CallbackResponse;
    }
  | { readonly kind: 'refused'; readonly reason: 'not-signed' | 'not-understood' };

/** Something that came in for an attempt. */
export type Incoming =
  /** `attemptId` is empty if the provider tells only its own reference. */
  | { readonly kind: 'outcome'; readonly attemptId: string; readonly outcome: ChannelOutcome }
  /** A text from a person. `attemptId` is empty if only the sender tells which attempt is answered. */
  | { readonly kind: 'reply'; readonly attemptId: string; readonly from: string; readonly text: string };

/** Takes in what a channel receives on its own connections. Resolves when it is stored; then it may be confirmed. */
export type Inbox = (incoming: Incoming) => Promise<void>;

export type MediaContent = { readonly contentType: string; readonly content: Buffer };

/** The environment of a channel besides its settings. */
export type ChannelContext = {
  readonly medium: MediumKind;
  readonly egress: Egress;
  /** For details of failures that a tenant must not see. */
  readonly log: Logger;
  readonly now: () => Date;
  /** Reads a file of the tenant's media library; undefined if there is none of that name. */
  readonly readMedia: (name: string) => Promise<MediaContent | undefined>;
  readonly inbox: Inbox;
  /** The folder of the tenant's modems on this server; undefined if the operator has set up none. */
  readonly modemDirectory?: string | undefined;
  /** Signs what comes back to the channels of this tenant, the same on every server; absent if nobody waits for it. */
  readonly signingKey?: Buffer | undefined;
  /** Absent on a server that makes no telephone calls itself. */
  readonly telephony?: Telephony | undefined;
};

/** A kind of channel. It describes its settings, so that a console can show a form for any kind. */
export type ChannelKind = {
  readonly title: string;
  readonly description: string;
  /** The media it can serve; the first one is the default. */
  readonly media: readonly MediumKind[];
  readonly settings: TObject;
  create(settings: unknown, context: ChannelContext): Channel;
};

/** Describes a kind with the type of its settings. Settings are checked against the schema before `create`. */
export function channelKind<Settings extends TObject>(kind: {
  title: string;
  description: string;
  media: readonly MediumKind[];
  settings: Settings;
  create(settings: Static<Settings>, context: ChannelContext): Channel;
}): ChannelKind {
  return { ...kind, create: (settings, context) => kind.create(settings as Static<Settings>, context) };
}
