import { readFile } from 'node:fs/promises'
import { Pose } from '@duet/contract/verification.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { days, hours, minutes } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import {
  hasBadge,
  jpeg,
  queue,
  reviewer,
  selfieFiles,
  send,
  shown,
  start,
  stateOf,
  toldOf,
  verified,
  waiting,
} from './acts.test-verification.ts'
import { drawPose } from './poses.ts'
import { sweepVerifications } from './sweep.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await reviewer(app)
})
afterAll(() => app.close())

describe('the poses', () => {
  it('there are at least twelve poses with hands and several without, and none comes twice in a row', () => {
    const draws = (isHandsFree: boolean) => new Set(Array.from({ length: 600 }, () => drawPose(isHandsFree, undefined)))
    const [withHands, without] = [draws(false), draws(true)]
    expect(withHands.size).toBeGreaterThanOrEqual(12)
    expect(without.size).toBeGreaterThanOrEqual(8)
    expect(new Set([...withHands, ...without])).toEqual(new Set(Pose.options))
    expect(withHands.size + without.size).toBe(Pose.options.length)
    const [first] = [...without]
    expect(Array.from({ length: 300 }, () => drawPose(true, first))).not.toContain(first)
  })
})

describe('asking for a pose', () => {
  it('asking gives a pose for ten minutes', async () => {
    const me = await shown(app)
    expect(await stateOf(me)).toEqual({ state: 'none' })
    const { status, body } = await start(me)
    expect(status).toBe(201)
    expect(body).toEqual({ state: 'asked', pose: expect.any(String), expiresAt: expect.any(String) })
    const life = Date.parse(body.expiresAt ?? '') - app.clock.now().getTime()
    expect(life).toBeGreaterThan(minutes(9))
    expect(life).toBeLessThanOrEqual(minutes(10))
    expect(await stateOf(me)).toEqual(body)
  })

  it('asking for a pose needs a photo to compare with', async () => {
    const { status, body } = await start(await person(app))
    expect([status, body.code]).toEqual([409, 'conflict'])
  })

  it('asking for a pose is refused while a selfie waits, and with the badge', { tags: 'long' }, async () => {
    expect((await start(await waiting(app))).status).toBe(409)
    expect((await start(await verified(app, admin))).status).toBe(409)
  })

  it('a person can ask for a pose five times a week', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    try {
      const me = await shown(strict)
      for (let tried = 0; tried < 5; tried++) expect((await start(me)).status).toBe(201)
      const { status, body } = await start(me)
      expect([status, body.code]).toEqual([429, 'rate_limited'])
    } finally {
      await strict.close()
    }
  })

  it.each([{ handsFree: 'yes' }, { pose: 'look_up' }, { handsFree: true, pose: 'look_up' }, []])(
    'asking for a pose with %j is refused',
    async (body) => {
      expect((await (await shown(app)).send('POST', '/api/verification', body)).status).toBe(400)
    },
  )
})

describe('sending the selfie', () => {
  it('a selfie can be sent once, after asking for a pose', async () => {
    const me = await shown(app)
    expect((await send(me)).status).toBe(409)
    await start(me)
    const { status, body } = await send(me)
    expect([status, body]).toEqual([200, { state: 'waiting' }])
    expect((await send(me)).status).toBe(409)
  })

  it('a selfie can be sent for ten minutes', { tags: 'long' }, async () => {
    const late = await startTestApp()
    try {
      const me = await shown(late)
      await start(me)
      late.clock.advance(minutes(10) + 1)
      expect((await send(me)).status).toBe(409)
      expect(await stateOf(me)).toEqual({ state: 'none' })
      expect(await selfieFiles(late)).toEqual([])
    } finally {
      await late.close()
    }
  })

  it('a selfie is stored in one file that shows nothing by itself', async () => {
    const before = await selfieFiles(app)
    const me = await waiting(app)
    const [file = '', ...others] = (await selfieFiles(app)).filter((one) => !before.includes(one))
    expect(others).toEqual([])
    const bytes = await readFile(file)
    expect(bytes.includes('WEBP')).toBe(false)
    await expect(sharp(bytes).metadata()).rejects.toThrow()
    await me.call('DELETE /api/verification')
    expect(await selfieFiles(app)).toEqual(before)
  })

  it('of several simultaneous selfies, one is stored', { tags: ['long', 'race'] }, async () => {
    const me = await shown(app)
    await start(me)
    const before = await selfieFiles(app)
    const answers = await Promise.all([send(me), send(me), send(me)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await selfieFiles(app)).toHaveLength(before.length + 1)
    expect((await queue(admin)).filter(({ user }) => user.id === me.id)).toHaveLength(1)
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>1</script></svg>'
  const corpus: Record<string, () => Promise<[bytes: Buffer, status: number]>> = {
    'an SVG': async () => [Buffer.from(svg), 415],
    'a PDF that begins as a JPEG': async () => [
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('%PDF-1.7')]),
      415,
    ],
    'a truncated JPEG': async () => [(await jpeg(900, 900)).subarray(0, 9_000), 415],
    'a picture too small to compare': async () => [await jpeg(90, 90), 400],
    'an empty file': async () => [Buffer.alloc(0), 415],
    'a file of 8 MiB and a byte': async () => [Buffer.alloc(8 * 1024 * 1024 + 1, 1), 413],
  }
  for (const { tags, cases } of firstQuick(2, Object.keys(corpus)))
    it.each(cases)('%s is refused and not stored, and the person can send a better one', { tags }, async (kind) => {
      const [bytes, expected] = (await corpus[kind]?.()) ?? [Buffer.alloc(0), 0]
      const me = await shown(app)
      await start(me)
      const before = await selfieFiles(app)
      expect((await send(me, bytes)).status).toBe(expected)
      expect(await selfieFiles(app)).toEqual(before)
      expect((await stateOf(me)).state).toBe('asked')
      expect((await send(me)).status).toBe(200)
    })

  it('forms with anything except one file are refused', async () => {
    const me = await shown(app)
    await start(me)
    const file = new Blob([new Uint8Array(await jpeg())])
    const wrong: [string, string | Blob][][] = [
      [],
      [['photo', file]],
      [
        ['file', file],
        ['pose', 'look_up'],
      ],
      [['file', 'text']],
    ]
    for (const parts of wrong) {
      const form = new FormData()
      for (const [name, value] of parts) form.append(name, value)
      const { status } = await me.call('PUT /api/verification/selfie', { form })
      expect(status).toBe(400)
    }
    expect((await stateOf(me)).state).toBe('asked')
  })
})

describe('withdrawing a verification', () => {
  it('withdrawing deletes the selfie and leaves nothing to review', async () => {
    const before = await selfieFiles(app)
    const me = await waiting(app)
    expect((await me.call('DELETE /api/verification')).body).toEqual({ ok: true })
    expect(await selfieFiles(app)).toEqual(before)
    expect(await stateOf(me)).toEqual({ state: 'none' })
    expect((await queue(admin)).some(({ user }) => user.id === me.id)).toBe(false)
    expect((await me.call('DELETE /api/verification')).status).toBe(200)
  })

  it('withdrawing gives up the badge', async () => {
    const me = await verified(app, admin)
    expect(await hasBadge(me)).toBe(true)
    await me.call('DELETE /api/verification')
    expect(await hasBadge(me)).toBe(false)
    expect(await stateOf(me)).toEqual({ state: 'none' })
  })
})

describe('unanswered requests', () => {
  it('a selfie without a decision is deleted after seven days, and the person may try again', {
    tags: 'long',
  }, async () => {
    const slow = await startTestApp()
    try {
      const [me, asked] = [await waiting(slow), await shown(slow)]
      await start(asked)
      slow.clock.advance(days(7) - minutes(5))
      await sweepVerifications(slow.platform)
      const again = caller(slow.url, await signedInAgain(slow, me)) as Person
      expect((await stateOf(again)).state).toBe('waiting')
      expect(await slow.platform.db.selectFrom('verifications').select('state').execute()).toEqual([
        { state: 'waiting' },
      ])
      slow.clock.advance(minutes(6))
      await sweepVerifications(slow.platform)
      expect(await selfieFiles(slow)).toEqual([])
      expect(await stateOf(again)).toEqual({ state: 'none' })
      expect(await toldOf(again)).toMatchObject([{ kind: 'verification_undecided', link: '/settings/profile' }])
      expect((await start(again)).status).toBe(201)
    } finally {
      await slow.close()
    }
  })

  async function signedInAgain({ url, codeFor, clock, mails }: TestApp, { email }: Person): Promise<string> {
    clock.advance(minutes(1))
    mails.length = 0
    await caller(url).call('POST /api/user/requestOtp', { body: { email } })
    const { body } = await caller(url).call('POST /api/user/authenticate', {
      body: { email, otp: await codeFor(email) },
    })
    clock.advance(-minutes(1))
    return body.token
  }

  it('an unanswered pose is deleted an hour after its time', { tags: 'long' }, async () => {
    const slow = await startTestApp()
    try {
      await start(await shown(slow))
      slow.clock.advance(hours(1) + minutes(11))
      await sweepVerifications(slow.platform)
      expect(await slow.platform.db.selectFrom('verifications').selectAll().execute()).toEqual([])
    } finally {
      await slow.close()
    }
  })
})

describe('erased accounts', () => {
  it('erasing an account deletes its row and selfie', { tags: 'long' }, async () => {
    const owner = connectOwner(ownerOf(app.platform), () => undefined)
    try {
      const before = await selfieFiles(app)
      const me = await waiting(app)
      expect(await selfieFiles(app)).toHaveLength(before.length + 1)
      expect(await eraseAccount({ ...app.platform, db: owner.db }, me.id)).toBe(true)
      expect(await selfieFiles(app)).toEqual(before)
      const rows = await app.platform.db.selectFrom('verifications').select('id').where('user_id', '=', me.id).execute()
      expect(rows).toEqual([])
    } finally {
      await owner.db.destroy()
    }
  })

  it('a selfie sent during the erasure is deleted, too', { tags: 'long' }, async () => {
    const owner = connectOwner(ownerOf(app.platform), () => undefined)
    const { storage } = app.platform
    const { put } = storage
    try {
      const before = await selfieFiles(app)
      const me = await shown(app)
      await start(me)
      const erasing = { ...app.platform, db: owner.db }
      let erased: Promise<boolean> | undefined
      storage.put = async (key, ...file) => {
        if (key.startsWith('verification/')) {
          erased ??= eraseAccount(erasing, me.id)
          await Promise.race([erased, new Promise((resolve) => setTimeout(resolve, 500))])
        }
        await put(key, ...file)
      }
      await send(me)
      if (!(await erased)) await eraseAccount(erasing, me.id)
      expect(await selfieFiles(app)).toEqual(before)
    } finally {
      storage.put = put
      await owner.db.destroy()
    }
  })
})
