import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from './app.ts'
import { shortTimes, startTestNodes } from './nodes.ts'
import { type Person, people } from './people.ts'
import { farther, hasRedis } from './redis.ts'
import { connect } from './sockets.ts'

it.skipIf(!hasRedis)(
  'Nodes push to people as soon as these see themselves connected, however slow Redis is.',
  async () => {
    const nodes = await startTestNodes()
    onTestFinished(() => nodes.close())
    const { database, redis, here } = nodes
    const [ben] = (await people(here, 1)) as [Person]
    const far = await startTestApp({ REDIS_URL: await farther(redis.url, 40) }, { database, nodeTimes: shortTimes })
    onTestFinished(() => far.close())
    const benFar = await connect(far, ben)
    here.platform.realtime.publish([ben.id], 'likes_changed', { count: 3 })
    expect(await benFar.next('likes_changed')).toEqual({ count: 3 })
  },
)
