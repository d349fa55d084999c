import { useEffect, useState } from 'react'
import { type CameraProblem, cameraProblem, closeCamera, openCamera } from './camera.ts'

export function useCamera(on: boolean): { stream?: MediaStream; problem?: CameraProblem } {
  const [camera, setCamera] = useState<{ stream?: MediaStream; problem?: CameraProblem }>({})
  useEffect(() => {
    if (!on) return
    let isOver = false
    let opened: MediaStream | undefined
    openCamera().then(
      (stream) => {
        if (isOver) return closeCamera(stream)
        opened = stream
        setCamera({ stream })
      },
      (error: unknown) => !isOver && setCamera({ problem: cameraProblem(error) }),
    )
    return () => {
      isOver = true
      if (opened) closeCamera(opened)
      setCamera({})
    }
  }, [on])
  return camera
}
