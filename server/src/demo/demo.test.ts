import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSending } from '../features/conversations/sending.ts'
import { outboxMailer } from '../platform/mailer.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { caller, person } from '../test/people.ts'
import { answerTo } from './answer.ts'
import { demoRoutes } from './demo.routes.ts'
import { type DemoWorld, demoOnline, demoSignIn, past, seedDemoWorld, welcome } from './demo.ts'
import { demoLikes } from './likes.ts'
import { origins } from './names.ts'
import { demoPeople } from './people.ts'
import { demoReplies } from './replies.ts'

let app: TestApp
let world: DemoWorld
beforeAll(async () => {
  app = await startTestApp()
  world = await seedDemoWorld(app.platform)
})
afterAll(async () => {
  await world.stop()
  await app.close()
})

const count = async (query: string) => Number((await app.platform.pool.query(query)).rows[0].count)

test('The demo has two hundred adults with unique names and texts', () => {
  const people = demoPeople()
  expect(people).toHaveLength(200)
  expect(new Set(people.map(({ id }) => id)).size).toBe(200)
  expect(new Set(people.map(({ bio }) => bio)).size).toBe(200)
  const answers = people.flatMap(({ prompts }) => prompts.map(({ answer }) => answer))
  expect(new Set(answers).size).toBe(answers.length)
  expect(new Set(people.map(({ name }) => name)).size).toBe(200)
  const firsts = people.map(({ bio }) => bio.slice(0, bio.search(/[.?] /)))
  for (const first of firsts) expect(firsts.filter((one) => one === first).length, first).toBeLessThanOrEqual(2)
  for (const { age, looks } of people) {
    expect(age).toBeGreaterThanOrEqual(21)
    expect(age).toBeLessThanOrEqual(58)
    expect(looks.length).toBeGreaterThanOrEqual(2)
  }
})

test('Characters come from every origin, and their profiles match the guest’s chats', () => {
  const people = demoPeople()
  for (const { women, men } of origins)
    for (const names of [women, men])
      expect(people.filter(({ name }) => names.split(' ').includes(name)).length).toBeGreaterThan(10)
  const [goat, , walks] = past.map(({ with: number }) => people[number]?.bio)
  expect(goat).toContain('goat')
  expect(walks).toContain('Sundays I walk until there is cake')
})

test('Interrupted seeding resumes, and characters appear once their portraits are drawn', {
  tags: 'long',
}, async () => {
  await world.stop()
  world = await seedDemoWorld(app.platform)
  expect(await count('select count(*) from demo_people')).toBe(200)
  const drawn = `select count(*) from profiles p join demo_people using (user_id) where not hidden`
  while ((await count(drawn)) === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  const bare = `${drawn} and not exists (select 1 from photos i where i.user_id = p.user_id and i.state = 'approved')`
  expect(await count(bare)).toBe(0)
})

test('The demo guest can sign in and has chats, one of them unread', async () => {
  const { email, password } = await demoSignIn(app.platform)
  expect(await demoSignIn(app.platform)).toEqual({ email, password })
  const { status, body } = await caller(app.url).call('POST /api/user/authenticate', { body: { email, password } })
  expect(status).toBe(200)
  expect(await count(`select count(*) from conversation_members where user_id = '${body.id}'`)).toBe(3)
  const unread = `select sum(case '${body.id}'::uuid when user_lo then unread_lo when user_hi then unread_hi end) as count from conversations`
  expect(await count(unread)).toBe(1)
})

test('Demo characters move near a newcomer, but only once', { tags: 'long' }, async () => {
  const near = `select count(*) from demo_people join locations l using (user_id)
    where centre_distance_km(-33.45, -70.66, l.latitude, l.longitude) < 65`
  const newcomer = await person(app, { at: { latitude: -33.45, longitude: -70.66 } })
  await welcome(app.platform, newcomer.id)
  const placed = await count(near)
  expect(placed).toBeGreaterThan(20)
  await welcome(app.platform, newcomer.id)
  expect(await count(near)).toBe(placed)
})

test('A demo character answers a message once and then waits', async () => {
  const newcomer = await person(app)
  const demo = demoPeople()[3] as { id: string }
  await app.platform.pool.query('update profiles set hidden = false where user_id = $1', [demo.id])
  const sending = createSending(app.platform, () => undefined)
  await sending.sendMessage(newcomer.id, { id: 'm1', receiverId: demo.id, message: 'Hello!' })
  const reply = demoReplies(app.platform, sending).jobs.find(({ name }) => name === 'demo-reply')
  const turn = { from: demo.id, to: newcomer.id }
  await reply?.run(turn)
  await reply?.run(turn)
  const { body } = await newcomer.call('GET /api/conversations/:userId/messages', { params: { userId: demo.id } })
  expect(body.messages.map(({ senderId }) => senderId)).toEqual([newcomer.id, demo.id])
})

test('Demo characters like a newcomer, and like back', { tags: 'long' }, async () => {
  const newcomer = await person(app, {
    at: { latitude: -33.45, longitude: -70.66 },
    prompts: [{ prompt: 'proud_of', answer: 'My bread' }],
  })
  await app.platform.pool.query('update profiles set hidden = false where user_id in (select user_id from demo_people)')
  const hooks = { onOpened: () => undefined, onDecided: () => undefined }
  const said: [from: string, to: string][] = []
  const likes = demoLikes(app.platform, hooks, (from, to) => void said.push([from, to]))
  const queued: { from: string; to: string }[] = []
  const add = app.platform.jobs.add
  app.platform.jobs.add = async (_task, payload) => void queued.push(payload as never)
  await likes.onArrived(newcomer.id)
  expect(queued).toHaveLength(7)
  const [like] = likes.jobs
  for (const pair of queued) await like?.run(pair)
  const { body } = await newcomer.call('GET /api/likes')
  expect(body.count).toBe(7)
  expect(body.likes.some(({ comment, item }) => comment && item?.kind === 'prompt')).toBe(true)
  const comments = body.likes.flatMap(({ comment }) => comment ?? [])
  expect(new Set(comments).size).toBe(comments.length)
  queued.length = 0
  const others = (await newcomer.call('GET /api/deck')).body.cards.filter(
    ({ id }) => !body.likes.some(({ user }) => user.id === id),
  )
  for (const { id } of others) {
    await newcomer.call('PUT /api/decisions/:userId', { params: { userId: id }, body: { decision: 'like' } })
    likes.onLiked(newcomer.id, id)
  }
  await expect.poll(() => queued.length).toBeGreaterThan(0)
  for (const pair of [...queued]) await like?.run(pair)
  expect((await newcomer.call('GET /api/matches')).body.matches.length).toBeGreaterThan(0)
  const admirer = body.likes[0]?.user.id as string
  await newcomer.call('PUT /api/decisions/:userId', {
    params: { userId: admirer },
    body: { decision: 'like', comment: 'Me too!' },
  })
  likes.onLiked(newcomer.id, admirer)
  await expect.poll(() => said).toEqual([[newcomer.id, admirer]])
  app.platform.jobs.add = add
})

test('Demo replies fit the message, and about one character in five is online', () => {
  const someone = demoPeople()[0] as typeof demoPeople extends () => (infer P)[] ? P : never
  expect(answerTo('Thank you!', someone, 1)).not.toBe(answerTo('Shall we meet for coffee?', someone, 1))
  const online = demoOnline({ now: () => new Date(0) })
  const many = demoPeople().filter(({ id }) => online(id)).length
  expect(many).toBeGreaterThan(20)
  expect(many).toBeLessThan(60)
})

test('The demo shows the outbox with all texts escaped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-outbox-'))
  await outboxMailer(join(dataDir, 'outbox'), 'Duet <a@b.c>').send({
    to: 'mina@example.com',
    subject: 'Código <b>',
    text: 'Your code:\n12345678\n<script>alert(1)</script> ñ',
  })
  const pages = Fastify()
  demoRoutes(pages, { config: { ...app.platform.config, demo: true, dataDir } })
  const { body, headers } = await pages.inject('/dev/mail')
  expect(body).toContain('<p class="code">12345678</p>')
  expect(body).toContain('mina@example.com')
  expect(body).toContain('Código &lt;b&gt;')
  expect(body).toContain('ñ')
  expect(body).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("style-src 'self'")
  expect((await pages.inject('/dev/mail.css')).statusCode).toBe(200)
  await pages.close()
  await rm(dataDir, { recursive: true })
  expect((await fetch(`${app.url}/dev/mail`)).status).toBe(404)
})
