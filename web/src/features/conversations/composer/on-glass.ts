/** Touch is the only input, so the keyboard covers part of the screen. */
export const onGlass = () => window.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
