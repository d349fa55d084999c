import { vi } from 'vitest'

/** Gives elements a size, so that the virtualizer renders rows; happy-dom has no layout. */
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
