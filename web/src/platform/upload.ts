import type { Api } from '@duet/contract/api.ts'
import {
  type AnyRequest,
  bearer,
  type CallRequest,
  type CallResponse,
  type EndpointName,
  refuse,
  requestLine,
} from './call.ts'
import { offlineProblem, toProblemError } from './problem.ts'

type MultipartName = { [K in EndpointName]: Api[K] extends { multipart: true } ? K : never }[EndpointName]

/** `onProgress` gets a number from 0 to 1. */
export function upload<K extends MultipartName>(
  name: K,
  request: CallRequest<K>,
  onProgress: (share: number) => void,
): Promise<CallResponse<K>> {
  const parts: AnyRequest = request
  const { method, url } = requestLine(name, parts)
  const headers = bearer()
  return new Promise((resolve, reject) => {
    const transfer = new XMLHttpRequest()
    transfer.open(method, url)
    transfer.responseType = 'json'
    for (const [key, value] of Object.entries(headers)) transfer.setRequestHeader(key, value)
    transfer.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    transfer.onerror = () => reject(offlineProblem())
    transfer.onabort = () => reject(new DOMException('The upload was aborted.', 'AbortError'))
    transfer.onload = () => {
      const { status, response } = transfer
      const isOk = status >= 200 && status < 300
      if (isOk && response === null) return reject(offlineProblem())
      if (isOk) return resolve(response as CallResponse<K>)
      reject(refuse(toProblemError(status, response, transfer.getResponseHeader('retry-after')), headers))
    }
    parts.signal?.addEventListener('abort', () => transfer.abort())
    transfer.send(parts.form ?? null)
  })
}
