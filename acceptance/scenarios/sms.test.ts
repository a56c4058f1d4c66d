import { test as base, describe } from 'vitest';
import { writeFrame } from '../harness/sms/pdu.ts';
import { startPerlCentre } from '../harness/sms/perl-centre.ts';
import { startSmsCentre } from '../harness/sms/sms-centre.ts';
import { codeIn, openCentrePlant, openModemPlant } from '../harness/sms/sms-plant.ts';

/** The two centres share no code: ours can do everything, Net::SMPP shows that we speak the protocol that others speak. */
async function openPlants() {
  // The first server fills the compile cache for the others.
  const ours = await openCentrePlant(await startSmsCentre());
  const [perl, modem] = await Promise.all([startPerlCentre().then(openCentrePlant), openModemPlant()]);
  return { ours, perl, modem };
}

const test = base
  .extend('opened', { scope: 'file' }, openPlants)
  .extend('plants', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(async () => void (await Promise.all(Object.values(opened).map((plant) => plant.close()))));
    return opened;
  });
// The start of the servers is not part of the time that a test may take.
test.beforeAll(({ plants }) => void plants);

/** The plant with our own centre, and the one with Perl's Net::SMPP. */
const centres = ['ours', 'perl'] as const;

describe('people are reached by SMS', () => {
  test.concurrent.for(centres)(
    'a guard gets the alarm by SMPP, and takes it by replying the code: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const anna = await plant.hire('Anna');
      const alarmId = await plant.alarmFor([anna], { alarmMessage: 'Pump 3 fails: 95 °C' });
      const [text = ''] = await plant.centre.textsFor(anna.number);
      expect(text).toContain('Pump 3 fails: 95 °C');
      expect(codeIn(text)).toMatch(/^\d{6}$/);
      expect(await plant.centre.reply(anna.number, `ok ${codeIn(text)}`)).toBe(0);
      expect(await plant.untilTaken(alarmId)).toBe('Anna');
    },
  );

  test.concurrent.for(centres)(
    'a long text with emoji arrives whole, and can be answered: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const bea = await plant.hire('Bea');
      const message = `Fire 🔥 in hall 3. ${'Leave by the north door 👨‍🔧. '.repeat(5)}`.trim();
      const alarmId = await plant.alarmFor([bea], { alarmMessage: message });
      await expect
        .poll(async () => (await plant.centre.textsFor(bea.number))[0], { timeout: 30_000 })
        .toMatch(/Reply \d{6} to take/);
      const [text = ''] = await plant.centre.textsFor(bea.number);
      expect(text).toContain(message);
      expect(plant.centre.received.filter(({ to }) => to === bea.number.slice(1)).length).toBeGreaterThan(2);
      await plant.centre.reply(bea.number, codeIn(text));
      expect(await plant.untilTaken(alarmId)).toBe('Bea');
    },
  );

  test.concurrent.for(centres)(
    'a receipt is shown in the timeline, delivered or not: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const [carl, dora] = [await plant.hire('Carl'), await plant.hire('Dora')];
      plant.centre.behave({ kind: 'accept', receipt: 'DELIVRD' }, carl.number.slice(1));
      plant.centre.behave({ kind: 'accept', receipt: 'UNDELIV' }, dora.number.slice(1));
      const delivered = await plant.alarmFor([carl]);
      const undelivered = await plant.alarmFor([dora]);
      await plant.untilTimeline(delivered, ({ call }) => call?.status === 'Delivered');
      const failed = await plant.untilTimeline(undelivered, ({ call }) => call?.status === 'Failed');
      expect(JSON.stringify(failed)).toContain('could not be delivered');
    },
  );

  test.concurrent.for(centres)(
    'a forged reply takes nothing, neither the code from another number nor another code: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const [emma, fred] = [await plant.hire('Emma'), await plant.hire('Fred')];
      const alarmId = await plant.alarmFor([emma]);
      const [text = ''] = await plant.centre.textsFor(emma.number);
      const code = codeIn(text);
      const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
      expect(await plant.centre.reply(fred.number, code)).toBe(0);
      expect(await plant.centre.reply('+4915100000000', code)).toBe(0);
      expect(await plant.centre.reply(emma.number, wrong)).toBe(0);
      expect(await plant.centre.reply(emma.number, 'yes, I am coming')).toBe(0);
      await plant.untilTimeline(alarmId, ({ answer }) => answer?.judgement === 'wrong');
      expect((await plant.alarmOf(alarmId)).ackUser).toBe('');
      await plant.centre.reply(emma.number, code);
      expect(await plant.untilTaken(alarmId)).toBe('Emma');
    },
  );

  test.concurrent.for(centres)(
    'malformed PDUs of the centre stop neither messages nor replies: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const gil = await plant.hire('Gil');
      await expect.poll(plant.centre.bound).toBe(1);
      const binds = plant.centre.binds();
      const endless = Buffer.from([0x41, 0, 0x04, 0x27, 0xff, 0xff]);
      for (const command of [0x05, 0x8000_0004, 0x0fff, 0x8000_0015])
        plant.centre.send(writeFrame(command, 0x7000_0000, { body: endless }));
      const alarmId = await plant.alarmFor([gil]);
      const [text = ''] = await plant.centre.textsFor(gil.number);
      await plant.centre.reply(gil.number, codeIn(text));
      expect(await plant.untilTaken(alarmId)).toBe('Gil');
      expect(plant.centre.binds()).toBe(binds);
    },
  );

  test.concurrent('a modem without any network sends the alarm, and its reply takes it', async ({
    plants: { modem: plant },
    expect,
  }) => {
    const hana = await plant.hire('Hana');
    const alarmId = await plant.alarmFor([hana], { alarmMessage: 'Überlauf 🔥 Becken 3' });
    const [text = ''] = await plant.modem.textsFor(hana.number);
    expect(text).toContain('Überlauf 🔥 Becken 3');
    await plant.modem.receive('+33699999999', codeIn(text));
    await plant.modem.receive(hana.number, codeIn(text));
    expect(await plant.untilTaken(alarmId)).toBe('Hana');
  });
});

// A throttle and a cut concern all messages of a centre, so these do not run beside the others.
describe('a centre asks for fewer messages', () => {
  test.concurrent.for(centres)(
    'a throttled message arrives later, and nobody is passed over: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const [ida, jon] = [await plant.hire('Ida'), await plant.hire('Jon')];
      plant.centre.behave({ kind: 'refuse', status: 0x58, times: 2 }, ida.number.slice(1));
      const alarmId = await plant.alarmFor([ida, jon]);
      const [, , text = ''] = await plant.centre.textsFor(ida.number, 3);
      await plant.centre.reply(ida.number, codeIn(text));
      expect(await plant.untilTaken(alarmId)).toBe('Ida');
      expect(plant.centre.received.filter(({ to }) => to === jon.number.slice(1))).toEqual([]);
    },
  );
});

describe('the connection to a centre is cut', () => {
  test.concurrent.for(centres)(
    'a cut with messages in flight loses none, and says which may have come twice: %s',
    async (name, { plants: { [name]: plant }, expect }) => {
      const guards = await Promise.all(Array.from({ length: 8 }, (_, index) => plant.hire(`Guard${index}`)));
      for (const { number } of guards) plant.centre.behave({ kind: 'silent' }, number.slice(1));
      const alarms = await Promise.all(guards.map((guard) => plant.alarmFor([guard], {}, { attempts: 3 })));
      for (const { number } of guards) await plant.centre.textsFor(number);
      for (const { number } of guards) plant.centre.behave({ kind: 'accept' }, number.slice(1));
      plant.centre.cut();
      const stories = alarms.map(async (alarmId, index) => {
        const { id, name: person, number } = guards[index] ?? { id: 0, name: '', number: '' };
        const texts = await plant.centre.textsFor(number, 2);
        const doubtful = await plant.untilTimeline(alarmId, (entry) =>
          JSON.stringify(entry).includes('arrive twice'),
        );
        expect(doubtful.call).toMatchObject({ userId: id, status: 'Failed' });
        await expect.poll(plant.centre.bound, { timeout: 30_000 }).toBeGreaterThan(0);
        await plant.centre.reply(number, codeIn(texts[0] ?? ''));
        expect(await plant.untilTaken(alarmId)).toBe(person);
      });
      await Promise.all(stories);
    },
  );
});
