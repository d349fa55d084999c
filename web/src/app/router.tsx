import { type ComponentType, type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { AddressBar, useAddress } from '../platform/address/address.tsx'
import { isDemo } from '../platform/demo.ts'
import { preloadTexts } from '../platform/i18n.ts'
import { useHasNavigation } from '../platform/session.ts'
import { lazily } from '../ui/lazily.tsx'
import { CrashBoundary } from './crash-screen.tsx'
import { Guard, type RouteName } from './guard.tsx'

function screen<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>, ...texts: string[]) {
  return lazily(async () => {
    const [module] = await Promise.all([load(), preloadTexts(...texts)])
    return module
  })
}

const Login = screen(() => import('../features/accounts/login-screen.tsx'), 'entry', 'welcome')
const SignUp = screen(() => import('../screens/sign-up/sign-up-screen.tsx'), 'accounts', 'entry', 'sign-up')
const UndoAddress = screen(() => import('../features/accounts/undo-screen.tsx'), 'accounts', 'entry')
const Terms = screen(() => import('../features/terms/terms-screen.tsx'), 'terms')
const Matching = screen(() => import('../features/matching/matching-screen.tsx'), 'matching')
const Design = screen(() => import('./design-screen.tsx'))
const Shell = screen(() => import('./shell.tsx'), 'conversations')
const Home = screen(() => import('../features/discovery/home-screen.tsx'), 'discovery')
const Likes = screen(() => import('../features/likes/likes-screen.tsx'), 'likes', 'profiles')
const Profile = screen(() => import('../screens/profile/profile-screen.tsx'), 'profiles', 'discovery')
const Questions = screen(() => import('../features/questions/questions-screen.tsx'), 'questions')
const Settings = screen(
  () => import('../screens/settings/settings-screen.tsx'),
  'own-settings',
  'mails',
  'accounts',
  'entry',
  'safety',
  'matching',
)
const Safety = screen(() => import('../features/safety-centre/safety-screen.tsx'), 'safety-centre')
const OpenDate = screen(() => import('../features/dates/open-date-screen.tsx'), 'dates')
const Unsubscribe = screen(() => import('../features/mails/unsubscribe-screen.tsx'), 'mails')
const Dates = screen(() => import('../features/dates/dates-screen.tsx'), 'dates')
const PastContacts = screen(() => import('../features/reports/past-contacts-screen.tsx'), 'reports')
const Standing = screen(() => import('../features/standing/standing-screen.tsx'), 'standing')
const Moderation = screen(() => import('../features/moderation/moderation-screen.tsx'), 'moderation', 'insights')

export function Router() {
  return (
    <AddressBar>
      <Whole />
    </AddressBar>
  )
}

function Whole() {
  const { pathname } = useAddress()
  return (
    <CrashBoundary at={pathname}>
      <Suspense fallback={null}>
        <Pages />
      </Suspense>
    </CrashBoundary>
  )
}

export function Pages() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/home" replace />
      </Route>
      <Route path="/login">
        <Login />
      </Route>
      <Route path="/signup">
        <SignUp />
      </Route>
      <Route path="/undo-address">
        <UndoAddress />
      </Route>
      <Route path="/terms">{forAnyone(<Terms />)}</Route>
      <Route path="/how-matching-works">{forAnyone(<Matching />)}</Route>
      <Route path="/safety/:page?">{forAnyone(<Safety />)}</Route>
      <Route path="/date/:token/:key?">
        <OpenDate />
      </Route>
      <Route path="/unsubscribe">
        <Unsubscribe />
      </Route>
      <Route path="/standing">
        <Guard route="standing">
          <Standing />
        </Guard>
      </Route>
      {isDemo() && (
        <Route path="/dev/ui">
          <Design />
        </Route>
      )}
      <Route path="/home">{inShell('home', <Home />)}</Route>
      <Route path="/chat/:id?">{inShell('chat', <Home />)}</Route>
      <Route path="/likes">{inShell('likes', <Likes />)}</Route>
      <Route path="/profile/:id">{inShell('profile', <Profile />)}</Route>
      <Route path="/questions">{inShell('questions', <Questions />)}</Route>
      <Route path="/dates">{inShell('dates', <Dates />)}</Route>
      <Route path="/report">{inShell('report', <PastContacts />)}</Route>
      <Route path="/settings/:section?">{inShell('settings', <Settings />)}</Route>
      <Route path="/admin">{inShell('SuperiorAdmin', <Moderation />)}</Route>
      <Route>
        <Redirect to="/login" replace />
      </Route>
    </Switch>
  )
}

// All routes render this same component, so the shell stays mounted when the screen changes.
const inShell = (route: RouteName, screen: ReactNode) => <Framed route={route}>{screen}</Framed>
const forAnyone = (screen: ReactNode) => <Framed route="TermsAndConditions">{screen}</Framed>

/** Puts a screen into the shell. Signed-out and suspended people see public pages without the shell. */
function Framed({ route, children }: { route: RouteName; children: ReactNode }) {
  const hasNavigation = useHasNavigation()
  if (!hasNavigation && route === 'TermsAndConditions') return children
  return (
    <Guard route="home">
      <Shell>
        <Guard route={route}>{children}</Guard>
      </Shell>
    </Guard>
  )
}
