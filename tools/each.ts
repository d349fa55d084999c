export async function each<T>(items: readonly T[], atOnce: number, act: (item: T, place: number) => Promise<void>) {
  let next = 0
  const work = async () => {
    for (let place = next++; place < items.length; place = next++) await act(items[place] as T, place)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
