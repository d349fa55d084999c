/** Whether the server runs the demo world; it says so in the page itself. */
export function isDemo(): boolean {
  return document.querySelector('meta[name="duet-demo"]')?.getAttribute('content') === 'on'
}
