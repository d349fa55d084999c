import { classNames } from './class-names.ts'

export function Wordmark({ className }: { className?: string }) {
  return (
    <span
      dir="ltr"
      className={classNames(
        'inline-flex items-center gap-[7px] font-display text-[26px]/none font-[620] tracking-[-.04em]',
        className,
      )}
    >
      Duet
      <svg viewBox="0 0 22 16" aria-hidden="true" className="h-4 w-5.5 translate-y-0.5 text-accent">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2.4" />
        <circle cx="14" cy="8" r="6" fill="currentColor" fillOpacity=".2" stroke="currentColor" strokeWidth="2.4" />
      </svg>
    </span>
  )
}
