import { Fetch } from 'socket.io-client'

/** Fails as soon as a response is cut off. With socket.io's own class, only a missing heartbeat would reveal that. */
export class Polling extends Fetch {
  override doPoll(): void {
    this.read().then(
      (packets) => this.onData(packets),
      (error: unknown) => this.onError('fetch read error', error),
    )
  }

  private async read(): Promise<string> {
    const answer = await fetch(this.uri(), { credentials: 'include' })
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
    return answer.text()
  }
}
