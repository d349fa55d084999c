import { limits } from '@duet/contract/limits.ts'

const accepted = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** What the file dialog offers. */
export const acceptedTypes = [...accepted].join(',')

export type Refusal = 'wrongType' | 'tooLarge' | 'tooMany'

/** Which of these files may be sent while `room` more fit, and the reason the first of the others may not. */
export function sortFiles(files: readonly File[], room: number): { good: File[]; refusal: Refusal | undefined } {
  const whyNot = (file: File): Refusal | undefined => {
    if (!accepted.has(file.type)) return 'wrongType'
    return file.size > limits.photoBytes ? 'tooLarge' : undefined
  }
  const fit = files.filter((file) => !whyNot(file))
  const refusal = files.map(whyNot).find(Boolean) ?? (fit.length > room ? 'tooMany' : undefined)
  return { good: fit.slice(0, room), refusal }
}

/** The multipart form: file, size, name for one; for several, each file with its size_{index} and name_{index}. */
export function photoForm(files: readonly File[]): FormData {
  const form = new FormData()
  for (const [index, file] of files.entries()) {
    const suffix = files.length > 1 ? `_${index}` : ''
    form.append('file', file)
    form.append(`size${suffix}`, String(file.size))
    form.append(`name${suffix}`, file.name)
  }
  return form
}

/** The list with one item moved from one place to another. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  const item = list[from]
  return item === undefined ? [...list] : rest.toSpliced(to, 0, item)
}
