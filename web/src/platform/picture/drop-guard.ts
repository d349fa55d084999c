import { useEffect } from 'react'

const isFilePicker = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'file'

function catchDrop(event: DragEvent): void {
  if (event.defaultPrevented || isFilePicker(event.target) || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/**
 * Keeps the browser from opening a file that was dropped outside the drop zone, which would replace the app in the tab.
 */
export function useDropGuard(): void {
  useEffect(() => {
    addEventListener('dragover', catchDrop)
    addEventListener('drop', catchDrop)
    return () => {
      removeEventListener('dragover', catchDrop)
      removeEventListener('drop', catchDrop)
    }
  }, [])
}
