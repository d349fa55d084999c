import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'

/*
 * Encrypts a file with a passphrase: scrypt derives the key, and AES-256-GCM seals the file chunk by chunk. A chunk's
 * nonce is its index plus a flag for the last chunk, so missing, repeated or reordered chunks are detected, as in the
 * STREAM construction (Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 */
const magic = Buffer.from('DUETSEAL1\n')
const pieceSize = 64 * 1024
const tagSize = 16
const saltSize = 16
const prefixSize = 7
const headSize = magic.length + saltSize + prefixSize
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)

function nonceOf(prefix: Buffer, place: number, isLast: boolean): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt32BE(place)
  tail[4] = isLast ? 1 : 0
  return Buffer.concat([prefix, tail])
}

function inPieces(
  size: number,
  work: (piece: Buffer, place: number, isLast: boolean) => Buffer,
  head?: Buffer,
): Transform {
  let rest = Buffer.alloc(0)
  let place = 0
  const attempt = (done: TransformCallback, act: () => void) => {
    try {
      act()
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        rest = Buffer.concat([rest, chunk])
        // Hold a full chunk until another byte arrives, because the last chunk needs its flag.
        while (rest.length > size) {
          this.push(work(rest.subarray(0, size), place++, false))
          rest = rest.subarray(size)
        }
      })
    },
    flush(done) {
      attempt(done, () => this.push(work(rest, place, true)))
    },
  })
  if (head) stream.push(head)
  return stream
}

export async function sealWith(passphrase: string): Promise<Transform> {
  const [salt, prefix] = [randomBytes(saltSize), randomBytes(prefixSize)]
  const key = await derive(passphrase, salt, 32, cost)
  const seal = (piece: Buffer, place: number, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, place, isLast))
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
  return inPieces(pieceSize, seal, Buffer.concat([magic, salt, prefix]))
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export async function isSealed(path: string): Promise<boolean> {
  return (await headOf(path)).subarray(0, magic.length).equals(magic)
}

/**
 * Returns a stream that decrypts everything after the header, and the offset where the encrypted data starts. The
 * stream fails on a wrong passphrase or any change to the file.
 */
export async function openWith(passphrase: string, path: string): Promise<{ stream: Transform; start: number }> {
  const head = await headOf(path)
  if (head.length < headSize) throw new Error('the file ends in its first bytes')
  const salt = head.subarray(magic.length, magic.length + saltSize)
  const prefix = head.subarray(magic.length + saltSize)
  const key = await derive(passphrase, salt, 32, cost)
  const unseal = (piece: Buffer, place: number, isLast: boolean) => {
    if (piece.length < tagSize) throw new Error('the file is cut off')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, place, isLast), { authTagLength: tagSize })
    decipher.setAuthTag(piece.subarray(-tagSize))
    return Buffer.concat([decipher.update(piece.subarray(0, -tagSize)), decipher.final()])
  }
  return { stream: inPieces(pieceSize + tagSize, unseal), start: headSize }
}
