/** Reloads images that failed to load. Browsers don't do that, even when the network is back. */
export function reloadLostImages(): void {
  for (const image of document.images)
    if (image.src && image.complete && image.naturalWidth === 0) image.setAttribute('src', image.src)
}
