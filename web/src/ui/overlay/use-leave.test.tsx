import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import DialogPanel from './dialog-panel.tsx'
import { SideSheet } from './side-sheet.tsx'
import type { Unsaved } from './use-leave.tsx'

function Fields() {
  const [text, setText] = useState('')
  return (
    <>
      <textarea aria-label="Why" value={text} onChange={({ target }) => setText(target.value)} />
      <input aria-label="Code" autoComplete="one-time-code" />
      <input aria-label="City" type="search" />
    </>
  )
}

function Page({ in: Kind, ...unsaved }: { in: 'dialog' | 'sheet' } & Unsaved) {
  const [open, setOpen] = useState(true)
  const close = () => setOpen(false)
  if (!open) return <p>closed</p>
  if (Kind === 'sheet')
    return (
      <SideSheet title="A form" onClose={close} {...unsaved}>
        <Fields />
      </SideSheet>
    )
  return (
    <DialogPanel open title="A form" onOpenChange={close} {...unsaved}>
      <Fields />
    </DialogPanel>
  )
}

type User = Awaited<ReturnType<typeof renderPage>>['user']
const ground = () => document.querySelector('[data-state=open].fixed.inset-0') as Element
const ways: Record<string, (user: User) => unknown> = {
  'a click outside': async () => {
    // Radix starts to listen one task later, so that the click that opens a dialog doesn't also close it.
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    fireEvent.pointerDown(ground())
    fireEvent.click(ground())
  },
  Escape: (user) => user.keyboard('{Escape}'),
  'its close button': (user) => user.click(screen.getByRole('button', { name: 'Close' })),
}
const cases = (['dialog', 'sheet'] as const).flatMap((kind) => Object.keys(ways).map((way) => [kind, way] as const))

test.each(cases)('a %s with typed text asks before %s closes it', async (kind, way) => {
  const { user } = await renderPage(<Page in={kind} />, { texts: ['ui'] })
  await user.type(screen.getByLabelText('Why'), 'Because')
  await ways[way]?.(user)
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText('Why')).toHaveProperty('value', 'Because')
  await ways[way]?.(user)
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(screen.getByText('closed')).toBeTruthy()
})

test.each(cases)('a %s with nothing to lose is closed by %s', async (kind, way) => {
  const { user } = await renderPage(<Page in={kind} />, { texts: ['ui'] })
  await user.type(screen.getByLabelText('Why'), 'B{Backspace}')
  await user.type(screen.getByLabelText('Code'), '123')
  await user.type(screen.getByLabelText('City'), 'Lis')
  await ways[way]?.(user)
  await waitFor(() => expect(screen.getByText('closed')).toBeTruthy())
})

test('a sheet with changed choices asks before it closes', async () => {
  const { user } = await renderPage(<Page in="sheet" edited />, { texts: ['ui'] })
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard your changes?')).toBeTruthy()
})

test('a dialog with the holds option closes only by its own buttons', async () => {
  const { user } = await renderPage(<Page in="dialog" holds />, { texts: ['ui'] })
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  for (const way of ['a click outside', 'Escape']) await ways[way]?.(user)
  expect(screen.getByRole('dialog')).toBeTruthy()
})

function Steps() {
  const [step, setStep] = useState(1)
  return (
    <DialogPanel open title="A form" onOpenChange={() => undefined}>
      {step === 1 ? <Fields /> : <p>Thank you</p>}
      <button type="button" onClick={() => setStep(2)}>
        Send
      </button>
    </DialogPanel>
  )
}

test('a dialog stops asking once its text has been sent', async () => {
  const { user } = await renderPage(<Steps />, { texts: ['ui'] })
  await user.type(screen.getByLabelText('Why'), 'Because')
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard your changes?')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getByText('Thank you')).toBeTruthy()
  expect(screen.queryByText('Discard your changes?')).toBeNull()
})
