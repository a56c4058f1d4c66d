import { describe, expect, test } from 'vitest';
import { answeredCall, boiler, gate, holdCall, pump } from '../testing/held-call.ts';

const three = { alarms: [pump, boiler, gate] };
const further = { kind: 'announced', alarms: [boiler] } as const;

describe('several alarms in one call', () => {
  test('the person hears how many there are, the first one, and the keys', () => {
    const call = answeredCall(three);
    expect(call.said).toBe('This is Tocsin. There are 3 alarms. The first one: Pump 3 has failed.');
    expect(call.hear().said).toBe(
      'To take the alarms that you have heard, press 1. If you cannot, press 2, and the next person is called now. ' +
        'For the next alarm, press 3. To take only this alarm, press 4. To hear this again, press star.',
    );
    expect(call.keys('3').said).toBe('Alarm 2 of 3: The boiler is too hot.');
  });

  test('1 takes the alarms that were said, and the call goes on with the others', () => {
    const call = answeredCall(three).hear().keys('3').hear().keys('1');
    expect(call.presses[0]).toMatchObject({ choice: 'take', heard: ['pump', 'boiler'] });
    expect(call.judged('accepted').said).toBe('You have taken 2 alarms. Thank you.');
    expect(call.hear().said).toBe('There is one further alarm. Alarm 3 of 3: The gate is open.');
    expect(call.hear().keys('1').presses[1]).toMatchObject({ heard: ['gate'] });
  });

  test('an alarm that was skipped before its end is not taken, but told again', () => {
    const call = answeredCall(three).keys('3').hear().keys('1');
    expect(call.presses[0]?.heard).toEqual(['boiler']);
    expect(call.judged('accepted').hear().said).toBe(
      'There are 2 further alarms. Alarm 1 of 3: Pump 3 has failed.',
    );
  });

  test('1 in the middle of the second alarm takes the first and the second', () => {
    const call = answeredCall(three).hear().keys('31');
    expect(call.presses[0]?.heard).toEqual(['pump', 'boiler']);
    expect(call.judged('accepted').said).toContain('The boiler is too hot.');
  });

  test('4 takes only the alarm that is being said', () => {
    const call = answeredCall(three).hear().keys('3').hear().keys('4');
    expect(call.presses[0]).toMatchObject({ choice: 'take', heard: ['boiler'] });
    expect(call.judged('accepted').hear().said).toContain('The gate is open.');
  });

  test('2 refuses only the alarms that were said', () => {
    const call = answeredCall(three).hear().keys('2');
    expect(call.presses[0]).toMatchObject({ choice: 'refuse', heard: ['pump'] });
    expect(call.judged('accepted').hear().said).toContain('The boiler is too hot.');
  });

  test('keys during the thanks do not answer for the next alarm', () => {
    const call = answeredCall(three).hear().keys('1').judged('accepted').keys('1111');
    expect(call.presses).toHaveLength(1);
  });

  test('after the last alarm 3 leads to the first one again', () => {
    expect(answeredCall(three).keys('333').said).toBe('Alarm 1 of 3: Pump 3 has failed.');
  });

  test('an alarm that somebody else has taken does not end the call for the others', () => {
    const call = answeredCall(three).hear().keys('1').judged('late', 'Ann').hear();
    expect(call.said).toBe('There are 2 further alarms. Alarm 2 of 3: The boiler is too hot.');
  });
});

describe('alarms that join a call', () => {
  test('while it rings are counted from the beginning', () => {
    const call = holdCall().event(further).event({ kind: 'answered' });
    expect(call.said).toBe('This is Tocsin. There are 2 alarms. The first one: Pump 3 has failed.');
    expect(call.hear().said).not.toContain('further');
  });

  test('while an alarm is said are mentioned after it, and are not taken unheard', () => {
    const call = answeredCall().event(further);
    expect(call.actions).toHaveLength(1);
    expect(call.hear().said).toContain('There is one further alarm. To take the alarms that you have heard');
    expect(call.keys('1').presses[0]?.heard).toEqual(['pump']);
    expect(call.judged('accepted').hear().said).toContain('The boiler is too hot.');
  });

  test('while the keys are explained are mentioned after them', () => {
    expect(answeredCall().hear().event(further).hear().said).toContain('There is one further alarm.');
  });

  test('while a key is waited for are mentioned without counting as a silent round', () => {
    const call = answeredCall().hear(2).event(further).silence();
    expect(call.said).toContain('There is one further alarm.');
    expect(call.hear().silence().hear(2).silence().said).toContain('Pump 3');
  });

  test('while the thanks are said are told afterwards', () => {
    const call = answeredCall().hear().keys('1').judged('accepted').event(further).hear();
    expect(call.said).toBe('There is one further alarm. Alarm 2 of 2: The boiler is too hot.');
  });

  test('twice are told once', () => {
    const call = holdCall().event(further).event(further).event({ kind: 'answered' });
    expect(call.said).toContain('There are 2 alarms.');
  });
});
