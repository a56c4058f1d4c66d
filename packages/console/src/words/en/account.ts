/** The words of the page of one's own account. */
export const account = {
  account: {
    title: 'My account',
    lead: 'When and how you are called, and how you sign in. Only you and administrators can change it.',
    noUser: 'You are signed in with a key that belongs to no person.',
    notSaved: (reason: string) => `Not saved: ${reason}`,
    rules: 'When I am called',
    zone: (zone: string) => `times in ${zone}`,
    rulesLead:
      'The first rule that matches priority and time decides. Without a rule you are called on all your addresses. Priority 1 is never quiet.',
    noRules: 'No rules: you are called at any time, on all your addresses.',
    rulesSaved: 'Saved. The next call follows these rules.',
    addRule: 'Add a rule',
    addQuiet: 'Add quiet hours',
    saveRules: 'Save the rules',
    quietName: 'Quiet hours',
    ruleNumber: (number: number) => `Rule ${number}`,
    ruleName: 'Name of the rule',
    raise: (number: number) => `Move rule ${number} up`,
    removeRule: (number: number) => `Remove rule ${number}`,
    priorities: 'Priorities',
    days: 'Days',
    from: 'From',
    to: 'Until',
    calledOn: 'Called on',
    quiet: 'Nobody calls you in this time. Others are called instead.',
    callAfterAll: 'Call me after all',
    thenOn: 'Then on',
    medium: 'Medium',
    wait: 'Wait before it',
    spread: 'spread over the time to acknowledge',
    afterMinutes: (minutes: number) => {
      if (minutes === 0) return 'at once';
      return minutes === 1 ? 'after 1 minute' : `after ${minutes} minutes`;
    },
    removeMedium: (medium: string) => `Remove ${medium}`,
    sessions: 'Where I am signed in',
    sessionsLead: 'End what you do not know, and change your password.',
    unknownDevice: 'Unknown program',
    openedAt: (time: string, address: string) =>
      `Signed in ${time}${address === '' ? '' : ` from ${address}`}`,
    usedAt: (time: string) => `Last used ${time}`,
    thisOne: 'This page',
    here: 'here',
    end: 'End',
    endOf: (device: string) => `End the session of ${device}`,
    endOthers: 'End all others',
    ended: (count: number) =>
      count === 1
        ? 'Ended. It can do nothing any more within a few seconds.'
        : `${count} sessions ended. They can do nothing any more within a few seconds.`,
    password: 'Password',
    currentPassword: 'Current password',
    newPassword: 'New password',
    passwordHint: '12 characters or more',
    changePassword: 'Change the password',
    passwordChanged: 'Changed. All other sessions have ended.',
    pin: 'PIN for the telephone',
    pinLead: 'Where the plant asks for it, you press it on the telephone to take an alarm.',
    newPin: 'New PIN',
    pinHint: '4 to 8 digits',
    savePin: 'Save the PIN',
    removePin: 'Remove the PIN',
    pinSaved: 'Saved. Nobody can read it, also not here.',
    pinRemoved: 'Removed.',
  },
};

export type AccountWords = typeof account;
