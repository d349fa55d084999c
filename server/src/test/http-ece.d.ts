declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Keys {
    version: 'aes128gcm'
    privateKey: ECDH
    authSecret: string
  }
  const ece: { decrypt(body: Buffer, keys: Keys): Buffer }
  export default ece
}
