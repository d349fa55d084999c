import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'

export interface Chromium {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

// The sandbox is off because the browser only opens our own pages, often as root in a container where it can't be set
// up.
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const cache = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/.cache/duet-chromium')

export async function chromium(): Promise<Chromium> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const env = Object.fromEntries(inherited)
  if (env.CHROMIUM_PATH) return { executablePath: env.CHROMIUM_PATH, args, env }
  const folder = await unpacked()
  const libraries = [join(folder, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    executablePath: join(folder, 'chromium'),
    args,
    env: { ...env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: folder, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

async function unpacked(): Promise<string> {
  const packaged = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..')
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cache, version)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'unpacking-'))
  try {
    await unpackInto(unfinished, join(packaged, 'bin'))
    writeFileSync(join(unfinished, 'fonts.conf'), fontsConf(folder))
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process may have finished first, and its folder is just as good.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

// The package unpacks into the TMPDIR that is set when it's called.
async function unpackInto(folder: string, packaged: string): Promise<void> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
  const unpacking = archives.map((name) => inflate(join(packaged, name)))
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await Promise.all(unpacking)
}

// Includes the packaged font, because a page crashes the browser if there is no font.
function fontsConf(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.fonts')]
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((path) => `  <dir>${path}</dir>`).join('\n')}
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`
}
