/** Hidden on touch screens, where most people have no keyboard. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="hidden min-w-5.5 rounded-[6px] border border-current/25 px-1.5 py-px text-center font-text text-xs font-semibold opacity-75 pointer-fine:inline-block"
    >
      {children}
    </span>
  )
}
