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
