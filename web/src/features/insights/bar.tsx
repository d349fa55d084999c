import { classNames } from '../../ui/class-names.ts'

const heights = { s: 'h-1', m: 'h-2', l: 'h-3.5' } as const

interface BarProps {
  share: number
  strong?: boolean
  size?: keyof typeof heights
  className?: string
}

/** Hidden from screen readers, which read the number beside it instead. */
export function Bar({ share, strong, size = 'm', className }: BarProps) {
  return (
    <div aria-hidden="true" className={classNames('overflow-hidden rounded-full bg-sunken', heights[size], className)}>
      <div
        className={classNames('h-full rounded-full', strong ? 'bg-accent' : 'bg-ink-3')}
        style={{ width: `${100 * Math.max(0, Math.min(1, share))}%`, minWidth: share > 0 ? 4 : 0 }}
      />
    </div>
  )
}
