import type { ReactNode } from 'react'
import { Link } from '../platform/address/address.tsx'
import { useHasNavigation, useSession } from '../platform/session.ts'
import { classNames } from './class-names.ts'
import { PageTitle } from './page-title.tsx'
import { Wordmark } from './wordmark.tsx'

interface PageProps {
  /** Also used as the tab's title, so it must not name people. */
  title: string
  end?: ReactNode
  lead?: ReactNode
  className?: string
  children: ReactNode
}

export function Page({ title, end, lead, className, children }: PageProps) {
  return (
    <div className={classNames('mx-auto w-full max-w-180 px-4 pt-6 pb-12 sm:px-8 sm:pt-10', className)}>
      <PageTitle>{title}</PageTitle>
      <div className="flex items-center justify-between gap-4">
        <h1 className="display text-2xl sm:text-[38px]">{title}</h1>
        {end}
      </div>
      {lead && <p className="mt-3 text-ink-2">{lead}</p>}
      <div className="mt-8 grid grid-cols-1 gap-8">{children}</div>
    </div>
  )
}

interface SectionProps {
  id?: string
  title: ReactNode
  hint?: ReactNode
  end?: ReactNode
  children: ReactNode
}

export function Section({ id, title, hint, end, children }: SectionProps) {
  return (
    <section id={id}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="display text-xl">{title}</h2>
        {end}
      </div>
      {hint && <p className="-mt-1.5 mb-3 text-s text-ink-2">{hint}</p>}
      {children}
    </section>
  )
}

/** Adds the wordmark and a landmark to a public page, unless the page is shown in the shell, which already has them. */
export function PublicPage({ children }: { children: ReactNode }) {
  const isSignedIn = useSession((state) => state.user !== null)
  if (useHasNavigation()) return children
  return (
    <>
      <header className="flex h-(--bar) items-center px-4 sm:px-6">
        <Link to={isSignedIn ? '/home' : '/login'} aria-label="Duet" className="grid h-11 place-items-center">
          <Wordmark />
        </Link>
      </header>
      <main>{children}</main>
    </>
  )
}
