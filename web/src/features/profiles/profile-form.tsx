import { limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ProblemError } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { Section } from '../../ui/page.tsx'
import { Anchored } from './anchored.tsx'
import { ChoicesFields } from './choices-fields.tsx'
import { FactsField } from './facts-field.tsx'
import { InterestsField } from './interests-field.tsx'
import {
  changedSince,
  changesOf,
  fieldsOf,
  keepProfileDraft,
  type ProfileFields,
  readProfileDraft,
  type SetField,
} from './profile-fields.ts'
import { useUpdateUser } from './profiles.ts'
import { PromptsField } from './prompts-field.tsx'

const check: Resolver<ProfileFields> = (values) => {
  const { name, heightCm } = values
  const fits = heightCm === null || (heightCm >= limits.heightMin && heightCm <= limits.heightMax)
  const errors = {
    ...(!name.trim() && { name: { type: 'required', message: 'nameMissing' } }),
    ...(!fits && { heightCm: { type: 'range', message: 'heightWrong' } }),
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

function useProfileForm(details: MyDetails) {
  const saved = fieldsOf(details)
  const [kept] = useState(() => readProfileDraft(details.id))
  const form = useForm<ProfileFields>({ defaultValues: { ...saved, ...kept }, resolver: check, mode: 'onBlur' })
  const fields = form.watch()
  const changes = changesOf(saved, fields)
  const unsaved = Object.keys(changes).length > 0
  const text = JSON.stringify(changes)
  useEffect(() => keepProfileDraft(details.id, JSON.parse(text)), [details.id, text])
  // A height is only judged when it is left: its first digit alone is always wrong.
  const set: SetField = (key, value) =>
    form.setValue(key as 'name', value as string, { shouldDirty: true, shouldValidate: key !== 'heightCm' })
  return { form, fields, set, changes, unsaved, saved }
}

/** The words of the own profile. What is not saved yet is kept, even over a reload. */
export function ProfileForm({ details }: { details: MyDetails }) {
  const { t } = useTranslation('profiles')
  const { form, fields, set, changes, unsaved, saved } = useProfileForm(details)
  const update = useUpdateUser()
  const discard = () => {
    form.reset(saved)
    update.reset()
  }
  const save = form.handleSubmit(
    (sent) =>
      update.mutate(changes, {
        onSuccess: (next) => {
          form.reset({ ...fieldsOf(next), ...changedSince(sent, form.getValues()) })
          toast.success(t('saved'))
        },
      }),
    () => requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid]')?.focus()),
  )
  return (
    <form noValidate onSubmit={save} className="grid gap-8">
      <Words {...{ fields, set }} nameError={form.formState.errors.name?.message} />
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
          <FactsField
            {...{ fields, set }}
            heightError={form.formState.errors.heightCm?.message}
            onHeightBlur={() => void form.trigger('heightCm')}
          />
        </Section>
      </Anchored>
      {unsaved && (
        <div className="sticky bottom-[calc(var(--tabs)+env(safe-area-inset-bottom)+12px)] z-5 flex flex-wrap items-center gap-3 rounded-l bg-surface px-5 py-3.5 shadow-one outline-1 outline-line sm:bottom-4">
          <p role="status" className="min-w-40 flex-1 text-s text-ink-2">
            {update.isError ? (
              <span className="font-medium text-bad">{problemWords(update.error, t)}</span>
            ) : (
              t('unsaved')
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
    </form>
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
