import type { Session } from '@duet/contract/accounts.ts'
import { type ReactNode, useState } from 'react'
import { Redirect } from 'wouter'
import { keepDestination } from '../features/accounts/entry/destination.ts'
import { useSession } from '../platform/session.ts'

export type RouteName =
  | 'login'
  | 'signup'
  | 'TermsAndConditions'
  | 'home'
  | 'likes'
  | 'profile'
  | 'chat'
  | 'questions'
  | 'settings'
  | 'dates'
  | 'report'
  | 'standing'
  | 'SuperiorAdmin'
  | 'design'

const publicRoutes: ReadonlySet<RouteName> = new Set(['login', 'signup', 'TermsAndConditions', 'design'])

export const isPublicPage = (pathname: string) => /^\/(terms|safety|how-matching-works)(\/|$)/.test(pathname)

export function redirectFor(route: RouteName, user: Session | null, suspended = false): string | null {
  if (publicRoutes.has(route)) return null
  if (user && suspended) return route === 'standing' ? null : '/standing'
  if (route === 'SuperiorAdmin' && !user?.isSuperAdmin) return user ? '/' : '/login'
  return user ? null : '/login'
}

export function Guard({ route, children }: { route: RouteName; children: ReactNode }) {
  const user = useSession((state) => state.user)
  const suspended = useSession((state) => state.suspended)
  const elsewhere = redirectFor(route, user, suspended)
  if (elsewhere === '/login') return <ToSignIn />
  return elsewhere ? <Redirect key={elsewhere} to={elsewhere} replace /> : children
}

function ToSignIn() {
  useState(keepDestination)
  return <Redirect to="/login" replace />
}
