import { Search, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { Extra } from '../../ui/boundary.tsx'
import { findSettings, namesOfSettings } from './find-settings.ts'
import { addressOf, type Setting } from './sections.ts'

export function SettingsSearch({ children }: { children: ReactNode }) {
  const { t } = useTranslation('own-settings')
  const [query, setQuery] = useState('')
  const whole = useRef<HTMLFormElement>(null)
  const links = () => [...(whole.current?.querySelectorAll<HTMLElement>('[data-result]') ?? [])]
  const field = () => whole.current?.querySelector<HTMLElement>('input')
  const clear = () => {
    setQuery('')
    field()?.focus()
  }
  const openFirst = (event: FormEvent) => {
    event.preventDefault()
    links()[0]?.click()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') clear()
    if (!step || !query) return
    event.preventDefault()
    const first = field()
    const stops = [...(first ? [first] : []), ...links()]
    const here = stops.indexOf(document.activeElement as HTMLElement)
    stops[Math.max(0, Math.min(stops.length - 1, here + step))]?.focus()
  }
  return (
    <form ref={whole} className="grid gap-4" onKeyDown={onKeyDown} onSubmit={openFirst}>
      <span className="relative block">
        <Search aria-hidden="true" className="pointer-events-none absolute start-3.5 top-3 size-5! text-ink-2" />
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          dir="auto"
          autoComplete="off"
          value={query}
          onFocus={() => void preloadTexts(...namesOfSettings).catch(() => undefined)}
          onChange={(event) => setQuery(event.target.value)}
          className="h-11 w-full rounded-full bg-sunken ps-10.5 pe-11 placeholder:text-ink-2 focus-visible:outline-offset-0 rtl:text-right [&::-webkit-search-cancel-button]:hidden"
        />
        {query && <Clear onClear={clear} />}
      </span>
      {query.trim() ? (
        <Extra>
          <Results query={query} onChoose={() => setQuery('')} />
        </Extra>
      ) : (
        children
      )}
    </form>
  )
}

function Clear({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('own-settings')
  return (
    <button
      type="button"
      aria-label={t('clear')}
      onClick={onClear}
      className="absolute end-0 top-0 grid size-11 place-items-center rounded-full text-ink-2 hover:text-ink"
    >
      <X aria-hidden="true" className="size-4.5!" />
    </button>
  )
}

function Results({ query, onChoose }: { query: string; onChoose: () => void }) {
  const { t } = useTranslation(namesOfSettings)
  const found = findSettings(query, t)
  return (
    <>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-3 text-s text-ink-2 wrap-anywhere'}>
        {found.length > 0
          ? t('own-settings:found', { count: found.length })
          : t('own-settings:nothing', { query: query.trim() })}
      </p>
      <ul className="grid gap-0.5">
        {found.map((setting) => (
          <Result key={setting.id} setting={setting} onChoose={onChoose} />
        ))}
      </ul>
    </>
  )
}

function Result({ setting, onChoose }: { setting: Setting; onChoose: () => void }) {
  const { t } = useTranslation(namesOfSettings)
  return (
    <li>
      <Link
        to={addressOf(setting)}
        data-result
        onClick={onChoose}
        className="block rounded-m px-3 py-2 transition hover:bg-sunken focus-visible:bg-sunken"
      >
        <span className="block text-[15px] leading-snug font-[540] text-pretty">{t(setting.label)}</span>
        <span className="block text-s text-ink-2">{t(`own-settings:sections.${setting.section}.title`)}</span>
      </Link>
    </li>
  )
}
