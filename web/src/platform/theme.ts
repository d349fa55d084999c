import { create } from 'zustand'
import { deviceTexts } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeKey = 'theme'
const darkSystem = () => window.matchMedia('(prefers-color-scheme: dark)')

function readTheme(): Theme {
  const stored = deviceTexts.read(themeKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

function paint(theme: Theme): void {
  const system = darkSystem().matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme === 'system' ? system : theme
}

interface ThemeState {
  theme: Theme
  chooseTheme: (theme: Theme) => void
}

export const useTheme = create<ThemeState>()((set) => ({
  theme: readTheme(),
  chooseTheme: (theme) => {
    deviceTexts.write(themeKey, theme)
    paint(theme)
    set({ theme })
  },
}))

export function startTheme(): void {
  paint(useTheme.getState().theme)
  darkSystem().addEventListener('change', () => paint(useTheme.getState().theme))
}
