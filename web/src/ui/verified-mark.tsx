import { BadgeCheck } from 'lucide-react'

export function VerifiedMark({ label }: { label: string }) {
  return (
    <BadgeCheck
      role="img"
      aria-label={label}
      fill="currentColor"
      className="ms-2 inline size-6! align-[-2px] [&_path:last-child]:stroke-[#a5503d] [&_path:last-child]:[stroke-width:2.4]"
    />
  )
}
