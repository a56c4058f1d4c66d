/** How a scripted phone behaves. The XML of sipp is written from it. */
export type SippBehaviour =
  /** Rings unless `rings` is false, then answers with the code. */
  | { kind: 'rejects'; status: string; rings?: boolean }
  | { kind: 'rings for ever' }
  /** Takes the call and says nothing to it at all, not even "100 Trying". */
  | { kind: 'is silent' }
  /** Answers, and waits for the other side to hang up. Keys are sent by RFC 4733 or by SIP INFO. */
  | { kind: 'answers'; keys?: string; by?: 'rtp' | 'info'; afterMs?: number }
  /** "100 Trying" at once, but rings only later, as a mobile network does. */
  | { kind: 'rings late'; afterMs: number }
  /** Asks for a password first, and hangs up on a wrong one. */
  | { kind: 'asks for a password'; user: string; password: string }
  /** The same for a log-in. */
  | { kind: 'registers'; user: string; password: string };

const digitNames: Record<string, string> = { '*': 'star', '#': 'pound' };
const pcap = (key: string) => `/usr/share/sip-tester/dtmf_2833_${digitNames[key] ?? key}.pcap`;

export function sippScenario(behaviour: SippBehaviour): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="phone">\n${stepsOf(behaviour)}${used}</scenario>\n`;
}

function stepsOf(behaviour: SippBehaviour): string {
  switch (behaviour.kind) {
    case 'rejects': {
      const ring = behaviour.rings === false ? '' : response('180 Ringing');
      return invite() + ring + response(behaviour.status) + receive('ACK');
    }
    case 'rings for ever':
      return invite() + response('180 Ringing') + untilCancelled();
    case 'is silent':
      return `${invite()}<pause milliseconds="60000"/>\n`;
    case 'rings late':
      return (
        invite() +
        response('100 Trying') +
        `<pause milliseconds="${behaviour.afterMs}"/>\n` +
        response('180 Ringing') +
        accept() +
        receive('ACK') +
        receive('BYE') +
        response('200 OK')
      );
    case 'answers':
      return (
        invite() +
        response('180 Ringing') +
        accept() +
        receive('ACK') +
        `<pause milliseconds="${behaviour.afterMs ?? 0}"/>\n` +
        Array.from(behaviour.keys ?? '', (key) =>
          behaviour.by === 'info' ? infoKey(key) : rtpKey(key),
        ).join('') +
        receive('BYE') +
        response('200 OK')
      );
    case 'asks for a password':
      return passwordSteps(behaviour);
    case 'registers':
      return registrarSteps(behaviour);
  }
}

const receive = (request: string) => `<recv request="${request}" timeout="60000"/>\n`;
/** Keeps the route, so that requests within the call come back. */
const invite = () => `<recv request="INVITE" rrs="true"><action>
<ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>
<ereg regexp=".*" search_in="hdr" header="To:" assign_to="called"/>
<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="sequence"/>
</action></recv>
`;
/** sipp refuses a scenario that assigns a variable and never reads it. */
const used = '<Reference variables="caller,called,sequence"/>\n';

function response(status: string, more = '', body = ''): string {
  const tag = status.startsWith('100') ? '' : ';tag=[pid]phone[call_number]';
  return `<send><![CDATA[

SIP/2.0 ${status}
[last_Via:]
[last_From:]
[last_To:]${tag}
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>
${more}Content-Length: ${body === '' ? '0' : '[len]'}

${body}]]></send>
`;
}

const sdp = `v=0
o=phone 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [auto_media_port] RTP/AVP 8 101
a=rtpmap:8 PCMA/8000
a=rtpmap:101 telephone-event/8000
a=fmtp:101 0-15

`;

const accept = () => response('200 OK', 'Content-Type: application/sdp\n', sdp);

/** sipp's own `play_dtmf` uses another payload type than the negotiated one. */
const rtpKey = (key: string) =>
  `<pause milliseconds="700"/>\n<nop><action><exec play_pcap_audio="${pcap(key)}"/></action></nop>\n<pause milliseconds="500"/>\n`;

function infoKey(key: string): string {
  return `<pause milliseconds="700"/>
<send retrans="500"><![CDATA[

INFO [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From:[$called];tag=[pid]phone[call_number]
To:[$caller]
Call-ID: [call_id]
CSeq: 1 INFO
Max-Forwards: 70
Content-Type: application/dtmf-relay
Content-Length: [len]

Signal=${key}
Duration=160
]]></send>
<recv response="200"/>
`;
}

const untilCancelled = () =>
  receive('CANCEL') +
  response('200 OK') +
  response('487 Request Terminated').replace('[last_CSeq:]', 'CSeq:[$sequence]') +
  receive('ACK');

const challenge = 'WWW-Authenticate: Digest realm="plant", nonce="4f1e2d3c", algorithm=MD5\n';

/** A log-off is a log-in without a password at first, too: both are answered the same way. */
function registrarSteps({ user, password }: { user: string; password: string }): string {
  return `<recv request="REGISTER"><action>
<ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>
<ereg regexp=".*" search_in="hdr" header="To:" assign_to="called"/>
<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="sequence"/>
</action></recv>
${response('401 Unauthorized', challenge)}<recv request="REGISTER">
<action><verifyauth assign_to="valid" username="${user}" password="${password}"/></action>
</recv>
<nop hide="true" test="valid" next="1"/>
${response('403 Forbidden')}<nop hide="true" next="2"/>
<label id="1"/>
${response('200 OK', 'Expires: 60\n')}
<label id="2"/>
`;
}

function passwordSteps({ user, password }: { user: string; password: string }): string {
  return `${invite()}${response('401 Unauthorized', challenge)}${receive('ACK')}<recv request="INVITE" rrs="true">
<action><verifyauth assign_to="valid" username="${user}" password="${password}"/></action>
</recv>
<nop hide="true" test="valid" next="1"/>
${response('403 Forbidden')}${receive('ACK')}<nop hide="true" next="2"/>
<label id="1"/>
${response('180 Ringing')}${accept()}${receive('ACK')}${receive('BYE')}${response('200 OK')}
<label id="2"/>
`;
}
