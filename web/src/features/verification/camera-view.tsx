import { Camera, CameraOff, ImageUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredPictures } from '../../platform/picture/picture-kind.ts'
import { type PictureProblem, preparePicture } from '../../platform/picture/prepare-picture.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { takePicture } from './camera.ts'
import { useCamera } from './use-camera.ts'

export function CameraView({ onTaken }: { onTaken: (selfie: Blob) => void }) {
  const { t } = useTranslation('verification')
  const { stream, problem } = useCamera(true)
  const video = useRef<HTMLVideoElement>(null)
  const take = async () => {
    const picture = video.current && (await takePicture(video.current))
    if (picture) onTaken(picture)
  }
  return (
    <>
      <div className="grid aspect-3/4 place-items-center overflow-hidden rounded-m bg-sunken">
        {stream && <Mirror ref={video} stream={stream} label={t('camera.label')} />}
        {problem && <Refused>{t(`camera.${problem}`)}</Refused>}
        {!stream && !problem && (
          <p className="grid justify-items-center gap-3 p-4 text-center text-s text-ink-2">
            <Spinner />
            {t('camera.opening')}
          </p>
        )}
      </div>
      <div className="col-span-2 grid gap-3 sm:flex sm:justify-end">
        <FileButton onTaken={onTaken} label={t('camera.file')} only={problem !== undefined} />
        {stream && (
          <Button icon={<Camera aria-hidden="true" />} onClick={() => void take()}>
            {t('camera.take')}
          </Button>
        )}
      </div>
    </>
  )
}

function Refused({ children }: { children: string }) {
  return (
    <p className="grid justify-items-center gap-3 p-4 text-center text-s text-pretty text-ink-2">
      <CameraOff aria-hidden="true" />
      {children}
    </p>
  )
}

interface MirrorProps {
  ref: React.RefObject<HTMLVideoElement | null>
  stream: MediaStream
  label: string
}

function Mirror({ ref, stream, label }: MirrorProps) {
  useEffect(() => {
    if (ref.current) ref.current.srcObject = stream
  }, [ref, stream])
  return (
    <video ref={ref} aria-label={label} autoPlay muted playsInline className="size-full -scale-x-100 object-cover" />
  )
}

const shortestSide = 1080
const fileProblems = {
  tooLarge: 'payload_too_large',
  wrongType: 'unsupported_media_type',
  heic: 'heic',
  failed: 'failed',
} as const satisfies Record<PictureProblem, string>

interface FileButtonProps {
  onTaken: (selfie: Blob) => void
  label: string
  /** True if there is no camera, which makes this the primary button. */
  only: boolean
}

function FileButton({ onTaken, label, only }: FileButtonProps) {
  const { t } = useTranslation('verification')
  const [state, setState] = useState<PictureProblem | 'opening'>()
  const open = async (file: File) => {
    setState('opening')
    const ready = await preparePicture(file, shortestSide)
    if (typeof ready === 'string') setState(ready)
    else onTaken(ready.file)
  }
  const isOpening = state === 'opening'
  const look = only ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-sunken hover:bg-line'
  return (
    <>
      <FormError>{state && !isOpening && t(`sendProblem.${fileProblems[state]}`)}</FormError>
      <label
        className={`inline-flex h-11 items-center justify-center gap-2 rounded-full px-5 text-[15px] font-[620] transition has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent ${look}`}
      >
        {isOpening ? <Spinner /> : <ImageUp aria-hidden="true" />}
        {label}
        <input
          type="file"
          accept={offeredPictures()}
          disabled={isOpening}
          className="sr-only"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) void open(file)
          }}
        />
      </label>
    </>
  )
}
