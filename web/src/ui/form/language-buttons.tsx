import { useTranslation } from 'react-i18next'
import { chooseLanguage, languageNames, languages } from '../../platform/i18n.ts'
import { classNames } from '../class-names.ts'

export function LanguageButtons({ className }: { className?: string }) {
  const { i18n } = useTranslation()
  return (
    <span className={classNames('-ms-2 flex', className)}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => void chooseLanguage(language)}
          className="h-11 min-w-11 rounded-s px-2 hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink"
        >
          {languageNames[language]}
        </button>
      ))}
    </span>
  )
}
