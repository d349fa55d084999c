import { vi } from 'vitest'

/** Gives everything a size, which it has none of without a browser: only rows that would be seen are drawn. */
export function giveSizes(height = 600): void {
  const isLog = (element: HTMLElement) => element.getAttribute('role') === 'log'
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return isLog(this) ? height : 40
  })
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return isLog(this) ? height : 40
  })
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400)
}
