import { LocateFixed, Lock, MapPin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/overlay/use-opening.ts'
import { CityBox } from './city-box.tsx'
import { useLocationChange, type Where } from './places.api.ts'
import { findPosition } from './position.ts'

export interface PlacePickerProps {
  area: string | null
  onTry?: () => void
  onChosen?: (area: string) => void
}

export default function PlacePicker({ area, onTry, onChosen }: PlacePickerProps) {
  const { t } = useTranslation('places')
  const change = useLocationChange()
  const [error, setError] = useState<string>()
  const opening = useOpening()
  const save = async (where: Where) => {
    const isStillOpen = opening()
    setError(undefined)
    onTry?.()
    try {
      const saved = await change.mutateAsync(where)
      // If the person left this step in the meantime, don't navigate them away from where they are now.
      if (isStillOpen()) onChosen?.(saved.area)
    } catch (problem) {
      setError(t(problemCode(problem) === 'rate_limited' ? 'tooOften' : 'failed'))
    }
  }
  const { locate, locating } = useLocate((found) => (typeof found === 'string' ? setError(t(found)) : void save(found)))
  return (
    <div className="grid gap-5">
      {area && (
        <p className="flex items-center gap-2">
          <MapPin aria-hidden="true" className="text-accent" />
          {t('now', { area })}
        </p>
      )}
      <Button
        variant="quiet"
        wide
        busy={locating || change.isPending}
        icon={<LocateFixed aria-hidden="true" />}
        onClick={() => {
          setError(undefined)
          onTry?.()
          void locate()
        }}
      >
        {t('useMine')}
      </Button>
      <CityBox onChosen={(place) => void save({ cityId: place.cityId })} />
      {error && (
        <p role="alert" className="text-s font-medium text-bad">
          {error}
        </p>
      )}
      <p className="flex gap-2.5 text-s text-ink-2">
        <Lock aria-hidden="true" className="size-4.5" />
        {t('kept')}
      </p>
    </div>
  )
}

/** Asks the device for its position, which may take a while. The result is ignored after unmounting. */
function useLocate(onFound: (found: Awaited<ReturnType<typeof findPosition>>) => void) {
  const [locating, setLocating] = useState(false)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const locate = async () => {
    setLocating(true)
    const found = await findPosition()
    if (!isHere.current) return
    setLocating(false)
    onFound(found)
  }
  return { locate, locating }
}
