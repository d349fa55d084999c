import type { Notification, NotificationKind } from '@duet/contract/notifications.ts'

type Words = Pick<Notification, 'title' | 'message' | 'type'>
type Params = Record<string, string>

/** What each kind says in English; a client may say the same in its own language. */
const words: Record<NotificationKind, (params: Params) => Words> = {
  welcome: ({ name = '' }) => ({
    title: `Welcome, ${name}`,
    message: 'Add a photo and a few words, and people near you can find you.',
    type: 'success',
  }),
  message: ({ name = '', preview = '' }) => ({ title: `${name} wrote to you`, message: preview, type: 'message' }),
  nearby: ({ name = '', area = '' }) => ({
    title: `${name} is new nearby`,
    message: `Somebody who fits you has joined around ${area}.`,
    type: 'info',
  }),
  like: ({ name = '' }) => ({
    title: `${name} likes you`,
    message: 'See what they liked, and answer when you want to.',
    type: 'info',
  }),
  match: ({ name = '' }) => ({
    title: `You and ${name} like each other`,
    message: 'Say something about what you have in common.',
    type: 'success',
  }),
  photo_approved: () => ({
    title: 'Your photo is approved',
    message: 'Everyone who fits you can see it now.',
    type: 'success',
  }),
  photo_rejected: () => ({
    title: 'A photo was not approved',
    message: 'Only you see it now. Please choose another one.',
    type: 'warning',
  }),
  new_sign_in: ({ device = '' }) => ({
    title: 'New sign-in',
    message: `${device}. If that was not you, sign that device out in your settings.`,
    type: 'warning',
  }),
}

export function wordsOf(kind: NotificationKind, params: Params): Words {
  return words[kind](params)
}
