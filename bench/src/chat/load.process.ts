import { type Crowd, closedLoop, gather, open, openLoop } from './crowd.ts'
import type { RequestName, Requests, RequestTo } from './load.ts'
import { createSurvivors, type Survivors } from './survivors.ts'

let crowd: Crowd | undefined
let survivors: Survivors | undefined

function connected(): Crowd {
  if (!crowd) throw new Error('no one is connected')
  return crowd
}

const handlers: { [R in RequestName]: (request: RequestTo<R>) => Promise<Requests[R]['answer']> } = {
  async connect({ port, talkers, atOnce }) {
    const since = performance.now()
    crowd = await gather(port, talkers, atOnce)
    return { seconds: (performance.now() - since) / 1000 }
  },
  open: () => open(connected()),
  closedLoop: ({ seconds }) => closedLoop(connected(), seconds),
  openLoop: ({ perSecond, seconds }) => openLoop(connected(), perSecond, seconds),
  async outlive({ port, talkers, writers, perSecond }) {
    survivors = await createSurvivors({ port, talkers, writers, perSecond })
    return {}
  },
  async comeBack() {
    if (!survivors) throw new Error('no one is there to come back')
    return survivors.comeBack()
  },
  async close() {
    for (const line of crowd?.lines ?? []) line.close()
    crowd = undefined
    return {}
  },
}

process.on('message', (request: RequestTo<RequestName>) => {
  const { place } = request
  ;(handlers[request.name] as (asked: typeof request) => Promise<object>)(request).then(
    (answer) => process.send?.({ place, answer }),
    (error: Error) => process.send?.({ place, error: error.message }),
  )
})
process.once('disconnect', () => process.exit(0))
