import { classNames } from './class-names.ts'

/** `floating` places the badge on the corner of an icon. */
export function Badge({ count, floating, className }: { count: number; floating?: boolean; className?: string }) {
  if (count <= 0) return null
  const size = floating
    ? 'absolute h-4.5 min-w-4.5 px-[5px] text-[11px]/[18px] ring-2'
    : 'inline-block h-5.5 min-w-5.5 px-[7px] text-xs/[22px]'
  // Positioned by its start edge, so that a long count grows away from the icon.
  const corner = floating && !className && 'start-[22px] top-[5px] ring-paper'
  return (
    <span
      className={classNames('rounded-full bg-accent text-center font-bold text-on-accent', size, corner, className)}
    >
      {count}
    </span>
  )
}
