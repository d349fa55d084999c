import type { Photo } from '@duet/contract/photos.ts'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photograph.tsx'

interface Somebody {
  name: string
  photo: Photo | null
}

/** Two portraits side by side, like prints that lie on a table. */
export function MatchFaces({ me, them }: { me: Somebody; them: Somebody }) {
  return (
    <div className="flex justify-center pt-1 pb-3">
      <Print {...me} className="rotate-[-4deg] ltr:starting:-translate-x-5 rtl:starting:translate-x-5" />
      <Print {...them} className="-ms-3 mt-3 rotate-[3deg] ltr:starting:translate-x-5 rtl:starting:-translate-x-5" />
    </div>
  )
}

function Print({ name, photo, className }: Somebody & { className: string }) {
  return (
    <div
      className={classNames(
        'relative aspect-3/4 w-25 overflow-hidden rounded-l bg-accent-soft shadow-one ring-4 ring-surface transition duration-(--calm) sm:w-30 starting:opacity-0',
        className,
      )}
    >
      {photo ? (
        <Photograph photo={photo} sizes="120px" fallbackAlt={name} eager />
      ) : (
        <span role="img" aria-label={name} className="grid size-full place-items-center">
          <span aria-hidden="true" className="font-display text-3xl text-accent">
            {[...name][0]}
          </span>
        </span>
      )}
    </div>
  )
}
