import { genders, intents, limits } from '@duet/contract/limits.ts'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/form/chip.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Anchored } from './anchored.tsx'
import { type ProfileFields, type SetField, toggled } from './profile-fields.ts'

export function ChoicesFields({ fields, set }: { fields: ProfileFields; set: SetField }) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  return (
    <>
      <Anchored id="gender">
        <Section title={t('gender')}>
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">{t('gender')}</legend>
            {genders.map((gender) => (
              <Chip key={gender} pressed={fields.gender === gender} onClick={() => set('gender', gender)}>
                {t(`catalogue:genders.${gender}`)}
              </Chip>
            ))}
          </fieldset>
          <div className="mt-5 grid gap-5 sm:grid-cols-2">
            <Field
              label={t('genderText')}
              hint={t('optional')}
              maxLength={limits.genderTextLength}
              value={fields.genderText}
              onChange={({ target }) => set('genderText', target.value)}
            />
            <Field
              label={t('pronouns')}
              hint={t('optional')}
              maxLength={limits.pronounsLength}
              value={fields.pronouns}
              onChange={({ target }) => set('pronouns', target.value)}
            />
          </div>
        </Section>
      </Anchored>
      <Anchored id="intents">
        <Section title={t('intents')}>
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">{t('intents')}</legend>
            {intents.map((intent) => (
              <Chip
                key={intent}
                pressed={fields.intents.includes(intent)}
                onClick={() => set('intents', toggled(fields.intents, intent))}
              >
                {t(`catalogue:intents.${intent}`)}
              </Chip>
            ))}
          </fieldset>
        </Section>
      </Anchored>
    </>
  )
}
