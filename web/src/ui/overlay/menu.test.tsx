import { screen, waitFor } from '@testing-library/react'
import i18next from 'i18next'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { renderPage } from '../../test/render.tsx'
import { SliderRange } from '../form/slider-range.tsx'
import { Confirm } from './confirm.tsx'
import { Menu } from './menu.tsx'

afterEach(() => i18next.changeLanguage('en'))

function Acts() {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu
        trigger={<button type="button">More</button>}
        items={[{ label: 'Block', onSelect: () => setAsking(true) }]}
      />
      <Confirm open={asking} onOpenChange={setAsking} title="Block?" act="Block" onConfirm={() => undefined} />
    </>
  )
}

test('a dialog opened from a menu returns the focus to the menu’s button every time', async () => {
  const { user } = await renderPage(<Acts />)
  for (const _time of ['first', 'second']) {
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Block' }))
    await screen.findByRole('dialog', { name: 'Block?' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })))
  }
})

test('menus and sliders follow the direction of the language', async () => {
  const { user } = await renderPage(
    <>
      <Acts />
      <SliderRange label="Age" text="18" thumbs={['Age']} min={18} max={99} value={[18]} onChange={() => undefined} />
    </>,
  )
  await i18next.changeLanguage('ar')
  const slider = await screen.findByRole('slider')
  expect(slider.closest('[dir]')?.getAttribute('dir')).toBe('rtl')
  await user.click(screen.getByRole('button', { name: 'More' }))
  expect((await screen.findByRole('menu')).getAttribute('dir')).toBe('rtl')
})
