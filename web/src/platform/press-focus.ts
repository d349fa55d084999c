/**
 * Safari doesn't focus a button when it is clicked. This does, so that a dialog opened by the button can return the
 * focus to it.
 */
export function focusWhatIsPressed(): void {
  const focus = ({ target }: MouseEvent) => {
    if (document.activeElement !== document.body || !(target instanceof Element)) return
    target.closest<HTMLElement>('button, a[href], summary, [role=button]')?.focus({ preventScroll: true })
  }
  // In the capture phase, to run before the button's own click handlers.
  document.addEventListener('click', focus, true)
}
