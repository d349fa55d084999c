import { Bell, CircleUserRound, Eye, type LucideIcon, Palette, ShieldCheck, UserRoundPen, Vault } from 'lucide-react'

export const sections = ['account', 'profile', 'notifications', 'privacy', 'safety', 'appearance', 'data'] as const
export type SettingsSection = (typeof sections)[number]

export const sectionIcons: Record<SettingsSection, LucideIcon> = {
  account: CircleUserRound,
  profile: UserRoundPen,
  notifications: Bell,
  privacy: Eye,
  safety: ShieldCheck,
  appearance: Palette,
  data: Vault,
}

export const sectionOf = (name: string | undefined) => sections.find((section) => section === name)

export interface Setting {
  section: SettingsSection
  id: string
  label: string
  /** Keys of additional texts that the settings search covers. */
  words: readonly string[]
}

const own = (key: string) => `own-settings:${key}`
const said = (namespace: string, key: string) => ({
  label: `${namespace}:${key}.label`,
  words: [`${namespace}:${key}.hint`],
})
const part = (section: SettingsSection, settings: readonly Omit<Setting, 'section'>[]): Setting[] =>
  settings.map((setting) => ({ section, ...setting }))

export const settings: readonly Setting[] = [
  ...part('account', [
    { id: 'you', label: own('you'), words: [own('words.you')] },
    { id: 'address', label: 'accounts:access.address', words: ['accounts:access.changeAddress', own('words.address')] },
    {
      id: 'password',
      label: 'accounts:access.password',
      words: ['accounts:access.setPassword', own('words.password')],
    },
    { id: 'recovery-codes', label: 'accounts:access.codes', words: ['accounts:access.noCodes', own('words.recovery')] },
    {
      id: 'devices',
      label: 'accounts:settings.sessions',
      words: ['accounts:settings.everywhere', own('words.devices')],
    },
    { id: 'sign-out', label: 'accounts:settings.signOut', words: [own('words.signOut')] },
  ]),
  ...part('profile', [
    { id: 'edit-profile', label: own('edit'), words: [own('profileHint'), own('words.profile')] },
    { id: 'verification', label: 'verification:title', words: ['verification:act.start'] },
    { id: 'paused', label: 'matching:settings.pause', words: ['matching:settings.pauseHint', own('words.paused')] },
    {
      id: 'learnFromMe',
      label: 'matching:settings.learn',
      words: ['matching:settings.learnHint', own('words.learning')],
    },
    { id: 'forget-learning', label: 'matching:settings.reset', words: [own('words.learning')] },
  ]),
  ...part('notifications', [
    { id: 'push', label: 'push:title', words: ['push:hint', own('words.push')] },
    {
      id: 'push-topics',
      label: 'push:topics.title',
      words: ['push:topics.message.label', 'push:topics.match.label', own('words.email'), own('words.bell')],
    },
    { id: 'lock-screen', label: 'push:lockScreen.title', words: ['push:lockScreen.hint'] },
    { id: 'quiet-hours', label: 'push:quiet.title', words: ['push:quiet.label'] },
    { id: 'by-email', label: own('email.title'), words: [own('email.codes'), own('words.email')] },
  ]),
  ...part('privacy', [
    { id: 'whoMayMessage', ...said('privacy', 'whoMayMessage') },
    { id: 'incognito', ...said('privacy', 'incognito') },
    { id: 'hideDistance', ...said('privacy', 'hideDistance') },
    { id: 'hidePresence', ...said('privacy', 'hidePresence') },
    { id: 'blurPhotos', ...said('privacy', 'blurPhotos') },
    { id: 'hiddenWords', ...said('privacy', 'hiddenWords') },
    { id: 'receipts', label: own('receipts.label'), words: [own('receipts.hint'), own('words.receipts')] },
  ]),
  ...part('safety', [
    { id: 'help', label: own('links.centre'), words: [own('links.centreHint'), own('words.help')] },
    { id: 'report-gone', label: own('links.past'), words: [own('links.pastHint'), own('words.past')] },
    { id: 'shared-dates', label: own('links.dates'), words: [own('links.datesHint')] },
    { id: 'blocked', label: own('blocked'), words: [own('words.blocked')] },
    { id: 'standing', label: 'standing:section', words: [own('words.standing')] },
    { id: 'reports', label: 'reports:own.title', words: [own('words.reports')] },
  ]),
  ...part('appearance', [
    { id: 'language', label: own('language'), words: [own('words.language')] },
    { id: 'theme', label: own('theme'), words: [own('words.theme')] },
    { id: 'install', label: own('install.title'), words: [own('words.install')] },
  ]),
  ...part('data', [
    { id: 'export', label: 'data-rights:export.title', words: ['data-rights:export.text', own('words.export')] },
    ...(['sensitive', 'location', 'learning'] as const).map((purpose) => ({
      id: `consent-${purpose}`,
      label: `data-rights:consents.${purpose}.label`,
      words: [`data-rights:consents.${purpose}.hint`, own('words.consents')],
    })),
    { id: 'delete', label: 'data-rights:delete.title', words: [own('words.delete')] },
  ]),
]

export const addressOf = ({ section, id }: Pick<Setting, 'section' | 'id'>) => `/settings/${section}#${id}`

/** For old links, from when all settings were on one page. The hash may name a section or a setting. */
export function addressOfHash(hash: string): string | undefined {
  const name = hash.replace(/^#/, '')
  const section = sectionOf(name)
  if (section) return `/settings/${section}`
  const setting = settings.find(({ id }) => id === name)
  return setting && addressOf(setting)
}
