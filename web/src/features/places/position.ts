interface Position {
  latitude: number
  longitude: number
}

/** Asks the device where it is; otherwise says why not: it was not allowed, or it does not know. */
export function findPosition(): Promise<Position | 'denied' | 'unknown'> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve('unknown')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unknown'),
      { timeout: 10_000, maximumAge: 600_000 },
    )
  })
}
