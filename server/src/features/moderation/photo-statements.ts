import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { PhotoGround } from '@duet/contract/moderation.ts'

/** The facts as stated to the photo's owner. The reviewer only chooses the ground. */
export const photoStatements: Record<AppLanguage, Record<PhotoGround, string>> = {
  en: {
    fake_profile: 'A person reviewed one of your photos. It doesn’t show you.',
    sexual_content: 'A person reviewed one of your photos. It shows nudity or something sexual.',
    hate: 'A person reviewed one of your photos. It shows hate or violence.',
    spam: 'A person reviewed one of your photos. It advertises something or shows contact details.',
    other: 'A person reviewed one of your photos. It isn’t suitable for a profile.',
  },
  es: {
    fake_profile: 'Una persona revisó una de tus fotos. No se te ve a ti.',
    sexual_content: 'Una persona revisó una de tus fotos. Muestra desnudez o algo sexual.',
    hate: 'Una persona revisó una de tus fotos. Muestra odio o violencia.',
    spam: 'Una persona revisó una de tus fotos. Anuncia algo o muestra datos de contacto.',
    other: 'Una persona revisó una de tus fotos. No es adecuada para un perfil.',
  },
  ar: {
    fake_profile: 'راجع شخص من فريقنا إحدى صورك. الصورة لا تُظهرك.',
    sexual_content: 'راجع شخص من فريقنا إحدى صورك. الصورة تُظهر عُريًا أو محتوى جنسيًا.',
    hate: 'راجع شخص من فريقنا إحدى صورك. الصورة تُظهر كراهية أو عنفًا.',
    spam: 'راجع شخص من فريقنا إحدى صورك. الصورة تُعلن عن شيء أو تُظهر بيانات اتصال.',
    other: 'راجع شخص من فريقنا إحدى صورك. الصورة لا تصلح لملف شخصي.',
  },
}
