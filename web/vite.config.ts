import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// What every page needs, in two files that compress well and stay cached: the libraries, and our own base.
const groups = [
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|i18next|react-i18next|zustand|use-sync-external-store)\/|rolldown\/runtime/,
  },
  {
    name: 'base',
    test: /web\/src\/(main|app\/(router|guard|crash-screen)|platform\/(address|call|problem|session|theme|i18n|demo|toast)|features\/accounts\/(code-mail|problem-words)|ui\/(class-names|button|spinner|field|field-frame|error-text|wordmark))\.tsx?$/,
  },
]

export default defineConfig({
  plugins: [react(), tailwind()],
  // The shim is for older Reacts.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  build: {
    target: 'es2022',
    // Nothing is inlined: the content security policy only knows files of our own origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
