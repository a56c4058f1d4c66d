import type { SignInStepWords } from '../en/sign-in-steps.ts';

export const signInSteps: SignInStepWords = {
  signInSteps: {
    or: 'oder',
    withPasskey: 'Mit einem Passkey anmelden',
    withIssuer: (name) => `Mit ${name} anmelden`,
    haveReset: 'Ich habe einen Rücksetzcode',
    problems: {
      'sign-in-expired':
        'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Neu beginnen.',
      'issuer-refused':
        'Das andere System hat Sie nicht eingelassen. Erneut versuchen oder dessen Administrator fragen.',
      'token-not-accepted':
        'Der Antwort des anderen Systems ist nicht zu trauen. Sagen Sie es Ihrem Administrator.',
      'issuer-unreachable':
        'Das andere System antwortet nicht. Mit Passwort anmelden oder später erneut versuchen.',
      'no-user':
        'Sie sind dort bekannt, haben hier aber keine Rolle. Bitten Sie Ihren Administrator um Zugang.',
      'user-disabled': 'Ihr Konto ist hier gesperrt. Fragen Sie Ihren Administrator.',
      'name-taken':
        'Jemand anderes hat hier Ihren Benutzernamen. Bitten Sie Ihren Administrator, Ihr Konto zu verknüpfen.',
    },
    unknownProblem: (code) => `Die Anmeldung wurde nicht abgeschlossen (${code}). Erneut versuchen.`,
    secondOfTwo: 'Schritt 2 von 2',
    secondTitle: 'Bestätigen, dass Sie es sind',
    passwordRight: 'Das Passwort war richtig.',
    notYou: 'Nicht Sie?',
    code: 'Code der Authenticator-App',
    signIn: 'Anmelden',
    passkeyAsked:
      'Der Browser fragt nach Ihrem Passkey: Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryHint: 'jeder gilt einmal',
    notAtHand: 'Nicht zur Hand?',
    otherMethods: {
      totp: 'Authenticator-App verwenden',
      passkey: 'Passkey verwenden',
      recovery: 'Wiederherstellungscode verwenden',
    },
    wrongProof: {
      totp: 'Der Code ist falsch, schon benutzt, oder dieser Schritt hat zu lange gedauert. Den nächsten Code eingeben oder neu beginnen.',
      passkey:
        'Der Passkey wurde nicht angenommen, oder dieser Schritt hat zu lange gedauert. Erneut versuchen oder neu beginnen.',
      recovery:
        'Der Wiederherstellungscode ist falsch, schon benutzt, oder dieser Schritt hat zu lange gedauert.',
    },
    wrongPasskey: 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich mit Ihrem Passwort an.',
    boundedTries: 'Nach falschen Codes müssen die nächsten warten. Alarme und Rufe hält das nie auf.',
    passkeyCancelled:
      'Es wurde kein Passkey benutzt: Die Frage des Browsers wurde geschlossen oder dauerte zu lange.',
    passkeyFailed: (reason) => `Der Passkey hat nicht funktioniert: ${reason}`,
    resetTitle: 'Neues Passwort setzen',
    resetLead: 'Ihr Administrator gibt Ihnen einen Rücksetzcode, persönlich oder am Telefon. Er gilt einmal.',
    resetCode: 'Rücksetzcode',
    resetCodeHint: 'wie er Ihnen gesagt wurde',
    newPassword: 'Neues Passwort',
    setPassword: 'Passwort setzen und anmelden',
    back: 'Zurück zur Anmeldung',
    factorTitle: 'Ihre Rolle braucht einen zweiten Faktor',
    factorLead:
      'Ein Passwort allein kann gestohlen werden. Richten Sie einen zweiten Nachweis ein; es dauert eine Minute.',
    factorFine: 'Bis dahin sehen Sie hier keine Alarme. Die Rufe gehen weiter.',
    setUpFactor: 'Einrichten',
    app: 'Authenticator-App',
    totpLead:
      'Scannen Sie dies mit einer Authenticator-App auf Ihrem Telefon und geben Sie den Code ein, den sie zeigt.',
    qrCode: 'QR-Code für die Authenticator-App',
    typeSecret: 'Oder dies in die App eintippen:',
    connectApp: 'App verbinden',
    passkeyLead:
      'Einen Passkey bewahrt dieses Gerät oder ein Sicherheitsschlüssel auf. Nichts ist zu tippen, und niemand kann ihn kopieren.',
    passkeyName: 'Name des Passkeys',
    makePasskey: 'Passkey anlegen',
    noPasskeysHere: 'Dieser Browser hat keine Passkeys, oder diese Seite kommt nicht über TLS.',
    recoveryCodes: 'Wiederherstellungscodes',
    recoveryLead:
      'Jeder lässt Sie einmal hinein, wenn Ihr zweiter Faktor verloren ist. Sie werden nur jetzt gezeigt: Bewahren Sie sie nicht auf diesem Gerät auf.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    print: 'Drucken',
    download: 'Als Datei speichern',
    kept: 'Ich habe sie aufbewahrt',
    goOn: 'Weiter',
    confirmTitle: 'Sind Sie es noch?',
    confirmLead: 'Diese Aktion braucht einen frischen Nachweis. Danach wird gesendet, was Sie getan haben.',
    confirmWith: 'Nachweis',
    ways: { totp: 'Per Code', passkey: 'Per Passkey', password: 'Per Passwort' },
    confirmGo: 'Bestätigen',
  },
};
