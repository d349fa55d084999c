/** A single file has the fields `file`, `size` and `name`; several files have `size_0`, `name_0` and so on. */
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

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  const item = list[from]
  return item === undefined ? [...list] : rest.toSpliced(to, 0, item)
}
