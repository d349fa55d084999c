import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { QuietHours } from './quiet-hours.tsx'

type Hours = NotificationPreferences['quietHours']

const saved: Hours[] = []
let elsewhere: (hours: Hours) => void

function Page() {
  const [hours, setHours] = useState<Hours>({ from: '22:00', to: '08:00' })
  elsewhere = setHours
  const save = (next: Hours) => {
    saved.push(next)
    setHours(next)
  }
  return <QuietHours hours={hours} onChange={save} />
}

async function draw() {
  saved.length = 0
  const page = await renderPage(<Page />, { texts: ['push'] })
  const put = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return { ...page, saved, put, savedElsewhere: (hours: Hours) => act(() => elsewhere(hours)) }
}

test('Invalid quiet hours show what is wrong, and are saved once they are valid', async () => {
  const { saved, put } = await draw()
  put('From', '')
  expect(screen.getByText(/Enter both times/)).toBeTruthy()
  put('From', '08:00')
  expect(screen.getByText(/Choose two different times/)).toBeTruthy()
  expect(saved).toEqual([])
  put('Until', '09:00')
  expect(screen.queryByText(/nothing changes/)).toBeNull()
  expect(saved).toEqual([{ from: '08:00', to: '09:00' }])
})

test('Changing one time, or turning quiet hours off and on, keeps the times that another device has set', async () => {
  const { user, saved, put, savedElsewhere } = await draw()
  savedElsewhere({ from: '20:00', to: '06:00' })
  put('Until', '07:00')
  await user.click(screen.getByRole('switch'))
  await user.click(screen.getByRole('switch'))
  expect(saved).toEqual([{ from: '20:00', to: '07:00' }, null, { from: '20:00', to: '07:00' }])
})
