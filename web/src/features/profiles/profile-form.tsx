import { limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { excessOf, isVisible } from '@duet/contract/written-text.ts'
import type { TFunction } from 'i18next'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemError } from '../../platform/problem.ts'
import { useUnsent } from '../../platform/service-worker.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { Section } from '../../ui/page.tsx'
import { Anchored } from './anchored.tsx'
import { ChoicesFields } from './choices-fields.tsx'
import { ProfileConflicts } from './draft/profile-conflicts.tsx'
import { useProfileDraft } from './draft/profile-draft.ts'
import { FactsField } from './facts/facts-field.tsx'
import { InterestsField } from './interests-field.tsx'
import { fieldsOf, type ProfileFields, type SetField, sendable } from './profile-fields.ts'
import { useUpdateUser } from './profiles.ts'
import { PromptsField } from './prompts-field.tsx'

const longTexts = ['name', 'bio', 'genderText', 'pronouns'] as const

const hasLongText = (fields: ProfileFields) =>
  longTexts.some((field) => excessOf(fields[field], limits[`${field}Length`]) > 0) ||
  fields.prompts.some(({ answer }) => excessOf(answer, limits.promptAnswerLength) > 0)

function useProfileForm(details: MyDetails) {
  const saved = fieldsOf(details)
  const { state, isKept } = useProfileDraft(details)
  const form = useEdits(saved, state)
  // A height is validated only when its field loses focus, because its first digit alone is always invalid.
  const [judged, judge] = useState<number | null>(null)
  const { name, heightCm: cm } = form.fields
  const errors = {
    name: isVisible(name) ? undefined : 'nameMissing',
    heightCm: cm === null || (cm >= limits.heightMin && cm <= limits.heightMax) ? undefined : 'heightWrong',
  }
  useUnsent(!isKept)
  const set: SetField = (key, value) => form.set({ [key]: value })
  return {
    ...form,
    set,
    saved,
    isKept,
    sending: sendable(form.changes, saved),
    isRight: !errors.name && !errors.heightCm && !hasLongText(form.fields),
    judgeHeight: () => judge(cm),
    nameError: errors.name,
    heightError: judged === cm ? errors.heightCm : undefined,
  }
}

export function ProfileForm({ details }: { details: MyDetails }) {
  const { t } = useTranslation('profiles')
  const form = useProfileForm(details)
  const { fields, set, sending, changes } = form
  const update = useUpdateUser()
  const save = (event: FormEvent) => {
    event.preventDefault()
    form.judgeHeight()
    if (!form.isRight)
      return requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid]')?.focus())
    // `mutateAsync`, because the callbacks of `mutate` don't run after the form has unmounted. The save bar shows
    // errors.
    void update.mutateAsync(sending).then(
      (next) => {
        form.settle(changes, fieldsOf(next))
        toast.success(t('saved'))
      },
      () => undefined,
    )
  }
  return (
    <form noValidate onSubmit={save} className="grid gap-8">
      <Words {...{ fields, set }} nameError={form.nameError} />
      <Anchored id="answers">
        <Section title={t('answers')} hint={t('promptsHint')}>
          <PromptsField value={fields.prompts} onChange={(prompts) => set('prompts', prompts)} />
        </Section>
      </Anchored>
      <Anchored id="interests">
        <Section title={t('interests')} hint={t('interestsHint', { count: limits.interests })}>
          <InterestsField value={fields.interests} onChange={(interests) => set('interests', interests)} />
        </Section>
      </Anchored>
      <ChoicesFields {...{ fields, set }} />
      <Anchored id="facts">
        <Section title={t('factsTitle')} hint={t('factsHint')}>
          <FactsField {...{ fields, set }} heightError={form.heightError} onHeightBlur={form.judgeHeight} />
        </Section>
      </Anchored>
      <SaveBar form={form} update={update} />
    </form>
  )
}

interface SaveBarProps {
  form: ReturnType<typeof useProfileForm>
  update: ReturnType<typeof useUpdateUser>
}

function SaveBar({ form, update }: SaveBarProps) {
  const { t } = useTranslation('profiles')
  const isChanged = Object.keys(form.sending).length > 0
  if (!isChanged && form.conflicts.length === 0) return null
  const discard = () => {
    form.discard()
    update.reset()
  }
  return (
    <div className="sticky bottom-[calc(var(--tabs)+env(safe-area-inset-bottom)+12px)] z-5 grid max-h-[60dvh] gap-3 overflow-y-auto rounded-l bg-surface px-5 py-3.5 shadow-one outline-1 outline-line sm:bottom-4">
      <ProfileConflicts {...form} onKeep={form.keep} onTake={form.take} />
      {isChanged && (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="min-w-40 flex-1 text-s text-ink-2">
            {update.isError ? (
              <span className="font-medium text-bad">{problemWords(update.error, t)}</span>
            ) : (
              t(form.isKept ? 'unsaved' : 'unsavedNoRoom')
            )}
          </p>
          <Button variant="text" onClick={discard}>
            {t('discard')}
          </Button>
          <Button type="submit" busy={update.isPending}>
            {t('save')}
          </Button>
        </div>
      )}
    </div>
  )
}

function problemWords(error: unknown, t: TFunction<'profiles'>): string {
  const { code, errors } = error instanceof ProblemError ? error.problem : {}
  const [first] = errors ?? []
  if (code === 'rate_limited' && first) return t('changedOften')
  return first?.message || t('saveFailed')
}

interface PartProps {
  fields: ProfileFields
  set: SetField
}

function Words({ fields, set, nameError }: PartProps & { nameError: string | undefined }) {
  const { t } = useTranslation('profiles')
  return (
    <Anchored id="about">
      <Section title={t('about')}>
        <div className="grid gap-5">
          <Field
            label={t('name')}
            maxLength={limits.nameLength}
            autoComplete="given-name"
            error={nameError && t(nameError)}
            value={fields.name}
            onChange={({ target }) => set('name', target.value)}
          />
          <TextArea
            label={t('bio')}
            hint={t('bioHint')}
            maxLength={limits.bioLength}
            value={fields.bio}
            onChange={({ target }) => set('bio', target.value)}
          />
        </div>
      </Section>
    </Anchored>
  )
}
