import type { Page } from '@playwright/test'

/** Returns everything that this origin stores in the browser, as one string. */
export async function stored(page: Page): Promise<string> {
  const parts = await page.evaluate(async () => {
    const all: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    all.push(document.cookie, JSON.stringify(history.state))
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await asked(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store)
        all.push(name ?? '', JSON.stringify([await asked(rows.getAllKeys()), await asked(rows.getAll())]))
        await new Promise((resolve) => setTimeout(resolve))
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = /\.(js|css|woff2|webp)$/.test(request.url) ? '' : await (await cache.match(request))?.text()
        all.push(request.url, text ?? '')
      }
    }
    return all
  })
  // Includes HTTP-only cookies.
  return [...parts, JSON.stringify(await page.context().cookies())].join('\n')
}
