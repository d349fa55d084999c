import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { useShownSetting } from './show-setting.ts'

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
})

function Page({ there }: { there: HTMLElement }) {
  useShownSetting()
  return (
    <>
      <input aria-label="Search" />
      <div ref={(place) => void place?.append(there)} />
    </>
  )
}

async function opened() {
  const place = document.createElement('div')
  const { user } = await renderPage(<Page there={place} />, { path: '/settings/appearance#theme' })
  const arrive = async () => {
    place.innerHTML = '<p id="theme">Theme</p>'
    await act(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  return { user, arrive }
}

test('a setting that loads late is highlighted and focused', async () => {
  const { arrive } = await opened()
  await arrive()
  expect(document.activeElement?.id).toBe('theme')
  expect(document.querySelector('[data-found]')?.id).toBe('theme')
})

test('a setting that loads late doesn’t take the focus from someone who is typing', async () => {
  const { user, arrive } = await opened()
  await user.type(screen.getByLabelText('Search'), 'zz')
  await arrive()
  await user.keyboard('z')
  expect(screen.getByLabelText('Search')).toHaveProperty('value', 'zzz')
  expect(document.querySelector('[data-found]')).toBeNull()
})
