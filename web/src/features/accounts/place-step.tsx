import type { Place } from '@duet/contract/places.ts'
import { LocateFixed, Lock, MapPin } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceCard } from '../../ui/choice-card.tsx'
import { Field } from '../../ui/field.tsx'
import { type ProfileStepProps, useSave } from './profile-steps.tsx'
import { StepFrame } from './step-frame.tsx'

function usePlaces(query: string): Place[] {
  const [places, setPlaces] = useState<Place[]>([])
  useEffect(() => {
    const text = query.trim()
    if (text.length < 2) return setPlaces([])
    const stop = new AbortController()
    const wait = setTimeout(() => {
      call('GET /api/places', { query: { query: text, limit: 6 }, signal: stop.signal }).then(
        (answer) => setPlaces(answer.places),
        () => setPlaces([]),
      )
    }, 200)
    return () => {
      clearTimeout(wait)
      stop.abort()
    }
  }, [query])
  return places
}

const askPosition = () =>
  new Promise<GeolocationPosition>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 10_000, maximumAge: 600_000 }),
  )

/** Where they are: by the device, or by the name of a city. */
export function PlaceStep(props: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const { details, onNext, onBack } = props
  const { busy, error, setError, run } = useSave(props)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<Place>()
  const places = usePlaces(chosen ? '' : query)
  const keepArea = (body: { cityId: number } | { latitude: number; longitude: number }) =>
    run(async () => ({ ...details, ...(await call('PATCH /api/user/updateLocation', { body })) }))
  const locate = async () => {
    const position = await askPosition().catch(() => undefined)
    if (!position) return setError(t('place.noPosition'))
    const { latitude, longitude } = position.coords
    await keepArea({ latitude, longitude })
  }
  const next = () => {
    if (chosen) return keepArea({ cityId: chosen.cityId })
    return details.area ? onNext() : setError(t('place.missing'))
  }
  const note = (
    <>
      <Lock aria-hidden="true" />
      {t('place.note')}
    </>
  )
  return (
    <StepFrame
      step="place"
      title={t('place.title')}
      lead={t('place.lead')}
      onContinue={next}
      onSkip={onNext}
      {...{ onBack, busy, error, note }}
    >
      {details.area && (
        <p className="mb-5 flex items-center gap-2">
          <MapPin aria-hidden="true" className="text-accent" />
          {t('place.now', { area: details.area })}
        </p>
      )}
      <Button variant="quiet" size="l" wide icon={<LocateFixed aria-hidden="true" />} onClick={locate}>
        {t('place.locate')}
      </Button>
      <Field
        frameClassName="mt-6"
        size="l"
        label={t('place.city')}
        autoComplete="off"
        value={chosen ? `${chosen.name}, ${chosen.country}` : query}
        onChange={(event) => {
          setChosen(undefined)
          setQuery(event.target.value)
        }}
      />
      <div role="status" className="mt-2.5 grid gap-2">
        {places.map((place) => (
          <ChoiceCard
            key={place.cityId}
            name="city"
            checked={false}
            onChange={() => setChosen(place)}
            label={place.name}
            hint={place.country}
          />
        ))}
        {query.trim().length > 2 && !chosen && places.length === 0 && (
          <p className="text-s text-ink-2">{t('place.none')}</p>
        )}
      </div>
    </StepFrame>
  )
}
