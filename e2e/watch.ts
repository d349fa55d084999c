import type { BrowserContext, Page } from '@playwright/test'

/** Records the effects of injected code on any page of a browser. */
export interface Watch {
  /** Dialogs, requests to other origins, policy violations, and code that ran. */
  seen: string[]
}

export async function watch(context: BrowserContext, origin: string): Promise<Watch> {
  const seen: string[] = []
  await context.exposeFunction('__noteViolation', (what: string) => void seen.push(`refused by the policy: ${what}`))
  await context.addInitScript(() => {
    const note = (globalThis as unknown as { __noteViolation: (what: string) => void }).__noteViolation
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      note(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    )
  })
  context.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.host !== new URL(origin).host)
      seen.push(`a request to ${url.href}`)
  })
  context.on('page', (page) => page.on('popup', (popup) => seen.push(`a window: ${popup.url()}`)))
  return { seen }
}

/** Returns elements that could only come from injected text. Empty if there are none. */
export function intrusionsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if ('__pwn' in window) found.push('window.__pwn is set')
    if ('isSuperAdmin' in {}) found.push('the prototype of everything was changed')
    const mine = `${location.origin}/`
    for (const element of document.querySelectorAll('*')) {
      const name = element.tagName.toLowerCase()
      const source = element.getAttribute('src') ?? element.getAttribute('href') ?? ''
      const isOurs = source !== '' && new URL(source, mine).href.startsWith(mine)
      const handlers = element.getAttributeNames().filter((attribute) => attribute.startsWith('on'))
      if (handlers.length > 0) found.push(`${name} with ${handlers.join()}`)
      if (/^(iframe|object|embed|base|marquee|math|xss|template)$/.test(name)) found.push(`an element ${name}`)
      if (/^(script|link)$/.test(name) && !isOurs) found.push(element.outerHTML.slice(0, 120))
      if (name === 'meta' && element.hasAttribute('http-equiv')) found.push(element.outerHTML.slice(0, 120))
      if (name === 'form' && element.getAttribute('action')) found.push(element.outerHTML.slice(0, 120))
      if (name === 'a' && !/^(https?:|\/|#|mailto:|$)/.test(source)) found.push(element.outerHTML.slice(0, 120))
    }
    return found
  })
}
