import { permitted } from '../../platform/permitted.ts'

export type CameraProblem = 'denied' | 'none' | 'failed'

const wanted = { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 960 } }
const quality = 0.92

export function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' || name === 'NotSupportedError' ? 'none' : 'failed'
}

/** Throws the browser's error, which `cameraProblem` can interpret. */
export async function openCamera(): Promise<MediaStream> {
  const devices = permitted(() => navigator.mediaDevices)
  if (!devices?.getUserMedia) throw new DOMException('There is no camera.', 'NotSupportedError')
  return devices.getUserMedia({ video: wanted, audio: false })
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** Not mirrored; null if the camera hasn't started. */
export async function takePicture(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0 || height === 0) return null
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
