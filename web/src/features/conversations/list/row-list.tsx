import { Suspense, useEffect, useRef, useState } from 'react'
import { Boundary } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { ConversationRow, type RowListProps } from './conversation-row.tsx'

const ManyRows = lazily(() => import('./many-rows.tsx'))

/** Lists with more rows than this are virtualized. */
const few = 40
/** How long to wait for the virtualized list's code before rendering every row, in milliseconds. */
const patience = 4_000

/** The scroll container must have the attribute `data-scroller`. */
export function RowList(props: RowListProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isMany = useRef(false)
  // Switching between a plain and a virtualized list remounts the rows, so don't switch while one has focus.
  if (!ref.current?.contains(document.activeElement)) isMany.current = props.list.length > few
  return (
    <div ref={ref} className="contents">
      {isMany.current ? (
        <Boundary instead={() => <FewRows {...props} />}>
          <Suspense fallback={<FirstRows {...props} />}>
            <ManyRows {...props} />
          </Suspense>
        </Boundary>
      ) : (
        <FewRows {...props} />
      )}
    </div>
  )
}

function FirstRows({ list, ...props }: RowListProps) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return <FewRows {...props} list={isLate ? list : list.slice(0, few)} />
}

function FewRows({ list, onSelect, onMenu, onNear, openId, ...label }: RowListProps) {
  return (
    <ul {...label}>
      {list.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          {...{ conversation, onSelect, onMenu, onNear }}
          isOpen={conversation.id === openId}
        />
      ))}
    </ul>
  )
}
