import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router'
import { isDemo } from '../platform/demo.ts'
import { preloadTexts } from '../platform/i18n.ts'
import { CrashBoundary } from './crash-screen.tsx'
import { Guard, type RouteName } from './guard.tsx'

/** A screen and its texts, loaded side by side when first asked for. */
function screen(load: () => Promise<{ default: ComponentType }>, ...texts: string[]) {
  return lazy(async () => {
    const [module] = await Promise.all([load(), preloadTexts(...texts)])
    return module
  })
}

const Login = screen(() => import('../features/accounts/login-screen.tsx'), 'entry')
const SignUp = screen(() => import('../features/accounts/sign-up-screen.tsx'), 'accounts', 'entry')
const Terms = screen(() => import('../features/terms/terms-screen.tsx'), 'terms')
const Matching = screen(() => import('../features/matching/matching-screen.tsx'), 'matching')
const Design = screen(() => import('./design-screen.tsx'))
const Shell = screen(() => import('./shell.tsx'), 'notifications', 'conversations')
const Home = screen(() => import('../features/discovery/home-screen.tsx'), 'discovery')
const Likes = screen(() => import('../features/likes/likes-screen.tsx'), 'likes', 'profiles')
const Profile = screen(() => import('../features/profiles/profile-screen.tsx'), 'profiles')
const Questions = screen(() => import('../features/questions/questions-screen.tsx'), 'questions')
const Settings = screen(
  () => import('../features/accounts/settings-screen.tsx'),
  'accounts',
  'entry',
  'safety',
  'matching',
)
const Moderation = screen(() => import('../features/moderation/moderation-screen.tsx'), 'moderation', 'insights')

/** The table of contents: every path, who may open it, and what it shows. */
export function Router() {
  return (
    <BrowserRouter>
      <CrashBoundary>
        <Suspense fallback={null}>
          <Pages />
        </Suspense>
      </CrashBoundary>
    </BrowserRouter>
  )
}

/** The pages without the address bar, so that tests may bring their own. */
export function Pages() {
  return (
    <Routes>
      <Route path="/" element={<Navigate to="/home" replace />} />
      <Route path="/login" element={<Login />} />
      <Route path="/signup" element={<SignUp />} />
      <Route path="/terms" element={<Terms />} />
      <Route path="/how-matching-works" element={<Matching />} />
      {isDemo() && <Route path="/dev/ui" element={<Design />} />}
      <Route element={guarded('home', <Shell />)}>
        <Route path="/home" element={guarded('home', <Home />)} />
        <Route path="/chat/:id?" element={guarded('chat', <Home />)} />
        <Route path="/likes" element={guarded('likes', <Likes />)} />
        <Route path="/profile/:id" element={guarded('profile', <Profile />)} />
        <Route path="/questions" element={guarded('questions', <Questions />)} />
        <Route path="/settings" element={guarded('settings', <Settings />)} />
        <Route path="/admin" element={guarded('SuperiorAdmin', <Moderation />)} />
      </Route>
      <Route path="*" element={<Navigate to="/login" replace />} />
    </Routes>
  )
}

function guarded(route: RouteName, screen: ReactNode) {
  return <Guard route={route}>{screen}</Guard>
}
