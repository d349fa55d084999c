import type { Notification, NotificationKind } from '@duet/contract/notifications.ts'

type Words = Pick<Notification, 'title' | 'message' | 'type'>
type Params = Record<string, string>

const rejections: Record<string, string> = {
  not_same: 'The selfie and your first photo do not seem to show the same person.',
  wrong_pose: 'The pose on the selfie was another one than the one we asked for.',
  unclear: 'The selfie was too dark or too blurred to compare.',
  not_alone: 'Somebody else is on the selfie too. Please take it alone.',
}

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
  verification_approved: () => ({
    title: 'You are verified',
    message: 'Others see the badge beside your name. Your selfie is deleted.',
    type: 'success',
  }),
  verification_rejected: ({ reason = '' }) => ({
    title: 'We could not verify you this time',
    message: `${rejections[reason] ?? 'We could not compare the selfie with your photos.'} It is deleted, and you can try again.`,
    type: 'warning',
  }),
  verification_undecided: () => ({
    title: 'Please send another selfie',
    message: 'Nobody could look at yours in time, so it is deleted. We are sorry.',
    type: 'info',
  }),
  verification_lost: () => ({
    title: 'Your badge is gone',
    message: 'It belonged to your old first photo. You can be verified again with the new one.',
    type: 'info',
  }),
  sanctioned: () => ({
    title: 'A decision about your account',
    message: 'Read what was decided and why, and how you can appeal.',
    type: 'warning',
  }),
  sanction_lifted: () => ({
    title: 'A restriction of yours has ended',
    message: 'Read where you stand now.',
    type: 'success',
  }),
  appeal_decided: () => ({
    title: 'Your appeal is decided',
    message: 'Somebody else has looked at it. Read the answer.',
    type: 'info',
  }),
  report_upheld: () => ({
    title: 'Your report led to something',
    message: 'We have looked at it and acted. Thank you: it keeps others safe, too.',
    type: 'success',
  }),
  report_dismissed: () => ({
    title: 'Your report was looked at',
    message: 'It did not break the rules as we read them. You can still block whoever it is about.',
    type: 'info',
  }),
  date_check_in: () => ({
    title: 'Are you well?',
    message: 'Check in, so that whoever you shared your date with knows.',
    type: 'warning',
  }),
  export_ready: () => ({
    title: 'Your data is ready',
    message: 'You can fetch it in your settings for a day.',
    type: 'success',
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
