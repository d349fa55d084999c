import { expect, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

async function strict(): Promise<TestApp> {
  const app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  onTestFinished(() => app.close())
  return app
}
const save = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })
const statuses = async (who: Person, bodies: object[]) => {
  const found: number[] = []
  for (const body of bodies) found.push((await save(who, body)).status)
  return found
}

it('Changing one’s height repeatedly can’t reveal what others look for.', {
  tags: 'long',
}, async () => {
  const who = await person(await strict())
  const heights = [150, 170, 190, 180, 175].map((heightCm) => ({ heightCm }))
  expect(await statuses(who, heights)).toEqual([200, 200, 200, 200, 429])
  const { status, body, headers } = await save(who, { heightCm: 176, bio: 'Never written' })
  expect([status, body.code, body.errors?.[0]?.path]).toEqual([429, 'rate_limited', 'heightCm'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_600)
  const mine = (await who.call('GET /api/user/myDetails')).body
  expect([mine.facts.heightCm, mine.bio]).toEqual([180, ''])
})

it('Changing or removing one’s gender repeatedly can’t reveal what others look for.', { tags: 'long' }, async () => {
  const who = await person(await strict())
  const withdraw = () => who.call('PUT /api/consents', { body: { purpose: 'sensitive', granted: false } })
  expect(await statuses(who, [{ gender: 'woman' }, { gender: 'man' }])).toEqual([200, 200])
  await withdraw()
  expect(await statuses(who, [{ gender: 'nonbinary' }])).toEqual([200])
  await withdraw()
  expect(await statuses(who, [{ gender: 'woman' }])).toEqual([429])
})

it('A profile can be filled in and corrected normally.', { tags: 'long' }, async () => {
  const who = await person(await strict(), { gender: 'woman' })
  const first = {
    ...{ intents: ['dating'], heightCm: 170, children: 'open', smoking: 'never', drinking: 'sometimes' },
    ...{ diet: 'vegan', languages: ['en'] },
  }
  const second = {
    ...{ intents: ['dating', 'friendship'], heightCm: 171, children: 'want', smoking: 'sometimes', drinking: 'never' },
    ...{ diet: 'vegetarian', languages: ['en', 'es'] },
  }
  expect(await statuses(who, [first, second, first, second])).toEqual([200, 200, 200, 200])
  // Neither unchanged values, in any order, nor other fields are limited.
  const same = { ...second, languages: ['es', 'en'], gender: 'woman' }
  const edits = Array.from({ length: 20 }, (_, n) => ({ ...same, bio: `Version ${n}`, ageMin: 20 + n, ageMax: 60 }))
  expect(new Set(await statuses(who, edits))).toEqual(new Set([200]))
  expect(await statuses(who, [{ heightCm: null, smoking: null, languages: [] }])).toEqual([200])
})
