import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwind()],
  // Nothing is inlined: the content security policy only knows files of our own origin.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
