import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** For passwords and codes, which are short enough to guess. */
export interface Hasher {
  hash(secret: string): Promise<string>
  /** Takes the same time when there is no hash, so that the response time doesn't reveal whether there is one. */
  matches(kept: string | null | undefined, secret: string): Promise<boolean>
}

export interface HashCost {
  /** KiB */
  memoryCost: number
  timeCost: number
}

// From OWASP's Password Storage Cheat Sheet.
const owasp: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** Argon2id with one lane. Only tests pass a different cost. */
export function createHasher(cost = owasp): Hasher {
  const make = (secret: string) => hash(secret, { ...cost, algorithm: 2, parallelism: 1 })
  const decoy = make(String(randomInt(100_000_000)))
  return {
    hash: make,
    matches: async (kept, secret) => (await verify(kept ?? (await decoy), secret)) && Boolean(kept),
  }
}
