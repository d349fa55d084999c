import type { Keyboard, Locator, Page } from '@playwright/test'

interface Finding {
  getByRole(
    role: Parameters<Page['getByRole']>[0],
    options?: { name?: string | RegExp; exact?: boolean; level?: number },
  ): Found
  getByText(text: string | RegExp, options?: { exact?: boolean }): Found
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): Found
  locator(selector: string): Found
}

export interface Found extends Finding, Pick<Locator, 'check' | 'fill' | 'press'> {
  first(): Found
  last(): Found
  nth(index: number): Found
  click(options?: { button?: 'right' }): Promise<void>
  setInputFiles(path: string): Promise<void>
  waitFor(options?: { state?: 'visible' | 'hidden' }): Promise<void>
}

/**
 * The part of Playwright's `Page` that screens, dialogs and journeys use. `Remote` implements it for the other engines.
 */
export interface Browsing extends Finding {
  keyboard: Pick<Keyboard, 'press'>
  evaluate<Result>(run: () => Result | Promise<Result>): Promise<Result>
  evaluate<Result, Given>(run: (given: Given) => Result | Promise<Result>, given: Given): Promise<Result>
  goto(address: string): Promise<unknown>
  setViewportSize(size: { width: number; height: number }): Promise<void>
}
