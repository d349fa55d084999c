import {
  Banknote,
  DoorOpen,
  EyeOff,
  FileDown,
  HandHelping,
  type LucideIcon,
  MessagesSquare,
  ShieldAlert,
  ShieldBan,
  UserSearch,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePromised } from '../../locales/promised.ts'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'

interface AdvicePart {
  key: string
  icon: LucideIcon
  steps?: true
  to?: string
}

/** In chronological order. */
export const adviceParts: readonly AdvicePart[] = [
  { key: 'before', icon: UserSearch },
  { key: 'meeting', icon: DoorOpen },
  { key: 'during', icon: MessagesSquare },
  { key: 'money', icon: Banknote },
  { key: 'sextortion', icon: ShieldAlert, steps: true },
  { key: 'act', icon: ShieldBan, to: '/report' },
  { key: 'privacy', icon: EyeOff, to: '/settings/privacy' },
  { key: 'data', icon: FileDown, to: '/settings/data' },
  { key: 'others', icon: HandHelping },
]

export function Advice({ part: { key, icon: Icon, steps, to } }: { part: AdvicePart }) {
  const { t, i18n } = useTranslation('safety-centre')
  const isSignedIn = useSession((state) => state.user !== null)
  const promised = usePromised()
  const points: object = i18n.getResource(i18n.language, 'safety-centre', `sections.${key}.points`)
  const lead = `sections.${key}.lead`
  const List = steps ? 'ol' : 'ul'
  return (
    <section
      id={key}
      aria-labelledby={`${key}-title`}
      className="scroll-mt-[calc(var(--bar)+1rem)] print:break-inside-avoid"
    >
      <div className="flex items-center gap-3.5">
        <span className="grid size-11 flex-none place-items-center rounded-full bg-accent-soft text-accent">
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <h2 id={`${key}-title`} className="display text-xl">
          {t(`sections.${key}.title`)}
        </h2>
      </div>
      {i18n.exists(lead, { ns: 'safety-centre' }) && <p className="mt-3 text-ink-2 sm:ms-14.5">{t(lead)}</p>}
      <List className={`mt-3 grid gap-2.5 ps-5 marker:text-accent sm:ms-14.5 ${steps ? 'list-decimal' : 'list-disc'}`}>
        {Object.keys(points).map((point) => (
          <li key={point} className="ps-1 text-pretty marker:font-semibold">
            {t(`sections.${key}.points.${point}`, promised)}
          </li>
        ))}
      </List>
      {to && isSignedIn && (
        <LinkButton to={to} variant="quiet" size="s" className="mt-4 sm:ms-14.5 print:hidden">
          {t(`sections.${key}.act`)}
        </LinkButton>
      )}
    </section>
  )
}
