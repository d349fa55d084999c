import { digitsOf } from '@duet/contract/digits.ts'
import { communityRules, limits, profileParts } from '@duet/contract/limits.ts'
import type { ProfilePart } from '@duet/contract/reports.ts'
import type { Action, Ground, OwnSanction } from '@duet/contract/sanctions.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages } from '../../../platform/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TextArea } from '../../../ui/form/text-area.tsx'
import { SanctionPreview } from '../../standing/standing.tsx'
import type { DecidedCase } from './decided-case.ts'
import type { DecisionDraft } from './decision-draft.ts'

interface FieldsProps {
  kind: 'report' | 'review'
  about: DecidedCase
  draft: DecisionDraft
}

export function DismissFields({ kind, about, draft }: FieldsProps) {
  const { t } = useTranslation('moderation')
  return (
    <>
      <Note draft={draft} />
      {kind === 'report' && (
        <div>
          <Checkbox
            label={t('decide.falseReport')}
            checked={draft.decided.falseReport}
            onChange={(event) => draft.change({ falseReport: event.target.checked })}
          />
          <p className="ps-8.5 text-s text-ink-2">{t('decide.falseReportHint')}</p>
        </div>
      )}
      <WholeSubject {...{ about, draft }} />
    </>
  )
}

const lasts = (action: Action) => action === 'restrict' || action === 'suspend'

export function SanctionFields({ about, action, draft, error }: FieldsProps & { action: Action; error: boolean }) {
  const { t } = useTranslation('moderation')
  const { ground, days, statement } = draft.decided
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('decide.ground')}
          value={ground}
          options={communityRules.map((rule) => ({ value: rule, label: t(`ground.${rule}`) }))}
          onChange={(event) => draft.change({ ground: event.target.value as Ground })}
          frameClassName={lasts(action) ? '' : 'sm:col-span-2'}
        />
        {lasts(action) && (
          <Field
            inputMode="numeric"
            label={t('decide.days')}
            value={String(days)}
            onChange={(event) => draft.change({ days: withinDays(Number(digitsOf(event.target.value))) })}
          />
        )}
      </div>
      {action === 'remove_item' && about.subject === 'profile' && <Parts draft={draft} />}
      <Select
        label={t('decide.language')}
        value={draft.language}
        options={languages.map((language) => ({ value: language, label: languageNames[language] }))}
        onChange={(event) => draft.setLanguage(event.target.value)}
      />
      <div className="grid justify-items-end gap-1">
        <TextArea
          label={t('decide.statement')}
          hint={t('decide.statementHint')}
          error={error ? t('decide.tooShort', { count: limits.statementMin }) : undefined}
          lang={draft.language}
          value={statement}
          maxLength={limits.statementLength}
          onChange={(event) => draft.write(event.target.value)}
          frameClassName="w-full"
        />
        {draft.prefill && (
          <Button variant="text" size="s" onClick={draft.prefill}>
            {t('decide.prefill')}
          </Button>
        )}
      </div>
      <Preview {...{ about, action, draft }} />
      <Note draft={draft} />
      <WholeSubject {...{ about, draft }} />
    </>
  )
}

function Parts({ draft }: Pick<FieldsProps, 'draft'>) {
  const { t } = useTranslation('moderation')
  const { parts } = draft.decided
  const flip = (part: ProfilePart, on: boolean) =>
    draft.change({ parts: profileParts.filter((one) => (one === part ? on : parts.includes(one))) })
  return (
    <fieldset className="grid gap-x-4 sm:grid-cols-2">
      <legend className="mb-1 text-s font-[540] text-ink-2">{t('decide.parts')}</legend>
      {profileParts.map((part) => (
        <Checkbox
          key={part}
          label={t(`partOf.${part}`)}
          checked={parts.includes(part)}
          disabled={parts.length === 1 && parts.includes(part)}
          onChange={(event) => flip(part, event.target.checked)}
        />
      ))}
    </fieldset>
  )
}

const withinDays = (days: number) => (Number.isInteger(days) ? Math.min(limits.sanctionDays, Math.max(1, days)) : 1)
const kinds = {
  warn: 'warning',
  remove_item: 'item_removed',
  restrict: 'restriction',
  suspend: 'suspension',
  ban: 'ban',
} as const
const dayMs = 86_400_000

function Preview({ about, action, draft }: Pick<FieldsProps, 'about' | 'draft'> & { action: Action }) {
  const { t } = useTranslation('moderation')
  const { ground, days, statement } = draft.decided
  const now = useMemo(() => Date.now(), [])
  if (action === 'dismiss') return null
  const sanction: OwnSanction = {
    id: 'preview',
    kind: kinds[action],
    ground,
    statement,
    automated: false,
    appeal: null,
    item: action === 'remove_item' && about.subject !== 'account' ? about.subject : null,
    createdAt: new Date(now).toISOString(),
    endsAt: lasts(action) ? new Date(now + days * dayMs).toISOString() : null,
    liftedAt: null,
    liftedAs: null,
    appealUntil: null,
  }
  return (
    <section aria-label={t('decide.preview')}>
      <h3 className="mb-1.5 text-s font-[540] text-ink-2">{t('decide.preview')}</h3>
      <div className="rounded-m bg-sunken p-4">
        <SanctionPreview sanction={sanction} />
      </div>
    </section>
  )
}

function Note({ draft }: Pick<FieldsProps, 'draft'>) {
  const { t } = useTranslation('moderation')
  return (
    <TextArea
      label={t('decide.note')}
      hint={t('decide.noteHint')}
      rows={2}
      value={draft.decided.note}
      maxLength={limits.reasonLength}
      onChange={(event) => draft.change({ note: event.target.value })}
    />
  )
}

function WholeSubject({ about, draft }: Pick<FieldsProps, 'about' | 'draft'>) {
  const { t } = useTranslation('moderation')
  if (about.sameSubject === 0) return null
  return (
    <Checkbox
      label={t('decide.allOfSubject', { count: about.sameSubject })}
      checked={draft.decided.allOfSubject}
      onChange={(event) => draft.change({ allOfSubject: event.target.checked })}
    />
  )
}
