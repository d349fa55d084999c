import { limits } from '@duet/contract/limits.ts'
import { byName } from '@duet/contract/order.ts'
import type { Preferences } from '@duet/contract/profiles.ts'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { Chip, RemovableChip } from '../../../ui/form/chip.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { SliderRange } from '../../../ui/form/slider-range.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { type WishItem, wishes, wishItems, wishOf, withoutWish, withWish } from './filters.ts'
import { useWishWords } from './pool-words.ts'
import { listed } from './words.ts'

interface WishFieldsProps {
  preferences: Preferences
  onChange: (preferences: Preferences) => void
}

export function WishFields({ preferences, onChange }: WishFieldsProps) {
  const { t } = useTranslation('discovery')
  return (
    <section>
      <h3 className="display text-l">{t('sheet.wishes')}</h3>
      <p className="mt-1.5 mb-3 text-s text-ink-2">{t('sheet.unsaid')}</p>
      <div className="divide-y divide-line border-y border-line">
        {wishItems.map((item) => (
          <WordsWish key={item} item={item} {...{ preferences, onChange }} />
        ))}
        <HeightWish {...{ preferences, onChange }} />
      </div>
    </section>
  )
}

interface FoldProps {
  title: string
  summary: string
  children: ReactNode
}

function Fold({ title, summary, children }: FoldProps) {
  return (
    <details className="group/fold">
      <summary className="flex min-h-13 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
        <span className="font-medium">{title}</span>
        <span className="ms-auto text-end text-s text-ink-2">{summary}</span>
        <ChevronDown aria-hidden="true" className="size-4.5! text-ink-2 transition group-open/fold:rotate-180" />
      </summary>
      <div className="grid gap-3 pb-5">{children}</div>
    </details>
  )
}

interface DealbreakerProps {
  of: string
  checked: boolean
  onChange: (on: boolean) => void
}

function Dealbreaker({ of, checked, onChange }: DealbreakerProps) {
  const { t } = useTranslation('discovery')
  const name = `${t('sheet.dealbreaker')}: ${of}`
  return <Switch label={t('sheet.dealbreaker')} aria-label={name} checked={checked} onChange={onChange} />
}

/** Loads its texts when needed, because the first screen works without them. */
function ConsentHint() {
  const { t } = useTranslation('questions')
  return <p className="text-s text-ink-2">{t('choosing')}</p>
}

function WordsWish({ item, preferences, onChange }: WishFieldsProps & { item: WishItem }) {
  const { t, i18n } = useTranslation('discovery')
  const word = useWishWords()
  const wish = wishOf(preferences, item) ?? { accepts: [], dealbreaker: false }
  const set = (accepts: string[]) => onChange(withWish(preferences, item, { ...wish, accepts }))
  const summary =
    listed(
      wish.accepts.map((id) => word(item, id)),
      i18n.language,
    ) || t('sheet.any')
  const name = t(`facts.${item}`)
  return (
    <Fold title={name} summary={wish.dealbreaker ? `${summary} · ${t('sheet.dealbreaker')}` : summary}>
      {item === 'languages' ? (
        <LanguageWish accepts={wish.accepts} onChange={set} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: the summary serves as the legend
        <div role="group" aria-label={name} className="flex flex-wrap gap-2">
          {wishes[item].map((id: string) => (
            <Chip
              key={id}
              pressed={wish.accepts.includes(id)}
              onClick={() =>
                set(wish.accepts.includes(id) ? wish.accepts.filter((other) => other !== id) : [...wish.accepts, id])
              }
            >
              {word(item, id)}
            </Chip>
          ))}
        </div>
      )}
      {item === 'diet' && wish.accepts.some((id) => id === 'halal' || id === 'kosher') && (
        <Extra>
          <ConsentHint />
        </Extra>
      )}
      {wish.accepts.length > 0 && (
        <Dealbreaker
          of={name}
          checked={wish.dealbreaker}
          onChange={(dealbreaker) => onChange(withWish(preferences, item, { ...wish, dealbreaker }))}
        />
      )}
    </Fold>
  )
}

function LanguageWish({ accepts, onChange }: { accepts: string[]; onChange: (accepts: string[]) => void }) {
  const { t, i18n } = useTranslation('discovery')
  const word = useWishWords()
  const free = wishes.languages
    .filter((code) => !accepts.includes(code))
    .map((code) => ({ value: code as string, label: word('languages', code) }))
    .toSorted(byName(i18n.language, ({ label }) => label))
  return (
    <>
      {accepts.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {accepts.map((code) => (
            <RemovableChip
              key={code}
              label={word('languages', code)}
              onRemove={() => onChange(accepts.filter((other) => other !== code))}
            />
          ))}
        </div>
      )}
      <Select
        label={t('sheet.addLanguage')}
        hideLabel
        value=""
        options={[{ value: '', label: t('sheet.addLanguage') }, ...free]}
        onChange={({ target }) => target.value && onChange([...accepts, target.value])}
      />
    </>
  )
}

function HeightWish({ preferences, onChange }: WishFieldsProps) {
  const { t } = useTranslation('discovery')
  const name = t('facts.height')
  const wish = preferences.height
  const set = (height: NonNullable<Preferences['height']>) => onChange({ ...preferences, height })
  if (!wish)
    return (
      <Fold title={name} summary={t('sheet.any')}>
        <Button
          variant="quiet"
          className="justify-self-start"
          onClick={() => set({ min: 150, max: 200, dealbreaker: false })}
        >
          {t('sheet.setHeight')}
        </Button>
      </Fold>
    )
  const text = t('sheet.heightText', wish)
  return (
    <Fold title={name} summary={wish.dealbreaker ? `${text} · ${t('sheet.dealbreaker')}` : text}>
      <SliderRange
        label={name}
        text={text}
        thumbs={[t('sheet.shortest'), t('sheet.tallest')]}
        min={limits.heightMin}
        max={limits.heightMax}
        value={[wish.min, wish.max]}
        onChange={([min = wish.min, max = wish.max]) => set({ ...wish, min, max })}
      />
      <Dealbreaker of={name} checked={wish.dealbreaker} onChange={(dealbreaker) => set({ ...wish, dealbreaker })} />
      <Button
        variant="text"
        className="justify-self-start"
        onClick={() => onChange(withoutWish(preferences, 'height'))}
      >
        {t('sheet.dropHeight')}
      </Button>
    </Fold>
  )
}
