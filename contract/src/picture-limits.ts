/** In pixels. Separate from the other limits, which the web app's first screens load. */
export const pictureLimits = { pixels: 40e6, longestSide: 10_000 } as const
