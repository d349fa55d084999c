// biome-ignore lint/style/noRestrictedImports: this wrapper adds the retry.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { NotLoaded } from '../platform/not-loaded.ts'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/**
 * Like React's `lazy`, except that code that failed to load is requested again once a `Boundary` has shown the error.
 * `near` preloads the code. Chromium caches a failed import until the page is reloaded, so only a reload helps there.
 */
export function lazily<Props extends object>(load: Load<Props>): ComponentType<Props> & { near: () => void } {
  let Part: LazyExoticComponent<ComponentType<Props>>
  const begin = () => {
    Part = lazy(() =>
      load().catch((cause: unknown) => {
        throw cause instanceof NotLoaded ? forgettingBoth(cause) : new NotLoaded(begin, cause)
      }),
    )
  }
  const forgettingBoth = ({ forget, cause }: NotLoaded) =>
    new NotLoaded(() => {
      forget()
      begin()
    }, cause)
  begin()
  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, like `lazy`.
  const Lazily = (props: Props) => <Part {...(props as Props & { ref?: never })} />
  return Object.assign(Lazily, { near: () => void load().catch(() => undefined) })
}
