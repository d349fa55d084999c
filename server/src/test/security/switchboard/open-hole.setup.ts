import pg from 'pg'
import type { TestProject } from 'vitest/node'
import setUp from '../../global-setup.ts'
import { chosenHole } from './holes.ts'
import { openInDatabase } from './patch.ts'

/** The global setup of all tests, plus the chosen vulnerability in the template database. */
export default async function setUpWithHole(project: TestProject): Promise<() => Promise<void>> {
  const tearDown = await setUp(project)
  const hole = chosenHole()
  if (!hole) return tearDown
  const { host, user, templateDatabase } = project.getProvidedContext().postgres
  const owner = new pg.Client({ host, user, database: templateDatabase })
  await owner.connect()
  try {
    await openInDatabase(owner, hole)
  } finally {
    await owner.end()
  }
  return tearDown
}
