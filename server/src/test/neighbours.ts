import { beforeEach } from 'vitest'
import type { TestApp } from './app.ts'
import { type Person, person } from './people.ts'

/** A place of its own for each test, too far from the others for its people to be news there. */
export function ownPlace(): { latitude: number; longitude: number } {
  const here = { latitude: 52.52, longitude: 13.405 }
  beforeEach(() => {
    here.longitude += 2
  })
  return here
}

/** People who live in one place, in each test in another. */
export function neighbours(app: () => TestApp) {
  const here = ownPlace()
  const someone = (name = 'Jun', wanted: Parameters<typeof person>[1] = {}) =>
    person(app(), { name, at: here, ...wanted })
  const couple = async (): Promise<[Person, Person]> => [await someone('Ana'), await someone('Ben')]
  return { here, someone, couple }
}
