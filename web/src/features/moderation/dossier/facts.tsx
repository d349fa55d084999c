import type { ReactNode } from 'react'
import { Link } from '../../../platform/address/address.tsx'

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-1.5 text-s sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-3">
          <dt className="text-ink-2">{label}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function PersonLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to={`/profile/${id}`} className="font-[620] wrap-anywhere underline-offset-4 hover:underline">
      <bdi>{name}</bdi>
    </Link>
  )
}
