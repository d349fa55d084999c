import { beforeEach } from 'vitest'
import type { TestApp } from './app.ts'
import { type Person, person } from './people.ts'

/** Returns a different place for each test, so far from the others that newcomers aren't announced there. */
export function ownPlace(): { latitude: number; longitude: number } {
  const here = { latitude: 52.52, longitude: 13.405 }
  beforeEach(() => {
    here.longitude += 2
  })
  return here
}

export function neighbours(app: () => TestApp) {
  const here = ownPlace()
  const someone = (name = 'Jun', wanted: Parameters<typeof person>[1] = {}) =>
    person(app(), { name, at: here, ...wanted })
  const couple = async (): Promise<[Person, Person]> => [await someone('Ana'), await someone('Ben')]
  return { here, someone, couple }
}
