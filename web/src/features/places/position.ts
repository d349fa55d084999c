import { permitted } from '../../platform/permitted.ts'

interface Position {
  latitude: number
  longitude: number
}

type Found = Position | 'denied' | 'unknown'

/** Resolves to `denied` without permission, and to `unknown` if no position is available. */
export function findPosition(): Promise<Found> {
  return new Promise<Found>((resolve) => {
    const place = permitted(() => navigator.geolocation)
    if (!place) return resolve('unknown')
    place.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unknown'),
      { timeout: 10_000, maximumAge: 600_000 },
    )
  }).catch(() => 'unknown' as const)
}
