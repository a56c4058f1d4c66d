import type { EscalationEvent, UnreachableUser } from '@tocsin/domain';
import type { CallDirectory } from './call-directory.ts';
import type { EscalationWork } from './escalation-work.store.ts';
import type { SystemAlarmDraft, Tries } from './system-alarm.store.ts';

type EscalationReport = {
  work: Pick<EscalationWork, 'tagId' | 'callId' | 'plan'>;
  directory: CallDirectory;
  events: readonly EscalationEvent[];
};

type NobodyOnDuty = Extract<EscalationEvent, { kind: 'nobody-on-duty' }>;

/** The system alarms for calls that an escalation could not make. */
export function systemAlarmsOf(
  { work, directory, events }: EscalationReport,
  tries: Tries | undefined,
): SystemAlarmDraft[] {
  const about = aboutOf(work);
  return events.flatMap((event) => {
    if (event.kind === 'exhausted' && work.tagId !== null)
      return [exhausted(directory, { about, tagId: work.tagId, tries })];
    if (event.kind === 'nobody-on-duty') return nobody(directory, event, { about, work });
    return [];
  });
}

function aboutOf({ tagId, callId, plan }: EscalationReport['work']): string {
  const name = tagId === null ? `call ${callId}` : `alarm ${tagId}`;
  const text = plan.message.text.split('\n', 1)[0]?.slice(0, 120) ?? '';
  return text === '' ? name : `${name} (${text})`;
}

function exhausted(
  directory: CallDirectory,
  { about, tagId, tries }: { about: string; tagId: number; tries: Tries | undefined },
): SystemAlarmDraft {
  return {
    path: `dispatch/exhausted/${tagId}`,
    kind: 'exhausted',
    subject: tagId,
    cause: 'exhausted',
    message: `${exhaustedText(directory, about, tries)}; the calling goes on`,
    extraMembers: { resetMessage: `Nobody needs to be called any more for ${about}` },
  };
}

function exhaustedText({ groups }: CallDirectory, about: string, tries: Tries | undefined): string {
  if (!tries || tries.made === 0) return `There was nobody who could be called for ${about}`;
  const groupNames = tries.groupIds.map((id) => groups.get(id)?.name ?? `${id}`);
  const of = groupNames.length === 0 ? '' : ` of call group ${listed(groupNames)}`;
  const who = `${listed(tries.names)}${of}`;
  const calls = tries.made === 1 ? '1 call' : `${tries.made} calls`;
  if (tries.gotThrough > 0) return `${calls} to ${who} for ${about}, and nobody has acknowledged`;
  return `${calls} to ${who} for ${about}, and none got through: ${tries.lastReason || 'no answer of the provider'}`;
}

function nobody(
  directory: CallDirectory,
  event: NobodyOnDuty,
  { about, work }: { about: string; work: EscalationReport['work'] },
): SystemAlarmDraft[] {
  const { groupId, cause, unreachable, wholeGroup } = event;
  const why = unreachable.map((one) => whyOf(directory, one)).join(', ');
  if (groupId === 0) {
    const subject = unreachable[0]?.userId ?? work.plan.targets[event.target]?.stages[0]?.userIds[0] ?? 0;
    return [
      {
        path: `dispatch/nobody-to-call/user-${subject}`,
        kind: 'user',
        subject,
        cause: why,
        message: `Nobody can be called for ${about}: ${why}${lastResortText(event)}`,
        extraMembers: { resetMessage: `${nameOf(directory, subject)} can be called again, or need not be` },
      },
    ];
  }
  const name = directory.groups.get(groupId)?.name;
  const group = `call group ${name ?? groupId}`;
  return [
    {
      path: `dispatch/${cause === 'off-duty' ? 'nobody-on-duty' : 'nobody-to-call'}/${groupId}`,
      kind: 'group',
      subject: groupId,
      cause: `${cause} ${why} ${wholeGroup}`,
      message: groupText({ group, about, why, isGone: name === undefined }, event),
      extraMembers: { resetMessage: `Somebody of ${group} can be called again, or nobody needs it` },
    },
  ];
}

function groupText(
  { group, about, why, isGone }: { group: string; about: string; why: string; isGone: boolean },
  event: NobodyOnDuty,
): string {
  const { cause, wholeGroup } = event;
  if (isGone) return `There is no ${group} any more, which was to be called for ${about}`;
  if (cause === 'empty') return `There is nobody in ${group}, which is to be called for ${about}`;
  if (cause === 'unreachable')
    return `Nobody of ${group} can be called for ${about}: ${why}${lastResortText(event)}`;
  return `Nobody of ${group} is on duty for ${about}${wholeGroup ? ': everybody in it is called' : ''}`;
}

function lastResortText({ lastResort }: Pick<NobodyOnDuty, 'lastResort'>): string {
  return lastResort ? '; unconfirmed addresses are called, because nobody else is left' : '';
}

function whyOf(directory: CallDirectory, { userId, why }: UnreachableUser): string {
  const name = nameOf(directory, userId);
  if (why === 'no-medium') return `${name} has no medium`;
  if (why === 'unconfirmed') return `${name} has no confirmed address`;
  if (why === 'disabled') return directory.disabled.has(userId) ? `${name} is disabled` : `${name} is gone`;
  const kinds = directory.people.get(userId)?.media.map(({ kind }) => kind) ?? [];
  return `no channel serves ${listed([...new Set(kinds)])} of ${name}`;
}

function nameOf({ people, disabled }: CallDirectory, userId: number): string {
  return people.get(userId)?.name ?? disabled.get(userId) ?? `user ${userId}`;
}

function listed(names: readonly string[]): string {
  if (names.length > 10) return `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`;
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}
