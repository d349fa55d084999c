/** A placeholder for a missing photo: the initial on a background dark enough for the name to be legible on it. */
export function NoPhoto({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="@container grid size-full place-items-center bg-[#7a6d62] pb-[18%] font-display text-white/70"
    >
      <span className="text-[length:28cqw]/none">{[...name.trim()][0]}</span>
    </span>
  )
}
