import { type Engine, missing, startFirefox, startWebKit } from './start.ts'

/** The engines besides Chromium: the programs that each needs, and how to start it. */
export const engines: Record<string, { needs: string[]; start: () => Promise<Engine> }> = {
  WebKit: { needs: ['WebKitWebDriver', 'Xvfb'], start: startWebKit },
  Firefox: { needs: ['firefox-esr'], start: startFirefox },
}

/** Says why an engine's tests are skipped. Empty if all its programs are installed. */
export function lacking(name: string): string {
  const absent = missing(engines[name]?.needs ?? [])
  if (absent.length === 0) return ''
  return `It needs ${absent.join(' and ')}.`
}
