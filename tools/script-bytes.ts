import { gzipSync } from 'node:zlib'

interface LoadingPage {
  on(event: 'response', hear: (response: Loaded) => void): unknown
  goto(url: string, options: { waitUntil: 'networkidle' }): Promise<unknown>
}

interface Loaded {
  request(): { resourceType(): string }
  body(): Promise<Buffer>
}

/**
 * The JavaScript that a fresh page loads until the network is idle, in kilobytes (1000 bytes), if each file is
 * compressed with gzip -9.
 */
export async function scriptKilobytes(page: LoadingPage, url: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const bytes = await Promise.all(sizes)
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 100) / 10
}
