import { expect, it } from 'vitest'
import { renderPage } from '../../../test/render.tsx'
import type { PhotoAttachment } from '../attachments/attachments.api.ts'
import { message } from '../talk.test-people.ts'
import { ThreadContext } from '../thread-acts.ts'
import { Bubble } from './bubble.tsx'

const nothing = () => undefined
const acts = {
  ...{ peer: { id: 'maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }, viewerId: 'me' },
  ...{ linksLive: false, openMenu: nothing, reply: nothing, edit: nothing, react: nothing, goTo: nothing },
}

it.each([true, false])(
  'A photo with a short text is as wide as the photo, revealed (%s) or not',
  async (photosOpen) => {
    const size = { kind: 'photo' as const, id: 'p1', url: '/m?s', width: 900, height: 1200 }
    const attachment: PhotoAttachment = { ...size, blurhash: 'LSMj]DNG~qt7xuayWBj[xuofRjWB', veiled: true }
    const item = { kind: 'message', key: 'm1', mine: false, last: true, message: message(1, { attachment }) } as const
    const page = (
      <ThreadContext value={{ ...acts, photosOpen }}>
        <Bubble item={{ ...item, first: true } as never} />
      </ThreadContext>
    )
    const { container } = await renderPage(page, { texts: ['thread', 'attachments', 'conversations'] })
    expect(container.querySelector<HTMLElement>('[data-bubble]')?.style.width).toBe('252px')
  },
)
