import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mainOf } from './server.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** This checkout, or `commit` checked out in `folder`, built with its own packages. Takes what was built there before. */
export function checkOut(folder: string, commit: string | undefined): string {
  if (commit === undefined) return root
  const checkout = join(folder, 'checkout')
  if (existsSync(mainOf(checkout))) return checkout
  execFileSync('git', ['clone', '--quiet', root, checkout])
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: checkout })
  execFileSync('npm', ['run', 'build'], { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] })
  return checkout
}
