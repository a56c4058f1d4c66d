// Written by `npm run tables` from the migrated database. Do not edit.
import type { Generated } from 'kysely';
import type { Json } from './json.ts';

export type Tables = {
  alarms: {
    tenantId: number;
    tagId: number;
    state: number;
    value: string;
    location: Json | null;
    raisedAt: Date;
    lastChange: Date;
    occurrenceId: number;
    repeats: number;
    ackUser: string;
    comment: string;
    searchText: string;
    maskUntil: Date | null;
    maskReason: string | null;
    maskBy: string | null;
  };
  apiKeys: {
    tenantId: number;
    id: number;
    name: string;
    searchText: string;
    secretHash: Buffer;
    role: string;
    stationIds: Generated<number[]>;
    scopes: string[] | null;
    createdBy: string;
    createdAt: Date;
    expiresAt: Date | null;
    lastUsedAt: Date | null;
    revokedAt: Date | null;
  };
  callAttempts: {
    tenantId: number;
    id: number;
    callId: number;
    tagId: number | null;
    callGroupId: number | null;
    stationId: number | null;
    userId: number;
    userName: string;
    medium: string;
    address: string;
    message: string;
    attempt: number;
    status: string;
    reason: string;
    startedAt: Date;
    endedAt: Date | null;
    acknowledgedAt: Date | null;
    searchText: string;
  };
  callGroupGroupings: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    parentId: number | null;
    version: Generated<number>;
    lastChange: Date;
  };
  callGroupMembers: {
    tenantId: number;
    callGroupId: number;
    position: number;
    userId: number;
  };
  callGroupTeams: {
    tenantId: number;
    callGroupId: number;
    id: number;
    name: string;
    userIds: number[];
  };
  callGroups: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    stationId: number | null;
    mode: string;
    ackTimeout: number;
    attempts: number;
    cycles: number;
    slotMinutes: number;
    reliefGroupId: number | null;
    groupingId: number | null;
    version: Generated<number>;
    lastChange: Date;
  };
  calls: {
    tenantId: number;
    id: number;
    kind: string;
    message: string;
    number: number;
    audio: string;
    file: string;
    requestedBy: string;
    requestedAt: Date;
  };
  counters: {
    tenantId: number;
    kind: string;
    last: number;
  };
  dataServers: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    stationId: number | null;
    version: Generated<number>;
    lastChange: Date;
  };
  heads: {
    tenantId: number;
    seq: Generated<number>;
    tagId: Generated<number>;
    occurrenceId: Generated<number>;
    textId: Generated<number>;
    lastAt: Generated<Date>;
  };
  idempotencyKeys: {
    tenantId: number;
    principal: string;
    key: string;
    requestHash: Buffer;
    status: number | null;
    headers: Json | null;
    body: Json | null;
    createdAt: Date;
  };
  journal: {
    tenantId: number;
    seq: number;
    at: Date;
    kind: string;
    tagId: number;
    occurrenceId: number;
    stationId: number;
    announce: boolean;
    actor: string;
    detail: string;
    alarm: Json;
  };
  loginFailures: {
    subject: string;
    failures: number;
    lastAt: Date;
    retryAt: Date;
  };
  logins: {
    usernameKey: string;
    tenantId: number;
    userId: number;
  };
  mediaFiles: {
    tenantId: number;
    id: number;
    name: string;
    searchText: string;
    contentType: string;
    content: Buffer;
    sha256: string;
    version: Generated<number>;
    lastChange: Date;
  };
  occurrences: {
    tenantId: number;
    id: number;
    raisedAt: Date;
    tagId: number;
    priority: number;
    textId: number;
    acknowledgedAt: Date | null;
    ackUserId: number | null;
    resetAt: Date | null;
    repeats: number;
  };
  refreshTokens: {
    tenantId: number;
    hash: Buffer;
    sessionId: string;
    expiresAt: Date;
    usedAt: Date | null;
  };
  rosterOverrides: {
    tenantId: number;
    callGroupId: number;
    position: number;
    teamId: number;
    startsAt: Date;
    endsAt: Date;
    reason: string;
  };
  rosterSlots: {
    tenantId: number;
    callGroupId: number;
    position: number;
    teamId: number;
    day: number;
    startMinute: number;
    endMinute: number;
  };
  scenarios: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    stationId: number | null;
    alarmActions: Json;
    resetActions: Json;
    ackActions: Json;
    callGroupIds: number[];
    version: Generated<number>;
    lastChange: Date;
  };
  sessions: {
    tenantId: number;
    id: string;
    userId: number;
    createdAt: Date;
    expiresAt: Date;
    revokedAt: Date | null;
    reason: Generated<string>;
  };
  setUpCodes: {
    codeHash: Buffer;
    failures: Generated<number>;
    createdAt: Date;
  };
  signingKeys: {
    kid: string;
    privateJwk: Json;
    publicJwk: Json;
    createdAt: Date;
    retiresAt: Date;
  };
  stations: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    timeZone: string;
    version: Generated<number>;
    lastChange: Date;
  };
  tagGroups: {
    tenantId: number;
    id: number;
    name: string;
    localizedName: string;
    searchText: string;
    parentId: number | null;
    stationId: number | null;
    autoAcknowledge: Generated<boolean>;
    scenarioId: number | null;
    version: Generated<number>;
    lastChange: Date;
  };
  tagYears: {
    tenantId: number;
    year: number;
    tagId: number;
    months: number;
  };
  tags: {
    tenantId: number;
    id: number;
    stationId: number;
    dataServerId: number;
    tagGroupId: number | null;
    path: string;
    name: string;
    localizedName: string;
    priority: number;
    temporary: boolean;
    conditionValue: string;
    transitory: boolean;
    reactivatable: boolean;
    resettable: boolean;
    alarmDelay: number;
    alarmMessage: string;
    alarmFormat: string;
    alarmShortMessage: string;
    alarmVocalMessageFile: string;
    alarmAttachedFile: string;
    alarmActions: Json;
    resetMessage: string;
    resetFormat: string;
    resetShortMessage: string;
    resetVocalMessageFile: string;
    resetAttachedFile: string;
    resetActions: Json;
    ackMessage: string;
    ackFormat: string;
    ackShortMessage: string;
    ackVocalMessageFile: string;
    ackAttachedFile: string;
    ackActions: Json;
    callGroupIds: number[];
    scenarioIds: number[];
    searchText: string;
  };
  tenants: {
    id: number;
    name: string;
    maximumMaskSeconds: Generated<number>;
    createdAt: Date;
  };
  textMonths: {
    tenantId: number;
    month: number;
    tagId: number;
    textId: number;
    occurrences: number;
    seconds: number;
    occurrencesOn: number[];
    secondsOn: number[];
  };
  textTotals: {
    tenantId: number;
    textId: number;
    occurrences: number;
  };
  texts: {
    tenantId: number;
    id: number;
    tagId: number;
    digest: string;
    message: string;
    comment: string;
    searchText: string;
    stationId: number | null;
    dataServerId: number | null;
    tagGroupId: number | null;
    callGroupIds: Generated<number[]>;
  };
  userDays: {
    tenantId: number;
    day: string;
    userId: number;
    acknowledged: number;
    reactions: number;
    reactionSeconds: number;
    interventions: number;
    interventionSeconds: number;
    lastOccurrenceId: number;
  };
  userMedia: {
    tenantId: number;
    userId: number;
    position: number;
    kind: string;
    address: string;
    enabled: boolean;
  };
  users: {
    tenantId: number;
    id: number;
    username: string;
    name: string;
    searchText: string;
    role: string;
    stationIds: Generated<number[]>;
    enabled: Generated<boolean>;
    language: Generated<string>;
    passwordHash: string | null;
    version: Generated<number>;
    lastChange: Date;
  };
};
