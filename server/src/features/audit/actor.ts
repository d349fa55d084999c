export interface Actor {
  id: string
  requestId: string
}

export function actorOf({ viewer, request }: { viewer: { id: string }; request: { id: string } }): Actor {
  return { id: viewer.id, requestId: request.id }
}
