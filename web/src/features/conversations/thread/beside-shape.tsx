import { Skeleton } from '../../../ui/skeleton.tsx'

export const besideColumn = 'w-95 flex-none overflow-y-auto overscroll-contain border-s border-line bg-paper'

/** A placeholder as wide as the loaded column, so that the thread doesn't shift. */
export function BesideShape() {
  return (
    <div aria-hidden="true" className={besideColumn}>
      <div className="grid gap-7 p-6">
        <Skeleton className="aspect-4/5 rounded-xl" />
        <Skeleton className="h-24 rounded-l" />
        <Skeleton className="h-9 w-2/3" />
      </div>
    </div>
  )
}
