/*
 * Replaces what socket.io's client bundles but Duet never uses: binary data in packets, and its default transports.
 * platform/socket/way.ts names the transports that Duet uses.
 */

export const transports = {}
export const WT = undefined
export const XHR = undefined
export const isBinary = () => false
export const hasBinary = () => false

function refuse(): never {
  throw new Error('Duet sends no binary data.')
}

export { refuse as decode, refuse as deconstructPacket, refuse as reconstructPacket }
