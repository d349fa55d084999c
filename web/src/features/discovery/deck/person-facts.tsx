import type { LikedItem } from '@duet/contract/likes.ts'
import { by } from '@duet/contract/order.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { Flag } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../platform/address/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { FactRows } from '../../profiles/profiles.ts'
import { useReport } from '../../reports/reports.tsx'
import { LikeItemButton } from '../decision-bar/like-item-button.tsx'
import { WhyCard } from '../reasons.tsx'
import { useRemoveFromDeck } from './use-remove-from-deck.ts'

interface PersonFactsProps {
  person: Profile
  interests: ReadonlySet<string>
  onLikeItem?: ((item: LikedItem) => void) | undefined
}

export function PersonFacts({ person, interests, onLikeItem }: PersonFactsProps) {
  const { t } = useTranslation(['discovery', 'profiles'])
  const { id, name, why, bio, prompts } = person
  return (
    <div className="grid grid-cols-1 content-start gap-5 wrap-anywhere lg:gap-6">
      <WhyCard name={name} why={why} />
      {bio && <Words title={t('about', { name })} text={bio} />}
      {prompts.map(({ prompt, answer }) => (
        <Words key={prompt} title={t(`profiles:prompts.${prompt}`)} text={answer}>
          {onLikeItem && <LikeItemButton kind="prompt" onLike={() => onLikeItem({ kind: 'prompt', prompt })} />}
        </Words>
      ))}
      <Interests person={person} interests={interests} />
      <FactRows profile={person} />
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <Link to={`/profile/${id}`} className="inline-flex min-h-11 items-center text-[15px] font-[620] text-accent">
          {t('deck.whole')}
        </Link>
        <ReportPerson id={id} name={name} />
      </p>
    </div>
  )
}

function ReportPerson({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('discovery')
  const report = useReport()
  const leave = useRemoveFromDeck(id)
  return (
    <Button
      variant="text"
      className="-me-3 max-w-full px-3 font-medium text-ink-2! hover:bg-sunken!"
      icon={<Flag aria-hidden="true" className="size-4.5!" />}
      onClick={() => report({ userId: id, name, subject: { kind: 'profile' }, onBlocked: leave })}
    >
      <span className="truncate">{t('deck.report', { name })}</span>
    </Button>
  )
}

function Words({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Card className="@container relative">
      <h3 className="text-s font-[540] text-ink-2">{title}</h3>
      {/* Leaves space for the like button, whose side depends on the direction of the page, not of the text. */}
      <div className={children ? 'pe-11' : undefined}>
        <p
          dir="auto"
          className="mt-1.5 font-display text-[23px] leading-[1.28] tracking-[-.01em] break-words whitespace-pre-line @max-[260px]:text-l"
        >
          {text}
        </p>
      </div>
      {children}
    </Card>
  )
}

function Interests({ person, interests }: Pick<PersonFactsProps, 'person' | 'interests'>) {
  const { t } = useTranslation(['discovery', 'catalogue'])
  if (person.interests.length === 0) return null
  const sharedFirst = person.interests.toSorted(by((interest) => !interests.has(interest)))
  return (
    <section>
      <h3 className="sr-only">{t('interests')}</h3>
      <ul className="flex flex-wrap gap-2">
        {sharedFirst.map((interest) => (
          <li key={interest}>
            <Tag shared={interests.has(interest)}>
              {t(`catalogue:interests.${interest}`)}
              {interests.has(interest) && <span className="sr-only">, {t('sharedWithYou')}</span>}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  )
}
