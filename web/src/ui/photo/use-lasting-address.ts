import { useRef, useState } from 'react'

const fileOf = (url: string) => url.split('?', 1)[0]

/**
 * Returns the URL to load a picture from, and its loading state. Every response from the server contains a newly signed
 * URL. A picture that is loading or has loaded keeps its current URL; one that failed tries the newest. `onExpired`
 * requests a new URL, but only once until a picture has loaded, because a broken file fails at every URL.
 */
export function useLastingAddress(newest: string, onExpired?: () => void) {
  const [url, setUrl] = useState(newest)
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const asked = useRef('')
  const file = fileOf(url) ?? ''
  if (url !== newest && (state === 'failed' || file !== fileOf(newest))) {
    setUrl(newest)
    setState('loading')
  }
  const onLoad = () => {
    asked.current = ''
    setState('loaded')
  }
  const onError = () => {
    setState('failed')
    if (asked.current === file) return
    asked.current = file
    onExpired?.()
  }
  return { url, state, onLoad, onError }
}
