import type { SignInStepWords } from '../en/sign-in-steps.ts';

export const signInSteps: SignInStepWords = {
  signInSteps: {
    or: 'o',
    withPasskey: 'Entrar con una llave de acceso',
    withIssuer: (name) => `Entrar con ${name}`,
    haveReset: 'Tengo un código de restablecimiento',
    problems: {
      'sign-in-expired': 'El inicio tardó demasiado o empezó en otro navegador. Empiece de nuevo.',
      'issuer-refused':
        'El otro sistema no le ha dejado entrar. Inténtelo de nuevo o pregunte a su administrador.',
      'token-not-accepted': 'La respuesta del otro sistema no es de confianza. Avise a su administrador.',
      'issuer-unreachable': 'El otro sistema no responde. Entre con una contraseña o inténtelo más tarde.',
      'no-user': 'Allí le conocen, pero aquí no tiene ningún rol. Pida acceso a su administrador.',
      'user-disabled': 'Su cuenta está desactivada aquí. Pregunte a su administrador.',
      'name-taken':
        'Otra persona tiene aquí su nombre de usuario. Pida a su administrador que vincule su cuenta.',
    },
    unknownProblem: (code) => `El inicio de sesión no se completó (${code}). Inténtelo de nuevo.`,
    secondOfTwo: 'Paso 2 de 2',
    secondTitle: 'Confirme que es usted',
    passwordRight: 'La contraseña era correcta.',
    notYou: '¿No es usted?',
    code: 'Código de su aplicación de autenticación',
    signIn: 'Entrar',
    passkeyAsked: 'El navegador pide su llave de acceso: huella, cara, PIN o llave de seguridad.',
    recoveryCode: 'Código de recuperación',
    recoveryHint: 'cada uno vale una vez',
    notAtHand: '¿No lo tiene a mano?',
    otherMethods: {
      totp: 'Usar la aplicación',
      passkey: 'Usar una llave de acceso',
      recovery: 'Usar un código de recuperación',
    },
    wrongProof: {
      totp: 'El código es erróneo, ya se usó, o este paso tardó demasiado. Escriba el siguiente código o empiece de nuevo.',
      passkey:
        'La llave de acceso no se aceptó, o este paso tardó demasiado. Inténtelo otra vez o empiece de nuevo.',
      recovery: 'El código de recuperación es erróneo, ya se usó, o este paso tardó demasiado.',
    },
    wrongPasskey: 'Aquí no se conoce esta llave de acceso. Entre con su contraseña.',
    boundedTries: 'Los códigos erróneos hacen esperar a los siguientes. Nunca detienen alarmas ni llamadas.',
    passkeyCancelled:
      'No se usó ninguna llave de acceso: se cerró la pregunta del navegador o tardó demasiado.',
    passkeyFailed: (reason) => `La llave de acceso no funcionó: ${reason}`,
    resetTitle: 'Poner una contraseña nueva',
    resetLead:
      'Su administrador le da un código de restablecimiento, en persona o por teléfono. Vale una vez.',
    resetCode: 'Código de restablecimiento',
    resetCodeHint: 'como se lo han dicho',
    newPassword: 'Contraseña nueva',
    setPassword: 'Poner la contraseña y entrar',
    back: 'Volver al inicio de sesión',
    factorTitle: 'Su rol necesita un segundo factor',
    factorLead:
      'Una contraseña sola se puede robar. Prepare una segunda prueba de que es usted; tarda un minuto.',
    factorFine: 'Hasta entonces no ve alarmas aquí. Las llamadas siguen.',
    setUpFactor: 'Prepararlo',
    app: 'Aplicación de autenticación',
    totpLead:
      'Escanee esto con una aplicación de autenticación de su teléfono y escriba el código que muestra.',
    qrCode: 'Código QR para la aplicación de autenticación',
    typeSecret: 'O escriba esto en la aplicación:',
    connectApp: 'Conectar la aplicación',
    passkeyLead:
      'Una llave de acceso la guarda este aparato o una llave de seguridad. No hay que escribir nada y nadie la puede copiar.',
    passkeyName: 'Nombre de la llave de acceso',
    makePasskey: 'Crear una llave de acceso',
    noPasskeysHere: 'Este navegador no tiene llaves de acceso, o esta página no se sirve con TLS.',
    recoveryCodes: 'Códigos de recuperación',
    recoveryLead:
      'Cada uno le deja entrar una vez si pierde su segundo factor. Solo se muestran ahora: guárdelos lejos de este aparato.',
    copy: 'Copiar',
    copied: 'Copiado',
    print: 'Imprimir',
    download: 'Guardar en un archivo',
    kept: 'Los he guardado',
    goOn: 'Continuar',
    confirmTitle: '¿Sigue siendo usted?',
    confirmLead: 'Esta acción necesita una prueba reciente. Después se vuelve a enviar lo que hizo.',
    confirmWith: 'Prueba',
    ways: { totp: 'Con código', passkey: 'Con llave de acceso', password: 'Con contraseña' },
    confirmGo: 'Confirmar',
  },
};
