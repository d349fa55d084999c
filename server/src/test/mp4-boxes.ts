export type Change = (bytes: Buffer) => Buffer

export function box(type: string, content: string | Buffer = ''): Buffer {
  const body = Buffer.from(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

const heads: Record<string, number> = { stsd: 8, dref: 8, mp4a: 28 }

/** Returns the offsets of the boxes along `path`, outermost first. `path` starts at the top level of the file. */
function wayTo(bytes: Buffer, path: string): number[] {
  const way: number[] = []
  let [from, to] = [0, bytes.length]
  for (const type of path.split('/').filter(Boolean)) {
    let at = from
    while (bytes.toString('latin1', at + 4, at + 8) !== type) {
      if (at >= to) throw new Error(`no ${type} box`)
      at += bytes.readUInt32BE(at)
    }
    way.push(at)
    from = at + 8 + (heads[type] ?? 0)
    to = at + bytes.readUInt32BE(at)
  }
  return way
}

export const boxAt = (bytes: Buffer, path: string) => wayTo(bytes, path).at(-1) ?? 0

/**
 * Appends bytes to the box at `path`, or to the file if `path` is empty, and updates the sizes of the enclosing boxes.
 */
export function appended(path: string, extra: Buffer): Change {
  return (bytes) => {
    const changed = Buffer.from(bytes)
    const way = wayTo(bytes, path)
    const last = way.at(-1)
    const to = last === undefined ? bytes.length : last + bytes.readUInt32BE(last)
    for (const at of way) changed.writeUInt32BE(changed.readUInt32BE(at) + extra.length, at)
    return Buffer.concat([changed.subarray(0, to), extra, changed.subarray(to)])
  }
}
