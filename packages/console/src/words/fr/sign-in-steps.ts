import type { SignInStepWords } from '../en/sign-in-steps.ts';

export const signInSteps: SignInStepWords = {
  signInSteps: {
    or: 'ou',
    withPasskey: 'Se connecter avec une clé d’accès',
    withIssuer: (name) => `Se connecter avec ${name}`,
    haveReset: 'J’ai un code de réinitialisation',
    problems: {
      'sign-in-expired':
        'La connexion a duré trop longtemps, ou a commencé dans un autre navigateur. Recommencez.',
      'issuer-refused':
        'L’autre système ne vous a pas laissé entrer. Réessayez, ou demandez à son administrateur.',
      'token-not-accepted':
        'La réponse de l’autre système n’est pas digne de confiance. Prévenez votre administrateur.',
      'issuer-unreachable':
        'L’autre système ne répond pas. Connectez-vous avec un mot de passe, ou réessayez plus tard.',
      'no-user':
        'Vous êtes connu là-bas, mais vous n’avez pas de rôle ici. Demandez l’accès à votre administrateur.',
      'user-disabled': 'Votre compte est désactivé ici. Demandez à votre administrateur.',
      'name-taken':
        'Quelqu’un d’autre a votre nom d’utilisateur ici. Demandez à votre administrateur de lier votre compte.',
    },
    unknownProblem: (code) => `La connexion n’a pas abouti (${code}). Réessayez.`,
    secondOfTwo: 'Étape 2 sur 2',
    secondTitle: 'Confirmez que c’est vous',
    passwordRight: 'Le mot de passe était juste.',
    notYou: 'Ce n’est pas vous ?',
    code: 'Code de votre application d’authentification',
    signIn: 'Se connecter',
    passkeyAsked: 'Le navigateur demande votre clé d’accès : empreinte, visage, code PIN ou clé de sécurité.',
    recoveryCode: 'Code de secours',
    recoveryHint: 'chacun est valable une fois',
    notAtHand: 'Pas sous la main ?',
    otherMethods: {
      totp: 'Utiliser l’application',
      passkey: 'Utiliser une clé d’accès',
      recovery: 'Utiliser un code de secours',
    },
    wrongProof: {
      totp: 'Le code est faux, déjà utilisé, ou cette étape a duré trop longtemps. Entrez le code suivant, ou recommencez.',
      passkey:
        'La clé d’accès n’a pas été acceptée, ou cette étape a duré trop longtemps. Réessayez, ou recommencez.',
      recovery: 'Le code de secours est faux, déjà utilisé, ou cette étape a duré trop longtemps.',
    },
    wrongPasskey: 'Cette clé d’accès est inconnue ici. Connectez-vous avec votre mot de passe.',
    boundedTries:
      'Des codes faux font attendre les suivants. Ils n’arrêtent jamais les alarmes ni les appels.',
    passkeyCancelled:
      'Aucune clé d’accès n’a été utilisée : la question du navigateur a été fermée, ou a trop duré.',
    passkeyFailed: (reason) => `La clé d’accès n’a pas fonctionné : ${reason}`,
    resetTitle: 'Choisir un nouveau mot de passe',
    resetLead:
      'Votre administrateur vous donne un code de réinitialisation, en personne ou par téléphone. Il est valable une fois.',
    resetCode: 'Code de réinitialisation',
    resetCodeHint: 'comme on vous l’a dit',
    newPassword: 'Nouveau mot de passe',
    setPassword: 'Choisir le mot de passe et se connecter',
    back: 'Retour à la connexion',
    factorTitle: 'Votre rôle demande un second facteur',
    factorLead:
      'Un mot de passe seul peut être volé. Préparez une seconde preuve que c’est vous ; cela prend une minute.',
    factorFine: 'D’ici là vous ne voyez pas d’alarmes ici. Les appels continuent.',
    setUpFactor: 'Le préparer',
    app: 'Application d’authentification',
    totpLead:
      'Scannez ceci avec une application d’authentification de votre téléphone, puis entrez le code qu’elle affiche.',
    qrCode: 'Code QR pour l’application d’authentification',
    typeSecret: 'Ou tapez ceci dans l’application :',
    connectApp: 'Relier l’application',
    passkeyLead:
      'Une clé d’accès est gardée par cet appareil ou par une clé de sécurité. Rien n’est à taper, et personne ne peut la copier.',
    passkeyName: 'Nom de la clé d’accès',
    makePasskey: 'Créer une clé d’accès',
    noPasskeysHere: 'Ce navigateur n’a pas de clés d’accès, ou cette page n’est pas servie avec TLS.',
    recoveryCodes: 'Codes de secours',
    recoveryLead:
      'Chacun vous laisse entrer une fois si votre second facteur est perdu. Ils ne sont montrés que maintenant : gardez-les loin de cet appareil.',
    copy: 'Copier',
    copied: 'Copié',
    print: 'Imprimer',
    download: 'Enregistrer dans un fichier',
    kept: 'Je les ai gardés',
    goOn: 'Continuer',
    confirmTitle: 'Est-ce toujours vous ?',
    confirmLead: 'Cette action demande une preuve récente. Ce que vous avez fait est renvoyé ensuite.',
    confirmWith: 'Preuve',
    ways: { totp: 'Par code', passkey: 'Par clé d’accès', password: 'Par mot de passe' },
    confirmGo: 'Confirmer',
  },
};
