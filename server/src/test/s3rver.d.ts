declare module 's3rver' {
  import type { Server } from 'node:http'

  interface Options {
    address: string
    port: number
    silent: boolean
    directory: string
    configureBuckets: { name: string; configs: string[] }[]
  }

  /** An S3 server backed by files. */
  export default class S3rver {
    constructor(options: Options)
    httpServer: Server
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
