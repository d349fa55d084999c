/** Who acts, and the request it is done with. */
export interface Actor {
  id: string
  requestId: string
}

/** Of a call. */
export function actorOf({ viewer, request }: { viewer: { id: string }; request: { id: string } }): Actor {
  return { id: viewer.id, requestId: request.id }
}
