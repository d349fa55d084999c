import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { transformSync } from 'esbuild'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

/** The oldest supported browsers. Keep in sync with README, public/theme.js and e2e/floor.spec.ts. */
const floor = ['safari16.4', 'firefox128', 'chrome120']

// Modules that are always needed together share a few files, which compress well and stay cached. With one file per
// icon, half the bytes would be overhead. A group also includes its modules' imports, unless an earlier group has them.
const groups = [
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|i18next|react-i18next|zustand|use-sync-external-store)\/|rolldown\/runtime/,
  },
  {
    // The app's own modules that every page uses.
    name: 'base',
    test: /web\/stand-ins\/plain-icon\.ts|web\/src\/(main|app\/(router|guard|crash-screen)|platform\/(address\/address|call|problem|session|storage|theme|i18n|demo|toast|service-worker|not-loaded|permitted|press-focus)|features\/accounts\/(entry\/code-mail|entry\/destination|problem-words|passkeys\/able)|screens\/settings\/install-prompt|ui\/(class-names|boundary|lazily|button|spinner|page-title|wordmark|form\/(checkbox|field|field-frame|error-text|use-lead-to-wrong)))\.tsx?$/,
  },
  {
    name: 'email',
    test: /contract\/src\/email-address\.ts|web\/src\/ui\/form\/email-words\.ts/,
  },
  {
    // Modules that sign-up shares with the screens after it.
    name: 'pieces',
    test: /node_modules\/lucide-react\/dist\/esm\/icons\/(arrow-left|check|chevron-down|chevron-left|circle-exclamation-point|ellipsis-vertical|map-pin|rotate-cw|x)\.m?js|contract\/src\/limits\.ts|web\/src\/ui\/icon-button\.tsx/,
  },
  {
    // Modules for server data and for displaying people, which the onboarding steps need too.
    name: 'people',
    test: /node_modules\/@tanstack\/(query-core|react-query)\/(?!.*[iI]nfiniteQuery(Observer)?\.js)|web\/src\/(platform\/query\/query-client|features\/accounts\/accounts|ui\/(badge|photo\/(blur-canvas|face|no-photo|photograph)|card|empty-state|error-state|figure|skeleton|tag|verified-mark|form\/chip|overlay\/(confirm|dialog|menu|popover)))\.tsx?$/,
  },
  {
    name: 'pictures',
    test: /web\/src\/platform\/picture\/(drop-guard|picture-kind|prepare-picture|open-picture)\.ts|lucide-react\/dist\/esm\/icons\/image-plus\.m?js/,
  },
  {
    // The parts around every signed-in screen: the bar, the live connection and the conversations.
    name: 'shell',
    test: /web\/src\/(app\/shell|features\/conversations\/panel)\.tsx/,
  },
  {
    name: 'first',
    test: /node_modules\/lucide-react\/dist\/esm\/icons\/(clock|heart-handshake|plus|undo-2)\.m?js|web\/src\/(ui\/(round-action|form\/(is-same|segmented|switch))|features\/discovery\/filters\/(filter-fields|pool-words)|features\/likes\/likes\.api)\.tsx?$/,
  },
]

/**
 * Serves public/theme.js at a URL with a content hash, so that repeat visits don't request it. The bundler doesn't
 * handle this script, because it runs before the first paint and isn't a module.
 */
function lastingTheme(): Plugin {
  const written = readFileSync(new URL('public/theme.js', import.meta.url), 'utf8')
  const source = transformSync(written, { minify: true, target: 'es2015', format: 'iife', charset: 'utf8' }).code
  const fileName = `assets/theme-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
  return {
    name: 'lasting-theme',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: (page) => page.replace('/theme.js', `/${fileName}`),
  }
}

/** A font that arrives after the first paint would shift the layout, so it is used only from the next visit on. */
function steadyFonts(): Plugin {
  return {
    name: 'steady-fonts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('/ui/styles.css')) return code.replace(/font-display:\s*swap/g, 'font-display: optional')
    },
  }
}

// The emoji data and the HEIC decoder are large and rarely needed, so they are fetched on first use instead of being
// precached.
const isKeptByWorker = (file: Rolldown.OutputAsset | Rolldown.OutputChunk) =>
  file.fileName.startsWith('assets/') &&
  !file.fileName.startsWith('assets/heic-worker-') &&
  !(file.type === 'chunk' && file.moduleIds.some((id) => /emojibase-data|cldr-annotations/.test(id)))

function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const built = Object.values(bundle)
      const files = [
        '/icon.svg',
        '/icon-unread.svg',
        '/manifest.webmanifest',
        ...built.filter(isKeptByWorker).map((file) => `/${file.fileName}`),
      ]
      const page = bundle['index.html']
      const entry =
        page?.type === 'asset' && [...String(page.source).matchAll(/<script [^>]*src="([^"]+)"/g)].at(-1)?.[1]
      if (!entry) throw new Error('The page has no script.')
      const hash = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { SHELL: JSON.stringify({ build: hash, entry, files }) },
        build: {
          target: floor,
          outDir: dir,
          emptyOutDir: false,
          rolldownOptions: {
            input: fileURLToPath(new URL('src/service-worker/service-worker.ts', import.meta.url)),
            output: { format: 'iife', entryFileNames: 'service-worker.js' },
          },
        },
      })
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwind(), steadyFonts(), lastingTheme(), serviceWorker()],
  // React has had `useSyncExternalStore` since version 18, so the shim for older versions isn't needed.
  resolve: {
    alias: [
      {
        find: '../createLucideIcon.mjs',
        replacement: fileURLToPath(new URL('stand-ins/plain-icon.ts', import.meta.url)),
      },
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      // socket.io's client bundles WebTransport and binary support, neither of which Duet's server uses.
      {
        find: /^\.\/(transports\/(index|webtransport|polling-xhr(\.node)?)|webtransport|(is-)?binary|contrib\/base64-arraybuffer)\.js$/,
        replacement: fileURLToPath(new URL('stand-ins/unused-transports.ts', import.meta.url)),
      },
    ],
  },
  build: {
    target: floor,
    // Nothing is inlined, because the content security policy allows only files from the app's own origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
