/** Whether touch is the only input, so that an on-screen keyboard covers part of the page. */
export const onGlass = () => window.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
