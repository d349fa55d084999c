declare module 'libheif-js' {
  interface HeifImage {
    is_primary(): boolean
    get_width(): number
    get_height(): number
    display(pixels: ImageData, done: (drawn: ImageData | null) => void): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
