import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={classNames('sheen', !className?.includes('rounded') && 'rounded-s', className)}
    />
  )
}

/** Takes up the space of its hidden `children`, so that the content below doesn't move when they appear. */
export function SkeletonOf({ children }: { children: ReactNode }) {
  return (
    <div aria-hidden="true" className="relative">
      <div inert className="invisible">
        {children}
      </div>
      <Skeleton className="absolute inset-0 rounded-l" />
    </div>
  )
}

export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-4 px-5.5 py-3">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <div key={row} className="flex items-center gap-3.5">
          <Skeleton className="size-13 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
