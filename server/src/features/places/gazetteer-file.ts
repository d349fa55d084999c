import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Strings concatenated as UTF-8. */
export interface Texts {
  bytes: Buffer
  /** The byte offset where each string starts, and the end of the last one. */
  starts: Uint32Array
}

export const textAt = ({ bytes, starts }: Texts, index: number): string =>
  bytes.toString('utf8', starts[index], starts[index + 1])

export interface GazetteerFile {
  /** Folded names by code: of countries ("US") in many languages, and of states and regions ("US.TX"). */
  wide: Record<string, string[]>
  /** Places refer to these codes by their index. */
  codes: { countries: string[]; regions: string[] }
  /** This column and the ones below have one entry per place, the most populous place first. */
  ids: Uint32Array
  countries: Uint32Array
  regions: Uint32Array
  populations: Uint32Array
  latitudes: Float32Array
  longitudes: Float32Array
  names: Texts
  /** Separated by line feeds. */
  otherNames: Texts
  /** Folded names, sorted by their bytes for binary search. */
  keys: Texts
  /** For each key: twice the index of its place, plus one if the key is an alternative name. */
  placesOfKeys: Uint32Array
}

const fileName = 'places.br'
type Column = Buffer | Uint32Array | Float32Array

function columnsOf(file: GazetteerFile): Column[] {
  const { ids, countries, regions, populations, latitudes, longitudes, placesOfKeys } = file
  const texts = [file.names, file.otherNames, file.keys].flatMap(({ bytes, starts }) => [bytes, starts])
  return [ids, countries, regions, populations, latitudes, longitudes, placesOfKeys, ...texts]
}

/** Typed arrays of 32-bit numbers must start at a multiple of four bytes. */
const padded = (length: number) => Math.ceil(length / 4) * 4

/** Writes the lengths of the body and of its JSON head, in bytes, then the compressed body. */
export function encodeGazetteer(file: GazetteerFile): Buffer {
  const columns = columnsOf(file).map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength))
  const { wide, codes } = file
  const head = Buffer.from(JSON.stringify({ wide, codes, lengths: columns.map(({ length }) => length) }))
  const lengths = Buffer.alloc(8)
  const parts = [head, ...columns].map((part) => Buffer.concat([part, Buffer.alloc(padded(part.length) - part.length)]))
  const body = Buffer.concat(parts)
  lengths.writeUInt32LE(body.length, 0)
  lengths.writeUInt32LE(head.length, 4)
  return Buffer.concat([lengths, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })])
}

function decodeGazetteer(encoded: Buffer): GazetteerFile {
  const length = encoded.readUInt32LE(0)
  const headLength = encoded.readUInt32LE(4)
  // One chunk of the right size takes half the memory of concatenating many.
  const body = brotliDecompressSync(encoded.subarray(8), { chunkSize: length })
  const { wide, codes, lengths } = JSON.parse(body.toString('utf8', 0, headLength))
  let at = padded(headLength)
  const next = (): [ArrayBuffer, number, number] => {
    const size: number = lengths.shift()
    const start = body.byteOffset + at
    at += padded(size)
    return [body.buffer as ArrayBuffer, start, size]
  }
  const numbers = () => {
    const [buffer, start, size] = next()
    return new Uint32Array(buffer, start, size / 4)
  }
  const degrees = () => {
    const [buffer, start, size] = next()
    return new Float32Array(buffer, start, size / 4)
  }
  const texts = (): Texts => ({ bytes: Buffer.from(...next()), starts: numbers() })
  return {
    ...{ wide, codes },
    ...{ ids: numbers(), countries: numbers(), regions: numbers(), populations: numbers() },
    ...{ latitudes: degrees(), longitudes: degrees(), placesOfKeys: numbers() },
    ...{ names: texts(), otherNames: texts(), keys: texts() },
  }
}

const here = dirname(fileURLToPath(import.meta.url))

/** Reads `server/places.br`, or its copy in a build. */
export function readGazetteerFile(): GazetteerFile {
  for (const folder of ['.', '..', '../../..']) {
    const path = join(here, folder, fileName)
    try {
      return decodeGazetteer(readFileSync(path))
    } catch (problem) {
      if ((problem as NodeJS.ErrnoException).code !== 'ENOENT') throw problem
    }
  }
  throw new Error(`${fileName} is missing`)
}
