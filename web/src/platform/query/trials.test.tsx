import { useQuery, useQueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { type Trials, useTried } from './trials.ts'
import { useTrial } from './use-trial.ts'

type Switches = Record<string, boolean>

const trials: Trials<Switches, Switches> = { queryKey: ['switches'], apply: (now, change) => ({ ...now, ...change }) }

function serverOf(stored: Switches) {
  const held: { sent: Switches; settle: (how: 'keep' | 'refuse') => void }[] = []
  const put = (change: Switches, now: Switches) =>
    new Promise<Switches>((resolve, reject) => {
      const settle = (how: 'keep' | 'refuse') => {
        if (how === 'refuse') return reject(new Error('refused'))
        resolve({ ...Object.assign(stored, now, change) })
      }
      held.push({ sent: { ...now, ...change }, settle })
    })
  return { stored, held, put }
}

type Server = ReturnType<typeof serverOf>

function Page({ server }: { server: Server }) {
  const { data } = useQuery({ queryKey: trials.queryKey, queryFn: async () => ({ ...server.stored }) })
  const shown = useTried(trials, data)
  const { mutate } = useTrial(trials, server.put)
  const queryClient = useQueryClient()
  return (
    <>
      {Object.entries(shown ?? {}).map(([name, on]) => (
        <Switch key={name} id={name} label={name} checked={on} onChange={(next) => mutate({ [name]: next })} />
      ))}
      <button type="button" onClick={() => queryClient.setQueryData(trials.queryKey, { ...server.stored })}>
        The server tells
      </button>
    </>
  )
}

async function draw(server: Server) {
  const { user } = await renderPage(<Page server={server} />)
  await screen.findByRole('switch', { name: 'one' })
  const shown = () => screen.getAllByRole('switch', { checked: true }).map((one) => one.getAttribute('id'))
  const press = (name: string) => user.click(screen.getByRole('switch', { name }))
  const settle = async (how: 'keep' | 'refuse') => {
    await waitFor(() => expect(server.held.length).toBeGreaterThan(0))
    const { sent } = server.held[0]!
    await act(async () => server.held.shift()!.settle(how))
    return sent
  }
  const tell = () => user.click(screen.getByText('The server tells'))
  return { press, settle, shown, tell }
}

it('only the second of two changes shows after the server refuses the first', async () => {
  const server = serverOf({ one: false, two: false })
  const { press, settle, shown } = await draw(server)
  await press('one')
  await press('two')
  await waitFor(() => expect(shown()).toEqual(['one', 'two']))
  await settle('refuse')
  await waitFor(() => expect(shown()).toEqual(['two']))
  // The next request doesn't include the change that was refused.
  expect(await settle('keep')).toEqual({ one: false, two: true })
  await waitFor(() => expect(shown()).toEqual(['two']))
  expect(server.stored).toEqual({ one: false, two: true })
})

it('only the first of two changes shows after the server refuses the second', async () => {
  const server = serverOf({ one: false, two: false })
  const { press, settle, shown } = await draw(server)
  await press('one')
  await press('two')
  await settle('keep')
  await waitFor(() => expect(shown()).toEqual(['one', 'two']))
  await settle('refuse')
  await waitFor(() => expect(shown()).toEqual(['one']))
})

it('an update from the server stays when a change sent before it is refused', async () => {
  const server = serverOf({ one: false, two: false })
  const { press, settle, shown, tell } = await draw(server)
  await press('one')
  Object.assign(server.stored, { one: true, two: true })
  await tell()
  await press('one')
  await waitFor(() => expect(shown()).toEqual(['two']))
  await settle('refuse')
  await settle('refuse')
  await waitFor(() => expect(shown()).toEqual(['one', 'two']))
})
