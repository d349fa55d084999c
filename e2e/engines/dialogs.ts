import type { Visit } from '../screens.ts'
import type { Browsing } from './browsing.ts'

const press = (page: Browsing, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const choose = (page: Browsing, name: string) => page.getByRole('menuitem', { name }).first().click()
const way =
  (place: (visit: Visit) => string, buttons: (string | RegExp)[], items: string[] = []) =>
  async (visit: Visit) => {
    await visit.page.goto(place(visit))
    for (const name of buttons) await press(visit.page, name)
    for (const name of items) await choose(visit.page, name)
  }
const ownProfile = ({ ana }: Visit) => `/profile/${ana.id}`
const chat = ({ ben }: Visit) => `/chat/${ben.id}`
const settings = (section: string) => () => `/settings/${section}`
const onMessage =
  (item: string, message = 'Saturday works.') =>
  async (visit: Visit) => {
    await visit.page.goto(chat(visit))
    await visit.page.getByRole('log').getByText(message).click({ button: 'right' })
    await choose(visit.page, item)
  }

/** How to open each dialog. No dialog is confirmed, so that every engine starts from the same data. */
export const dialogs: Record<string, (visit: Visit) => Promise<void>> = {
  'report a photo': way(({ ben }) => `/profile/${ben.id}`, ['More about Ben’s photo 1'], ['Report this photo']),
  'like with a comment': way(({ ben }) => `/profile/${ben.id}`, ['Like this answer']),
  'report a profile': way(({ ben }) => `/profile/${ben.id}`, [/^More$/], ['Report']),
  verify: way(settings('profile'), ['Get verified']),
  'share a date': way(chat, [/^More$/], ['Share a date']),
  'block someone': way(chat, [/^More$/], ['Block']),
  'report a message': onMessage('Report'),
  'delete a message': onMessage('Delete', 'Saturday? I am free after five.'),
  'another emoji': onMessage('Another emoji'),
  'describe a photo': way(ownProfile, ['Change photo 1'], ['Describe this photo']),
  'crop a photo': way(ownProfile, ['Change photo 1'], ['Crop']),
  'delete a photo': way(ownProfile, ['Change photo 1'], ['Delete photo']),
  'change the password': way(settings('account'), ['Change password']),
  'remove the password': way(settings('account'), ['Remove password']),
  'recovery codes': way(settings('account'), ['Create codes']),
  'delete the account': way(settings('data'), ['Delete my account']),
}
