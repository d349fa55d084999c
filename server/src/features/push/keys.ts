import { after, days } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import { transaction } from '../../platform/transaction.ts'
import { newSenderKeys, type Sender } from '../../platform/web-push.ts'
import { deleteUnusedKeys, findKeys, insertKeys, lockKeys } from './push.queries.ts'

/**
 * How long a key pair is used for. After that, a browser subscribes with new keys the next time Duet is opened in it.
 */
const usedForMs = days(365)
const purpose = 'push-keys'

type Keeping = Pick<Platform, 'db' | 'clock' | 'log' | 'secrets' | 'config'>

const contactOf = ({ pushContact, mailFrom }: Platform['config']) =>
  pushContact ?? `mailto:${/<([^<>]*)>/.exec(mailFrom)?.[1] ?? mailFrom}`

/** The sender for a key pair; undefined if the SECRET_KEY that sealed its private key is gone. */
export function senderOf(
  { secrets, config }: Pick<Platform, 'secrets' | 'config'>,
  { public_key: publicKey, private_key: sealed }: { public_key: string; private_key: Buffer },
): Sender | undefined {
  const privateKey = open(secrets, purpose, publicKey, sealed)?.toString()
  return privateKey === undefined ? undefined : { publicKey, privateKey, contact: contactOf(config) }
}

async function currentOf(platform: Keeping): Promise<string | undefined> {
  const [newest] = await findKeys(platform.db)
  if (!newest || newest.created_at < after(platform.clock.now(), -usedForMs)) return undefined
  return senderOf(platform, newest)?.publicKey
}

/** The public key for new subscriptions. Creates a new pair if no usable one exists. */
export async function currentKey(platform: Keeping): Promise<string> {
  const known = await currentOf(platform)
  if (known !== undefined) return known
  return transaction(platform, async (tx) => {
    await lockKeys(tx.db)
    const made = await currentOf({ ...platform, db: tx.db })
    if (made !== undefined) return made
    const { publicKey, privateKey } = newSenderKeys()
    const sealed = seal(platform.secrets, purpose, publicKey, Buffer.from(privateKey))
    await insertKeys(tx.db, { publicKey, privateKey: sealed, now: tx.clock.now() })
    await deleteUnusedKeys(tx.db, publicKey)
    return publicKey
  })
}
