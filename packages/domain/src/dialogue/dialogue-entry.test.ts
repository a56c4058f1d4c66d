import { describe, expect, test } from 'vitest';
import { answeredCall, boiler, gate, pump } from '../testing/held-call.ts';

const withPin = { answerBy: 'pin' } as const;
const withCode = { answerBy: 'code', code: '482913' } as const;

describe('with a PIN', () => {
  test('1 asks for the PIN, and the hash key ends it', () => {
    const call = answeredCall(withPin).hear().keys('1');
    expect(call.presses).toEqual([]);
    expect(call.said).toBe('Enter your PIN, then press the hash key.');
    expect(call.keys('4711#').presses).toEqual([
      { kind: 'press', choice: 'take', heard: ['pump'], proof: { kind: 'pin', given: '4711' } },
    ]);
  });

  test('a silence of four seconds ends the PIN, too', () => {
    const call = answeredCall(withPin).keys('2').hear().keys('4711');
    expect(call.actions.at(-1)).toEqual({ kind: 'listen', seconds: 4 });
    expect(call.silence().presses[0]).toMatchObject({ choice: 'refuse', proof: { given: '4711' } });
  });

  test('three wrong PINs end the call', () => {
    const call = answeredCall(withPin).keys('11#').judged('wrong');
    expect(call.said).toBe('This PIN is wrong. Enter your PIN, then press the hash key.');
    call.keys('2#').judged('wrong').keys('3#').judged('wrong');
    expect(call.presses.map(({ proof }) => 'given' in proof && proof.given)).toEqual(['1', '2', '3']);
    expect(call.said).toBe('There were too many wrong digits. Goodbye.');
    expect(call.hear().isOver).toBe(true);
  });

  test('a PIN that the server has locked ends the call', () => {
    const call = answeredCall(withPin).keys('147#').judged('locked');
    expect(call.said).toContain('too many wrong');
    expect(call.hear().isOver).toBe(true);
  });

  test('a voice mail that plays a tone takes nothing', () => {
    const call = answeredCall(withPin).hear().keys('1').hear().silence().hear().silence().hear().silence();
    expect(call.said).toBe('Goodbye.');
    expect(call.hear().isOver).toBe(true);
    expect(call.presses).toEqual([]);
  });

  test('a voice mail that plays one tone for ever takes nothing', () => {
    const call = answeredCall(withPin);
    for (let press = 0; press < 200 && !call.isOver; press++) call.keys('1').judged('wrong').hear();
    expect(call.isOver).toBe(true);
    expect(call.presses.length).toBeLessThanOrEqual(3);
  });

  test('the star clears the PIN, and the hash key without digits leads back to the keys', () => {
    const call = answeredCall(withPin).keys('199*');
    expect(call.said).toContain('Enter your PIN');
    expect(call.keys('4711#').presses[0]?.proof).toEqual({ kind: 'pin', given: '4711' });
    expect(answeredCall(withPin).keys('1#').said).toContain('To take the alarm, press 1.');
  });

  test('an alarm that joins while the PIN is entered is not taken with it', () => {
    const call = answeredCall(withPin)
      .hear()
      .keys('147')
      .event({ kind: 'announced', alarms: [boiler] });
    expect(call.keys('11#').presses[0]).toMatchObject({ heard: ['pump'], proof: { given: '4711' } });
  });
});

describe('with a code', () => {
  test('all alarms are said, then the code digit by digit', () => {
    const call = answeredCall({ ...withCode, alarms: [pump, boiler, gate] }).hear(3);
    expect(call.said).toContain('To take all 3 alarms, press 4 8 2 9 1 3.');
    expect(call.keys('482913#').presses).toEqual([
      {
        kind: 'press',
        choice: 'take',
        heard: ['pump', 'boiler', 'gate'],
        proof: { kind: 'code', given: '482913' },
      },
    ]);
  });

  test('the code alone or with 1 takes the alarm, with 2 it confirms the call', () => {
    const press = (keys: string) => answeredCall(withCode).hear(2).keys(keys).silence().presses[0];
    expect(press('482913')).toMatchObject({ choice: 'take', proof: { given: '482913' } });
    expect(press('4829131')).toMatchObject({ choice: 'take', proof: { given: '482913' } });
    expect(press('4829132')).toMatchObject({ choice: 'confirm', proof: { given: '482913' } });
  });

  test('a code that was begun during the first of two alarms takes the first', () => {
    const call = answeredCall({ ...withCode, alarms: [pump, boiler] }).keys('482913#');
    expect(call.presses[0]?.heard).toEqual(['pump']);
  });

  test('three wrong codes end the call', () => {
    const call = answeredCall(withCode).hear();
    call.keys('111111#').judged('wrong');
    expect(call.said).toContain('These digits are wrong. To take the alarm, press 4 8 2 9 1 3.');
    call.keys('2#').judged('wrong').keys('3#').judged('wrong');
    expect(call.said).toContain('too many wrong');
  });

  test('an alarm that joins is said before the answer is asked for again', () => {
    const call = answeredCall(withCode)
      .hear()
      .event({ kind: 'announced', alarms: [boiler] })
      .hear();
    expect(call.said).toBe('Alarm 2 of 2: The boiler is too hot.');
    expect(call.hear().said).toContain('To take all 2 alarms');
  });

  test('the star repeats from the first alarm, also instead of a code that was begun', () => {
    const call = answeredCall({ ...withCode, alarms: [pump, boiler] }).hear(2);
    expect(call.keys('*').said).toContain('Pump 3 has failed.');
    expect(call.keys('48*').said).toContain('press 4 8 2 9 1 3');
  });

  test('a requested call is confirmed by the code', () => {
    const call = answeredCall({ ...withCode, hasAlarm: false })
      .hear()
      .keys('482913#');
    expect(call.presses[0]?.choice).toBe('confirm');
  });
});
