/** Focuses clicked buttons in Safari, which doesn't, so that a dialog they open can return the focus. */
export function focusWhatIsPressed(): void {
  const focus = ({ target }: MouseEvent) => {
    if (document.activeElement !== document.body || !(target instanceof Element)) return
    target.closest<HTMLElement>('button, a[href], summary, [role=button]')?.focus({ preventScroll: true })
  }
  // In the capture phase, before the button's own click handlers.
  document.addEventListener('click', focus, true)
}
