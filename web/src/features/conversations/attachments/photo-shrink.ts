/** Nothing that is drawn is larger: the rest would only be carried about. */
const longestSide = 2160
/** Smaller files go up as they are. */
const smallBytes = 1024 * 1024
const quality = 0.9

/** The size in which a picture is sent: never larger than it is. */
export function shrunkSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

async function drawSmaller(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  const canvas = Object.assign(document.createElement('canvas'), shrunkSize(bitmap.width, bitmap.height))
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/**
 * A large photo, drawn smaller before it leaves the device: it is there sooner, and where it was taken stays behind. What
 * cannot be drawn, or would not get smaller, goes as it is.
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  if (file.size <= smallBytes) return file
  const smaller = await drawSmaller(file).catch(() => null)
  return smaller && smaller.size < file.size ? smaller : file
}
