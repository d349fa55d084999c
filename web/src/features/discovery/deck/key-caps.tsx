export const keyCaps = [
  { act: 'pass', caps: ['←'] },
  { act: 'like', caps: ['→'] },
  { act: 'later', caps: ['↑'] },
  { act: 'undo', caps: ['Z', 'U'] },
] as const

export function Cap({ children }: { children: string }) {
  return (
    <kbd className="rounded-[6px] border border-line bg-surface px-1.75 py-0.5 font-text text-xs font-semibold text-ink-2">
      {children}
    </kbd>
  )
}
