import type { FoundPerson } from '@duet/contract/insights.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, navigate, useAddress } from '../../platform/address/address.tsx'
import { useDebouncedValue } from '../../platform/query/use-debounced-value.ts'
import { relativeTime } from '../../platform/time.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Face } from '../../ui/photo/face.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { FunnelView } from './funnel-view.tsx'
import { useFoundPeople } from './insights.api.ts'

export function PeopleView() {
  const { search } = useAddress()
  const person = search.get('person')
  return person ? <FunnelView key={person} userId={person} /> : <Lookup />
}

function Lookup() {
  const { t } = useTranslation('insights')
  const { search } = useAddress()
  const [text, setText] = useState(search.get('query') ?? '')
  const query = useDebouncedValue(text.trim(), 250)
  // The query is in the URL, so that going back from a person restores the search.
  useEffect(() => {
    navigate(`/admin?${new URLSearchParams({ view: 'people', ...(query && { query }) })}`, { replace: true })
  }, [query])
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      <Field
        type="search"
        frameClassName="max-w-130"
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        label={t('people.search')}
        hint={t('people.searchHint')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Found query={query} />
    </div>
  )
}

function Found({ query }: { query: string }) {
  const { t } = useTranslation('insights')
  const { data, isError, isFetching, refetch } = useFoundPeople(query)
  if (query === '') return <EmptyState figure="search" text={t('people.start')} />
  if (!data && isError) return <ErrorState text={t('people.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={3} />
  if (data.people.length === 0) return <EmptyState figure="search" text={t('people.none', { query })} />
  return (
    <ul aria-label={t('people.found')} className="overflow-hidden rounded-l bg-surface shadow-one">
      {data.people.map((person) => (
        <PersonRow key={person.id} person={person} query={query} />
      ))}
    </ul>
  )
}

function PersonRow({ person, query }: { person: FoundPerson; query: string }) {
  const { t, i18n } = useTranslation(['insights', 'common'])
  const [now] = useState(() => new Date())
  const { id, name, email, area, activeAt } = person
  const when = relativeTime(activeAt, now, t, i18n.language)
  return (
    <li className="border-line not-first:border-t">
      <Link
        to={`/admin?${new URLSearchParams({ view: 'people', query, person: id })}`}
        className="flex items-center gap-3.5 px-5 py-3.5 transition hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <Face name={name} photo={null} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-[620]">
            <bdi>{name}</bdi>
          </span>
          {email && <span className="block truncate text-s text-ink-2">{email}</span>}
        </span>
        <span className="hidden text-end text-s text-ink-2 sm:block">
          <span className="block">{area ?? t('people.nowhere')}</span>
          <span className="block">{t('people.active', { when })}</span>
        </span>
      </Link>
    </li>
  )
}
