import {
  HeartHandshake,
  House,
  Leaf,
  type LucideIcon,
  MessagesSquare,
  Milestone,
  TentTree,
  UsersRound,
} from 'lucide-react'
import type { Topic } from './order.ts'

const icons: Record<Topic, LucideIcon> = {
  love: HeartHandshake,
  talking: MessagesSquare,
  home: House,
  family: UsersRound,
  plans: Milestone,
  free_time: TentTree,
  values: Leaf,
}

export function TopicIcon({ topic }: { topic: Topic }) {
  const Icon = icons[topic]
  return (
    <span className="grid size-11 flex-none place-items-center rounded-full bg-sunken text-ink-2">
      <Icon aria-hidden="true" className="size-5" />
    </span>
  )
}
