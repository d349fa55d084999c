/** In pixels. In a separate file so that the web app's first screens, which load the other limits, don't load these. */
export const pictureLimits = { pixels: 40e6, longestSide: 10_000 } as const
