import type { ReactNode } from 'react'

// Inlined rather than imported from the icon library, because the sign-in page needs no other icon and loads faster
// without the library.
function ErrorIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="mt-0.5 size-4 flex-none fill-none stroke-current stroke-2">
      <circle cx="12" cy="12" r="9.5" />
      <path d="M12 7v6M12 16.5v.1" strokeLinecap="round" />
    </svg>
  )
}

/** Screen readers announce a form's error when it appears. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && <ErrorText>{children}</ErrorText>}
    </div>
  )
}

export function ErrorText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-start text-s font-medium text-bad">
      <ErrorIcon />
      {children}
    </p>
  )
}
