import { useTranslation } from 'react-i18next'
import { chooseLanguage, languageNames, languages } from '../../platform/i18n.ts'
import { themes, useTheme } from '../../platform/theme.ts'
import { Card } from '../../ui/card.tsx'
import { Segmented } from '../../ui/form/segmented.tsx'
import { Select } from '../../ui/form/select.tsx'
import { InstallRow } from './install-row.tsx'

export function AppearancePart() {
  const { t, i18n } = useTranslation('own-settings')
  const { theme, chooseTheme } = useTheme()
  const choose = (value: string) => {
    const language = languages.find((item) => item === value)
    if (language) void chooseLanguage(language)
  }
  return (
    <Card className="grid gap-6">
      <Select
        id="language"
        label={t('language')}
        value={i18n.language}
        options={languages.map((language) => ({ value: language, label: languageNames[language] }))}
        onChange={(event) => choose(event.target.value)}
      />
      <div id="theme">
        <p className="mb-1.5 text-s font-[540] text-ink-2">{t('theme')}</p>
        <Segmented
          label={t('theme')}
          value={theme}
          onChange={chooseTheme}
          options={themes.map((value) => ({ value, label: t(`themes.${value}`) }))}
        />
      </div>
      <InstallRow />
    </Card>
  )
}
