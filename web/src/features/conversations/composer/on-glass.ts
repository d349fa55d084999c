/** Whether fingers are all there is: keys are drawn on the screen, and take its room. */
export const onGlass = () => window.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
