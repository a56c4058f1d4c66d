import { describe, expect, test } from 'vitest';
import { answeredCall, boiler, gate, holdCall, pump } from '../testing/held-call.ts';
import { canAnnounce, startDialogue } from './dialogue.ts';

const leg = { kind: 'leg' };

describe('one alarm', () => {
  test('a person who answers hears who calls, the alarm, and the keys', () => {
    const call = answeredCall({ caller: 'the Lakeside waterworks' });
    expect(call.said).toBe('This is the Lakeside waterworks. Pump 3 has failed.');
    expect(call.hear().said).toBe(
      'To take the alarm, press 1. If you cannot, press 2, and the next person is called now. ' +
        'To hear this again, press star.',
    );
    expect(call.hear().actions.at(-1)).toEqual({ kind: 'listen', seconds: 6 });
  });

  test('1 takes the alarm, and the call ends after the thanks', () => {
    const call = answeredCall().hear(2).keys('1');
    expect(call.presses).toEqual([{ kind: 'press', choice: 'take', heard: ['pump'], proof: leg }]);
    expect(call.judged('accepted').said).toBe('You have taken the alarm. Thank you.');
    expect(call.isOver).toBe(false);
    expect(call.hear().isOver).toBe(true);
  });

  test('1 in the middle of the alarm takes it, and the person then hears all of it', () => {
    const call = answeredCall().keys('1');
    expect(call.presses).toEqual([{ kind: 'press', choice: 'take', heard: ['pump'], proof: leg }]);
    expect(call.judged('accepted').said).toBe('You have taken the alarm. Thank you. Pump 3 has failed.');
  });

  test('1 during the explanation of the keys does not repeat the alarm', () => {
    const call = answeredCall().hear().keys('1').judged('accepted');
    expect(call.said).toBe('You have taken the alarm. Thank you.');
  });

  test('2 gives the alarm to the next person', () => {
    const call = answeredCall().hear().keys('2');
    expect(call.presses).toEqual([{ kind: 'press', choice: 'refuse', heard: ['pump'], proof: leg }]);
    expect(call.judged('accepted').said).toBe('The next person is called now. Thank you.');
    expect(call.hear().isOver).toBe(true);
  });

  test('the star repeats the alarm; 3 and 4 do nothing', () => {
    const call = answeredCall().hear(2);
    const before = call.actions.length;
    expect(call.keys('340#').actions).toHaveLength(before);
    expect(call.keys('*').said).toBe('Pump 3 has failed.');
  });

  test('a second 1 while the answer is judged is not a second answer', () => {
    const call = answeredCall().keys('111').judged('accepted').keys('1');
    expect(call.presses).toHaveLength(1);
  });

  test('a person who says nothing is asked three times and then hung up on', () => {
    const call = answeredCall().hear(2).silence().hear(2).silence().hear(2);
    expect(call.saidAll.filter((text) => text.includes('Pump 3'))).toHaveLength(3);
    expect(call.silence().said).toBe('Goodbye.');
    expect(call.hear().isOver).toBe(true);
    expect(call.presses).toEqual([]);
  });

  test('a recording is played instead of the text, and the text is there if it cannot be', () => {
    const call = answeredCall({ alarms: [{ ...pump, audio: 'pump.wav' }] });
    expect(call.actions[0]).toMatchObject({
      prompts: [{ kind: 'text' }, { kind: 'audio', name: 'pump.wav', text: 'Pump 3 has failed.' }],
    });
  });

  test('numbers of things are read digit by digit, measured values are not', () => {
    const text = 'Tag 4711: 1234.5 bar, 92,1234 % after 120 s, unit 20481';
    const call = answeredCall({ alarms: [{ ...pump, text }] });
    expect(call.said).toContain('Tag 4 7 1 1: 1234.5 bar, 92,1234 % after 120 s, unit 2 0 4 8 1');
  });
});

describe('judgements', () => {
  test('a person who is late hears who was faster', () => {
    const call = answeredCall().keys('1').judged('late', 'Ann');
    expect(call.said).toBe('The alarm was already taken by Ann.');
    expect(call.hear().isOver).toBe(true);
    expect(answeredCall().keys('1').judged('late').said).toContain('too late');
  });

  test('a person who may not take alarms is told so', () => {
    const call = answeredCall().keys('1').judged('not-allowed');
    expect(call.said).toBe('You are not allowed to take this alarm.');
    expect(call.hear().isOver).toBe(true);
  });

  test('an answer that nobody judges is not claimed to be recorded', () => {
    const call = answeredCall().keys('1');
    expect(call.actions.at(-1)).toEqual({ kind: 'listen', seconds: 15 });
    expect(call.silence().said).toContain('could not be recorded');
    expect(call.hear().isOver).toBe(true);
  });

  test('a judgement that nobody waits for changes nothing', () => {
    const call = answeredCall();
    expect(call.judged('accepted').actions).toHaveLength(1);
    expect(call.hear().said).toContain('press 1');
  });
});

describe('a requested call', () => {
  test('can only be confirmed, and mentions no alarm', () => {
    const call = answeredCall({ hasAlarm: false }).hear(2);
    expect(call.saidAll.join(' ')).not.toMatch(/alarm/i);
    const before = call.actions.length;
    expect(call.keys('234').actions).toHaveLength(before);
    expect(call.keys('1').presses).toEqual([
      { kind: 'press', choice: 'confirm', heard: ['pump'], proof: leg },
    ]);
    expect(call.judged('accepted').said).toBe('Your confirmation is recorded. Thank you.');
  });
});

describe('news that need no answer', () => {
  test('are said, can be repeated, and end the call', () => {
    const over = [{ attemptId: 'a', text: 'The alarm of pump 3 is over.', audio: '' }];
    const call = answeredCall({ answerBy: 'none', alarms: over }).keys('1').hear();
    expect(call.said).toBe('To hear this again, press star.');
    expect(call.keys('*').said).toBe('The alarm of pump 3 is over.');
    expect(call.hear(2).keys('124').silence().hear().isOver).toBe(true);
    expect(call.presses).toEqual([]);
  });

  test('a call without anything to say says goodbye', () => {
    const call = answeredCall({ alarms: [] });
    expect(call.said).toBe('Goodbye.');
    expect(call.hear().isOver).toBe(true);
  });
});

describe('the end of a call by others', () => {
  const taken = { kind: 'farewell', reason: { kind: 'taken', by: 'Ann' } } as const;

  test('a person who listens hears who took the alarm, and is hung up on', () => {
    const call = answeredCall().event(taken);
    expect(call.said).toBe('The alarm was taken by Ann. Goodbye.');
    expect(call.keys('1').presses).toEqual([]);
    expect(call.hear().isOver).toBe(true);
  });

  test('a phone that rings stops ringing', () => {
    expect(holdCall().event(taken).actions).toEqual([{ kind: 'hangUp' }]);
  });

  test('a person whose own answer is being judged hears its result first', () => {
    const call = answeredCall({ alarms: [pump, boiler] })
      .keys('1')
      .event(taken)
      .judged('accepted');
    expect(call.said).toContain('You have taken the alarm.');
    expect(call.hear().isOver).toBe(true);
    const other = answeredCall().keys('1').event(taken).judged('wrong');
    expect(other.said).toBe('The alarm was taken by Ann. Goodbye.');
  });

  test('an alarm that is over is said to be over', () => {
    const call = answeredCall().event({ kind: 'farewell', reason: { kind: 'over' } });
    expect(call.said).toBe('The alarm is over. Goodbye.');
  });

  test('further alarms can be announced until the last sentence', () => {
    expect(
      canAnnounce(startDialogue({ language: '', answerBy: 'digit', alarms: [gate], hasAlarm: true })),
    ).toBe(true);
    const closing = answeredCall()
      .event(taken)
      .event({ kind: 'announced', alarms: [boiler] });
    expect(closing.hear().isOver).toBe(true);
  });
});
