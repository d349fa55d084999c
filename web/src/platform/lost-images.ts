/** Asks once more for the images that could not be loaded: browsers give them up, also when there is a network again. */
export function reloadLostImages(): void {
  for (const image of document.images)
    if (image.src && image.complete && image.naturalWidth === 0) image.setAttribute('src', image.src)
}
