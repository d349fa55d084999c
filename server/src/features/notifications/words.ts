import type { Notification, NotificationKind } from '@duet/contract/notifications.ts'

type Words = Pick<Notification, 'title' | 'message' | 'type'>
type Params = Record<string, string>

const rejections: Record<string, string> = {
  not_same: 'The selfie and your first photo don’t seem to show the same person.',
  wrong_pose: 'The selfie doesn’t show the pose we asked for.',
  unclear: 'The selfie was too dark or blurry to compare.',
  not_alone: 'There’s someone else in the selfie. Please take it alone.',
}

/** English texts; clients may show their own translations. */
const words: Record<NotificationKind, (params: Params) => Words> = {
  welcome: ({ name = '' }) => ({
    title: `Welcome, ${name}`,
    message: 'Likes, matches and news about your account show up here.',
    type: 'success',
  }),
  message: ({ name = '', preview = '' }) => ({ title: `${name} messaged you`, message: preview, type: 'message' }),
  nearby: ({ name = '', area = '' }) => ({
    title: `${name} is new nearby`,
    message: `Someone who matches your filters joined near ${area}.`,
    type: 'info',
  }),
  like: ({ name = '' }) => ({
    title: `${name} likes you`,
    message: 'See what they liked.',
    type: 'info',
  }),
  match: ({ name = '' }) => ({
    title: `It’s a match: you and ${name}`,
    message: 'Say hello, or ask about something on their profile.',
    type: 'success',
  }),
  photo_approved: () => ({
    title: 'Your photo was approved',
    message: 'Everyone who can see your profile can see it.',
    type: 'success',
  }),
  photo_rejected: () => ({
    title: 'A photo wasn’t approved',
    message: 'Only you can see it now. See why, and appeal if it’s wrong.',
    type: 'warning',
  }),
  verification_approved: () => ({
    title: 'You’re verified',
    message: 'Others see the badge next to your name. Your selfie has been deleted.',
    type: 'success',
  }),
  verification_rejected: ({ reason = '' }) => ({
    title: 'We couldn’t verify you this time',
    message: `${rejections[reason] ?? 'We couldn’t compare the selfie with your photos.'} Your selfie has been deleted, and you can try again.`,
    type: 'warning',
  }),
  verification_undecided: () => ({
    title: 'Please take another selfie',
    message: 'We couldn’t review yours in time, so we deleted it. Sorry about that.',
    type: 'info',
  }),
  verification_lost: () => ({
    title: 'You’re no longer verified',
    message: 'Your badge belonged to your old first photo. You can get verified again with the new one.',
    type: 'info',
  }),
  sanctioned: () => ({
    title: 'A decision about your account',
    message: 'Read what was decided, why, and how to appeal.',
    type: 'warning',
  }),
  sanction_lifted: () => ({
    title: 'One of your restrictions has ended',
    message: 'See where your account stands now.',
    type: 'success',
  }),
  appeal_decided: () => ({
    title: 'We’ve decided your appeal',
    message: 'Someone else reviewed it. Read the answer.',
    type: 'info',
  }),
  report_upheld: () => ({
    title: 'We acted on your report',
    message: 'Thank you. You’re helping to keep others safe too.',
    type: 'success',
  }),
  report_dismissed: () => ({
    title: 'We reviewed your report',
    message: 'We didn’t find a breach of our rules. You can still block this person.',
    type: 'info',
  }),
  date_check_in: () => ({
    title: 'Are you OK?',
    message: 'Time to check in, so the person you shared your date with knows.',
    type: 'warning',
  }),
  export_ready: () => ({
    title: 'Your data is ready',
    message: 'You can download it from Settings for one day.',
    type: 'success',
  }),
  address_changed: () => ({
    title: 'Your email address was changed',
    message: 'Not you? Use the link we emailed to your earlier address.',
    type: 'warning',
  }),
  recovery_code_used: ({ left = '' }) => ({
    title: 'A recovery code was used',
    message: `Someone signed in with it. Unused codes: ${left}. Not you? Create new codes and sign out everywhere.`,
    type: 'warning',
  }),
  new_sign_in: ({ device = '' }) => ({
    title: 'New sign-in',
    message: `${device}. Not you? Sign it out in Settings.`,
    type: 'warning',
  }),
}

export function wordsOf(kind: NotificationKind, params: Params): Words {
  return words[kind](params)
}
