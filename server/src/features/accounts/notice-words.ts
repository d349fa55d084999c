import type { AppLanguage } from '@duet/contract/accounts.ts'

export type Notice =
  | 'new_sign_in'
  | 'password_set'
  | 'password_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'identity_linked'
  | 'identity_removed'
  | 'address_changed'
  | 'address_undone'
  | 'address_wanted'

interface Words {
  subject: string
  /** What happened. `{device}` is replaced by the device's name. */
  said: string
  link?: string
  after?: string
}

const en: Record<Notice, Words> = {
  new_sign_in: {
    subject: 'New sign-in to your Duet account',
    said: "Someone signed in to your Duet account on a device that hadn't signed in before: {device}.",
    link: "Wasn't this you? Sign in with an emailed code, sign out everywhere, and check your password, passkeys and recovery codes:",
    after: 'If this was you, you can ignore this email.',
  },
  password_set: {
    subject: 'Your Duet password was changed',
    said: 'The password of your Duet account was set or changed. All other devices were signed out.',
    link: "Wasn't this you? Sign in with an emailed code, remove the password, and sign out everywhere:",
  },
  password_removed: {
    subject: 'Your Duet password was removed',
    said: 'The password of your Duet account was removed: you sign in with an emailed code now. All other devices were signed out.',
    link: "Wasn't this you? Sign in with an emailed code and sign out everywhere:",
  },
  recovery_codes_made: {
    subject: 'New recovery codes for Duet',
    said: 'Ten new recovery codes were created for your Duet account. Earlier ones no longer work.',
    link: "Wasn't this you? Sign in, create new codes yourself, and sign out everywhere:",
  },
  recovery_code_used: {
    subject: 'Someone signed in with a recovery code',
    said: 'A recovery code was used to sign in to your Duet account. That code no longer works.',
    link: "Wasn't this you? Sign in, create new codes, and sign out everywhere:",
  },
  passkey_added: {
    subject: 'A passkey was added to your Duet account',
    said: 'A passkey was added to your Duet account. It signs in without a code or a password.',
    link: "Wasn't this you? Sign in with an emailed code, remove the passkey, and sign out everywhere:",
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Duet account',
    said: 'A passkey was removed from your Duet account. It can no longer be used to sign in.',
    link: "Wasn't this you? Sign in with an emailed code and sign out everywhere:",
  },
  identity_linked: {
    subject: 'Your Duet account can be opened another way',
    said: "Someone signed in to your Duet account through your community's sign-in provider for the first time. The provider confirmed this address, so your account there now signs you in here, too.",
    link: "Wasn't this you? Remove it, and sign out everywhere:",
  },
  identity_removed: {
    subject: 'A sign-in was removed from your Duet account',
    said: "The account of your community's sign-in provider no longer signs you in to Duet.",
    link: "Wasn't this you? Sign in with an emailed code and sign out everywhere:",
  },
  address_changed: {
    subject: 'Your Duet address was changed',
    said: 'Your Duet account now uses another email address. You can no longer sign in with this one.',
    link: "Wasn't this you? Undo it within 72 hours. That brings this address back, signs out all devices, and removes the password, passkeys, recovery codes and linked accounts, so that only a code sent here opens your account:",
    after: 'If you made this change, you can ignore this email.',
  },
  address_undone: {
    subject: 'A change of your Duet address was undone',
    said: 'The change of the email address of your Duet account was undone: the account uses its earlier address again. All devices were signed out, and the password, passkeys, recovery codes and linked accounts were removed. The only way in that is left is a code sent to the earlier address.',
    link: 'Sign in with a code, then add a password, passkeys or recovery codes again:',
  },
  address_wanted: {
    subject: 'This address already has a Duet account',
    said: 'Someone asked to move their Duet account to this address. It already belongs to an account, so nothing has changed.',
    after:
      'If that was you, sign in with this address instead, or delete this account first. If not, you can ignore this email.',
  },
}

const es: Record<Notice, Words> = {
  new_sign_in: {
    subject: 'Nuevo inicio de sesión en tu cuenta de Duet',
    said: 'Alguien entró en tu cuenta de Duet con un dispositivo que no la había usado antes: {device}.',
    link: '¿No fuiste tú? Entra con un código enviado por correo, cierra todas las sesiones y revisa tu contraseña, tus claves de acceso y tus códigos de recuperación:',
    after: 'Si fuiste tú, puedes ignorar este correo.',
  },
  password_set: {
    subject: 'Se cambió tu contraseña de Duet',
    said: 'Se creó o cambió la contraseña de tu cuenta de Duet. Se cerró la sesión en todos los demás dispositivos.',
    link: '¿No fuiste tú? Entra con un código enviado por correo, quita la contraseña y cierra todas las sesiones:',
  },
  password_removed: {
    subject: 'Se quitó tu contraseña de Duet',
    said: 'Se quitó la contraseña de tu cuenta de Duet: ahora entras con un código enviado por correo. Se cerró la sesión en todos los demás dispositivos.',
    link: '¿No fuiste tú? Entra con un código enviado por correo y cierra todas las sesiones:',
  },
  recovery_codes_made: {
    subject: 'Nuevos códigos de recuperación de Duet',
    said: 'Se crearon diez códigos de recuperación nuevos para tu cuenta de Duet. Los anteriores ya no sirven.',
    link: '¿No fuiste tú? Entra, crea tú otros códigos y cierra todas las sesiones:',
  },
  recovery_code_used: {
    subject: 'Alguien entró con un código de recuperación',
    said: 'Se usó un código de recuperación para entrar en tu cuenta de Duet. Ese código ya no sirve.',
    link: '¿No fuiste tú? Entra, crea códigos nuevos y cierra todas las sesiones:',
  },
  passkey_added: {
    subject: 'Se añadió una clave de acceso a tu cuenta de Duet',
    said: 'Se añadió una clave de acceso a tu cuenta de Duet. Con ella se entra sin código ni contraseña.',
    link: '¿No fuiste tú? Entra con un código enviado por correo, quita la clave de acceso y cierra todas las sesiones:',
  },
  passkey_removed: {
    subject: 'Se quitó una clave de acceso de tu cuenta de Duet',
    said: 'Se quitó una clave de acceso de tu cuenta de Duet. Ya no sirve para entrar.',
    link: '¿No fuiste tú? Entra con un código enviado por correo y cierra todas las sesiones:',
  },
  identity_linked: {
    subject: 'Hay otra forma de entrar en tu cuenta de Duet',
    said: 'Alguien entró por primera vez en tu cuenta de Duet con el proveedor de acceso de tu comunidad. El proveedor confirmó esta dirección, así que tu cuenta de allí ahora también sirve para entrar aquí.',
    link: '¿No fuiste tú? Quítala y cierra todas las sesiones:',
  },
  identity_removed: {
    subject: 'Se quitó una forma de entrar en tu cuenta de Duet',
    said: 'La cuenta del proveedor de acceso de tu comunidad ya no sirve para entrar en Duet.',
    link: '¿No fuiste tú? Entra con un código enviado por correo y cierra todas las sesiones:',
  },
  address_changed: {
    subject: 'Se cambió tu dirección en Duet',
    said: 'Tu cuenta de Duet usa ahora otra dirección de correo. Con esta ya no puedes entrar.',
    link: '¿No fuiste tú? Puedes deshacerlo durante 72 horas. Así vuelve esta dirección, se cierran todas las sesiones y se quitan la contraseña, las claves de acceso, los códigos de recuperación y las cuentas vinculadas: solo podrás entrar con un código enviado aquí:',
    after: 'Si hiciste tú el cambio, puedes ignorar este correo.',
  },
  address_undone: {
    subject: 'Se deshizo un cambio de tu dirección en Duet',
    said: 'Se deshizo el cambio de dirección de tu cuenta de Duet: la cuenta vuelve a usar la dirección anterior. Se cerraron todas las sesiones y se quitaron la contraseña, las claves de acceso, los códigos de recuperación y las cuentas vinculadas. La única forma de entrar que queda es un código enviado a la dirección anterior.',
    link: 'Entra con un código y vuelve a crear tu contraseña, tus claves de acceso o tus códigos de recuperación:',
  },
  address_wanted: {
    subject: 'Esta dirección ya tiene una cuenta de Duet',
    said: 'Alguien pidió pasar su cuenta de Duet a esta dirección. Ya pertenece a una cuenta, así que no ha cambiado nada.',
    after: 'Si fuiste tú, entra con esta dirección o borra antes esta cuenta. Si no, puedes ignorar este correo.',
  },
}

const ar: Record<Notice, Words> = {
  new_sign_in: {
    subject: 'تسجيل دخول جديد إلى حسابك في Duet',
    said: 'سُجّل الدخول إلى حسابك في Duet من جهاز لم يُستخدم من قبل: {device}',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد، وسجّل الخروج من كل مكان، وراجع كلمة مرورك ومفاتيح المرور ورموز الاسترداد:',
    after: 'إن كنت أنت فتجاهل هذه الرسالة.',
  },
  password_set: {
    subject: 'تم تغيير كلمة مرورك في Duet',
    said: 'تم تعيين كلمة مرور حسابك في Duet أو تغييرها، وسُجّل الخروج من كل الأجهزة الأخرى.',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد، وأزل كلمة المرور، وسجّل الخروج من كل مكان:',
  },
  password_removed: {
    subject: 'تمت إزالة كلمة مرورك في Duet',
    said: 'تمت إزالة كلمة مرور حسابك في Duet: تسجّل الدخول الآن برمز يصلك بالبريد. وسُجّل الخروج من كل الأجهزة الأخرى.',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد وسجّل الخروج من كل مكان:',
  },
  recovery_codes_made: {
    subject: 'رموز استرداد جديدة في Duet',
    said: 'أُنشئت عشرة رموز استرداد جديدة لحسابك في Duet، ولم تعد الرموز السابقة صالحة.',
    link: 'لم تكن أنت؟ سجّل الدخول، وأنشئ رموزًا جديدة بنفسك، وسجّل الخروج من كل مكان:',
  },
  recovery_code_used: {
    subject: 'تسجيل دخول برمز استرداد',
    said: 'استُخدم رمز استرداد لتسجيل الدخول إلى حسابك في Duet، ولم يعد هذا الرمز صالحًا.',
    link: 'لم تكن أنت؟ سجّل الدخول، وأنشئ رموزًا جديدة، وسجّل الخروج من كل مكان:',
  },
  passkey_added: {
    subject: 'أُضيف مفتاح مرور إلى حسابك في Duet',
    said: 'أُضيف مفتاح مرور إلى حسابك في Duet، ويتيح تسجيل الدخول دون رمز أو كلمة مرور.',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد، وأزل مفتاح المرور، وسجّل الخروج من كل مكان:',
  },
  passkey_removed: {
    subject: 'أُزيل مفتاح مرور من حسابك في Duet',
    said: 'أُزيل مفتاح مرور من حسابك في Duet، ولم يعد صالحًا لتسجيل الدخول.',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد وسجّل الخروج من كل مكان:',
  },
  identity_linked: {
    subject: 'طريقة أخرى لتسجيل الدخول إلى حسابك في Duet',
    said: 'سجّل شخص الدخول إلى حسابك في Duet لأول مرة عبر خدمة تسجيل الدخول الخاصة بمجتمعك. أكّدت الخدمة هذا العنوان، فأصبح حسابك لديها يتيح لك الدخول هنا أيضًا.',
    link: 'لم تكن أنت؟ أزل هذه الطريقة وسجّل الخروج من كل مكان:',
  },
  identity_removed: {
    subject: 'أُزيلت طريقة لتسجيل الدخول إلى حسابك في Duet',
    said: 'لم يعد حسابك في خدمة تسجيل الدخول الخاصة بمجتمعك يتيح الدخول إلى Duet.',
    link: 'لم تكن أنت؟ سجّل الدخول برمز يصلك بالبريد وسجّل الخروج من كل مكان:',
  },
  address_changed: {
    subject: 'تم تغيير عنوانك في Duet',
    said: 'يستخدم حسابك في Duet الآن عنوان بريد آخر، ولم يعد بإمكانك تسجيل الدخول بهذا العنوان.',
    link: 'لم تكن أنت؟ تراجع عن التغيير خلال 72 ساعة. يعيد ذلك هذا العنوان، ويسجّل الخروج من كل الأجهزة، ويزيل كلمة المرور ومفاتيح المرور ورموز الاسترداد والحسابات المرتبطة، فلا يُفتح حسابك إلا برمز يُرسل إلى هنا:',
    after: 'إن أجريت هذا التغيير بنفسك فتجاهل هذه الرسالة.',
  },
  address_undone: {
    subject: 'تم التراجع عن تغيير عنوانك في Duet',
    said: 'تم التراجع عن تغيير عنوان البريد لحسابك في Duet: عاد الحساب إلى عنوانه السابق. وسُجّل الخروج من كل الأجهزة، وأُزيلت كلمة المرور ومفاتيح المرور ورموز الاسترداد والحسابات المرتبطة. لم يبقَ سوى طريقة واحدة للدخول: رمز يُرسل إلى العنوان السابق.',
    link: 'سجّل الدخول برمز، ثم أضف كلمة مرور أو مفاتيح مرور أو رموز استرداد من جديد:',
  },
  address_wanted: {
    subject: 'لهذا العنوان حساب في Duet',
    said: 'طلب شخص نقل حسابه في Duet إلى هذا العنوان. العنوان مرتبط بحساب أصلًا، فلم يتغيّر شيء.',
    after: 'إن كنت أنت فسجّل الدخول بهذا العنوان، أو احذف هذا الحساب أولًا. وإلا فتجاهل هذه الرسالة.',
  },
}

export const noticeWords: Record<AppLanguage, Record<Notice, Words>> = { en, es, ar }
