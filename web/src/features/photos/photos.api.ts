import type { OwnPhotos } from '@duet/contract/photos.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { profilesKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'
import { photoForm } from './photo-files.ts'

function keepPhotos(queryClient: QueryClient, userId: string, { images, photos }: OwnPhotos): void {
  queryClient.setQueryData<MyDetails>(ownDetailsKey, (details) => details && { ...details, images, photos })
  useSession.getState().amend(userId, { images })
  // Refetch what the server computes: the profile's completeness and how others see it.
  void queryClient.invalidateQueries({ queryKey: ownDetailsKey })
  void queryClient.invalidateQueries({ queryKey: profilesKey })
}

function usePhotoChange<T>(send: (what: T) => Promise<OwnPhotos>) {
  const queryClient = useQueryClient()
  const userId = useSession((state) => state.user?.id ?? '')
  return useMutation({ mutationFn: send, onSuccess: (photos) => keepPhotos(queryClient, userId, photos) })
}

/** `progress` goes from 0 to 1. The new photo replaces `replaces`, if set. */
export function useAddPhotos() {
  const [progress, setProgress] = useState(0)
  const userId = useSession((state) => state.user?.id ?? '')
  const adding = usePhotoChange(({ files, replaces }: { files: readonly File[]; replaces?: string | undefined }) => {
    setProgress(0)
    const request = { params: { userId }, query: { replaces }, form: photoForm(files) }
    return upload('PATCH /api/user/:userId/image', request, setProgress)
  })
  return { ...adding, progress }
}

export function useDeletePhoto() {
  return usePhotoChange((imageFileName: string) => call('PATCH /api/user/deleteImage', { body: { imageFileName } }))
}

export function useDescribePhoto() {
  return usePhotoChange(({ fileName, alt }: { fileName: string; alt: string }) =>
    call('PATCH /api/photos/:fileName', { params: { fileName }, body: { alt } }),
  )
}
