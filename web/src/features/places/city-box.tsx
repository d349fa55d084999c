import type { Place } from '@duet/contract/places.ts'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { FieldFrame, fieldBox } from '../../ui/form/field-frame.tsx'
import { usePlaces } from './places.api.ts'

const regionAndCountry = ({ name, region, country }: Place) =>
  region && region !== name ? `${region}, ${country}` : country

export function CityBox({ onChosen }: { onChosen: (place: Place) => void }) {
  const { t } = useTranslation('places')
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const listId = useId()
  const { places, asked, failed } = usePlaces(open ? text : '')
  const shown = open && places.length > 0
  const choose = (place: Place) => {
    setText(`${place.name}, ${regionAndCountry(place)}`)
    setOpen(false)
    onChosen(place)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!shown || event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') return setOpen(false)
    if (!step && event.key !== 'Enter') return
    event.preventDefault()
    if (step) return setActive((active + step + places.length) % places.length)
    const place = places[active]
    if (place) choose(place)
  }
  return (
    <FieldFrame
      label={t('city')}
      // Always rendered, because screen readers may not announce a status element inserted together with its text.
      hint={<span role="status">{open && asked && places.length === 0 && t('noCity')}</span>}
      error={open && failed ? t('searchFailed') : undefined}
    >
      {(wiring) => (
        <>
          <input
            {...wiring}
            role="combobox"
            aria-expanded={shown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={shown ? `${listId}-${active}` : undefined}
            autoComplete="off"
            value={text}
            placeholder={t('cityHint')}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setText(event.target.value)
              setOpen(true)
              setActive(0)
            }}
            className={classNames(fieldBox, 'h-12')}
          />
          <div id={listId} role="listbox" aria-label={t('cities')} className={classNames('mt-2', !shown && 'hidden')}>
            {places.map((place, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
              <div
                key={place.cityId}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                onClick={() => choose(place)}
                className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-s px-4 hover:bg-sunken aria-selected:bg-sunken"
              >
                <span className="min-w-0 font-medium wrap-anywhere">
                  {place.name}
                  {place.otherName && (
                    <>
                      {' '}
                      <bdi className="text-ink-2">({place.otherName})</bdi>
                    </>
                  )}
                </span>
                <span className="text-end text-s text-ink-2">{regionAndCountry(place)}</span>
              </div>
            ))}
          </div>
        </>
      )}
    </FieldFrame>
  )
}
