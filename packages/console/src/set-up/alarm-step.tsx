import { useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { Stage, TextField } from './stage.tsx';
import type { Installation, Path } from './use-path.ts';

type Props = { readonly path: Path; readonly installation: Installation };

const tagPath = 'SetUp.FirstAlarm';

/** Raises an alarm as a control system would. */
export function AlarmStep({ path, installation: { station, callGroups } }: Props) {
  const words = useWords().setUpPath;
  const [message, setMessage] = useState(words.alarmDefault);
  const group = callGroups.at(-1);
  const raise = async () => {
    const isDone = await path.attempt(async () => {
      const body = {
        path: tagPath,
        ...(station && { stationId: station.id }),
        raised: true,
        priority: 2,
        alarmMessage: message,
        alarmActions: group ? [{ type: 'CallGroup', id: group.id }] : [],
      };
      path.setAlarmId(await path.send<number>({ method: 'POST', path: '/alarms', body }));
    });
    if (isDone) path.finish();
  };
  return (
    <Stage
      path={path}
      name="alarm"
      go={words.steps.alarm.go}
      isReady={group !== undefined}
      hint={group ? words.callsGroup(group.name) : words.noGroup}
      onGo={() => void raise()}
    >
      <div className="form2">
        <TextField label={words.alarmMessage} value={message} onChange={setMessage} isRequired />
      </div>
    </Stage>
  );
}
