const hex = (value: number | bigint, digits: number) => value.toString(16).padStart(digits, '0')

let last = 0

/** Returns the current time, but at least 1 ms after the last result, so that messages keep their order. */
function tick(): number {
  last = Math.max(Date.now(), last + 1)
  return last
}

const sameShape = /^[0-9a-f]{8}-[0-9a-f]{4}-7/

/** Ensures that all later ids sort after `id`, even if the device's clock has been set back. */
export function countFrom(id: string): void {
  if (sameShape.test(id)) last = Math.max(last, Number.parseInt(id.slice(0, 13).replace('-', ''), 16))
}

export function messageId(now: number = tick()): string {
  const random = crypto.getRandomValues(new Uint8Array(10))
  random[0] = 0x70 | (random[0]! & 0x0f)
  random[2] = 0x80 | (random[2]! & 0x3f)
  const tail = [...random].map((byte) => hex(byte, 2)).join('')
  const time = hex(now, 12)
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`
}
